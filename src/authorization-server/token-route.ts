import type { IncomingMessage, ServerResponse } from "node:http";
import type { Log } from "../observe/log.ts";
import { withRecord } from "../observe/request-record.ts";
import type { RequestWatch } from "../observe/request-watch.ts";
import { sampledTrace } from "../observe/sampled-trace.ts";
import type { CrossOriginHeaders } from "./http/client-cors.ts";
import { errorCode, RETRY_AFTER, statusOf } from "./http/client-errors.ts";
import { mountPath, PATHS } from "./http/endpoints.ts";
import { BODY_LIMIT, isForm } from "./http/forms.ts";
import type { RequestLimit } from "./http/request-limit.ts";
import type { Protocol } from "./protocol.ts";

export interface TokenRouteOptions {
  readonly requestId: (request: IncomingMessage) => string;
  /** Null where nothing is noted of requests. */
  readonly watch?: RequestWatch | null;
  /** The IP address of the caller, behind trusted proxies; null if unknown. */
  readonly clientAddress: (request: IncomingMessage) => string | null;
  /** Why a request that comes to this path now is refused unread; null when it is not. */
  readonly refusal: (path: string, request: IncomingMessage) => Error | null;
  /** Runs the work of a request at this path, which is under way until it ends. */
  readonly run: (path: string, work: () => Promise<void>) => void;
  /** Told of each answer, with the seconds since the request's head, and its trace if that is sampled. */
  readonly answered: (path: string, status: number, seconds: number, traceId?: string) => void;
}

/** Answers a request, or returns false and leaves it alone. */
export type TokenRoute = (request: IncomingMessage, response: ServerResponse) => boolean;

/** The endpoints that programs call again and again: for tokens, and about them. */
const FAST = [PATHS.token, PATHS.introspection, PATHS.revocation];

/**
 * A form that is posted to one of FAST, straight on node:http: through Fastify, a grant takes 5 to 13 % more
 * processor time (measured: client credentials and refresh tokens on SQLite).
 * Whatever else comes there, and who comes too often, stays with `authorizationRoutes`; both ways end in the engine.
 */
export function openTokenRoute(
  {
    issuer,
    protocol,
    limit,
    crossOriginHeaders,
    log,
  }: {
    issuer: string;
    protocol: () => Promise<Protocol>;
    limit: RequestLimit;
    crossOriginHeaders: CrossOriginHeaders;
    log: Log;
  },
  { requestId, watch, clientAddress, refusal, run, answered }: TokenRouteOptions,
): TokenRoute {
  const paths = new Set(FAST.map((path) => mountPath(issuer) + path));

  async function answer(
    raw: IncomingMessage,
    response: ServerResponse,
    ip: string,
    id: string,
    body: Buffer,
  ): Promise<void> {
    try {
      const { callEngine } = await protocol();
      await callEngine({ id, ip, raw, headers: raw.headers, body }, response);
    } catch (error) {
      await refuse(raw, response, statusOf(error, id, log));
    }
  }

  async function refuse({ headers }: IncomingMessage, response: ServerResponse, status: number): Promise<void> {
    if (response.headersSent) return void response.destroy();
    response.writeHead(status, {
      "content-type": "application/json; charset=utf-8",
      "cache-control": "no-store",
      ...(status === 503 ? { "retry-after": RETRY_AFTER } : {}),
      ...(await crossOriginHeaders(headers.origin)),
    });
    response.end(JSON.stringify({ error: errorCode(status) }));
  }

  return (request, response) => {
    const { "content-type": type, "content-length": length } = request.headers;
    const path = request.url ?? "";
    if (request.method !== "POST" || !paths.has(path) || !isForm(type)) return false;
    if (!(Number(length) <= BODY_LIMIT)) return false;
    const ip = clientAddress(request) ?? "";
    if (limit.ofAddress(ip) !== 0) return false;
    const startedAt = performance.now();
    const id = requestId(request);
    const record = watch?.begin(request, id, startedAt) ?? null;
    response.setHeader("x-request-id", id);
    response.once("finish", () => {
      const { statusCode: status } = response;
      answered(path, status, (performance.now() - startedAt) / 1000, sampledTrace(record));
      watch?.end(record, { method: "POST", route: path, status });
    });
    const refused = refusal(path, request);
    if (refused !== null) void refuse(request, response, statusOf(refused, id, log));
    else receive(request, (body) => run(path, () => withRecord(record, () => answer(request, response, ip, id, body))));
    return true;
  };
}

/** When the client goes away before the end of the body, there is nobody to answer. */
function receive(request: IncomingMessage, received: (body: Buffer) => void): void {
  const chunks: Buffer[] = [];
  request.on("data", (chunk: Buffer) => chunks.push(chunk));
  request.on("end", () => received(chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks)));
}
