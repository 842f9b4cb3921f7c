import { type IncomingHttpHeaders, type RequestOptions, request as send } from "node:http";

export const STATELESS_META = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientInfo": { name: "test", version: "1" },
  "io.modelcontextprotocol/clientCapabilities": {},
};

export interface RawAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export interface RawRequest {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
}

const BASE = { "content-type": "application/json", accept: "application/json, text/event-stream" };

/** One request, byte for byte: fetch forbids some headers. A header with an empty value is left out. */
export function raw(url: string, { method = "POST", headers = {}, body }: RawRequest): Promise<RawAnswer> {
  const all = { ...(body === undefined ? {} : BASE), ...headers };
  const kept = Object.fromEntries(Object.entries(all).filter(([, value]) => value !== ""));
  const options: RequestOptions = { method, headers: kept, agent: false };
  return new Promise((resolve, reject) => {
    const request = send(url, options, (response) => {
      let text = "";
      response.setEncoding("utf8").on("data", (chunk) => (text += chunk));
      response.once("error", reject);
      response.on("end", () => resolve({ status: response.statusCode ?? 0, headers: response.headers, body: text }));
    });
    request.once("error", reject);
    request.end(body);
  });
}

/** A stateless request whose headers agree with its body. */
export function stateless(method: string, params: Readonly<Record<string, unknown>> = {}, id: unknown = 1): RawRequest {
  const name = params.name ?? params.uri;
  return {
    headers: {
      "mcp-protocol-version": "2026-07-28",
      "mcp-method": method,
      ...(typeof name === "string" ? { "mcp-name": name } : {}),
    },
    body: JSON.stringify({ jsonrpc: "2.0", id, method, params: { _meta: STATELESS_META, ...params } }),
  };
}

/** A request of the handshake era. */
export function handshake(
  method: string,
  params: object = {},
  { id = 1 as unknown, version = "2025-11-25" } = {},
): RawRequest {
  return {
    headers: { "mcp-protocol-version": version },
    body: JSON.stringify({ jsonrpc: "2.0", id, method, params }),
  };
}

/** Messages of an event stream. */
export function eventsOf(body: string): Record<string, unknown>[] {
  return [...body.matchAll(/^data: (.*)$/gm)].map(([, data = ""]) => JSON.parse(data));
}
