import type { IncomingMessage, ServerResponse } from "node:http";
import { type RequestRecord, withRecord } from "../../observe/request-record.ts";
import type { RequestWatch } from "../../observe/request-watch.ts";
import { sampledTrace } from "../../observe/sampled-trace.ts";
import type { EventSink } from "./channel.ts";
import type { Mcp } from "./http.ts";
import type { McpRequest, McpResponse } from "./http-messages.ts";

/** Bytes that may wait for a client that reads too slowly, before its stream is cut. */
const MAX_WAITING = 1_048_576;

/** Collects a body, and calls one of `received` and `refused`; nothing once the client has gone away (`graphql/http/body.ts`). */
type ReceiveBody<Caller> = (
  request: IncomingMessage,
  reception: {
    readonly limit: number;
    readonly admit: () => Caller | Promise<Caller>;
    readonly received: (body: { readonly body: Buffer | null; readonly viewer: Caller | null }) => void;
    readonly refused: (error: Error) => void;
  },
) => void;

/** Sends a whole answer (`graphql/http/send-answer.ts`). */
type SendAnswer = (
  request: IncomingMessage,
  response: ServerResponse,
  answer: { readonly status: number; readonly head: string[]; readonly body: string },
  closing: { readonly linger: number } | null,
) => void;

export interface NodeRouteOptions<Caller> {
  readonly receiveBody: ReceiveBody<Caller>;
  readonly sendAnswer: SendAnswer;
  /** Bytes of the longest body. */
  readonly maxBody: number;
  readonly admit: (request: McpRequest<Caller>) => Caller | Promise<Caller>;
  readonly requestId: (request: IncomingMessage) => string;
  /** Null where nothing is noted of requests. */
  readonly watch?: RequestWatch | null;
  /** The IP address of the caller, behind trusted proxies; null if unknown. */
  readonly clientAddress: (request: IncomingMessage) => string | null;
  readonly certificateThumbprint?: (request: IncomingMessage) => string | null;
  /** Whether the server is on its way out, so that a connection ends with the answer. */
  readonly isClosing: () => boolean;
  /** Why a request that comes now is rejected unread; null when it is not. */
  readonly refusal: (request: IncomingMessage) => Error | null;
  /** Milliseconds for which the rest of a rejected body is received and thrown away. */
  readonly linger: number;
  /** Told of each answer, with the seconds since the request's head; of a stream, when it begins. */
  readonly answered: (status: number, seconds: number, traceId?: string) => void;
}

/** Answers requests for the endpoint, directly on node:http, which costs less than a way through Fastify. */
export function openNodeRoute<Caller>(
  mcp: Mcp<Caller>,
  options: NodeRouteOptions<Caller>,
): (request: IncomingMessage, response: ServerResponse) => void {
  return (request, response) => new NodeExchange(mcp, options, request, response).receive();
}

class NodeExchange<Caller> {
  readonly #mcp: Mcp<Caller>;
  readonly #options: NodeRouteOptions<Caller>;
  readonly #request: IncomingMessage;
  readonly #response: ServerResponse;
  readonly #id: string;
  readonly #startedAt = performance.now();
  readonly #record: RequestRecord | null;

  constructor(mcp: Mcp<Caller>, options: NodeRouteOptions<Caller>, request: IncomingMessage, response: ServerResponse) {
    this.#mcp = mcp;
    this.#options = options;
    this.#request = request;
    this.#response = response;
    this.#id = options.requestId(request);
    this.#record = options.watch?.begin(request, this.#id, this.#startedAt) ?? null;
  }

  receive(): void {
    const refusal = this.#options.refusal(this.#request);
    if (refusal !== null) this.#refuse(refusal, false);
    else if (this.#request.method !== "POST") this.#answer(this.#read(null));
    else this.#receiveBody();
  }

  #receiveBody(): void {
    const { receiveBody, maxBody, admit } = this.#options;
    receiveBody(this.#request, {
      limit: maxBody,
      admit: () => withRecord(this.#record, () => admit(this.#read(null))),
      received: ({ body, viewer }) => {
        const read = this.#read(body);
        this.#answer(viewer === null ? read : { ...read, caller: viewer });
      },
      refused: (error) => this.#refuse(error, true),
    });
  }

  #answer(request: McpRequest<Caller>): void {
    const answered = withRecord(this.#record, () => this.#mcp.handle(request, (headers) => this.#openStream(headers)));
    void answered.then((answer) => {
      if (answer !== null) this.#send(answer, this.#options.isClosing());
      else this.#end(200);
    });
  }

  /** @param isUnread whether the body is still to come, so that the connection has to end with the answer */
  #refuse(error: Error, isUnread: boolean): void {
    this.#send(this.#mcp.refuse(this.#read(null), error), isUnread || this.#options.isClosing());
  }

  #read(body: Buffer | null): McpRequest<Caller> {
    const request = this.#request;
    return {
      method: request.method ?? "",
      url: request.url ?? "",
      headers: request.headers,
      body,
      requestId: this.#id,
      address: this.#options.clientAddress(request),
      isClosed: () => request.socket.destroyed,
      certificateThumbprint: () => this.#options.certificateThumbprint?.(request) ?? null,
    };
  }

  #send({ status, headers, body }: McpResponse, isLast: boolean): void {
    const { sendAnswer, answered } = this.#options;
    const head = ["x-request-id", this.#id];
    for (const name in headers) head.push(name, headers[name] as string);
    sendAnswer(this.#request, this.#response, { status, head, body }, isLast ? this.#options : null);
    answered(status, (performance.now() - this.#startedAt) / 1000, sampledTrace(this.#record));
    this.#end(status);
  }

  #end(status: number): void {
    const { method = "" } = this.#request;
    this.#options.watch?.end(this.#record, { method, route: "/mcp", status });
  }

  #openStream(headers: Readonly<Record<string, string>>): EventSink {
    const response = this.#response;
    response.writeHead(200, { ...headers, "x-request-id": this.#id });
    this.#options.answered(200, (performance.now() - this.#startedAt) / 1000, sampledTrace(this.#record));
    return {
      write(text) {
        if (!response.write(text) && response.writableLength > MAX_WAITING) response.destroy();
      },
      end: () => response.end(),
      onClose: (listener) => response.once("close", listener),
    };
  }
}
