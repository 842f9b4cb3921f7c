import type { Id } from "../id.ts";

/** Facts about an account that are not about its person. */
export interface AccountState {
  /** `failing`: the last mail to the address came back. */
  readonly mailState: "ok" | "failing";
  /** BCP 47, of the last request that asked for a mail; null for none. */
  readonly language: string | null;
  readonly lastSignInAt: string | null;
}

/** The state of an account of which nothing is known yet. */
export const NEW_ACCOUNT: AccountState = { mailState: "ok", language: null, lastSignInAt: null };

export interface AccountStateStore {
  find(userId: Id): Promise<AccountState>;
  /** Those of which something is known. */
  findAll(userIds: readonly Id[]): Promise<ReadonlyMap<Id, AccountState>>;
  /** Changes what is given. */
  note(userId: Id, change: Partial<AccountState>): Promise<void>;
}
