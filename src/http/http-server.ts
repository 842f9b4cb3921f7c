import { randomBytes } from "node:crypto";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { type AddressInfo, createServer as createAcceptor, type Server as NetServer, type Socket } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import type { Config } from "../config/config.ts";
import { listenAddresses } from "./listen-addresses.ts";

/**
 * Milliseconds for which the rest of a body that is too large is received and thrown away: an end of the connection would
 * be a reset for whoever still sends, and the answer lost with it (RFC 9112 section 9.6).
 */
export const LINGER = 500;

/** Milliseconds without a new connection after which none is taken to be on its way: the kernel keeps those not accepted to itself. */
const QUIET = 60;

/** How often, while it closes, the connections are ended whose answer has gone out meanwhile. */
const REAP_EVERY_MS = 100;

export interface HttpServer {
  /** For those who listen to its events; it has no listener for requests yet. */
  readonly server: Server;
  /**
   * Listens there; where a name has two addresses (`localhost`: 127.0.0.1 and ::1), at both.
   *
   * @returns the address, such as `http://127.0.0.1:4000`
   * @throws Error with the system's code, such as EADDRINUSE
   */
  listen(port: number, host: string): Promise<string>;
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
    keepAliveTimeout: 72_000,
    maxHeaderSize: 16_384,
    requestTimeout: REQUEST_TIMEOUT * 1000,
    headersTimeout: REQUEST_TIMEOUT * 1000,
    connectionsCheckingInterval: 1_000, // how late the two timeouts may be
    // Any other wish is ignored, as RFC 9110 section 7.8 allows: some clients ask for HTTP/2 with every request.
    shouldUpgradeCallback: ({ headers, url }) => isWebSocket(headers.upgrade) && /^\/graphql(\?|$)/.test(url ?? ""),
  });
  const acceptors: NetServer[] = [];
  const connections = new Set<Socket>();
  let connectedAt = performance.now();
  server.on("connection", (socket: Socket) => {
    connectedAt = performance.now();
    connections.add(socket);
    socket.on("close", () => connections.delete(socket));
  });

  function endWithAnswer(_request: IncomingMessage, response: ServerResponse): void {
    response.setHeader("connection", "close");
  }

  return {
    server,
    async listen(port, host) {
      const [first, ...others] = await listenAddresses(host);
      await begin(server, port, first);
      const { address, family, port: bound } = server.address() as AddressInfo;
      for (const other of others) {
        // As node:http has it for its own.
        const options = { allowHalfOpen: true, noDelay: true };
        const acceptor = createAcceptor(options, (socket) => server.emit("connection", socket));
        await begin(acceptor, bound, other).then(
          () => acceptors.push(acceptor),
          () => {}, // a machine without that kind of address
        );
      }
      return `http://${family === "IPv6" ? `[${address}]` : address}:${bound}`;
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
      // Node waits for connections that have never asked anything, as browsers open them ahead of need; and for those
      // that were in use when it began to close, for as long as their clients keep them.
      const reap = setInterval(() => server.closeIdleConnections(), REAP_EVERY_MS);
      for (const socket of connections) if (socket.bytesRead === 0) socket.destroy();
      await Promise.all([server, ...acceptors].map((one) => new Promise((resolve) => one.close(resolve))));
      clearInterval(reap);
    },
  };
}

function begin(server: NetServer, port: number, host: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen({ port, host }, () => {
      server.off("error", reject);
      resolve();
    });
  });
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
