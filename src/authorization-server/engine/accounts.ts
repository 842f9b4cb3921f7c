import type { FindAccount } from "oidc-provider";
import { parseId } from "../../domain/id.ts";
import type { User } from "../../domain/people/user.ts";
import type { Store } from "../../domain/store/store.ts";
import { claimsOf } from "../tokens/claims.ts";
import { toEngineError } from "./engine-errors.ts";

/** The resource owner behind a session or a token; nobody when disabled, so that no grant gives anything (A17). */
export function openFindAccount(store: Store): FindAccount {
  return async (_ctx, sub) => {
    const user = await findActiveUser(store, sub).catch((error: unknown) => {
      throw toEngineError(error);
    });
    return user === null ? undefined : { accountId: user.id, claims: async () => claimsOf(user) };
  };
}

export async function findActiveUser(store: Store, sub: string): Promise<User | null> {
  const id = parseId(sub);
  const user = id === null ? null : await store.users.find(id);
  return user === null || user.disabledAt !== null ? null : user;
}
