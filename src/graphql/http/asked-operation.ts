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

/** An operation with the values of one request, for one viewer. */
export interface BoundOperation {
  readonly viewer: Viewer;
  readonly values: BoundValues;
  /** Points. */
  readonly cost: number;
}

/**
 * The operation that a request asks for. Each step is taken once, however many requests with the same bytes there are; binding again
 * for each other viewer.
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
  #planned: { readonly plan: Plan; readonly variables: VariableValues } | null = null;
  #bound: BoundOperation | null = null;
  /** The answer to what was bound last, in pieces; null where it cannot be held, undefined where that is not known. */
  #held: readonly Piece[] | null | undefined;

  constructor(body: string | null, parameters: Parameters, document: FoundDocument, operation: Operation) {
    this.body = body;
    this.parameters = parameters;
    this.document = document;
    this.operation = operation;
  }

  /** @throws DocumentError BAD_USER_INPUT, AppError BAD_USER_INPUT */
  plan(): Plan {
    if (this.#planned !== null) {
      this.operation.planHits.add();
      return this.#planned.plan;
    }
    const variables = this.operation.coerceVariables(this.parameters.variables);
    const plan = this.operation.plan(variables);
    this.#planned = { plan, variables };
    return plan;
  }

  /**
   * To be called after `plan`.
   *
   * @throws AppError UNAUTHENTICATED, FORBIDDEN; DocumentError BAD_USER_INPUT
   */
  bind(viewer: Viewer): BoundOperation {
    if (this.#bound?.viewer === viewer) return this.#bound;
    if (this.#planned === null) throw new Error("An operation is planned before it is bound.");
    const { plan, variables } = this.#planned;
    assertScopes(plan, viewer);
    const values = bindValues(plan, variables, viewer);
    if (this.operation.isMutation) assertDraftArguments(plan, values, viewer);
    this.#held = undefined;
    this.#bound = { viewer, values, cost: totalCost(plan, values) };
    return this.#bound;
  }

  /** Whether the same bytes always ask for the same: a query that reads content alone. */
  get isRepeatable(): boolean {
    return (
      this.document.register === null &&
      this.operation.type === "query" &&
      this.#planned?.plan.fields.every(({ kind }) => kind === "read" || kind === "constant") === true
    );
  }

  /**
   * The body of the answer to what was bound last, from memory: as it would be read now.
   *
   * @returns null where it has to be read
   */
  answer(): string | null {
    if (!this.isRepeated || this.#planned === null || this.#bound === null) return null;
    if (this.#held === undefined) this.#held = hold(this.#planned.plan, this.#bound.values);
    if (this.#held === null) return null;
    let text = "";
    for (const piece of this.#held) {
      const part = typeof piece === "string" ? piece : piece();
      if (part === null) return null;
      text += part;
    }
    return text;
  }
}

type Piece = string | HeldRead;

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
