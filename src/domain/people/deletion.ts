import type { Id } from "../id.ts";
import type { Once } from "../idempotency.ts";
import type { NewMail } from "./mail.ts";
import type { User } from "./user.ts";

/** The name that others see once the deletion of an account was asked for, and beside posts that stay. */
export const FORMER_MEMBER = "Former member";

/** Choices for the posts of an account that is deleted: they stay, by a former member, or go. */
export const DELETION_POSTS = ["keep", "delete"] as const;

export type DeletionPosts = (typeof DELETION_POSTS)[number];

/** An account whose time has come. */
export interface DueDeletion {
  readonly id: Id;
  readonly posts: DeletionPosts;
}

/** The mail that says that the account is gone. Its row is nobody's, because nothing of the person stays. */
export type FarewellMail = Pick<NewMail, "kind" | "language" | "params" | "expiresAt">;

/**
 * Accounts that go after a delay. Each step is decided in the database, so that of any number of processes one makes it. Every
 * one is told to tokens within a second.
 */
export interface DeletionStore {
  /**
   * From now on nobody acts as the person, others see a former member, and everything that stands open in their name ends: sessions,
   * grants, tokens, mailed secrets, and invitations that they made. A `user.updated` event tells the new name.
   *
   * @throws NOT_FOUND, KeyInUse, CONFLICT when no active administrator would be left, or it was asked for before
   */
  ask(id: Id, how: { readonly deletesAt: string; readonly posts: DeletionPosts }, once?: Once): Promise<User>;
  /**
   * Keeps the account after all, with its name; nothing else that ended comes back.
   * @throws NOT_FOUND, KeyInUse, CONFLICT where nothing was asked for, or deletion has begun
   */
  undo(id: Id, once?: Once): Promise<User>;
  /** Those to be deleted at or before `now`, the oldest first. */
  listDue(now: string, limit: number): Promise<DueDeletion[]>;
  /** From now on the account cannot be kept. @returns false where it was kept, or is gone */
  begin(id: Id, now: string): Promise<boolean>;
  /**
   * Leaves the id and nothing else of the person, with a `user.deleted` event. The address is free for somebody else. Posts are not
   * touched.
   *
   * @param farewell to the address, if it was proved, in the same transaction
   * @returns false, and nothing is written, where deletion has not begun, or another process was faster
   */
  finish(id: Id, at: string, farewell: FarewellMail | null): Promise<boolean>;
}
