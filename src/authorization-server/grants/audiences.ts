import Provider, { type KoaContextWithOIDC } from "oidc-provider";
import { patch } from "../engine/patches.ts";
import type { SignInClaims } from "../tokens/claims.ts";
import type { Resources } from "../tokens/resources.ts";
import { signInClaims } from "./sign-in-claims.ts";

/** Claims of an access token that the engine leaves to us. JWTs and introspection show them. */
interface TokenClaims extends Partial<SignInClaims> {
  readonly aud?: string;
  readonly [claim: string]: unknown;
}

/**
 * Adds the sign-in to each access token, and to an opaque one the door that it names. The engine itself knows an audience
 * of resources that have consents of their own, which our API at `/graphql` has not.
 */
export function openTokenClaims(resources: Resources) {
  /** @param ctx missing for the tokens that an operator makes */
  return (ctx: KoaContextWithOIDC | undefined, { aud: known }: { readonly aud?: unknown }): TokenClaims | undefined => {
    const claims = signInClaims(ctx);
    if (ctx === undefined || known !== undefined) return claims;
    const { AuthorizationCode, RefreshToken, DeviceCode } = ctx.oidc.entities;
    const aud = resources.audienceFor(ctx, AuthorizationCode ?? RefreshToken ?? DeviceCode ?? null);
    return aud === undefined ? claims : { ...claims, aud };
  };
}

/** The members that this file reads of a stored token. */
interface Stored {
  aud?: unknown;
  readonly extra?: TokenClaims | undefined;
}

type Find = (...args: unknown[]) => Promise<Stored | undefined>;

/** Has introspection show the door, and userinfo refuse tokens for agents. Userinfo takes those for `/graphql`. */
export function keepAudiences(provider: Provider, resources: Resources): void {
  for (const name of ["AccessToken", "ClientCredentials"] as const)
    patch<Find>(
      provider,
      `${name}.find`,
      (find) =>
        async function (this: unknown, ...args) {
          const found = await find.apply(this, args);
          const aud = found?.extra?.aud;
          const isForBoth = Provider.ctx?.oidc.route === "userinfo" && resources.doorOf(aud) === "graphql";
          if (found !== undefined && aud !== undefined && !isForBoth) found.aud = aud;
          return found;
        },
    );
}
