import type { FindAccount } from "oidc-provider";
import type { UserStore } from "../../domain/people/user.ts";
import { findActiveUser } from "../../domain/people/user.ts";
import { claimsOf } from "../tokens/claims.ts";
import { toEngineError } from "./engine-errors.ts";

/** The resource owner behind a session or a token; nobody when disabled, so that no grant gives anything (A17). */
export function openFindAccount(store: { readonly users: UserStore }): FindAccount {
  return async (_ctx, sub) => {
    const user = await findActiveUser(store, sub).catch((error: unknown) => {
      throw toEngineError(error);
    });
    return user === null ? undefined : { accountId: user.id, claims: async () => claimsOf(user) };
  };
}
