import { randomBytes } from "node:crypto";
import type { IncomingMessage, RequestListener, Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { promisify } from "node:util";
import proxyAddr from "@fastify/proxy-addr";
import Fastify, { type FastifyError, type FastifyInstance, type FastifyReply, type FastifyRequest } from "fastify";
import { openAllowedMethods } from "./allowed-methods.ts";
import type { Config } from "./config.ts";
import { AppError } from "./domain/errors.ts";
import type { Log } from "./observe/log.ts";
import type { Metrics } from "./observe/metrics.ts";
import type { Overload } from "./overload.ts";

export interface ServerOptions {
  readonly config: Pick<Config, "TRUST_PROXY" | "REQUEST_TIMEOUT">;
  readonly log: Log;
  readonly metrics: Metrics;
  /** Makes the id of each request. */
  readonly requestId: () => string;
  /** Whether clients talk to us at this path, not people: errors are OAuth's there (RFC 6749 section 5.2). */
  isClientPath(path: string): boolean;
  /** The page for people who come to an address that is not there, or when we fail. */
  errorPage(error: { title: string; message: string; requestId?: string }): {
    headers: Record<string, string>;
    body: string;
  };
}

/**
 * Milliseconds for which the rest of a body that is too large is received and thrown away: an end of the connection would
 * be a reset for whoever still sends, and the answer lost with it (RFC 9112 section 9.6).
 */
export const LINGER = 500;

/** The HTTP server with every bound set, and the answers to what no route answers. */
export function openServer({
  config,
  log,
  metrics,
  requestId,
  isClientPath,
  errorPage,
}: ServerOptions): FastifyInstance {
  const server = Fastify({
    logger: false,
    trustProxy: config.TRUST_PROXY,
    bodyLimit: 1_048_576,
    requestTimeout: config.REQUEST_TIMEOUT * 1000,
    keepAliveTimeout: 72_000,
    forceCloseConnections: "idle",
    genReqId: requestId,
    schemaController: { compilersFactory: { buildValidator: noSchemas, buildSerializer: noSchemas } },
    http: {
      maxHeaderSize: 16_384,
      headersTimeout: config.REQUEST_TIMEOUT * 1000,
      connectionsCheckingInterval: 1_000, // how late the two timeouts may be
      // Any other wish is ignored, as RFC 9110 section 7.8 allows: some clients ask for HTTP/2 with every request.
      shouldUpgradeCallback: ({ headers, url }) => isWebSocket(headers.upgrade) && /^\/graphql(\?|$)/.test(url ?? ""),
    },
  });

  // Node waits for connections that have never asked anything, as browsers open them ahead of need.
  const connections = new Set<Socket>();
  server.server.on("connection", (socket: Socket) => {
    connections.add(socket);
    socket.on("close", () => connections.delete(socket));
  });
  server.addHook("preClose", (done) => {
    for (const socket of connections) if (socket.bytesRead === 0) socket.destroy();
    done();
  });

  server.addHook("onRequest", (request, reply, done) => {
    if (hasControlCharacter(request.raw.url ?? "")) {
      answer(request, reply, 400, "Bad request", "The address has a character that no address of ours has.");
    } else done();
  });
  server.addHook("onSend", ({ raw }, reply, payload, done) => {
    if (reply.statusCode !== 413 || raw.complete) return done(null, payload);
    const send = () => {
      clearTimeout(timer);
      raw.off("end", send);
      done(null, payload);
    };
    const timer = setTimeout(send, LINGER);
    raw.once("end", send).resume();
  });
  server.addHook("onResponse", (request, reply, done) => {
    // How long somebody listens says nothing about how fast we are.
    if (String(reply.raw.getHeader("content-type")).startsWith("text/event-stream")) return done();
    metrics.requestAnswered(
      request.method,
      request.routeOptions.url ?? "none",
      reply.statusCode,
      reply.elapsedTime / 1000,
    );
    done();
  });
  const allowedMethods = openAllowedMethods(server);
  server.setNotFoundHandler((request, reply) => {
    const path = request.url.split("?", 1)[0] ?? "";
    const allowed = allowedMethods(path);
    if (allowed.length === 0 || allowed.includes(request.method)) {
      return answer(request, reply, 404, "Nothing here", "There is no page at this address. Nothing was lost.");
    }
    reply.header("allow", allowed.join(", ")).header("cache-control", "no-store");
    if (isClientPath(path)) return reply.code(405).send({ error: "invalid_request" });
    return answer(
      request,
      reply,
      405,
      "Nothing to do here",
      "This address answers other requests only. Nothing was lost.",
    );
  });
  server.setErrorHandler((error: FastifyError | AppError, request, reply) => {
    const status = error instanceof AppError ? 500 : (error.statusCode ?? 500);
    if (status < 500) return answer(request, reply, status, "Bad request", error.message);
    if (error instanceof AppError && error.code === "UNAVAILABLE") {
      reply.header("retry-after", String(error.details.retryAfter ?? 1));
      return answer(request, reply, 503, "Too busy at this moment", error.message);
    }
    log.error(
      { err: error, requestId: request.id, method: request.method, path: request.routeOptions.url },
      "request failed",
    );
    return answer(
      request,
      reply,
      500,
      "Something failed on our side",
      "Try again in a moment. If it stays, tell the operator the number below.",
    );
  });
  return server;

  function answer(request: FastifyRequest, reply: FastifyReply, status: number, title: string, message: string) {
    reply.code(status);
    const requestId = status >= 500 ? { requestId: request.id } : {};
    if (request.headers.accept?.includes("text/html") !== true)
      return reply.send({ error: title, message, ...requestId });
    const page = errorPage({ title, message, ...requestId });
    return reply.headers(page.headers).send(page.body);
  }
}

function isWebSocket(upgrade: string | undefined): boolean {
  return upgrade?.toLowerCase() === "websocket";
}

/** No route has a schema, and Fastify loads two compilers for them at each start if nobody else is named. */
function noSchemas(): never {
  throw new Error("Routes with schemas need Fastify's compilers, which openServer leaves out.");
}

/** Where a request comes from, as Fastify tells it: seen through the trusted proxies; null when unknown. */
export function clientAddress(trusted: Config["TRUST_PROXY"]): (request: IncomingMessage) => string | null {
  if (trusted === false) return ({ socket }) => socket.remoteAddress ?? null;
  const isTrusted = proxyAddr.compile([...trusted]);
  return (request) => proxyAddr(request, isTrusted);
}

/**
 * Shows each request to `first` before Fastify, when `queue` lets it through; those for which `first` returns false go on as
 * ever. Where a name has two addresses (`localhost`: 127.0.0.1 and ::1), Fastify has a second server for the other one,
 * which it keeps to itself: what comes there takes the longer way. (Given a server by `serverFactory`, it would not listen
 * there at all.)
 */
export function putInFront(
  { server }: FastifyInstance,
  first: (request: IncomingMessage, response: ServerResponse) => boolean,
  queue: Overload["queue"],
): void {
  const [rest, ...more] = server.listeners("request") as RequestListener[];
  if (rest === undefined || more.length > 0) throw new Error("Fastify is not the only one that listens.");
  server.off("request", rest);
  const serve = (request: IncomingMessage, response: ServerResponse) => {
    if (!first(request, response)) rest(request, response);
  };
  server.on("request", queue(server, serve));
}

/** Milliseconds without a new connection after which none is taken to be on its way: the kernel keeps those not accepted to itself. */
const QUIET = 60;

/** Resolves when nobody is connected any more, or when the time is up; in a moment in which nobody is just connecting. */
export async function untilUnused(server: Server, milliseconds: number): Promise<void> {
  if (milliseconds === 0) return;
  const countConnections = promisify(server.getConnections).bind(server);
  const deadline = performance.now() + milliseconds;
  let connectedAt = performance.now();
  server.on("connection", () => {
    connectedAt = performance.now();
  });
  for (let now = connectedAt; now < deadline + 10 * QUIET; now = performance.now()) {
    if (now - connectedAt > QUIET && (now > deadline || (await countConnections()) === 0)) return;
    await pause(20);
  }
}

/** An encoded NUL anywhere, or an encoded line break before the query: a GraphQL document in a query may have those. */
function hasControlCharacter(url: string): boolean {
  return url.includes("%") && (url.includes("%00") || /^[^?]*%0[ad]/i.test(url));
}

/** Short, unique across restarts and nodes, and cheap: a random start and a counter. */
export function requestIds(): () => string {
  const prefix = randomBytes(6).toString("base64url");
  let count = 0;
  return () => `${prefix}-${(++count).toString(36)}`;
}
