import type { NewAuditEvent } from "./audit.ts";
import { AppError } from "./errors.ts";
import type { Id } from "./id.ts";
import type { Once } from "./idempotency.ts";
import type { Viewer } from "./viewer.ts";

/**
 * Tools of an administrator, at the terminal or by GraphQL. The caller has checked the permission.
 *
 * @typeParam Slice the part of the store that the use-case needs
 */
export interface Administration<Slice> {
  readonly store: Slice;
  /** The administrator; null for the operator at the terminal. */
  readonly actorId: Id | null;
  /** Unix time in milliseconds. */
  readonly now: () => number;
  /** Writes down what was decided. */
  readonly record: (event: NewAuditEvent) => Promise<void>;
  readonly once?: Once | undefined;
}

/** The scope says what the client may, the role what the person may: both must allow. @throws AppError FORBIDDEN */
export function assertAdministrator({ role }: Viewer): void {
  if (role !== "admin") throw new AppError("FORBIDDEN", "Only administrators may do this.");
}
