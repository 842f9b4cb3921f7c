import { AppError } from "../../domain/errors.ts";
import type { Viewer } from "../../domain/viewer.ts";
import { codeOf, HttpError, nullDataStatus, printErrors } from "../documents/errors.ts";
import { assertWithin } from "../documents/limits.ts";
import type { Retirement } from "../documents/retirement.ts";
import { copySubscriptionTo } from "../execution/copy-events.ts";
import { type ExecutionResult, execute } from "../execution/execute.ts";
import { type KeyedRequest, readIdempotencyKey } from "../execution/idempotency.ts";
import { subscriptionTo } from "../execution/post-events.ts";
import { type BoundValues, NOTHING_BOUND } from "../plan/bound-values.ts";
import type { Operation } from "../plan/operation.ts";
import type { Plan } from "../plan/plan.ts";
import { answerKeys } from "./cache-keys.ts";
import { conditional } from "./conditional.ts";
import type { HandlerContext } from "./handler-context.ts";
import { isGet, isJsonContent, negotiate, type ResponseType } from "./media-types.ts";
import type { GraphQLRequest, GraphQLResponse } from "./messages.ts";
import { type ObservedOperation, observeOperation } from "./observed-operation.ts";
import type { Account } from "./rate-limit.ts";
import { assertFreshEnough } from "./recent-sign-in.ts";
import { countErrors, RETRY_AFTER, refusal } from "./refusal.ts";
import { when } from "./when.ts";

const CONTENT_TYPES: Readonly<Record<ResponseType, string>> = {
  "application/graphql-response+json": "application/graphql-response+json; charset=utf-8",
  "application/json": "application/json; charset=utf-8",
};

const SUBSCRIBE_ELSEWHERE =
  "Subscriptions are answered as Server-Sent Events (Accept: text/event-stream) and over WebSocket (graphql-transport-ws).";

/**
 * One request by the GraphQL-over-HTTP specification. `respond` and `#answer` show what is checked, in order: form of
 * the request, caller, parameters, document, variables, scopes, arguments, cost, rate, age of the sign-in; only then anything runs.
 */
export class Exchange {
  readonly #context: HandlerContext;
  readonly #request: GraphQLRequest;
  readonly #accepted: ResponseType | null;
  readonly #account: Account | null;
  /** Null where nothing is noted of the request. */
  readonly #observed: ObservedOperation | null;
  readonly #startedAt: number;
  #operation: Operation | null = null;
  #isTimedOut = false;
  #isMutation = false;
  /** Points; shown to who asks for them. */
  #cost = 0;
  #retirement: Retirement | null = null;

  constructor(context: HandlerContext, request: GraphQLRequest) {
    this.#context = context;
    this.#request = request;
    this.#startedAt = request.startedAt ?? performance.now();
    this.#accepted = negotiate(request.headers.accept).response;
    this.#account = context.rateLimiter?.account(request.address ?? null) ?? null;
    this.#observed = observeOperation(context.observing);
  }

  /** Never throws: whatever goes wrong becomes an answer. */
  respond(): GraphQLResponse | Promise<GraphQLResponse> {
    const observed = this.#observed;
    return observed === null ? this.#respond() : when(this.#respond(), (response) => observed.end(response));
  }

  #respond(): GraphQLResponse | Promise<GraphQLResponse> {
    try {
      // Before anything else is done, so that guesses at tokens and malformed requests are not free.
      this.#account?.charge(0, 1);
      this.#assertForm();
      const viewer = this.#request.viewer ?? this.#context.authenticate(this.#request);
      const answer = when(viewer, (known) => this.#answer(known));
      return answer instanceof Promise ? this.#inTime(answer) : this.#measured(answer);
    } catch (error) {
      return this.#measured(this.refuse(error));
    }
  }

