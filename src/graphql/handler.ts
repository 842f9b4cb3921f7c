import type { IncomingHttpHeaders } from "node:http";
import type { GraphQLSchema } from "graphql";
import { AppError } from "../domain/errors.ts";
import type { Store } from "../domain/store.ts";
import { missingScopes, type Viewer } from "../domain/viewer.ts";
import type { Log } from "../observe/log.ts";
import { DocumentError, type ErrorEntry, errorEntry, HttpError, nullDataStatus, requestStatus } from "./errors.ts";
import { bindValues, type ExecutionResult, execute } from "./execute.ts";
import { isJsonContent, negotiate, type ResponseType } from "./media-types.ts";
import type { Operations } from "./operation.ts";
import { type Parameters, parametersOfBody, parametersOfUrl } from "./parameters.ts";
import type { Plan } from "./plan.ts";
import { when } from "./when.ts";

export interface RequestHead {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
}

export interface GraphQLRequest extends RequestHead {
  /** The whole body as it came; null when there is none. */
  readonly body: Buffer | null;
  /** Tells this request from others in the log. */
  readonly requestId: string;
}

export interface GraphQLResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface HandlerContext {
  readonly schema: GraphQLSchema;
  readonly store: Store;
  readonly operations: Operations;
  readonly log: Log;
  readonly authenticate: (head: RequestHead) => Viewer | Promise<Viewer>;
  readonly challenge: (error: AppError) => string;
}

/**
 * One request by the GraphQL-over-HTTP specification. The steps stand in the order in which they are checked: form
 * of the request, caller, parameters, document, variables, scopes, arguments, and only then anything runs.
 */
export function handle(context: HandlerContext, request: GraphQLRequest): GraphQLResponse | Promise<GraphQLResponse> {
  const { response } = negotiate(request.headers.accept);
  const type = response ?? "application/json";
  const refused = (error: unknown) => refusal(context, request.requestId, type, error);
  try {
    assertForm(request, response);
    const answered = when(context.authenticate(request), (viewer) => answer(context, request, viewer, type));
    return answered instanceof Promise ? answered.catch(refused) : answered;
  } catch (error) {
    return refused(error);
  }
}

/** The answer where the transport gave up by itself: its own refusals are told, anything else is a fault of ours. */
export function refuse(
  context: HandlerContext,
  error: Error & { readonly statusCode?: number },
  request: RequestHead & { readonly id: string },
): GraphQLResponse {
  const { statusCode: status } = error;
  const isRefusal = status !== undefined && status >= 400 && status < 500;
  const type = negotiate(request.headers.accept).response ?? "application/json";
  return refusal(context, request.id, type, isRefusal ? new HttpError(status, error.message) : error);
}

function assertForm(request: GraphQLRequest, response: ResponseType | null): void {
  const { method, headers } = request;
  if (method !== "POST" && method !== "GET") {
    throw new HttpError(405, "Only GET and POST are answered here.", { allow: "GET, POST" });
  }
  if (response === null)
    throw new HttpError(406, "The answer is application/graphql-response+json or application/json.");
  if (method === "GET") return;
  if (!isJsonContent(headers["content-type"])) throw new HttpError(415, "The body must be application/json in UTF-8.");
  const coding = headers["content-encoding"];
  if (coding !== undefined && coding !== "identity") throw new HttpError(415, "The body must not be compressed.");
}

function answer(
  context: HandlerContext,
  request: GraphQLRequest,
  viewer: Viewer,
  type: ResponseType,
): GraphQLResponse | Promise<GraphQLResponse> {
  const parameters = request.method === "GET" ? parametersOfUrl(request.url) : parametersOfBody(request.body);
  const operation = context.operations.find(documentOf(parameters), parameters.operationName);
  if (operation.isMutation && request.method === "GET") {
    throw new HttpError(405, "A mutation must be sent by POST.", { allow: "POST" });
  }
  const variables = operation.coerceVariables(parameters.variables);
  const plan = operation.plan(variables);
  assertScopes(plan, viewer);
  const bound = bindValues(plan, variables);
  const result = execute(context, {
    plan,
    bound,
    variables,
    inputs: parameters.variables,
    viewer,
    requestId: request.requestId,
  });
  return when(result, (done) => completed(done, type));
}

function documentOf({ query }: Parameters): string {
  if (query === null) throw new AppError("BAD_REQUEST", 'The request has no "query".');
  return query;
}

/** One refusal names everything that the document needs, so that one further consent is enough (RFC 6750 section 3.1). */
function assertScopes(plan: Plan, viewer: Viewer): void {
  const missing = missingScopes(viewer, plan.scopes);
  if (missing.length === 0) return;
  throw new AppError("FORBIDDEN", `The access token lacks the scope ${missing.join(" ")}.`, { scopes: plan.scopes });
}

const CONTENT_TYPES: Readonly<Record<ResponseType, string>> = {
  "application/graphql-response+json": "application/graphql-response+json; charset=utf-8",
  "application/json": "application/json; charset=utf-8",
};

function headersFor(type: ResponseType): Record<string, string> {
  return { "content-type": CONTENT_TYPES[type], "cache-control": "no-store" };
}

function completed({ data, errors }: ExecutionResult, type: ResponseType): GraphQLResponse {
  if (errors.length === 0) return { status: 200, headers: headersFor(type), body: `{"data":${data}}` };
  const status = data === null ? nullDataStatus(errors[0]?.extensions.code) : 200;
  const headers = headersFor(type);
  if (status === 503) headers["retry-after"] = RETRY_AFTER;
  return { status, headers, body: `{"errors":${JSON.stringify(errors)},"data":${data}}` };
}

/** Seconds after which a client may try again when nothing better is known. */
const RETRY_AFTER = "1";

function refusal(context: HandlerContext, requestId: string, type: ResponseType, error: unknown): GraphQLResponse {
  const headers = headersFor(type);
  if (error instanceof HttpError) {
    Object.assign(headers, error.headers);
    return refusedWith(error.status, headers, [{ message: error.message, extensions: { code: "BAD_REQUEST" } }]);
  }
  const entries = error instanceof DocumentError ? error.entries : [errorEntry(error, {}, requestId, context.log)];
  const code = entries[0]?.extensions.code ?? "INTERNAL";
  if (error instanceof AppError) {
    if (code === "UNAUTHENTICATED" || code === "FORBIDDEN") headers["www-authenticate"] = context.challenge(error);
    if (error.details.retryAfter !== undefined) headers["retry-after"] = String(Math.ceil(error.details.retryAfter));
    else if (code === "UNAVAILABLE") headers["retry-after"] = RETRY_AFTER;
  }
  return refusedWith(requestStatus(code, type === "application/json"), headers, entries);
}

function refusedWith(status: number, headers: Record<string, string>, errors: readonly ErrorEntry[]): GraphQLResponse {
  return { status, headers, body: JSON.stringify({ errors }) };
}
