import { type ClaimsParameter, errors, type KoaContextWithOIDC } from "oidc-provider";
import type { Scope } from "../../domain/scopes.ts";
import { CLAIMS } from "./claims.ts";
import { requiredAcr } from "./wanted-acr.ts";

/** The scope that each claim belongs to: people agree to scopes. `sub` is in every answer. */
const CARRIERS: ReadonlyMap<string, Scope> = new Map(
  (["profile", "email"] as const).flatMap((scope) => CLAIMS[scope].map((claim): [string, Scope] => [claim, scope])),
);

/**
 * The scope with which a claim comes that was asked for by its name (OpenID Connect Core 1.0 section 5.5): whoever may
 * have the scope, and was given it by the person, may have the claim alone. Undefined for claims that say nothing of a person.
 */
export function carrierOf(claim: string): Scope | undefined {
  return CARRIERS.get(claim);
}

/** The carriers of what a `claims` parameter asks for, as text that the engine has checked. */
export function carriersIn(parameter: unknown): Scope[] {
  if (typeof parameter !== "string") return [];
  const { userinfo, id_token } = JSON.parse(parameter) as Record<string, object | null | undefined>;
  const names = [userinfo, id_token].flatMap((part) => Object.keys(part ?? {}));
  return [...new Set(names.flatMap((name) => carrierOf(name) ?? []))];
}

/**
 * Checks that the engine lacks: each member is null or an object (section 5.5.1), and an essential `acr` that this server
 * does not know fails the sign-in (section 5.5.1.1) before it begins.
 */
export function assertClaimsParameter(_ctx: KoaContextWithOIDC, claims: ClaimsParameter): void {
  for (const part of ["userinfo", "id_token"] as const) {
    for (const [name, member] of Object.entries<unknown>(claims[part] ?? {}))
      if (typeof member !== "object" || Array.isArray(member))
        throw new errors.InvalidRequest(`claims.${part} must have null or an object for ${name.slice(0, 50)}`);
  }
  if (!Number.isFinite(requiredAcr(claims.id_token?.acr)))
    throw new errors.UnmetAuthenticationRequirements("none of the acr values is known here");
}
