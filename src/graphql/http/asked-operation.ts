import type { VariableValues } from "graphql";
import type { ClockEntry } from "../../domain/clock-cache.ts";
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
  #isHeld = false;

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
    if (known?.viewer === viewer) {
      if (!this.#isHeld) hold(plan, known.values);
      this.#isHeld = true;
      return known;
    }
    assertScopes(plan, viewer);
    const values = bindValues(plan, this.#variables as VariableValues, viewer);
    if (this.operation.isMutation) assertDraftArguments(plan, values, viewer);
    this.#isHeld = false;
    this.#bound = { viewer, values, cost: totalCost(plan, values) };
    return this.#bound;
  }

  /** Whether all that it reads is content. What others may mean by the same bytes later is something else. */
  get isRepeatable(): boolean {
    return (
      this.document.register === null &&
      this.operation.type === "query" &&
      this.#plan?.fields.every(({ kind }) => kind === "read" || kind === "constant") === true
    );
  }
}

/** For requests that come again: what is read need not be looked for by its values each time. */
function hold({ fields }: Plan, values: BoundValues): void {
  for (const [index, bound] of values.entries()) {
    const field = fields[index];
    if (field?.kind === "read") bound.held = field.read.hold?.(bound.values) ?? null;
  }
}
