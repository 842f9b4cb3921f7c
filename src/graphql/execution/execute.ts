import type { GraphQLSchema } from "graphql";
import { KeyInUse } from "../../domain/idempotency.ts";
import type { PreviewTokens } from "../../domain/posts/previews.ts";
import type { RenderMarkdown } from "../../domain/posts/rendering.ts";
import type { SlotValues } from "../../domain/reading/selection.ts";
import type { Store } from "../../domain/store/store.ts";
import type { Allowance } from "../../domain/token-bucket.ts";
import type { Viewer } from "../../domain/viewer.ts";
import type { Log } from "../../observe/log.ts";
import { type ErrorEntry, errorEntry } from "../documents/errors.ts";
import type { VariableInputs } from "../documents/variables.ts";
import { type BoundValues, NOTHING_BOUND } from "../plan/bound-values.ts";
import { type Shape, toJson, type Value } from "../plan/object-shape.ts";
import type { Plan } from "../plan/plan.ts";
import type { AdministrationField, MutationField, ObjectField, RootField } from "../plan/root-field.ts";
import { answerTo, readBackOf, refusedPayload, type Shown } from "./change.ts";
import type { KeyedRequest } from "./idempotency.ts";
import { type Introspected, introspect } from "./introspection.ts";
import { mutationNamed } from "./mutations.ts";
import { objectNamed, type ServerInfo } from "./objects.ts";

export interface ExecutionContext {
  readonly schema: GraphQLSchema;
  readonly store: Store;
  readonly renderMarkdown: RenderMarkdown;
  readonly serverInfo: ServerInfo;
  readonly previewTokens: PreviewTokens;
  /** Unix time in milliseconds. */
  readonly now: () => number;
  /** Answers a root field under the scope `admin`. */
  readonly administer: (field: AdministrationField, request: AdministrationRequest) => Promise<string>;
  readonly log: Log;
}

export interface ExecutionRequest {
  readonly plan: Plan;
  readonly bound: BoundValues;
  /** As they came, for introspection, which coerces them itself. */
  readonly inputs: VariableInputs;
  readonly viewer: Viewer;
  readonly requestId: string;
  /** The caller's IP address; null if unknown. */
  readonly address: string | null;
  /** Points of the whole document. */
  readonly cost: number;
  /** The account that pays for it; null without limits. */
  readonly account: { readonly allowance: Allowance | null } | null;
  /** Set if it came with an Idempotency-Key. */
  readonly keyed: KeyedRequest | null;
  /** Asked before each root field: whether nobody waits for the answer any more. */
  readonly isOver: () => boolean;
}

export interface ExecutionResult {
  /** JSON text of `data`; null when an error reached the top. */
  readonly data: string | null;
  readonly errors: readonly ErrorEntry[];
}

const NO_ERRORS: readonly ErrorEntry[] = [];

/** Runs the root fields one after the other, which mutations need and reads on one connection lose nothing by. */
export function execute(
  context: ExecutionContext,
  request: ExecutionRequest,
): ExecutionResult | Promise<ExecutionResult> {
  return new Execution(context, request).continueFrom(0);
}

class Execution {
  readonly #context: ExecutionContext;
  readonly #request: ExecutionRequest;
  #text = "{";
  #errors: ErrorEntry[] | null = null;
  #introspected: Introspected | null = null;

  constructor(context: ExecutionContext, request: ExecutionRequest) {
    this.#context = context;
    this.#request = request;
  }

