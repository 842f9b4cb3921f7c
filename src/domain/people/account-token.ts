import type { Id } from "../id.ts";
import type { FirstPasskey } from "./passkey.ts";
import type { NewUser, User } from "./user.ts";

/**
 * The one act that a mailed link is for. `sign-up` and `invitation` make an account, `recovery` sets a new password, `email-change`
 * confirms a new address, `email-undo` takes the old one back.
 */
export type TokenPurpose = "sign-up" | "invitation" | "recovery" | "email-change" | "email-undo";

/** A secret that was mailed, or shown to an administrator to hand out. Only its hash is kept. */
export interface AccountToken {
  /** `hashToken` of the secret. */
  readonly hash: string;
  readonly purpose: TokenPurpose;
  /** The address that was mailed; for `email-undo` the one to go back to. */
  readonly email: string;
  /** Whether it was mailed to that address, so that its use proves the address. */
  readonly provesEmail: boolean;
  /** The person that it is about; null where there is none yet. */
  readonly userId: Id | null;
  /** `User.credentialVersion` when it was made: it is good for nothing once that has changed. null: it outlives such changes. */
  readonly credentialVersion: number | null;
  readonly invitationId: Id | null;
  /** Keyed hash of the code that may be typed in place of the link; null for none. */
  readonly codeMac: string | null;
  /** Hash of the cookie of the browser that asked: the code is good there alone. */
  readonly browserHash: string | null;
  /** The `uid` of the sign-in that it began in. */
  readonly interaction: string | null;
  /** For an `email-undo` token, the time of the change of address: it removes factors that were added since. */
  readonly createdAtSeconds: number;
  readonly expiresAtSeconds: number;
  readonly usedAtSeconds: number | null;
  /** When something else made it void. */
  readonly voidedAtSeconds: number | null;
}

export type NewAccountToken = Omit<AccountToken, "usedAtSeconds" | "voidedAtSeconds">;

/**
 * Mailed secrets. Each of the four acts spends its token and does what it is for in one transaction, so that of any number of
 * requests with it, on any number of nodes, one has an effect. They give null, and do nothing, where the token cannot be spent: it is
 * unknown, expired, used, void, for another act, or older than the person's credentials.
 */
export interface AccountTokenStore {
  put(token: NewAccountToken): Promise<void>;
  find(hash: string): Promise<AccountToken | null>;
  /** The newest with this code that this browser may use. */
  findByCode(purpose: TokenPurpose, browserHash: string, codeMac: string): Promise<AccountToken | null>;
  /**
   * Creates the person that a `sign-up` or `invitation` token is for, with the token's address. Other such tokens for the address become void,
   * and its invitation is accepted.
   *
   * @param user of an invitation, the role is that of its row
   * @param passkey the person's, if they chose one
   * @throws AppError CONFLICT with field `email` when the address is taken, or without a field when the passkey is somebody's; the token is
   * not spent
   */
  createPerson(
    hash: string,
    user: Pick<NewUser, "name" | "role" | "passwordHash">,
    nowSeconds: number,
    passkey?: FirstPasskey | null,
  ): Promise<User | null>;
  /**
   * Sets the password of the person of a `recovery` token. It ends everything of theirs: sessions, grants, tokens, and mailed secrets but
   * `email-undo`. The address is proved, if the token was mailed there.
   */
  resetPassword(hash: string, passwordHash: string, nowSeconds: number): Promise<User | null>;
  /**
   * Gives this person the address of their `email-change` token, as proved. Mailed secrets of theirs become void, but for `email-undo`.
   *
   * @throws AppError CONFLICT with field `email` when the address is taken; the token is not spent
   */
  changeEmail(hash: string, userId: Id, nowSeconds: number): Promise<User | null>;
  /**
   * Gives the person of an `email-undo` token the former address back. It ends everything of theirs, mailed secrets too, the password,
   * which the person who changed the address may know, and passkeys, authenticator apps, recovery codes and links to other
   * services that were added since.
   *
   * @throws AppError CONFLICT with field `email` when the address is taken; the token is not spent
   */
  undoEmail(hash: string, nowSeconds: number): Promise<User | null>;
  /** Destroys tokens that expired before that time, at most `limit` of them. @returns their number */
  sweep(beforeSeconds: number, limit: number): Promise<number>;
}
