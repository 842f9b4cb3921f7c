import type { IncomingMessage, ServerResponse } from "node:http";
import { type RequestRecord, withRecord } from "../../observe/request-record.ts";
import type { RequestWatch } from "../../observe/request-watch.ts";
import { sampledTrace } from "../../observe/sampled-trace.ts";
import { type ReceivedBody, receiveBody } from "./body.ts";
import { negotiate } from "./media-types.ts";
import type { GraphQLResponse } from "./messages.ts";
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

class FastExchange {
  readonly #server: GraphQLServer;
  readonly #options: FastRouteOptions;
  readonly #request: IncomingMessage;
  readonly #response: ServerResponse;
  readonly #id: string;
  readonly #startedAt = performance.now();
  readonly #record: RequestRecord | null;

  constructor(server: GraphQLServer, options: FastRouteOptions, request: IncomingMessage, response: ServerResponse) {
    this.#server = server;
    this.#options = options;
    this.#id = options.requestId(request);
    this.#request = request;
    this.#response = response;
    this.#record = options.watch?.begin(request, this.#id, this.#startedAt) ?? null;
  }

  receive(): void {
    receiveBody(this.#request, {
      limit: this.#server.limits.MAX_BODY,
      admit: () => {
        const head = this.#read(null);
        return withRecord(this.#record, () => this.#server.admit(head, head.address));
      },
      received: (body) => this.#answer(body),
      refused: (error) => this.refuse(error, true),
    });
  }

  #answer({ body, viewer }: ReceivedBody): void {
    const read = this.#read(body);
    const request = viewer === null ? read : { ...read, viewer };
    const record = this.#record;
    const answer =
      record === null ? this.#server.handle(request) : withRecord(record, () => this.#server.handle(request));
    if (answer instanceof Promise) void answer.then((ready) => this.#send(ready));
    else this.#send(answer);
  }

  /** @param isLast whether the connection ends with the answer */
  refuse(error: Error, isLast?: boolean): void {
    this.#send(
      withRecord(this.#record, () => this.#server.refuse(this.#read(null), error)),
      isLast,
    );
  }

  #read(body: Buffer | null) {
    const request = this.#request;
    return {
      method: "POST",
      url: "/graphql",
      headers: request.headers,
      body,
      requestId: this.#id,
      address: this.#options.clientAddress(request),
      isClosed: () => request.socket.destroyed,
      certificateThumbprint: () => this.#options.certificateThumbprint?.(request) ?? null,
    };
  }

  #send({ status, headers, body }: GraphQLResponse, isLast = this.#options.isClosing()): void {
    const head = [...this.#options.headers];
    for (const name in headers) head.push(name, headers[name] as string);
    head.push("x-request-id", this.#id);
    sendAnswer(this.#request, this.#response, { status, head, body }, isLast ? this.#options : null);
    this.#options.answered(status, (performance.now() - this.#startedAt) / 1000, sampledTrace(this.#record));
    this.#options.watch?.end(this.#record, { method: "POST", route: "/graphql", status });
  }
}
