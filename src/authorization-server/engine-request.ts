import type { X509Certificate } from "node:crypto";
import type { IncomingMessage } from "node:http";
import type { FastifyRequest } from "fastify";
import { parseForm } from "./forms.ts";

/** A request as the engine may see it. */
export type EngineRequest = IncomingMessage & {
  readonly requestId: string;
  /** Of the caller, proxies seen through. */
  readonly address: string;
  readonly form: URLSearchParams;
  /** The one whose key the client has proved; null without one. */
  readonly certificate: X509Certificate | null;
};

/**
 * A view of the request in which the addresses come from configuration alone: the engine builds links and cookie
 * flags from Host, the connection and the URL, and none of them is to be believed (A16). The body, already read under
 * our limit, can be read once more.
 */
export function engineRequest(
  request: FastifyRequest,
  issuer: URL,
  readCertificate: (request: IncomingMessage) => X509Certificate | null = () => null,
): EngineRequest {
  const { raw } = request;
  const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
  const mount = issuer.pathname.replace(/\/$/, "");
  const path = enginePath(raw.url ?? "/", mount);
  return Object.create(raw, {
    requestId: { value: request.id },
    address: { value: request.ip },
    form: { get: () => parseForm(request) },
    certificate: { get: () => readCertificate(raw) },
    url: { value: path, writable: true },
    originalUrl: { value: mount + path },
    headers: { value: headers(raw, issuer, body.length) },
    socket: { value: Object.create(raw.socket, { encrypted: { value: issuer.protocol === "https:" } }) },
    readable: { value: true },
    iterator: { value: () => (body.length === 0 ? [] : [body]) },
  });
}

/** The path below the issuer; RFC 8414 section 3.1 puts the well-known part before the issuer's own path. */
function enginePath(url: string, mount: string): string {
  // A request line may carry a whole address (RFC 9112 section 3.2.2).
  const path = url.replace(/^https?:\/\/[^/?#]*/i, "");
  const wellKnown = /^(\/\.well-known\/[^/?]+)(\/[^?]*)?(\?.*)?$/s.exec(path);
  if (wellKnown !== null) return `${wellKnown[1]}${wellKnown[3] ?? ""}`;
  return path.startsWith(mount) ? path.slice(mount.length) : path;
}

function headers(raw: IncomingMessage, issuer: URL, length: number) {
  const kept = Object.entries(raw.headers).filter(
    ([name]) => !name.startsWith("x-forwarded-") && name !== "forwarded" && name !== "transfer-encoding",
  );
  const bodied = raw.method === "POST" ? { "content-length": String(length) } : {};
  return { ...Object.fromEntries(kept), ...bodied, host: issuer.host };
}
