import { hash, timingSafeEqual } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { FastifyPluginAsync } from "fastify";
import type { Config } from "../config/config.ts";
import type { Log } from "../observe/log.ts";
import type { Metrics } from "../observe/metrics.ts";
import { isLocal } from "./local-caller.ts";

export interface HealthOptions {
  readonly config: Pick<Config, "METRICS_TOKEN" | "OPERATIONS_PORT">;
  readonly store: { check(): Promise<void> };
  readonly log: Log;
  readonly metrics: Metrics;
  isClosing(): boolean;
}

interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

type Path = "/livez" | "/readyz" | "/metrics";

const JSON_TYPE = { "content-type": "application/json; charset=utf-8", "cache-control": "no-store" };

/**
 * Answers to operators and their tools. `/livez`: the process answers. `/readyz`: the process can do its work, so the database
 * answers and the process is not stopping. `/metrics`: Prometheus text, for callers with METRICS_TOKEN; without that setting for callers on this
 * machine, and for everybody who reaches OPERATIONS_PORT.
 */
function openAnswers({ config, store, log, metrics, isClosing }: HealthOptions, isOwnPort: boolean) {
  const { METRICS_TOKEN: token } = config;

  function mayReadMetrics(request: IncomingMessage): boolean {
    if (token === null) return isOwnPort || isLocal(request);
    const sent = /^bearer +(\S+) *$/i.exec(request.headers.authorization ?? "")?.[1] ?? "";
    return timingSafeEqual(hash("sha256", sent, "buffer"), hash("sha256", token, "buffer"));
  }

  return async (path: Path, request: IncomingMessage): Promise<Answer> => {
    if (path === "/livez") return { status: 200, headers: JSON_TYPE, body: '{"status":"ok"}' };
    if (path === "/metrics") {
      if (mayReadMetrics(request))
        return { status: 200, headers: { "content-type": "text/plain; version=0.0.4" }, body: metrics.print() };
      const message =
        "Metrics need the bearer token of METRICS_TOKEN. Without that setting they are for this machine alone.";
      return {
        status: 401,
        headers: { ...JSON_TYPE, "www-authenticate": "Bearer" },
        body: JSON.stringify({ message }),
      };
    }
    try {
      if (isClosing()) throw new Error("closing");
      await store.check();
      return { status: 200, headers: JSON_TYPE, body: '{"status":"ok"}' };
    } catch (error) {
      log.warn({ err: error }, "not ready");
      return { status: 503, headers: { ...JSON_TYPE, "retry-after": "1" }, body: '{"status":"unavailable"}' };
    }
  };
}

/** On the main port; `/metrics` only where there is no port of its own for it. */
export function healthRoutes(options: HealthOptions): FastifyPluginAsync {
  const answer = openAnswers(options, false);
  const paths: readonly Path[] = [
    "/livez",
    "/readyz",
    ...(options.config.OPERATIONS_PORT === null ? ["/metrics" as const] : []),
  ];
  return async (server) => {
    for (const path of paths)
      server.get(path, async (request, reply) => {
        const { status, headers, body } = await answer(path, request.raw);
        return reply.code(status).headers(headers).send(body);
      });
  };
}

/** On OPERATIONS_PORT. */
export function openOperations(options: HealthOptions): (request: IncomingMessage, response: ServerResponse) => void {
  const answer = openAnswers(options, true);
  const isPath = (path: string): path is Path => path === "/livez" || path === "/readyz" || path === "/metrics";
  return (request, response) => {
    const path = request.url?.split("?", 1)[0] ?? "";
    if (!isPath(path)) return void response.writeHead(404).end();
    if (request.method !== "GET" && request.method !== "HEAD")
      return void response.writeHead(405, { allow: "GET, HEAD" }).end();
    void answer(path, request).then(({ status, headers, body }) =>
      response.writeHead(status, headers).end(request.method === "HEAD" ? undefined : body),
    );
  };
}
