import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import { type WebSocket, WebSocketServer } from "ws";
import type { RequestWatch } from "../../observe/request-watch.ts";
import type { GraphQLServer } from "../http/open.ts";
import { refuseUpgrade, type StreamContext } from "./stream-context.ts";
import { Connection } from "./web-socket-connection.ts";
import { CLOSE } from "./web-socket-protocol.ts";

const PROTOCOL = "graphql-transport-ws";
/** Bytes of a message from a client. */
const MOST_BYTES = 64 * 1024;
/** Milliseconds from opening until `connection_init`. */
const INIT_TIMEOUT = 3_000;
/** Seconds between two pings. A client that has not answered the last one is disconnected. */
const HEARTBEAT = 12;
/** Options that @types/ws does not know. `closeTimeout`: milliseconds for the client's answer to a close frame. */
const BOUNDS = { maxFragments: 64, maxBufferedChunks: 256, closeTimeout: 2_000 };

export interface WebSocketsOptions extends StreamContext {
  readonly server: GraphQLServer;
  readonly requestId: (request: IncomingMessage) => string;
  readonly operationId: () => string;
  /** Null where nothing is noted of operations. */
  readonly watch?: RequestWatch | null;
  /** Whether the caller is on this machine. */
  readonly isLocal?: (request: IncomingMessage) => boolean;
  /** The IP address of the caller, behind trusted proxies; null if unknown. */
  readonly clientAddress: (request: IncomingMessage) => string | null;
  /** Thumbprint of the client's certificate. Defaults to none. */
  readonly certificateThumbprint?: (request: IncomingMessage) => string | null;
  /** How many may be open at the same time. */
  readonly most: number;
}

/** GraphQL over WebSocket (https://github.com/graphql/graphql-over-http/blob/main/rfcs/GraphQLOverWebSocket.md). */
export class WebSockets {
  readonly #options: WebSocketsOptions;
  readonly #server = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    maxPayload: MOST_BYTES,
    perMessageDeflate: false, // takes memory for each connection
    ...BOUNDS,
    handleProtocols: (offered) => offered.has(PROTOCOL) && PROTOCOL,
  });
  readonly #connections = new Set<Connection>();
  /** Connections by the second of their ping. Pinging all together would delay everything else. */
  readonly #rounds: readonly Set<Connection>[] = Array.from({ length: HEARTBEAT }, () => new Set<Connection>());
  #round = 0;
  readonly #timer = setInterval(() => this.#tick(), 1_000).unref();
  #isOver = false;

  constructor(options: WebSocketsOptions) {
    this.#options = options;
    this.#server.on("headers", (headers, request) => headers.push(`X-Request-Id: ${options.requestId(request)}`));
  }

  /** Takes over a connection that wants to be a WebSocket. */
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    if (this.#isOver || this.#connections.size >= this.#options.most) {
      refuseUpgrade(socket, this.#options.requestId(request));
      return;
    }
    this.#server.handleUpgrade(request, socket, head, (webSocket) => this.#accept(webSocket, request));
  }

  /** Clients learn that the server stops, and reconnect to another node. */
  close(): void {
    this.#isOver = true;
    clearInterval(this.#timer);
    for (const connection of this.#connections) connection.close(...CLOSE.goingAway);
  }

  #accept(webSocket: WebSocket, request: IncomingMessage): void {
    if (webSocket.protocol !== PROTOCOL) {
      webSocket.on("error", () => {});
      webSocket.close(...CLOSE.subprotocol);
      return;
    }
    const { headers, url = "" } = request;
    const { authorization } = headers;
    // Read at the handshake: the certificate of a connection never changes.
    const thumbprint = this.#options.certificateThumbprint?.(request) ?? null;
    const head = {
      ...{ method: "GET", url, headers: authorization === undefined ? {} : { authorization } },
      certificateThumbprint: () => thumbprint,
    };
    const caller = {
      address: this.#options.clientAddress(request),
      isLocal: this.#options.isLocal?.(request) ?? false,
    };
    const connection = new Connection(webSocket, head, caller, this.#options);
    const round = this.#rounds[this.#round];
    this.#connections.add(connection);
    round?.add(connection);
    webSocket.on("message", (data, isBinary) => connection.receive(data as Buffer, isBinary));
    webSocket.on("pong", () => connection.heard());
    webSocket.on("error", () => {}); // what is wrong with a frame; it closes the connection by itself
    webSocket.on("close", () => {
      this.#connections.delete(connection);
      round?.delete(connection);
      connection.end();
    });
  }

  #tick(): void {
    this.#round = (this.#round + 1) % HEARTBEAT;
    for (const connection of this.#rounds[this.#round] ?? []) connection.beat();
    const latest = performance.now() - INIT_TIMEOUT;
    // In the order in which they came.
    for (const connection of this.#connections) {
      if (connection.since > latest) break;
      connection.assertInitialised();
    }
  }
}