  continueFrom(start: number): ExecutionResult | Promise<ExecutionResult> {
    const { fields } = this.#request.plan;
    for (let index = start; index < fields.length; index++) {
      const field = fields[index] as RootField;
      if (index > 0 && this.#request.isOver()) return this.#result(null);
      try {
        const json = this.#run(field, index);
        if (json instanceof Promise) {
          return json.then(
            (text) => (this.#complete(field, text) ? this.continueFrom(index + 1) : this.#result(null)),
            (error: unknown) => (this.#fail(field, error) ? this.continueFrom(index + 1) : this.#result(null)),
          );
        }
        if (!this.#complete(field, json)) return this.#result(null);
      } catch (error) {
        if (!this.#fail(field, error)) return this.#result(null);
      }
    }
    return this.#result(`${this.#text}}`);
  }

  #run(field: RootField, index: number): string | Promise<string> {
    const { values, args } = this.#request.bound[index] ?? NOTHING_BOUND;
    switch (field.kind) {
      case "read":
        return field.read.run(values);
      case "constant":
        return field.json;
      case "introspection":
        return this.#introspect()[field.key] ?? "null";
      case "rateLimit":
        return this.#allowance(field.shape);
      case "object":
        return this.#object(field, args);
      case "mutation":
        return this.#change(field, index, { values, args });
      case "events":
      case "copyEvents":
        throw new Error("A subscription is no request for one answer.");
      case "administration":
        return this.#context.administer(field, { ...this.#request, values, args, index });
    }
  }

  #allowance(shape: Shape): string {
    const allowance = this.#request.account?.allowance ?? null;
    return toJson(allowance === null ? null : { ...allowance, cost: this.#request.cost }, shape);
  }

  async #object({ definition, shape }: ObjectField, args: BoundValues[number]["args"]): Promise<string> {
    const { store, serverInfo, previewTokens, now } = this.#context;
    const { viewer } = this.#request;
    const context = { store, viewer, serverInfo, previewTokens, renderMarkdown: this.#renderMarkdown, now };
    const value = await objectNamed(definition.name)(context, args);
    return shape === null ? JSON.stringify(value) : toJson(value as Value | null, shape);
  }

  /** For this request alone: nobody waits for the text once it is over. */
  readonly #renderMarkdown: RenderMarkdown = (text, job) =>
    this.#context.renderMarkdown(text, {
      owner: this.#request.viewer.userId,
      isAbandoned: this.#request.isOver,
      ...job,
    });

  async #change(field: MutationField, index: number, { values, args }: BoundValues[number]): Promise<string> {
    const { store, previewTokens, now } = this.#context;
    const { viewer, keyed } = this.#request;
    const renderMarkdown = this.#renderMarkdown;
    let shown: Shown = {};
    let id = keyed?.changedBefore(index) ?? null;
    const readBack = id === null ? readBackOf(field.answer, values) : null;
    if (id === null) {
      try {
        const made = await mutationNamed(field.definition.name)(
          { store, viewer, renderMarkdown, previewTokens, now, once: keyed?.once(index), readBack },
          args,
        );
        id = typeof made === "string" ? made : made.id;
        if (typeof made !== "string") shown = made.shown;
      } catch (error) {
        const refused = refusedPayload(field.answer, error);
        if (refused === null) throw error;
        if (keyed !== null) keyed.isWhole = false;
        return refused;
      }
    }
    return answerTo(field.answer, id, values, readBack?.json ?? null, shown);
  }

  #introspect(): Introspected {
    const { plan, inputs } = this.#request;
    if (plan.introspection === null) throw new Error("A plan with introspection fields has no document for them.");
    this.#introspected ??= introspect(this.#context.schema, plan.introspection, inputs);
    return this.#introspected;
  }

  /** @returns whether the answer can go on (GraphQL specification section 6.4.4, handling execution errors) */
  #complete(field: RootField, json: string): boolean {
    if (json === "null" && !field.isNullable) {
      return this.#fail(field, new Error(`${field.key} came back as null although it cannot be.`));
    }
    this.#text += field.prefix + json;
    return true;
  }

  #fail(field: RootField, error: unknown): boolean {
    if (error instanceof KeyInUse) throw error; // the request as a whole is too late
    const place = { path: [field.key], locations: field.locations };
    this.#errors ??= [];
    this.#errors.push(errorEntry(error, place, this.#request.requestId, this.#context.log));
    if (field.isNullable) this.#text += `${field.prefix}null`;
    return field.isNullable;
  }

  #result(data: string | null): ExecutionResult {
    return { data, errors: this.#errors ?? NO_ERRORS };
  }
}

/** One root field under the scope `admin`, in a request. */
export interface AdministrationRequest {
  readonly viewer: Viewer;
  readonly values: SlotValues;
  /** As the schema coerces them. */
  readonly args: Readonly<Record<string, unknown>>;
  readonly keyed: KeyedRequest | null;
  /** The position of the field. */
  readonly index: number;
  readonly requestId: string;
  readonly address: string | null;
}
