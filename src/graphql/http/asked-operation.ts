import type { VariableValues } from "graphql";
import type { ClockEntry } from "../../domain/clock-cache.ts";
import type { HeldRead } from "../../domain/reading/prepared-read.ts";
import type { Viewer } from "../../domain/viewer.ts";
import type { Parameters } from "../documents/parameters.ts";
import type { FoundDocument } from "../documents/persisted-documents.ts";
import { type BoundValues, bindValues, totalCost } from "../plan/bound-values.ts";
import type { Operation } from "../plan/operation.ts";
import type { Plan } from "../plan/plan.ts";
import { assertDraftArguments, assertScopes } from "./assert-scopes.ts";

/** Characters of the longest answer that is kept whole: a longer one is joined again from what the store keeps. */
const LONGEST_WHOLE = 256;

/**
 * The operation that a request asks for. Each step is taken once, however many requests with the same bytes there are; binding again
 * for each other viewer.
 *
 * The results of the steps are fields of this object, and a short answer is kept whole: one of many thousands is in no cache of the
 * processor, and to go through many objects costs a twentieth of a small read (measured).
 */
export class AskedOperation implements ClockEntry {
  /** The body that asks for it, a character for each byte; null where it is not to be remembered. */
  readonly body: string | null;
  /** Whether it was asked for before, with the same bytes. */
  isRepeated = false;
  isUsed = false;
  readonly parameters: Parameters;
  readonly document: FoundDocument;
  readonly operation: Operation;
  #plan: Plan | null = null;
  #variables: VariableValues | null = null;
  /** Viewer of the latest `bind`. */
  #viewer: Viewer | null = null;
  #values: BoundValues = [];
  #cost = 0;
  /** The answer to what was bound last, in pieces; null where it cannot be held, undefined where that is not known. */
  #held: readonly Piece[] | null | undefined;
  /** The same as a whole. */
  #whole = "";
  /** `Store.heldVersion` for which `#whole` is right; null for none. */
  #version: number | null = null;

  constructor(body: string | null, parameters: Parameters, document: FoundDocument, operation: Operation) {
    this.body = body;
    this.parameters = parameters;
    this.document = document;
    this.operation = operation;
  }

  /** @throws DocumentError BAD_USER_INPUT, AppError BAD_USER_INPUT */
  plan(): Plan {
    if (this.#plan !== null) {
      this.operation.planHits.add();
      return this.#plan;
    }
    this.#variables = this.operation.coerceVariables(this.parameters.variables);
    this.#plan = this.operation.plan(this.#variables);
    return this.#plan;
  }

  /**
   * Sets `values` and `cost` for a viewer. To be called after `plan`.
   *
   * @throws AppError UNAUTHENTICATED, FORBIDDEN; DocumentError BAD_USER_INPUT
   */
  bind(viewer: Viewer): void {
    if (this.#viewer === viewer) return;
    const plan = this.#plan;
    const variables = this.#variables;
    if (plan === null || variables === null) throw new Error("An operation is planned before it is bound.");
    assertScopes(plan, viewer);
    const values = bindValues(plan, variables, viewer);
    if (this.operation.isMutation) assertDraftArguments(plan, values, viewer);
    this.#held = undefined;
    this.#version = null;
    this.#viewer = viewer;
    this.#values = values;
    this.#cost = totalCost(plan, values);
  }

  /** Values of the latest `bind`. */
  get values(): BoundValues {
    return this.#values;
  }

  /** Points of the latest `bind`. */
  get cost(): number {
    return this.#cost;
  }

  /** Whether the same bytes always ask for the same: a query that reads content alone. */
  get isRepeatable(): boolean {
    return (
      this.document.register === null &&
      this.operation.type === "query" &&
      this.#plan?.fields.every(({ kind }) => kind === "read" || kind === "constant") === true
    );
  }

  /**
   * The body of the answer to what was bound last, from memory: as it would be read now.
   *
   * @param heldVersion of the store
   * @returns null where it has to be read
   */
  answer(heldVersion: () => number | null): string | null {
    if (!this.isRepeated || this.#held === null) return null;
    const version = heldVersion();
    if (version !== null && version === this.#version) return this.#whole;
    if (this.#plan === null || this.#viewer === null) return null;
    if (this.#held === undefined) this.#held = hold(this.#plan, this.#values);
    const text = this.#held === null ? null : join(this.#held);
    const isKept = text !== null && text.length <= LONGEST_WHOLE;
    this.#whole = isKept ? text : "";
    this.#version = isKept ? version : null;
    return text;
  }
}

type Piece = string | HeldRead;

/** @returns null where one of the pieces has to be read */
function join(pieces: readonly Piece[]): string | null {
  let text = "";
  for (const piece of pieces) {
    const part = typeof piece === "string" ? piece : piece();
    if (part === null) return null;
    text += part;
  }
  return text;
}

/** The pieces as `execute` joins them. */
function hold(plan: Plan, values: BoundValues): readonly Piece[] | null {
  const pieces: Piece[] = [];
  let text = '{"data":{';
  for (const [index, field] of plan.fields.entries()) {
    text += field.prefix;
    if (field.kind === "constant") text += field.json;
    else {
      const held = field.kind === "read" ? field.read.hold?.(values[index]?.values ?? []) : null;
      if (held == null) return null;
      pieces.push(text, field.isNullable ? held : neverNull(held));
      text = "";
    }
  }
  pieces.push(`${text}}}`);
  return pieces;
}

/** A null is an error in a field that is never null, and `execute` writes that. */
function neverNull(held: HeldRead): HeldRead {
  return () => {
    const text = held();
    return text === "null" ? null : text;
  };
}
