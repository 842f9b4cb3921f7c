import type { X509Certificate } from "node:crypto";
import type { IncomingHttpHeaders, IncomingMessage } from "node:http";
import { mountPath } from "./endpoints.ts";
import { parseForm } from "./forms.ts";

/** A request whose body has been read, by Fastify or by ourselves. */
export interface ReceivedRequest {
  readonly id: string;
  /** The caller's IP address, behind trusted proxies. */
  readonly ip: string;
  readonly raw: IncomingMessage;
  readonly headers: IncomingHttpHeaders;
  /** A Buffer, where there is one. */
  readonly body: unknown;
}

/**
 * A request as the engine may see it: the addresses come from configuration alone, because the engine builds links and
 * cookie flags from Host, the connection and the URL, and none of them is to be believed (A16). The body, already read
 * under our limit, can be read once more. It is no IncomingMessage, but has what the engine asks of one: an object laid
 * over Node's own made each look at it slow.
 */
class RequestView {
  readonly requestId: string;
  /** The caller's IP address, behind trusted proxies. */
  readonly address: string;
  method: string | undefined;
  url: string;
  readonly originalUrl: string;
  headers: IncomingHttpHeaders;
  readonly httpVersionMajor = 1;
  readonly socket: { readonly encrypted: boolean; readonly remoteAddress: string };
  readonly readable = true;
  /** The engine's context of this request; null until it has one. */
  context: object | null = null;
  readonly #request: ReceivedRequest;
  readonly #body: Buffer | null;
  readonly #readCertificate: ReadCertificate;
  #form: URLSearchParams | null = null;

  constructor(request: ReceivedRequest, issuer: URL, readCertificate: ReadCertificate) {
    const { raw, body } = request;
    this.#request = request;
    this.#body = Buffer.isBuffer(body) && body.length > 0 ? body : null;
    this.#readCertificate = readCertificate;
    const mount = mountPath(issuer);
    this.requestId = request.id;
    this.address = request.ip;
    this.method = raw.method;
    this.url = enginePath(raw.url ?? "/", mount);
    this.originalUrl = mount + this.url;
    this.headers = engineHeaders(raw, issuer, this.#body?.length ?? 0);
    this.socket = { encrypted: issuer.protocol === "https:", remoteAddress: request.ip };
  }

  get form(): URLSearchParams {
    this.#form ??= parseForm(this.#request);
    return this.#form;
  }

  /** The one whose key the client has proved; null without one. */
  get certificate(): X509Certificate | null {
    return this.#readCertificate(this.#request.raw);
  }

  iterator(): Iterable<Buffer> {
    return this.#body === null ? [] : [this.#body];
  }
}

type ReadCertificate = (request: IncomingMessage) => X509Certificate | null;

export type EngineRequest = IncomingMessage & RequestView;

export function engineRequest(
  request: ReceivedRequest,
  issuer: URL,
  readCertificate: ReadCertificate = () => null,
): EngineRequest {
  return new RequestView(request, issuer, readCertificate) as EngineRequest;
}

/** The path below the issuer; RFC 8414 section 3.1 puts the well-known part before the issuer's own path. */
function enginePath(url: string, mount: string): string {
  // A request line may carry a whole address (RFC 9112 section 3.2.2).
  const path = url.replace(/^https?:\/\/[^/?#]*/i, "");
  const wellKnown = /^(\/\.well-known\/[^/?]+)(\/[^?]*)?(\?.*)?$/s.exec(path);
  if (wellKnown !== null) return `${wellKnown[1]}${wellKnown[3] ?? ""}`;
  return path.startsWith(mount) ? path.slice(mount.length) : path;
}

function engineHeaders(raw: IncomingMessage, issuer: URL, length: number): IncomingHttpHeaders {
  const headers: IncomingHttpHeaders = {};
  for (const name in raw.headers) {
    if (name === "forwarded" || name === "transfer-encoding" || name.startsWith("x-forwarded-")) continue;
    headers[name] = raw.headers[name];
  }
  if (raw.method === "POST") headers["content-length"] = String(length);
  headers.host = issuer.host;
  return headers;
}
