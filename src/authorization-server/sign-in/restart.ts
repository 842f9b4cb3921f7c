import type Provider from "oidc-provider";
import { engineSeconds } from "../engine/clocks.ts";
import { authorizationUrl } from "./past-interactions.ts";

/** Seconds for which a page with the way to a new beginning may be left open. */
const PATIENCE = 600;

const PUSHED = "urn:ietf:params:oauth:request_uri:";

/**
 * URL that starts the authorization request of an interaction again, unchanged. A client whose requests must be signed
 * or pushed cannot do so again: its request was valid when it came, and is stored like a pushed one.
 */
export async function restartUrl(
  provider: Provider,
  issuer: string,
  params: Readonly<Record<string, unknown>>,
): Promise<string> {
  const client = await provider.Client.find(String(params.client_id));
  if (client?.requirePushedAuthorizationRequests !== true && client?.requireSignedRequestObject !== true)
    return authorizationUrl(issuer, params);
  const now = Math.floor(engineSeconds());
  const claims = typeof params.claims === "string" ? { claims: JSON.parse(params.claims) as object } : {};
  const times = { iat: now, nbf: now, exp: now + PATIENCE };
  const encode = (part: object) => Buffer.from(JSON.stringify(part)).toString("base64url");
  // As the engine writes a pushed request that came without a signature.
  const request = `${encode({ alg: "none" })}.${encode({ ...params, ...claims, ...times, iss: client.clientId, aud: issuer })}.`;
  const pushed = new provider.PushedAuthorizationRequest({ request, trusted: Object.keys(params) });
  const request_uri = PUSHED + (await pushed.save(PATIENCE));
  return authorizationUrl(issuer, { client_id: client.clientId, request_uri });
}
