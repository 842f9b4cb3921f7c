import type { Id } from "../id.ts";
import type { Once } from "../idempotency.ts";

/**
 * Subjects of mails. `sign-up` and `recovery` are written down without a look at who has an account: the letter, or that there is
 * none, is decided when they are sent.
 */
export const MAIL_KINDS = [
  "sign-up",
  "recovery",
  "recovery-by-administrator",
  "recovery-told",
  "invitation",
  "email-change",
  "email-change-asked",
  "email-changed",
  "new-browser",
  "password-changed",
  "passkey-added",
  "passkey-removed",
  "passkey-refused",
  "totp-added",
  "totp-removed",
  "recovery-codes-made",
  "recovery-code-used",
  "second-step-on",
  "second-step-off",
  "second-step-refused",
  "upstream-linked",
  "upstream-unlinked",
  "local-sign-in",
  "role-admin",
  "export-made",
  "deletion-asked",
  "deletion-undone",
  "deletion-done",
  "test",
] as const;

export type MailKind = (typeof MAIL_KINDS)[number];

/** `DROPPED`: it was decided that there is nothing to send. */
export const MAIL_STATES = ["PENDING", "SENT", "FAILED", "DROPPED"] as const;

export type MailState = (typeof MAIL_STATES)[number];

/** One mail to one recipient. It never holds a secret: that of a link is made when the mail is sent. */
export interface Mail {
  readonly id: Id;
  readonly kind: MailKind;
  /** null for somebody who has no account, or of whom it is not known yet. */
  readonly userId: Id | null;
  /** As its person wrote it. Empty once it has been wiped. */
  readonly address: string;
  /** BCP 47. */
  readonly language: string;
  /** Facts for the text, by names that the kind has. */
  readonly params: Readonly<Record<string, string>>;
  readonly state: MailState;
  /** How often it was tried. */
  readonly attempts: number;
  /** Why the last attempt failed, in a few words. */
  readonly error: string | null;
  readonly createdAt: string;
  /** It is not sent after this time. */
  readonly expiresAt: string;
  readonly sentAt: string | null;
}

export type NewMail = Pick<Mail, "kind" | "userId" | "address" | "language" | "params" | "expiresAt">;

/** A mail that this process has for itself until the claim runs out. */
export interface ClaimedMail extends Mail {
  readonly claim: string;
}

export type MailOutcome =
  | { readonly state: "SENT" }
  | { readonly state: "DROPPED" }
  | { readonly state: "FAILED"; readonly error: string }
  /** Tried again at that time; `counts` is false where it was not the mail's fault. */
  | { readonly state: "PENDING"; readonly error: string; readonly dueAt: string; readonly counts: boolean };

interface MailFilter {
  /** Mails to this person. */
  readonly userId?: Id;
  readonly state?: MailState | undefined;
  /** Continues with mails older than this one. */
  readonly after?: Id | undefined;
  readonly limit: number;
}

/** The outbox of mails. */
export interface MailStore {
  /** Durable when it resolves; it is due at once. @throws KeyInUse */
  add(mail: NewMail, once?: Once): Promise<Id>;
  /** Takes mails that are due, the oldest first, so that no other process takes them until `until`. */
  claim(options: { readonly now: string; readonly until: string; readonly limit: number }): Promise<ClaimedMail[]>;
  /** Keeps the outcome of a claimed mail. Does nothing if another process has claimed it since. */
  settle(id: Id, claim: string, outcome: MailOutcome, at: string): Promise<void>;
  find(id: Id): Promise<Mail | null>;
  /** Newest first. */
  list(filter: MailFilter): Promise<Mail[]>;
  /**
   * A failed mail is due again, until `expiresAt`.
   * @throws AppError NOT_FOUND, CONFLICT for a mail that has not failed; KeyInUse
   */
  retry(id: Id, at: string, expiresAt: string, once?: Once): Promise<Mail>;
  /** How many are pending, and since when the oldest of them. */
  backlog(): Promise<{ readonly pending: number; readonly oldest: string | null }>;
  /**
   * Forgets mails that ended before `endedBefore`, and the addresses of nobody's mails that ended before `wipedBefore`.
   * @returns how many rows were changed
   */
  sweep(times: { readonly endedBefore: string; readonly wipedBefore: string }, limit: number): Promise<number>;
}
