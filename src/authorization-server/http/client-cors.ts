/** Headers by which a browser lets a page of this origin read an answer; none for an origin without a client. */
export type CrossOriginHeaders = (origin: string | undefined) => Promise<Readonly<Record<string, string>>>;

/** Headers of answers that a page of a client needs besides the body. */
export const EXPOSED_HEADERS = "Allow, Retry-After, WWW-Authenticate, DPoP-Nonce, X-Request-Id";

/** For answers that the engine does not make: refusals before it is asked. The engine's own have the same rule. */
export function openCrossOriginHeaders(isClientOrigin: (origin: string) => Promise<boolean>): CrossOriginHeaders {
  return async (origin) => {
    if (origin === undefined) return {};
    if (!(await isClientOrigin(origin))) return { vary: "Origin" };
    return {
      "access-control-allow-origin": origin,
      "access-control-expose-headers": EXPOSED_HEADERS,
      vary: "Origin",
    };
  };
}
