/** Milliseconds that an address may take to answer. */
const PATIENCE = 5_000;
/** Characters of an answer that are read. */
const MOST = 100_000;

/** An answer of a server, read to its end. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  /** The body, where it is a JSON object; null otherwise. */
  readonly json: Readonly<Record<string, unknown>> | null;
}

/** @returns the answer, which may be a redirect; or a few words that say why none came */
export async function ask(url: string, request: RequestInit = {}): Promise<Answer | string> {
  try {
    const response = await fetch(url, { ...request, redirect: "manual", signal: AbortSignal.timeout(PATIENCE) });
    const text = (await response.text()).slice(0, MOST);
    const isJson = /^application\/(?:[\w.-]+\+)?json\b/i.test(response.headers.get("content-type") ?? "");
    return { status: response.status, headers: response.headers, json: isJson ? objectOf(text) : null };
  } catch (error) {
    const { name, message, cause } = error as Error & { cause?: { code?: string } };
    return name === "TimeoutError" ? `no answer within ${PATIENCE / 1_000} seconds` : (cause?.code ?? message);
  }
}

/** A JSON-RPC request to the endpoint. */
export function askMcp(url: string, method: string, revision: string, params: object, headers: HeadersInit = {}) {
  return ask(url, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      "mcp-protocol-version": revision,
      "mcp-method": method,
      ...headers,
    },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }),
  });
}

/** The URL of an address's metadata: the well-known part goes between host and path (RFC 8414, RFC 9728 section 3.1). */
export function wellKnown(name: string, address: string): string {
  const { origin, pathname } = new URL(address);
  return `${origin}/.well-known/${name}${pathname === "/" ? "" : pathname}`;
}

function objectOf(text: string): Answer["json"] {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value } : null;
  } catch {
    return null;
  }
}
