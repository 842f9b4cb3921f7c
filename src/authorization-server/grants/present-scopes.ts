import Provider, { errors } from "oidc-provider";
import { findActiveUser } from "../../domain/people/user.ts";
import { isScopeOfRole, presentScopes } from "../../domain/scopes.ts";
import type { Store } from "../../domain/store/store.ts";
import { allowedScopes } from "../clients/engine-client.ts";
import { toEngineError } from "../engine/engine-errors.ts";
import { patch } from "../engine/patches.ts";
import { carrierOf } from "../tokens/claims-parameter.ts";

/** The members that this file reads of a stored code or token. */
interface Stored {
  scope?: string | undefined;
  claims?: Readonly<Record<string, unknown>> | undefined;
  readonly clientId?: string | undefined;
  readonly accountId?: string | undefined;
  readonly consumed?: unknown;
}

type Find = (...args: unknown[]) => Promise<Stored | undefined>;

/** Reduces the scope of a code or token to what its client and its person may have now. */
export type ReduceScope = (token: Pick<Stored, "scope" | "clientId" | "accountId">) => Promise<string>;

export function openReduceScope(provider: Provider, store: Store): ReduceScope {
  return async ({ scope = "", clientId, accountId }) => {
    const scopes = scope.split(" ").filter((name) => name !== "");
    const client = clientId === undefined ? undefined : await provider.Client.find(clientId);
    if (client === undefined) return scope; // The engine rejects a token whose client was removed or disabled.
    const needsRole = accountId !== undefined && scopes.some((name) => !isScopeOfRole(name, null));
    const user = needsRole ? await findActiveUser(store, accountId) : null;
    return presentScopes(scopes, allowedScopes(client), user?.role ?? null).join(" ");
  };
}

/** Waiting codes and refresh tokens. A request that redeems one needs at least one scope that is left. */
const REDEEMED = ["AuthorizationCode", "DeviceCode", "RefreshToken"] as const;

/**
 * Has the engine find codes and tokens with the scopes that their client and person may have now (A51). A registration or
 * a role may have changed since the person agreed. The token answer names the reduced scope (RFC 6749 section 5.1).
 */
export function keepScopesPresent(provider: Provider, store: Store): void {
  const reduceScope = openReduceScope(provider, store);
  const reducing = (isRedeemed: boolean) => (find: Find) =>
    async function (this: unknown, ...args: unknown[]) {
      const found = await find.apply(this, args);
      const before = found?.scope;
      if (found === undefined || before === undefined || before === "") return found;
      try {
        found.scope = await reduceScope(found);
        if (found.claims !== undefined) found.claims = await reduceClaims(found.claims, found.clientId);
      } catch (error) {
        throw toEngineError(error);
      }
      // A used one goes on to the engine, which revokes its family.
      const isRedemption = isRedeemed && found.consumed === undefined && Provider.ctx?.oidc.route === "token";
      if (isRedemption && found.scope === "") throw new errors.InvalidGrant({ detail: "no scope is left" });
      return found;
    };
  for (const name of REDEEMED) patch<Find>(provider, `${name}.find`, reducing(true));
  for (const name of ["AccessToken", "ClientCredentials"] as const)
    patch<Find>(provider, `${name}.find`, reducing(false));

  /** A claim that was asked for by its name goes with its scope. */
  async function reduceClaims(claims: Readonly<Record<string, unknown>>, clientId: string | undefined) {
    const client = clientId === undefined ? undefined : await provider.Client.find(clientId);
    const allowed = client === undefined ? [] : allowedScopes(client);
    const isAllowed = (claim: string) => {
      const scope = carrierOf(claim);
      return scope === undefined || allowed.includes(scope);
    };
    return Object.fromEntries(
      Object.entries(claims).map(([part, names]) => [
        part,
        typeof names === "object" && names !== null
          ? Object.fromEntries(Object.entries(names).filter(([claim]) => isAllowed(claim)))
          : names,
      ]),
    );
  }
}