  #assertForm(): void {
    const { method, headers } = this.#request;
    if (method !== "POST" && !isGet(method)) {
      throw new HttpError(405, "Only GET, HEAD and POST are answered here.", { allow: "GET, HEAD, POST" });
    }
    if (this.#accepted === null) {
      throw new HttpError(406, "The answer is application/graphql-response+json or application/json.");
    }
    if (isGet(method)) return;
    if (!isJsonContent(headers["content-type"]))
      throw new HttpError(415, "The body must be application/json in UTF-8.");
    const coding = headers["content-encoding"];
    if (coding !== undefined && coding !== "identity") throw new HttpError(415, "The body must not be compressed.");
  }

  #answer(viewer: Viewer): GraphQLResponse | Promise<GraphQLResponse> {
    const { operations, requests, documents, limits } = this.#context;
    const { method, headers, requestId } = this.#request;
    const { authorization } = headers;
    this.#observed?.begin(viewer);
    const madeBefore = operations.made;
    if (authorization !== undefined) this.#account?.use(authorization);
    const asked = requests.ask(this.#request);
    const { operation, document, parameters } = asked;
    this.#operation = operation;
    documents.register(document);
    if (operation.isMutation && isGet(method)) {
      throw new HttpError(405, "A mutation must be sent by POST.", { allow: "POST" });
    }
    if (operation.isSubscription && this.#request.streams !== true) throw new HttpError(406, SUBSCRIBE_ELSEWHERE);
    this.#isMutation = operation.isMutation;
    this.#retirement = operation.retirement;
    const plan = asked.plan();
    this.#observed?.planned(operation, document.text, parameters.documentId, operations.made !== madeBefore);
    asked.bind(viewer);
    const { values: bound, cost } = asked;
    this.#cost = cost;
    this.#observed?.cost(cost);
    if (cost > limits.MAX_COST) this.#context.costRejected.add();
    assertWithin("cost", cost, limits.MAX_COST);
    this.#account?.charge(Math.max(1, cost), Math.max(0, cost - 1));
    const known = headers["graphql-cost"] === undefined ? asked.answer(this.#context.heldVersion) : null;
    if (known !== null) return { status: 200, headers: this.#headers(), body: known };
    requests.keep(asked);
    if (operation.isSubscription) return this.#subscribe(plan, { ...(bound[0] ?? NOTHING_BOUND), viewer });
    const run = (keyed: KeyedRequest | null) => {
      const result = execute(this.#context, {
        plan,
        bound,
        inputs: parameters.variables,
        viewer,
        requestId,
        address: this.#request.address ?? null,
        cost: this.#cost,
        account: this.#account,
        keyed,
        isOver: () => this.#isTimedOut || this.#request.isClosed?.() === true,
      });
      return when(result, (done) => {
        if (keyed !== null && (done.data === null || done.errors.length > 0)) keyed.isWhole = false;
        return this.#complete(done, plan, bound);
      });
    };
    return when(assertFreshEnough(plan, bound, viewer, this.#request, this.#context), () => {
      const header = headers["idempotency-key"];
      if (header === undefined || !operation.isMutation) return run(null);
      // Do not replay answers to people who are no longer administrators.
      if (viewer.role !== "admin" && plan.fields.some((field) => field.kind === "administration" && !field.isOwn))
        return run(null);
      const key = readIdempotencyKey(String(header));
      const { operationName } = parameters;
      const payload = { viewer, key, document: document.text, operationName, variables: parameters.variables };
      return this.#context.idempotencyKeys.answer(payload, run, (body) => this.#replay(body));
    });
  }

  #subscribe(
    { fields: [field] }: Plan,
    request: globalThis.Parameters<typeof subscriptionTo>[1],
  ): GraphQLResponse | Promise<GraphQLResponse> {
    const begin = (subscription: NonNullable<GraphQLResponse["subscription"]>) => ({
      ...{ status: 200, headers: this.#headers(), body: "" },
      subscription,
    });
    if (field?.kind === "copyEvents") return copySubscriptionTo(field, request, this.#context.store).then(begin);
    if (field?.kind !== "events") throw new AppError("BAD_REQUEST", "The subscription selects nothing.");
    return begin(subscriptionTo(field, request));
  }

  /** An answer that was given before, byte for byte. */
  #replay(body: string): GraphQLResponse {
    return { status: 200, headers: { ...this.#headers(), "idempotency-replayed": "true" }, body };
  }

  /** Ends a request at its time limit, and sends no further statements for it. */
  #inTime(answer: Promise<GraphQLResponse>): Promise<GraphQLResponse> {
    const time = this.#context.limits.REQUEST_TIMEOUT * 1_000;
    return new Promise((resolve) => {
      const timer = setTimeout(() => {
        this.#isTimedOut = true;
        const doubt = this.#isMutation ? " Whether a change was made is not known." : "";
        const message = `The request was given up after ${time / 1_000} seconds.${doubt}`;
        resolve(this.#measured(this.refuse(new AppError("UNAVAILABLE", message))));
      }, time);
      const settle = (response: GraphQLResponse) => {
        if (this.#isTimedOut) return; // it was answered and measured
        clearTimeout(timer);
        resolve(this.#measured(response));
      };
      answer.then(settle, (error: unknown) => settle(this.refuse(error)));
    });
  }

  /** Notes how long an operation took that was found; what was refused before is among the errors alone. */
  #measured(response: GraphQLResponse): GraphQLResponse {
    this.#operation?.durations.observe((performance.now() - this.#startedAt) / 1_000);
    return response;
  }

  #complete({ data, errors }: ExecutionResult, plan: Plan, bound: BoundValues): GraphQLResponse {
    const { method, headers: asked } = this.#request;
    const headers = this.#headers();
    const extensions = asked["graphql-cost"] === "1" ? `,"extensions":{"cost":${this.#cost}}` : "";
    if (errors.length > 0) {
      this.#observed?.failed(errors[0]?.extensions.code);
      countErrors(errors, this.#context.metrics);
      const status = data === null ? nullDataStatus(errors[0]?.extensions.code) : 200;
      if (status === 503) headers["retry-after"] = RETRY_AFTER;
      return {
        status,
        headers,
        body: `{"errors":${printErrors(errors, this.#context.errorPage)},"data":${data}${extensions}}`,
      };
    }
    const response = { status: 200, headers, body: `{"data":${data}${extensions}}` };
    if (!isGet(method)) return response;
    // Objects are found by secrets, or are each caller's own: no cache keeps them.
    if (plan.fields.some(({ kind }) => kind === "object")) return response;
    // Caches that pay no heed to Vary must meet nothing that hangs on other headers than these.
    const isPublic =
      asked.authorization === undefined &&
      extensions === "" &&
      this.#request.streams !== true &&
      plan.fields.every(({ kind }) => kind !== "rateLimit");
    const keep = isPublic ? { seconds: this.#context.publicMaxAge, keys: answerKeys(plan, bound) } : null;
    return conditional(response, asked["if-none-match"], keep);
  }

  /** The answer when nothing, or nothing more, is executed. */
  refuse(error: unknown): GraphQLResponse {
    const refused = { requestId: this.#request.requestId, accepted: this.#accepted };
    this.#observed?.failed(codeOf(error));
    return refusal(error, this.#headers(), refused, this.#context);
  }

  #headers(): Record<string, string> {
    const type = CONTENT_TYPES[this.#accepted ?? "application/json"];
    const headers: Record<string, string> = { "content-type": type, "cache-control": "no-store" };
    this.#account?.tell(headers);
    if (this.#retirement !== null) Object.assign(headers, this.#retirement);
    return headers;
  }
}
