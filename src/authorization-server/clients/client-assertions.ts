import { type Client, errors, type KoaContextWithOIDC } from "oidc-provider";
import { isOver, isTooFarAhead } from "../engine/clocks.ts";
import { isFapiClient } from "./engine-client.ts";

/** Seconds for which an assertion may last. */
const MOST_SECONDS = 3_600;

interface Audiences {
  /** The issuer, the token endpoint, and the endpoint that is called. */
  clientJwtAuthExpectedAudience(): ReadonlySet<unknown>;
}

/**
 * Checks the client assertion, the JWT with which a client authenticates (`private_key_jwt`), beyond RFC 7523 section 3. The
 * engine has checked the rules of that section and the signature before.
 *
 * @throws InvalidClientAuth
 */
export function assertClientAssertion(
  { oidc }: KoaContextWithOIDC,
  { exp, iat, aud }: Readonly<Record<string, unknown>>,
  { alg }: Readonly<Record<string, unknown>>,
  client: Client,
): void {
  if (isOver(exp) || !Number.isFinite(exp)) throw new errors.InvalidClientAuth("exp must be a time to come");
  // The server remembers an assertion until then, and a stolen one opens the door for as long.
  if (isTooFarAhead((exp as number) - MOST_SECONDS))
    throw new errors.InvalidClientAuth("exp must be at most an hour ahead");
  // The engine is content with one audience of ours among others, each of which could use the assertion here.
  const ours = (oidc as unknown as Audiences).clientJwtAuthExpectedAudience();
  if (![aud].flat().every((one) => ours.has(one)))
    throw new errors.InvalidClientAuth("aud must name this server alone");
  if (iat !== undefined && isTooFarAhead(iat)) throw new errors.InvalidClientAuth("iat is in the future");
  if (!isFapiClient(client)) return;
  // FAPI 2.0 Security Profile section 5.4.1. A client that is registered for RS256 may support nothing else.
  if (alg === "RS256" && client.clientAuthSigningAlg !== alg)
    throw new errors.InvalidClientAuth("RS256 is not for this client");
  // Section 5.3.2.1: another server could have it sent to ours otherwise.
  if (aud !== oidc.issuer) throw new errors.InvalidClientAuth("aud must be the issuer alone, as text");
}
