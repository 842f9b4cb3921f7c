import type { IncomingMessage } from "node:http";
import Fastify, { type FastifyError, type FastifyInstance, type FastifyReply, type FastifyRequest } from "fastify";
import type { Config } from "../config/config.ts";
import { AppError } from "../domain/errors.ts";
import { BUSY, FAILED } from "../domain/failure-texts.ts";
import { isReaderGone } from "../observe/describe-fault.ts";
import type { Log } from "../observe/log.ts";
import type { Metrics } from "../observe/metrics.ts";
import type { RequestWatch } from "../observe/request-watch.ts";
import { openAllowedMethods } from "./allowed-methods.ts";
import { LINGER } from "./http-server.ts";
import { headFault } from "./request-head.ts";
import { watchRoutes } from "./watch-routes.ts";

export interface FastifyOptions {
  readonly config: Pick<Config, "TRUST_PROXY">;
  readonly log: Log;
  readonly metrics: Metrics;
  /** Makes the id of each request. */
  readonly requestId: (request: IncomingMessage) => string;
  /** Null where nothing is noted of requests. */
  readonly watch?: RequestWatch | null;
  /** Whether clients talk to us at this path, not people: errors are OAuth's there (RFC 6749 section 5.2). */
  isClientPath(path: string): boolean;
  /** The headers by which pages of clients may read an answer at such a path. */
  crossOriginHeaders(origin: string | undefined): Promise<Readonly<Record<string, string>>>;
  /** The page for people who come to an address that is not there, or when we fail. */
  errorPage(error: { title: string; message: string; requestId?: string }): {
    headers: Record<string, string>;
    body: string;
  };
}

/** Fastify, with the answers to what no route answers. It serves what `routing` is given, and never listens itself. */
export function openFastify({
  config,
  log,
  metrics,
  requestId,
  watch = null,
  isClientPath,
  crossOriginHeaders,
  errorPage,
}: FastifyOptions): FastifyInstance {
  const server = Fastify({
    logger: false,
    // One address has been settled on before: see client-address.ts.
    trustProxy: config.TRUST_PROXY === false ? false : (_address: string, hop: number) => hop === 0,
    bodyLimit: 1_048_576,
    genReqId: requestId,
    // The router rejects these, and no hook sees them: an address that cannot be decoded, or a part of it that is too long.
    frameworkErrors: (error, request, reply) =>
      answer(
        request,
        reply,
        error.statusCode ?? 400,
        "Bad request",
        "The address is malformed, or a part of it is too long.",
      ),
    schemaController: { compilersFactory: { buildValidator: noSchemas, buildSerializer: noSchemas } },
  });

  const traceOf = watch === null ? () => undefined : watchRoutes(server, watch);
  // Before anything that refuses: a page reads a refusal like any other answer.
  server.addHook("onRequest", async ({ url, headers: { origin } }, reply) => {
    if (origin !== undefined && isClientPath(pathOf(url))) reply.headers(await crossOriginHeaders(origin));
  });
  server.addHook("onRequest", ({ raw }, _reply, done) => {
    const fault = headFault(raw);
    if (fault === null) done();
    else done(fault);
  });
  server.addHook("onRequest", (request, reply, done) => {
    // On the raw answer: what is written there directly has it too.
    reply.raw.setHeader("x-request-id", request.id);
    if (hasControlCharacter(request.raw.url ?? "")) {
      answer(request, reply, 400, "Bad request", "The address has a character that no address of ours has.");
    } else done();
  });
  server.addHook("onSend", ({ raw }, reply, payload, done) => {
    if (raw.complete || (reply.statusCode !== 413 && reply.getHeader("connection") !== "close"))
      return done(null, payload);
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
      traceOf(request.raw),
    );
    done();
  });
  const allowedMethods = openAllowedMethods(server);
  server.setNotFoundHandler((request, reply) => {
    const path = pathOf(request.url);
    const allowed = allowedMethods(path);
    if (allowed.length === 0 || allowed.includes(request.method)) {
      return answer(request, reply, 404, "Nothing here", "There is no page at this address. Nothing was lost.");
    }
    reply.header("allow", allowed.join(", ")).header("cache-control", "no-store");
    return answer(
      request,
      reply,
      405,
      "Nothing to do here",
      "This address answers other requests only. Nothing was lost.",
    );
  });
  server.setErrorHandler((error: FastifyError | AppError, request, reply) => {
    const status = error instanceof AppError ? 500 : isReaderGone(error) ? 400 : (error.statusCode ?? 500);
    if (status < 500) return answer(request, reply, status, "Bad request", error.message);
    if (error instanceof AppError && error.code === "UNAVAILABLE") {
      reply.header("retry-after", String(error.details.retryAfter ?? 1));
      return answer(request, reply, 503, BUSY.title, error.message);
    }
    log.error(
      { err: error, requestId: request.id, method: request.method, path: request.routeOptions.url },
      "request failed",
    );
    return answer(request, reply, 500, FAILED.title, FAILED.message);
  });
  return server;

  function answer(request: FastifyRequest, reply: FastifyReply, status: number, title: string, message: string) {
    reply.code(status);
    if (isClientPath(pathOf(request.url)))
      return reply.header("cache-control", "no-store").send({ error: clientError(status) });
    const requestId = status >= 500 ? { requestId: request.id } : {};
    if (request.headers.accept?.includes("text/html") !== true)
      return reply.send({ error: title, message, ...requestId });
    const page = errorPage({ title, message, ...requestId });
    return reply.headers(page.headers).send(page.body);
  }
}

/** RFC 6749 section 5.2, whatever the request accepts: clients read no pages. */
function clientError(status: number): string {
  if (status < 500) return "invalid_request";
  return status === 503 ? "temporarily_unavailable" : "server_error";
}

function pathOf(url: string): string {
  return url.split("?", 1)[0] ?? "";
}

/** No route has a schema, and Fastify loads two compilers for them at each start if nobody else is named. */
function noSchemas(): never {
  throw new Error("Routes with schemas need Fastify's compilers, which openFastify leaves out.");
}

/** An encoded NUL anywhere, or an encoded line break before the query: a GraphQL document in a query may have those. */
function hasControlCharacter(url: string): boolean {
  return url.includes("%") && (url.includes("%00") || /^[^?]*%0[ad]/i.test(url));
}
