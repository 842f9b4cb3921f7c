import type { WebSocket } from "ws";
import { AppError } from "../../domain/errors.ts";
import type { Viewer } from "../../domain/viewer.ts";
import { withRecord } from "../../observe/request-record.ts";
import type { RequestWatch } from "../../observe/request-watch.ts";
import { errorEntry } from "../documents/errors.ts";
import type { GraphQLRequest, GraphQLResponse, RequestHead } from "../http/messages.ts";
import type { GraphQLServer } from "../http/open.ts";
import { Room } from "./reader-backlog.ts";
import type { StreamContext } from "./stream-context.ts";
import {
  CLOSE,
  type Close,
  isId,
  isMap,
  type Message,
  MOST_ID,
  parseMessage,
  refusalIn,
  withCredentials,
} from "./web-socket-protocol.ts";

/** Operations of one connection at the same time. */
const MOST_OPERATIONS = 100;
/** Bytes that may wait for a client before it is taken not to read. */
const MOST_WAITING = 1024 * 1024;

export interface ConnectionContext extends StreamContext {
  readonly server: GraphQLServer;
  readonly operationId: () => string;
  /** Null where nothing is noted of operations. */
  readonly watch?: RequestWatch | null;
}

/** Facts of the request that opened the connection. */
interface Caller {
  readonly address: string | null;
  readonly isLocal: boolean;
}

/** How to end an operation; null while it is begun. */
type Operation = { end: (() => void) | null };

/** One connection that speaks graphql-transport-ws. */
export class Connection {
  /** When it was opened: `performance.now()`. */
  readonly since = performance.now();
  readonly #webSocket: WebSocket;
  readonly #caller: Caller;
  readonly #context: ConnectionContext;
  readonly #operations = new Map<string, Operation>();
  /** The head of the request that carries the token. */
  #head: RequestHead;
  #isInitialised = false;
  #isAlive = true;
  #isOver = false;
  /** The viewer; null until the connection is acknowledged. */
  #viewer: Viewer | null = null;
  #release = () => {};
  #unwatch = () => {};

  constructor(webSocket: WebSocket, head: RequestHead, caller: Caller, context: ConnectionContext) {
    this.#webSocket = webSocket;
    this.#head = head;
    this.#caller = caller;
    this.#context = context;
  }

