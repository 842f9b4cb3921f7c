import { AppError, type ErrorCode } from "../../domain/errors.ts";
import type { JsonObject } from "../protocol/service.ts";
import { stepUp } from "./grant.ts";
import type { ActingViewer, ContentCall, ContentResponse, ContentServiceOptions } from "./options.ts";
import type { RecentTexts } from "./recent-texts.ts";

/**
 * Asks GraphQL in the name of the caller, by the rules and limits of /graphql. The same answer may be the same object.
 *
 * @param key of the change, so that it is made once
 * @returns `data` of the answer
 * @throws AppError with the code of the first error
 */
export type Ask = <Data>(document: string, variables: JsonObject, key?: string) => Data | Promise<Data>;

interface Answer {
  readonly data: unknown;
  readonly errors?: readonly [GraphQLError, ...GraphQLError[]];
}

interface GraphQLError {
  readonly message: string;
  readonly extensions: { readonly code: ErrorCode } & Readonly<Record<string, unknown>>;
}

/** Answers that were read lately, by their JSON. The JSON is all that counts, so no caller gets the answer of another. */
export type ReadAnswers = RecentTexts<unknown>;

export function openAsk(
  { handle }: Pick<ContentServiceOptions, "handle">,
  answers: ReadAnswers,
  call: ContentCall,
  tool: string,
): Ask {
  const { caller, requestId, address, isClosed, traceparent } = call;
  const { authorization } = caller;
  const viewer: ActingViewer = { ...caller.viewer, agent: { tool, traceparent } };
  const read = <Data>({ body, headers }: ContentResponse): Data => {
    const known = answers.find(body);
    if (known !== undefined) return known as Data;
    const { data, errors } = JSON.parse(body) as Answer;
    if (errors !== undefined) throw errorOf(errors[0], headers["retry-after"], viewer);
    answers.keep(body, data);
    return data as Data;
  };
  return <Data>(query: string, variables: JsonObject, key?: string) => {
    const headers: Record<string, string> = { "content-type": "application/json", accept: ANSWER_TYPE };
    if (authorization !== undefined) headers.authorization = authorization;
    if (key !== undefined) headers["idempotency-key"] = JSON.stringify(`mcp ${key}`);
    const head = { method: "POST", url: "/graphql", headers, body: null } as const;
    const response = handle({ ...head, own: { query, variables }, requestId, address, isClosed, viewer });
    // A cached read is answered at once, and costs no turn.
    return response instanceof Promise ? response.then(read<Data>) : read<Data>(response);
  };
}

const ANSWER_TYPE = "application/graphql-response+json";

/** The error as GraphQL has told it. Missing scopes are named together with those that the caller has. */
function errorOf(
  { message, extensions }: GraphQLError,
  retryAfter: string | undefined,
  viewer: ActingViewer,
): AppError {
  const { code, url: _, ...details } = extensions;
  if (code === "FORBIDDEN" && Array.isArray(details.scopes)) return stepUp(viewer, details.scopes as string[]);
  const wait = retryAfter === undefined ? {} : { retryAfter: Number(retryAfter) };
  return new AppError(code, message.replaceAll("input.", ""), { ...wait, ...details });
}
