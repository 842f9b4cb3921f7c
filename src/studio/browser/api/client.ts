import { type ReadonlySignal, signal } from "@preact/signals";
import { type Api, ApiFailure, type RunOptions, type StudioDocument } from "../ports.ts";
import type { AccessToken } from "../session/tokens.ts";
import {
  type ErrorEntry,
  failureOf,
  failureOfStatus,
  firstFailure,
  type GraphQLAnswer,
  payloadFailure,
} from "./failures.ts";

/** An answer of which some fields may have failed. */
interface PartialAnswer<Data> {
  readonly data: Partial<Data>;
  /** By the names of the fields of the operation. */
  readonly failures: ReadonlyMap<string, ApiFailure>;
}

export interface StudioApi extends Api {
  /** As `run`, but each field of the operation fails for itself. @throws ApiFailure where nothing was done */
  runEach<Data, Variables>(
    document: StudioDocument<Data, Variables>,
    variables: Variables,
    options?: RunOptions,
  ): Promise<PartialAnswer<Data>>;
  /** Opens a stream of events (Server-Sent Events). @throws ApiFailure */
  stream<Variables>(
    document: StudioDocument<unknown, Variables>,
    variables: Variables,
    signal: AbortSignal,
  ): Promise<Response>;
  /** Milliseconds by which this device's clock is ahead of the server's, by the last answer. */
  readonly clockAhead: ReadonlySignal<number>;
}

export interface ClientPorts {
  readonly graphqlUrl: URL;
  readonly tokens: { get(): Promise<AccessToken>; replace(refused: AccessToken): Promise<AccessToken> };
  send(token: string, url: URL, headers: Headers, body: string, init: RequestInit): Promise<Response>;
  now(): number;
}

interface Sent {
  readonly answer: Response;
  readonly result: GraphQLAnswer;
}

/** Documents go by their identifiers; the text follows where a server does not know one. */
export function openApi({ graphqlUrl, tokens, send, now }: ClientPorts): StudioApi {
  const unknown = new Set<string>();
  const clockAhead = signal(0);

  async function post(
    document: StudioDocument<unknown, never>,
    variables: unknown,
    accept: string,
    { key, ...init }: RunOptions,
  ): Promise<Response> {
    const headers = new Headers({ accept, "content-type": "application/json" });
    if (key !== undefined) headers.set("idempotency-key", key);
    const name = unknown.has(document.id) ? { query: document.text } : { documentId: document.id };
    const body = JSON.stringify({ ...name, variables });
    const request = (token: AccessToken) => send(token.token, graphqlUrl, headers, body, init);
    let token = await tokens.get();
    let answer = await request(token);
    if (answer.status === 401 && !wantsSignIn(answer)) {
      token = await tokens.replace(token);
      answer = await request(token);
      // The token is new, so something else is wrong, such as this device's clock.
      if (answer.status === 401 && !wantsSignIn(answer))
        throw new ApiFailure({
          kind: "failed",
          message: "The server does not accept this device's requests. Check the clock of this device, then try again.",
          requestId: answer.headers.get("x-request-id"),
        });
    }
    notice(answer);
    return answer;
  }

  function notice({ headers }: Response): void {
    const date = Date.parse(headers.get("date") ?? "");
    if (!Number.isNaN(date)) clockAhead.value = now() - date;
  }

  async function request(
    document: StudioDocument<unknown, never>,
    variables: unknown,
    options: RunOptions,
  ): Promise<Sent> {
    const answer = await post(
      document,
      variables,
      "application/graphql-response+json, application/json;q=0.9",
      options,
    );
    const result = await readJson(answer);
    if (codeOf(result.errors?.[0]) === "PERSISTED_QUERY_NOT_FOUND" && !unknown.has(document.id)) {
      unknown.add(document.id);
      return request(document, variables, options);
    }
    return { answer, result };
  }

  return {
    clockAhead,
    async run(document, variables, options = {}) {
      const { answer, result } = await request(document as StudioDocument<unknown, never>, variables, options);
      const failure = firstFailure(result, answer);
      if (failure !== null) throw failure;
      return result.data as never;
    },
    async runEach(document, variables, options = {}) {
      const { answer, result } = await request(document as StudioDocument<unknown, never>, variables, options);
      const { data, errors = [] } = result;
      const whole = errors.find(({ path }) => path === undefined);
      if (data === null || data === undefined || whole !== undefined)
        throw failureOf(whole ?? errors[0] ?? { message: "The server gave no answer." }, answer);
      const failures = new Map<string, ApiFailure>();
      for (const [name, value] of Object.entries(data)) {
        const error = errors.find(({ path }) => path?.[0] === name);
        const failure = error === undefined ? payloadFailure(value, answer) : failureOf(error, answer);
        if (failure !== null) failures.set(name, failure);
      }
      return { data: data as never, failures };
    },
    async stream(document, variables, signal) {
      const answer = await post(document as StudioDocument<unknown, never>, variables, "text/event-stream", { signal });
      if (answer.ok && answer.headers.get("content-type")?.startsWith("text/event-stream") === true) return answer;
      const failure = firstFailure(await readJson(answer), answer);
      if (failure?.code === "PERSISTED_QUERY_NOT_FOUND") unknown.add(document.id);
      throw failure ?? failureOfStatus(answer);
    },
  };
}

/** The token is good, but the person must sign in again first (RFC 9470). */
function wantsSignIn({ headers }: Response): boolean {
  return headers.get("www-authenticate")?.includes("insufficient_user_authentication") === true;
}

function codeOf(entry: ErrorEntry | undefined): unknown {
  return entry?.extensions?.code;
}

/** @throws ApiFailure for what is no JSON, such as a proxy's own page */
async function readJson(answer: Response): Promise<GraphQLAnswer> {
  let text: string;
  try {
    text = await answer.text();
  } catch (cause) {
    if (cause instanceof DOMException && cause.name === "AbortError") throw cause;
    throw new ApiFailure({ kind: "offline", message: "The connection broke before the answer was complete." });
  }
  try {
    const result = JSON.parse(text) as GraphQLAnswer;
    if (typeof result === "object" && result !== null && ("data" in result || "errors" in result)) return result;
  } catch {
    // Said below.
  }
  throw failureOfStatus(answer);
}