  receive(data: Buffer, isBinary: boolean): void {
    if (this.#isOver) return;
    const message = isBinary ? null : parseMessage(data);
    const close =
      message === null ? CLOSE.badRequest("A message must be a JSON object, as text.") : this.#heed(message);
    if (close !== null) this.close(...close);
  }

  /** @returns why the connection has to be closed; null when it does not */
  #heed({ type, id, payload }: Message): Close | null {
    switch (type) {
      case "connection_init":
        if (this.#isInitialised) return CLOSE.tooManyInits;
        if (payload != null && !isMap(payload)) return CLOSE.badRequest("The payload must be an object.");
        this.#isInitialised = true;
        void this.#initialise(payload ?? {});
        return null;
      case "subscribe":
        if (this.#viewer === null) return CLOSE.unauthorized;
        if (!isId(id)) return CLOSE.badRequest(`A subscribe message needs an id of 1 to ${MOST_ID} characters.`);
        if (!isMap(payload)) return CLOSE.badRequest("A subscribe message needs a payload.");
        if (this.#operations.has(id)) return CLOSE.duplicate(id);
        this.#subscribe(id, payload, this.#viewer);
        return null;
      case "complete":
        if (!isId(id)) return CLOSE.badRequest("A complete message needs an id.");
        this.#complete(id);
        return null;
      case "ping":
        this.#send(JSON.stringify(isMap(payload) ? { type: "pong", payload } : { type: "pong" }));
        return null;
      case "pong":
        return null;
      default:
        return CLOSE.badRequest("No client sends messages of this type.");
    }
  }

  /** It has answered a ping. */
  heard(): void {
    this.#isAlive = true;
  }

  /** Ends what has not answered the last ping, and sends another one. */
  beat(): void {
    if (!this.#isAlive) this.#webSocket.terminate();
    else if (this.#webSocket.readyState === this.#webSocket.OPEN) this.#webSocket.ping();
    this.#isAlive = false;
  }

  assertInitialised(): void {
    if (!this.#isInitialised) this.close(...CLOSE.initTimeout);
  }

  close(...[code, reason]: Close): void {
    this.end();
    this.#webSocket.close(code, reason);
  }

  /** Lets go of everything. */
  end(): void {
    this.#isOver = true;
    for (const { end } of this.#operations.values()) end?.();
    this.#operations.clear();
    this.#unwatch();
    this.#release();
  }

  async #initialise(payload: Message): Promise<void> {
    const requestId = this.#context.operationId();
    this.#head = { ...withCredentials(this.#head, payload), requestId };
    try {
      const { server, subscriptions, watchToken } = this.#context;
      const viewer = await server.admit(this.#head, this.#caller.address);
      // Held from here on, so that what happens after the acknowledgement is not missed.
      const release = await subscriptions.feed.hold();
      if (this.#isOver) {
        release();
        return;
      }
      this.#release = release;
      this.#unwatch = watchToken(this.#head, viewer, () => this.close(...CLOSE.forbidden));
      this.#viewer = viewer;
      this.#send('{"type":"connection_ack"}');
    } catch (error) {
      this.close(...this.#refusal(error, requestId));
    }
  }

  #refusal(error: unknown, requestId: string): Close {
    const { message, extensions } = errorEntry(error, {}, requestId, this.#context.log);
    if (extensions.code === "UNAUTHENTICATED") return CLOSE.forbidden;
    return extensions.code === "BAD_REQUEST" ? CLOSE.badRequest(message.slice(0, 100)) : CLOSE.unavailable;
  }

  #subscribe(id: string, payload: Message, viewer: Viewer): void {
    const operation: Operation = { end: null };
    this.#operations.set(id, operation);
    const isOver = () => this.#operations.get(id) !== operation;
    void this.#run(payload, viewer, isOver).then((response) => {
      if (isOver()) return;
      const { subscription } = response;
      if (subscription !== undefined) this.#open(id, operation, subscription);
      else this.#answer(id, response);
    });
  }

  async #run(payload: Message, viewer: Viewer, isClosed: () => boolean): Promise<GraphQLResponse> {
    const { operationId, watch = null } = this.#context;
    const { authorization } = this.#head.headers;
    const request = {
      method: "POST",
      url: "/graphql",
      headers: {
        "content-type": "application/json",
        accept: "application/graphql-response+json",
        ...(authorization === undefined ? {} : { authorization }),
      },
      body: Buffer.from(JSON.stringify(payload)),
      requestId: operationId(),
      address: this.#caller.address,
      isClosed,
      streams: true,
      viewer,
    };
    const traceparent = isMap(payload.extensions) ? payload.extensions.traceparent : undefined;
    const record = watch?.beginOperation(request.requestId, this.#caller, traceparent) ?? null;
    try {
      return await withRecord(record, () => this.#handle(request));
    } finally {
      watch?.endOperation(record);
    }
  }

  async #handle(request: GraphQLRequest): Promise<GraphQLResponse> {
    const { server } = this.#context;
    if (this.#operations.size <= MOST_OPERATIONS) return server.handle(request);
    const message = `A connection has ${MOST_OPERATIONS} operations at the same time at the most.`;
    return server.refuse(request, new AppError("RATE_LIMITED", message));
  }

  #open(id: string, operation: Operation, subscription: NonNullable<GraphQLResponse["subscription"]>): void {
    const start = `{"id":${JSON.stringify(id)},"type":"next","payload":`;
    const room = new Room({
      waiting: () => this.#webSocket.bufferedAmount,
      isOver: () => this.#operations.get(id) !== operation,
      tooSlow: () => this.close(...CLOSE.tooSlow),
    });
    try {
      operation.end = this.#context.subscriptions.open(subscription, {
        next: (_event, json) => this.#webSocket.send(`${start}${json}}`),
        hasRoom: () => room.hasRoom(),
        untilRoom: () => room.untilRoom(),
      });
    } catch (error) {
      this.#operations.delete(id);
      const entry = errorEntry(error, {}, this.#context.operationId(), this.#context.log);
      this.#send(JSON.stringify({ id, type: "error", payload: [entry] }));
    }
  }

  #answer(id: string, { body }: GraphQLResponse): void {
    this.#operations.delete(id);
    const errors = refusalIn(body);
    if (errors !== null) {
      this.#send(JSON.stringify({ id, type: "error", payload: errors }));
      return;
    }
    this.#send(`{"id":${JSON.stringify(id)},"type":"next","payload":${body}}`);
    this.#send(JSON.stringify({ id, type: "complete" }));
  }

  #complete(id: string): void {
    this.#operations.get(id)?.end?.();
    this.#operations.delete(id);
  }

  #send(text: string): void {
    if (this.#webSocket.bufferedAmount > MOST_WAITING) this.close(...CLOSE.tooSlow);
    else this.#webSocket.send(text);
  }
}
