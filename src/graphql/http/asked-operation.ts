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
 * What a request asks for, as its bytes say. Each step is taken once, however many requests with the same bytes there are; that of the
 * viewer again for each other viewer.
 */
export class AskedOperation implements ClockEntry {
  /** The body that asks for it, a character for each byte; null where it is not to be remembered. */
  readonly body: string | null;
  isKept = false;
  isUsed = false;
  readonly parameters: Parameters;
  readonly document: FoundDocument;
  readonly operation: Operation;
  #variables: VariableValues | null = null;
  #plan: Plan | null = null;
  #bound: BoundOperation | null = null;
  /** The answer in pieces; null where it cannot be kept, undefined where that is not known. */
  #kept: readonly Piece[] | null | undefined;

  constructor(body: string | null, parameters: Parameters, document: FoundDocument, operation: Operation) {
    this.body = body;
    this.parameters = parameters;
    this.document = document;
    this.operation = operation;
  }

  /** @throws DocumentError BAD_USER_INPUT, AppError BAD_USER_INPUT */
  plan(): Plan {
    if (this.#plan === null) {
      this.#variables = this.operation.coerceVariables(this.parameters.variables);
      this.#plan = this.operation.plan(this.#variables);
    } else this.operation.planHits.add();
    return this.#plan;
  }

  /** @throws AppError UNAUTHENTICATED, FORBIDDEN; DocumentError BAD_USER_INPUT */
  bind(viewer: Viewer): BoundOperation {
    const plan = this.#plan ?? this.plan();
    const known = this.#bound;
    if (known?.viewer === viewer) return known;
    assertScopes(plan, viewer);
    const values = bindValues(plan, this.#variables as VariableValues, viewer);
    if (this.operation.isMutation) assertDraftArguments(plan, values, viewer);
    this.#kept = undefined;
    this.#bound = { viewer, values, cost: totalCost(plan, values) };
    return this.#bound;
  }

  /** Whether it is the same each time: a query that reads content alone. */
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
   * @returns null where it has to be read
   */
  answer(): string | null {
    if (!this.isKept) return null;
    if (this.#kept === undefined) this.#kept = piecesOf(this.#plan, this.#bound);
    if (this.#kept === null) return null;
    let text = "";
    for (const piece of this.#kept) {
      const part = typeof piece === "string" ? piece : piece();
      if (part === null) return null;
      text += part;
    }
    return text;
  }
}

type Piece = string | HeldRead;

/** A null is an error there, which has to be told. */
function orError(held: HeldRead): HeldRead {
  return () => {
    const text = held();
    return text === "null" ? null : text;
  };
}

/** As `execute` writes them. */
function piecesOf(plan: Plan | null, bound: BoundOperation | null): readonly Piece[] | null {
  const pieces: Piece[] = [];
  let text = '{"data":{';
  for (const [index, field] of plan?.fields.entries() ?? []) {
    text += field.prefix;
    if (field.kind === "constant") text += field.json;
    else {
      const held = field.kind === "read" ? field.read.hold?.(bound?.values[index]?.values ?? []) : null;
      if (held == null) return null;
      pieces.push(text, field.isNullable ? held : orError(held));
      text = "";
    }
  }
  pieces.push(`${text}}}`);
  return pieces;
}
