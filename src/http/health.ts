import { hash, timingSafeEqual } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { FastifyPluginAsync } from "fastify";
import type { Config } from "../config/config.ts";
import { describeFault } from "../observe/describe-fault.ts";
import type { Log } from "../observe/log.ts";
import { CONTENT_TYPES, type PageFormat, pageFormat } from "../observe/metrics-page.ts";
import { isLocal } from "./local-caller.ts";

export interface HealthOptions {
  readonly config: Pick<Config, "METRICS_TOKEN" | "OPERATIONS_PORT">;
  /** Checks of everything that the process needs for its work. */
  readonly checks: () => Promise<readonly HealthCheck[]>;
  /** The page of the metrics. @throws Error when it cannot be had now */
  readonly page: (format: PageFormat) => Promise<string>;
  /** Whether the request brings a token of an administrator. Guesses count against the rate limit. */
  readonly isAdministrator: (request: IncomingMessage) => Promise<boolean>;
  readonly log: Log;
  isClosing(): boolean;
}

interface HealthCheck {
  readonly name: string;
  readonly state: "ok" | "degraded" | "failing";
  /** One sentence. */
  readonly reason: string;
  /** For the log alone. */
  readonly error?: unknown;
}

interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

type Path = "/livez" | "/readyz" | "/metrics";

const JSON_TYPE = { "content-type": "application/json; charset=utf-8", "cache-control": "no-store" };
const RETRY = { ...JSON_TYPE, "retry-after": "1" };
const STOPPING: HealthCheck = { name: "process", state: "failing", reason: "The process is stopping." };

/**
 * Answers to operators and their tools. `/livez`: the process answers. `/readyz`: the process can do its work, and is not stopping; with
 * `?verbose`, the state of each check with its reason, for callers with METRICS_TOKEN and administrators. `/metrics`: for callers with
 * METRICS_TOKEN; without that setting for callers on this machine, and for everybody who reaches OPERATIONS_PORT.
 */
function openAnswers(options: HealthOptions, isOwnPort: boolean) {
  const { METRICS_TOKEN: token } = options.config;
  const { checks, page, isAdministrator, log, isClosing } = options;

  /** Compares hashes of equal length, so that the time says nothing about the token. */
  function hasToken({ headers }: IncomingMessage): boolean {
    if (token === null) return false;
    const sent = /^bearer +(\S+) *$/i.exec(headers.authorization ?? "")?.[1] ?? "";
    return timingSafeEqual(hash("sha256", sent, "buffer"), hash("sha256", token, "buffer"));
  }

  function mayReadMetrics(request: IncomingMessage): boolean {
    return token === null ? isOwnPort || isLocal(request) : hasToken(request);
  }

  async function answerMetrics(request: IncomingMessage): Promise<Answer> {
    if (!mayReadMetrics(request)) {
      const message =
        "Metrics need the bearer token of METRICS_TOKEN. Without that setting they are for this machine alone.";
      return unauthorized(message);
    }
    const format = pageFormat(request.headers.accept);
    try {
      return { status: 200, headers: { "content-type": CONTENT_TYPES[format] }, body: await page(format) };
    } catch (error) {
      log.warn({ error: describeFault(error) }, "the metrics cannot be shown");
      return { status: 503, headers: RETRY, body: '{"status":"unavailable"}' };
    }
  }

  async function answerReady(request: IncomingMessage): Promise<Answer> {
    const isVerbose = /[?&]verbose(?:[=&]|$)/.test(request.url ?? "");
    if (isVerbose && !(await maySeeReasons(request)))
      return unauthorized("Details need the bearer token of METRICS_TOKEN, or an access token of an administrator.");
    const found = isClosing() ? [STOPPING] : await checks();
    const isReady = found.every(({ state }) => state !== "failing");
    for (const { name, reason, error } of found.filter(({ state }) => state === "failing"))
      log.warn({ check: name, reason, ...(error === undefined ? {} : { err: error }) }, "not ready");
    const status = isReady ? (found.every(({ state }) => state === "ok") ? "ok" : "degraded") : "unavailable";
    const shown = isVerbose ? { checks: found.map(({ name, state, reason }) => ({ name, state, reason })) } : {};
    return {
      status: isReady ? 200 : 503,
      headers: isReady ? JSON_TYPE : RETRY,
      body: JSON.stringify({ status, ...shown }),
    };
  }

  async function maySeeReasons(request: IncomingMessage): Promise<boolean> {
    return hasToken(request) || isAdministrator(request);
  }

  return async (path: Path, request: IncomingMessage): Promise<Answer> => {
    if (path === "/livez") return { status: 200, headers: JSON_TYPE, body: '{"status":"ok"}' };
    return path === "/metrics" ? answerMetrics(request) : answerReady(request);
  };
}

function unauthorized(message: string): Answer {
  return { status: 401, headers: { ...JSON_TYPE, "www-authenticate": "Bearer" }, body: JSON.stringify({ message }) };
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
