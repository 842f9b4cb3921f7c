import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from "node:http";
import type { Viewer } from "../../domain/viewer.ts";
import { type RequestRecord, withRecord } from "../../observe/request-record.ts";
import type { RequestWatch } from "../../observe/request-watch.ts";
import { sampledTrace } from "../../observe/sampled-trace.ts";
import { type ReceivedBody, receiveBody } from "./body.ts";
import { negotiate } from "./media-types.ts";
import type { GraphQLRequest, GraphQLResponse } from "./messages.ts";
import type { GraphQLServer } from "./open.ts";
import { sendAnswer } from "./send-answer.ts";

export interface FastRouteOptions {
  /** Names and values in turn, sent with each answer beside its own. */
  readonly headers: readonly string[];
  readonly requestId: (request: IncomingMessage) => string;
  /** Null where nothing is noted of requests. */
  readonly watch?: RequestWatch | null;
  /** The IP address of the caller, behind trusted proxies; null if unknown. */
  readonly clientAddress: (request: IncomingMessage) => string | null;
  /** Thumbprint of the client's certificate. Defaults to none. */
  readonly certificateThumbprint?: (request: IncomingMessage) => string | null;
  /** Whether the server is on its way out, so that a connection ends with the answer. */
  readonly isClosing: () => boolean;
  /** Why a request that comes now is refused unread; null when it is not. */
  readonly refusal: (request: IncomingMessage) => Error | null;
  /** Milliseconds for which the rest of a refused body is received and thrown away. */
  readonly linger: number;
  /** Told of each answer, with the seconds since the request's head, and its trace if that is sampled. */
  readonly answered: (status: number, seconds: number, traceId?: string) => void;
}

/** Answers a request, or returns false and leaves it alone. */
export type FastRoute = (request: IncomingMessage, response: ServerResponse) => boolean;

/**
 * Answers a plain `POST /graphql`, nearly all traffic, directly on node:http: the way through Fastify costs a
 * fifth of a small read (measured). Other methods, addresses with a query, event streams, and browser code, which needs CORS,
 * stay with `graphqlRoutes`. Both ways end in the same `server.handle`, so there is one set of answers.
 */
export function openFastRoute(server: GraphQLServer, options: FastRouteOptions): FastRoute {
  return (request, response) => {
    if (request.method !== "POST" || request.url !== "/graphql" || request.headers.origin !== undefined) return false;
    if (negotiate(request.headers.accept).eventStream) return false;
    const exchange = new FastExchange(server, options, request, response);
    const refusal = options.refusal(request);
    if (refusal === null) exchange.receive();
    else exchange.refuse(refusal);
    return true;
  };
}

/** A class, because objects with functions of their own cost more than all that is done with them. */
class FastRequest implements GraphQLRequest {
  readonly method = "POST";
  readonly url = "/graphql";
  readonly headers: IncomingHttpHeaders;
  readonly requestId: string;
  readonly address: string | null;
  readonly startedAt = performance.now();
  body: Buffer | null = null;
  viewer?: Viewer;
  readonly #raw: IncomingMessage;
  readonly #options: FastRouteOptions;

  constructor(raw: IncomingMessage, options: FastRouteOptions) {
    this.headers = raw.headers;
    this.requestId = options.requestId(raw);
    this.address = options.clientAddress(raw);
    this.#raw = raw;
    this.#options = options;
  }

  isClosed(): boolean {
    return this.#raw.socket.destroyed;
  }

  certificateThumbprint(): string | null {
    return this.#options.certificateThumbprint?.(this.#raw) ?? null;
  }
}

class FastExchange {
  readonly #server: GraphQLServer;
  readonly #options: FastRouteOptions;
  readonly #raw: IncomingMessage;
  readonly #request: FastRequest;
  readonly #response: ServerResponse;
  readonly #record: RequestRecord | null;

  constructor(server: GraphQLServer, options: FastRouteOptions, request: IncomingMessage, response: ServerResponse) {
    this.#server = server;
    this.#options = options;
    this.#raw = request;
    this.#request = new FastRequest(request, options);
    this.#response = response;
    this.#record = options.watch?.begin(request, this.#request.requestId, this.#request.startedAt) ?? null;
  }

  receive(): void {
    receiveBody(this.#raw, {
      limit: this.#server.limits.MAX_BODY,
      admit: () => withRecord(this.#record, () => this.#server.admit(this.#request, this.#request.address)),
      received: (body) => this.#answer(body),
      refused: (error) => this.refuse(error, true),
    });
  }

  #answer({ body, viewer }: ReceivedBody): void {
    const request = this.#request;
    request.body = body;
    if (viewer !== null) request.viewer = viewer;
    const record = this.#record;
    const answer =
      record === null ? this.#server.handle(request) : withRecord(record, () => this.#server.handle(request));
    if (answer instanceof Promise) void answer.then((ready) => this.#send(ready));
    else this.#send(answer);
  }

  /** @param isLast whether the connection ends with the answer */
  refuse(error: Error, isLast?: boolean): void {
    this.#send(
      withRecord(this.#record, () => this.#server.refuse(this.#request, error)),
      isLast,
    );
  }

  #send({ status, headers, body }: GraphQLResponse, isLast = this.#options.isClosing()): void {
    const head = [...this.#options.headers];
    for (const name in headers) head.push(name, headers[name] as string);
    head.push("x-request-id", this.#request.requestId);
    sendAnswer(this.#raw, this.#response, { status, head, body }, isLast ? this.#options : null);
    this.#options.answered(status, (performance.now() - this.#request.startedAt) / 1000, sampledTrace(this.#record));
    this.#options.watch?.end(this.#record, { method: "POST", route: "/graphql", status });
  }
}
