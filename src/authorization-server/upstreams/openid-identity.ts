import type { AuthorizationCodeGrantChecks } from "openid-client";
import { MOST_AHEAD } from "../../domain/clients/compact-jws.ts";
import { isEmail } from "../../domain/people/email.ts";
import { assertName } from "../../domain/text.ts";
import type { OpenidProvider } from "./provider-metadata.ts";
import { UpstreamRefusal } from "./refusal.ts";
import type { Identity, Upstream } from "./upstream.ts";

type Claims = Readonly<Record<string, unknown>>;

/** OpenID Connect Core section 2 has at most 255 ASCII characters. */
const SUBJECT = /^[\x20-\x7e]{1,255}$/;

/**
 * Exchanges the code at this provider's token endpoint, and judges the ID token. openid-client checks the state, `iss` of the callback
 * (RFC 9207), the signature with an algorithm of the metadata, `iss`, `aud`, `exp` and the nonce, which must be there.
 *
 * @param callback the redirect URI with the parameters that the browser brought
 * @throws UpstreamRefusal, UpstreamDown, what openid-client throws
 */
export async function readOpenidIdentity(
  upstream: Upstream,
  { configuration, hasUserinfo }: OpenidProvider,
  callback: URL,
  checks: AuthorizationCodeGrantChecks,
  nowSeconds: number,
): Promise<Identity> {
  const { authorizationCodeGrant, fetchUserInfo } = await import("openid-client");
  const tokens = await authorizationCodeGrant(configuration, callback, { ...checks, idTokenExpected: true });
  const claims: Claims = { ...tokens.claims() };
  const { sub, azp, iat, exp, acr, amr, sid, auth_time: signedInAt } = claims;
  // The library looks at `azp` only beside several audiences, and not at all at how new the token says it is.
  if (azp !== undefined && azp !== upstream.clientId) throw new UpstreamRefusal("azp names another client");
  if (typeof iat !== "number" || iat > nowSeconds + MOST_AHEAD) throw new UpstreamRefusal("iat is in the future");
  if (typeof exp !== "number" || exp <= nowSeconds) throw new UpstreamRefusal("the ID token has expired");
  if (typeof sub !== "string" || !SUBJECT.test(sub)) throw new UpstreamRefusal("sub is no subject");
  // Providers that keep to the letter put addresses into the userinfo alone (OpenID Connect Core section 5.4).
  const isAsked = claims.email === undefined && hasUserinfo && upstream.scopes.includes("email");
  const profile: Claims = isAsked ? await fetchUserInfo(configuration, tokens.access_token, sub) : claims;
  const email = emailOf(profile.email);
  return {
    provider: upstream.id,
    subject: sub,
    email,
    emailVerified: email !== null && profile.email_verified === true,
    name: nameOf(profile.name) ?? nameOf(claims.name),
    acr: textOf(acr),
    amr: Array.isArray(amr) ? amr.slice(0, 20).flatMap((one) => textOf(one) ?? []) : [],
    sid: textOf(sid),
    signedInAtSeconds: typeof signedInAt === "number" ? signedInAt : null,
  };
}

/** Claims that are not as they should be are as good as absent. */
export function emailOf(value: unknown): string | null {
  return typeof value === "string" && isEmail(value) ? value : null;
}

export function nameOf(value: unknown): string | null {
  if (typeof value !== "string") return null;
  try {
    assertName("name", value.trim());
    return value.trim();
  } catch {
    return null;
  }
}

export function textOf(value: unknown): string | null {
  return typeof value === "string" && value.length >= 1 && value.length <= 255 && value.isWellFormed() ? value : null;
}
