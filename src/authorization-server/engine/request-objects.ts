import { type Client, errors, type KoaContextWithOIDC } from "oidc-provider";
import { engineSeconds, isOver, isTooFarAhead } from "./clocks.ts";

/** Algorithms of request objects: the client's keys sign them. Neither a secret nor `none` is accepted. */
export const REQUEST_ALGORITHMS = ["ES256", "PS256", "EdDSA"] as const;

/** Seconds between its beginning and its end, and from its beginning to now, as FAPI 2.0 Message Signing section 5.3.1 has it. */
const MOST_SECONDS = 3_600;

/** RFC 9101 section 10.8 names the second; many libraries write the first. */
const TYPES: ReadonlySet<unknown> = new Set([undefined, "jwt", "oauth-authz-req+jwt"]);

/**
 * Checks of RFC 9101 that the engine lacks. The engine checks `iss`, `aud`, the signature, and `exp` and `nbf` if present.
 * Here they are required, so that an intercepted request is useless tomorrow, and no other JWT of the client is accepted.
 * Pushed requests pass here again, in the form in which the engine stores them.
 *
 * @throws InvalidRequestObject
 */
export function assertRequestObject(
  _ctx: KoaContextWithOIDC,
  claims: Readonly<Record<string, unknown>>,
  header: Readonly<Record<string, unknown>>,
  client: Client,
): void {
  const { exp, nbf, iat, sub, client_id } = claims;
  const type = typeof header.typ === "string" ? header.typ.toLowerCase().replace(/^application\//, "") : header.typ;
  if (!TYPES.has(type)) throw new errors.InvalidRequestObject("typ must be oauth-authz-req+jwt");
  if (client_id !== client.clientId) throw new errors.InvalidRequestObject("client_id must be the client's own");
  // Section 10.8: it could be taken for a client assertion.
  if (sub === client.clientId) throw new errors.InvalidRequestObject("sub must not be the client_id");
  if (typeof exp !== "number" || typeof nbf !== "number")
    throw new errors.InvalidRequestObject("exp and nbf are required");
  if (isOver(exp)) throw new errors.InvalidRequestObject("exp is past");
  if (iat !== undefined && isTooFarAhead(iat)) throw new errors.InvalidRequestObject("iat is in the future");
  if (exp - nbf > MOST_SECONDS) throw new errors.InvalidRequestObject("exp must be at most an hour after nbf");
  if (engineSeconds() - nbf > MOST_SECONDS) throw new errors.InvalidRequestObject("nbf is more than an hour ago");
}
