/** Headers that pages may send and read: those of this protocol and of our authorization, no more. */
const ALLOWED = "Authorization, Content-Type, DPoP, MCP-Protocol-Version, Mcp-Method, Mcp-Name, Idempotency-Key";
const EXPOSED = "WWW-Authenticate, DPoP-Nonce, Retry-After";

/** @param origin of the page, where it may call; null where it may not, and without one */
export function corsHeaders(origin: string | null): Record<string, string> {
  if (origin === null) return { vary: "Origin" };
  return { vary: "Origin", "access-control-allow-origin": origin, "access-control-expose-headers": EXPOSED };
}

export function preflightHeaders(origin: string | null): Record<string, string> {
  const headers = corsHeaders(origin);
  if (origin === null) return { ...headers, allow: "POST" };
  return {
    ...headers,
    "access-control-allow-methods": "POST",
    "access-control-allow-headers": ALLOWED,
    "access-control-max-age": "600",
  };
}
