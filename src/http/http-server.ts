import { randomBytes } from "node:crypto";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import type { Config } from "../config/config.ts";
import type { Listener } from "./listener.ts";

/**
 * Milliseconds for which the rest of a body that is too large is received and thrown away: an end of the connection would
 * be a reset for whoever still sends, and the answer lost with it (RFC 9112 section 9.6).
 */
export const LINGER = 500;

/** Milliseconds without a new connection after which none is taken to be on its way: the kernel keeps those not accepted to itself. */
const QUIET = 60;

/** Milliseconds for which a connection is kept that nobody uses: longer than proxies keep theirs. */
export const KEEP_ALIVE = 72_000;

/** Milliseconds for which the end waits for the first request of a connection: a busy client may send it later. */
const SPEECHLESS = 500;

/** How often, while it closes, the connections are ended whose answer has gone out meanwhile. */
const REAP_EVERY_MS = 100;

export interface HttpServer {
  /** For those who listen to its events; it has no listener for requests yet. */
  readonly server: Server;
  /** As `Listener.listen`: from now on it serves the connections that come from there. */
  listen(listener: Listener): Promise<string>;
  /** Takes no more connections. Those that it has are served on. */
  stop(): Promise<void>;
  /**
   * From now on, each connection ends with its next answer. Resolves when nobody is connected any more, or after so many
   * milliseconds; in a moment in which nobody is just connecting.
   */
  drain(milliseconds: number): Promise<void>;
  /** Takes no more connections, and resolves when what was accepted has been answered. */
  close(): Promise<void>;
}

/** node:http with every bound set. */
export function openHttpServer({ REQUEST_TIMEOUT }: Pick<Config, "REQUEST_TIMEOUT">): HttpServer {
  const server = createServer({
    keepAliveTimeout: KEEP_ALIVE,
    maxHeaderSize: 16_384,
    requireHostHeader: false, // `headFault` says it in the form of the endpoint, with the id of the request
    requestTimeout: REQUEST_TIMEOUT * 1000,
    headersTimeout: REQUEST_TIMEOUT * 1000,
    connectionsCheckingInterval: 1_000, // how late the two timeouts may be
    // Any other wish is ignored, as RFC 9110 section 7.8 allows: some clients ask for HTTP/2 with every request.
    shouldUpgradeCallback: ({ headers, url }) => isWebSocket(headers.upgrade) && /^\/graphql(\?|$)/.test(url ?? ""),
  });
  let listener: Listener | null = null;
  const connections = new Set<Socket>();
  let connectedAt = performance.now();
  let allGone: (() => void) | null = null;
  server.on("connection", (socket: Socket) => {
    // Once read, it stays known after the client has left: limits and the audit ask for it later. Without one it has left already.
    if (socket.remoteAddress === undefined) return void socket.destroy();
    connectedAt = performance.now();
    connections.add(socket);
    socket.on("close", () => {
      connections.delete(socket);
      if (connections.size === 0) allGone?.();
    });
  });

  function endWithAnswer(_request: IncomingMessage, response: ServerResponse): void {
    response.setHeader("connection", "close");
  }

  return {
    server,
    async listen(from) {
      // It has no socket of its own, and begins to look after its connections here. The first may come before the listener is ready,
      // and one that it has not noted would never count as idle.
      server.emit("listening");
      const url = await from.listen((socket) => server.emit("connection", socket));
      listener = from;
      return url;
    },
    async stop() {
      await listener?.stop();
    },
    async drain(milliseconds) {
      server.prependListener("request", endWithAnswer);
      if (milliseconds === 0) return;
      const deadline = performance.now() + milliseconds;
      connectedAt = performance.now();
      for (let now = connectedAt; now < deadline + 10 * QUIET; now = performance.now()) {
        if (now - connectedAt > QUIET && (now > deadline || connections.size === 0)) return;
        await pause(20);
      }
    },
    async close() {
      await listener?.stop();
      // Some connections have never asked anything: browsers open them ahead of need, or the request is on its way. Those that
      // were in use when it began to close stay for as long as their clients keep them.
      const silent = () => [...connections].filter((socket) => socket.bytesRead === 0);
      const deadline = performance.now() + SPEECHLESS;
      while (silent().length > 0 && performance.now() < deadline) await pause(20);
      for (const socket of silent()) socket.destroy();
      server.close(); // and the idle ones
      const reap = setInterval(() => server.closeIdleConnections(), REAP_EVERY_MS);
      if (connections.size > 0)
        await new Promise<void>((resolve) => {
          allGone = resolve;
        });
      clearInterval(reap);
    },
  };
}

function isWebSocket(upgrade: string | undefined): boolean {
  return upgrade?.toLowerCase() === "websocket";
}

/** Short, unique across restarts and nodes, and cheap: a random start and a counter. */
export function requestIds(): () => string {
  const prefix = randomBytes(6).toString("base64url");
  let count = 0;
  return () => `${prefix}-${(++count).toString(36)}`;
}
