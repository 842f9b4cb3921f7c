import { AppError } from "../domain/errors.ts";
import { TokenRefusal } from "./token-refusal.ts";

/** The head of a request: all that authentication looks at. */
export interface RequestHead {
  readonly method: string;
  /** Path and query, as received. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** Thumbprint of the certificate whose key the client has proved to the proxy (RFC 8705); null without one. */
  readonly certificateThumbprint?: () => string | null;
  /** Tells the request from others in the log. */
  readonly requestId?: string;
}

const ACCESS_TOKEN = /^(?:bearer|dpop) +([A-Za-z0-9\-._~+/]+=*) *$/i;

/** The field that was good last, and its token: whoever asks for much sends the same one again. */
let last: { readonly authorization: string; readonly token: string } | null = null;

/**
 * The access token of the `Authorization` field (RFC 6750 section 2.1, RFC 9449 section 7.1; the scheme in any case), or
 * null when the request brings none. The other two ways of RFC 6750 (form and query) leak into logs and are refused.
 *
 * @throws AppError BAD_REQUEST for a token in the query, UNAUTHENTICATED for a malformed `Authorization` field
 */
export function readAccessToken(head: RequestHead): string | null {
  if (head.url.includes("?") && /[?&]access_token=/.test(head.url)) {
    const message = "Send the access token in the Authorization header, never in the address.";
    throw new AppError("BAD_REQUEST", message, {}, new TokenRefusal("in-query"));
  }
  const authorization = head.headers.authorization;
  if (authorization === undefined) return null;
  if (typeof authorization === "string") {
    if (authorization === last?.authorization) return last.token;
    const token = ACCESS_TOKEN.exec(authorization)?.[1];
    if (token !== undefined) {
      last = { authorization, token };
      return token;
    }
  }
  const message = "The Authorization header must be: Bearer, a space, and an access token.";
  const refusal = new TokenRefusal("authorization-header");
  // Credentials of another kind are no token that could be wrong (RFC 6750 section 3.1).
  const isToken = typeof authorization === "string" && /^(?:bearer|dpop)(?: |$)/i.test(authorization);
  throw new AppError("UNAUTHENTICATED", message, isToken ? { challenge: "invalid_token" } : {}, refusal);
}

/** Whether a token that was read came with the promise of a proof; the other scheme is Bearer. */
export function usesDpop({ headers: { authorization } }: RequestHead): boolean {
  return typeof authorization === "string" && /^d/i.test(authorization);
}
