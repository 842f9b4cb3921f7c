import type { Administration } from "../administration.ts";
import type { NewAuditEvent } from "../audit.ts";
import type { Id } from "../id.ts";
import type { DeletionPosts, DeletionStore, DueDeletion, FarewellMail } from "./deletion.ts";
import { nobody, somebodyElse } from "./people-administration.ts";
import type { PeopleMail } from "./people-mail.ts";
import type { User } from "./user.ts";

export interface DeletionAdministration extends Administration<{ readonly deletions: DeletionStore }> {
  readonly mail: Pick<PeopleMail, "tellOfDeletion">;
  /** Seconds until the account is deleted: `DELETION_DELAY`. */
  readonly deletionDelay: number;
}

/** Time of a deletion that is asked for now. @param now Unix time in milliseconds @param delay seconds */
export function deletionTime(now: number, delay: number): string {
  return new Date(now + delay * 1_000).toISOString();
}

/**
 * Locks the person out now, and deletes the account after the delay. The person is told by mail, and may keep the account until then.
 *
 * @throws AppError NOT_FOUND, CONFLICT for oneself, for the last administrator, and where it was asked for before, KeyInUse
 */
export async function deleteAccount(
  administration: DeletionAdministration,
  id: Id | null,
  posts: DeletionPosts,
): Promise<User> {
  const { store, now, deletionDelay, mail, record, once } = administration;
  const deletesAt = deletionTime(now(), deletionDelay);
  const user = await store.deletions.ask(somebodyElse(administration, id), { deletesAt, posts }, once);
  await record({ event: "deletion", result: "ok", userId: user.id, detail: `asked for, posts: ${posts}` });
  await mail.tellOfDeletion("deletion-asked", user);
  return user;
}

/** Keeps an account that would be deleted. @throws AppError NOT_FOUND, CONFLICT where there is nothing to undo, KeyInUse */
export async function undoDeletion(
  { store, mail, record, once }: DeletionAdministration,
  id: Id | null,
): Promise<User> {
  if (id === null) throw nobody();
  const user = await store.deletions.undo(id, once);
  await record({ event: "deletion", result: "ok", userId: user.id, detail: "undone" });
  await mail.tellOfDeletion("deletion-undone", user);
  return user;
}

export interface DueDeletionsRequest {
  readonly deletions: DeletionStore;
  /** Deletes some posts of the author, with their events. @returns how many; 0 when none is left */
  readonly deletePosts: (author: Id, limit: number) => Promise<number>;
  /** Removes for good some of what is kept of deleted posts of the author. @returns how many rows; 0 when nothing is left */
  readonly forgetDeletedPosts: (author: Id, limit: number) => Promise<number>;
  /** Ends what other people gave clients of the person, which are deleted with the account. @returns whether nothing is left */
  readonly endOwnClients: (owner: Id) => Promise<boolean>;
  /** RFC 3339, UTC, milliseconds. */
  readonly now: string;
  /** The mail that says that the account is gone; null where no mail is sent. */
  readonly farewell: (deletion: DueDeletion) => FarewellMail | null;
  readonly record: (event: NewAuditEvent) => Promise<void>;
}

/**
 * Deletes accounts whose time has come, first their posts where that was asked for, what is kept of deleted ones, and what their clients have. Any number of processes may do so at the same time.
 *
 * @param limit the most accounts that are looked at, and posts of each that are deleted
 * @returns `limit` as long as there may be more to do
 */
export async function deleteDueAccounts(request: DueDeletionsRequest, limit: number): Promise<number> {
  const due = await request.deletions.listDue(request.now, limit);
  let hasMore = due.length === limit;
  const failures: unknown[] = [];
  for (const deletion of due) {
    try {
      hasMore = !(await deleteDue(request, deletion, limit)) || hasMore;
    } catch (error) {
      failures.push(error); // it holds up none of the others
    }
  }
  if (failures.length > 0) throw failures[0];
  return hasMore ? limit : due.length;
}

/** @returns whether nothing is left to do */
async function deleteDue(
  { deletions, deletePosts, forgetDeletedPosts, endOwnClients, now, farewell, record }: DueDeletionsRequest,
  deletion: DueDeletion,
  limit: number,
): Promise<boolean> {
  const { id } = deletion;
  if (!(await deletions.begin(id, now))) return true;
  if (deletion.posts === "delete" && (await deletePosts(id, limit)) > 0) return false;
  if ((await forgetDeletedPosts(id, limit)) > 0) return false;
  if (!(await endOwnClients(id))) return false;
  if (await deletions.finish(id, now, farewell(deletion)))
    await record({ event: "deletion", result: "ok", userId: id, detail: `done, posts: ${deletion.posts}` });
  return true;
}
