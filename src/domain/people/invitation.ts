import type { Id } from "../id.ts";
import type { Once } from "../idempotency.ts";
import type { Role } from "../viewer.ts";

/** A place that an administrator keeps for somebody. Its role stands here, and in no form. */
export interface Invitation {
  readonly id: Id;
  readonly email: string;
  readonly role: Role;
  /** null: by the operator at the terminal. */
  readonly invitedBy: Id | null;
  readonly createdAt: string;
  readonly expiresAt: string;
  readonly acceptedAt: string | null;
  readonly withdrawnAt: string | null;
}

/** Seconds for which a link to an invitation is good (U18), and the invitation since it was last sent. */
export const INVITATION_SECONDS = 7 * 86_400;

export type InvitationState = "open" | "accepted" | "withdrawn" | "expired";

/** @param now Unix time in milliseconds */
export function invitationState({ acceptedAt, withdrawnAt, expiresAt }: Invitation, now: number): InvitationState {
  if (acceptedAt !== null) return "accepted";
  // One that had expired before it was withdrawn only made room for another.
  const end = withdrawnAt === null ? now : Date.parse(withdrawnAt);
  if (Date.parse(expiresAt) <= end) return "expired";
  return withdrawnAt === null ? "open" : "withdrawn";
}

export interface InvitationStore {
  /**
   * @throws AppError CONFLICT with field `email` when somebody has the address, or an invitation for it is open; KeyInUse
   */
  create(invitation: Pick<Invitation, "email" | "role" | "invitedBy" | "expiresAt">, once?: Once): Promise<Invitation>;
  find(id: Id): Promise<Invitation | null>;
  /** The one for this address that is neither accepted nor withdrawn nor expired. */
  findOpen(email: string, at: string): Promise<Invitation | null>;
  /** Newest first. @param after continues with invitations older than this one */
  list(after: Id | undefined, limit: number): Promise<Invitation[]>;
  /** @throws AppError NOT_FOUND, CONFLICT for one that is accepted or withdrawn, KeyInUse */
  renew(id: Id, expiresAt: string, once?: Once): Promise<Invitation>;
  /** Ends it and the links to it at once. @throws AppError NOT_FOUND, CONFLICT for one that is accepted, KeyInUse */
  withdraw(id: Id, at: string, once?: Once): Promise<Invitation>;
  /** Withdraws every open one of this administrator. */
  withdrawOf(invitedBy: Id, at: string): Promise<void>;
}
