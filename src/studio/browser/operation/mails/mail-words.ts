import type { MailFacts } from "../../documents/mails.ts";

/** Subjects of mails, as administrators know them. */
export const KIND_WORDS: Readonly<Record<MailFacts["kind"], string>> = {
  SIGN_UP: "Sign-up",
  RECOVERY: "Link for a new password",
  RECOVERY_BY_ADMINISTRATOR: "Link for a new password, by an administrator",
  RECOVERY_TOLD: "An administrator sent a link",
  INVITATION: "Invitation",
  EMAIL_CHANGE: "Confirm a new address",
  EMAIL_CHANGE_ASKED: "A new address was asked for",
  EMAIL_CHANGED: "Address changed",
  NEW_BROWSER: "Sign-in in a new browser",
  PASSWORD_CHANGED: "Password changed",
  PASSKEY_ADDED: "Passkey added",
  PASSKEY_REMOVED: "Passkey removed",
  PASSKEY_REFUSED: "Passkey refused",
  TOTP_ADDED: "Authenticator app added",
  TOTP_REMOVED: "Authenticator app removed",
  RECOVERY_CODES_MADE: "New recovery codes",
  RECOVERY_CODE_USED: "Recovery code used",
  SECOND_STEP_ON: "Second step turned on",
  SECOND_STEP_OFF: "Second step turned off",
  SECOND_STEP_REFUSED: "Second step refused",
  UPSTREAM_LINKED: "Other service linked",
  UPSTREAM_UNLINKED: "Other service unlinked",
  LOCAL_SIGN_IN: "Sign-in without the other service",
  ROLE_ADMIN: "Somebody became an administrator",
  EXPORT_MADE: "Export of an account",
  DELETION_ASKED: "Account will be deleted",
  DELETION_UNDONE: "Account is kept",
  DELETION_DONE: "Account deleted",
  TEST: "Test",
};

export const MAIL_STATES: Readonly<Record<MailFacts["state"], string>> = {
  PENDING: "Waits",
  SENT: "Sent",
  FAILED: "Failed",
  DROPPED: "Nothing to send",
};

/** State that a query of the URL asks for; null for all. */
export function stateOf(query: URLSearchParams): MailFacts["state"] | null {
  const state = query.get("state") ?? "";
  return Object.hasOwn(MAIL_STATES, state) ? (state as MailFacts["state"]) : null;
}

/** More about the state: attempts, and why the last one failed. The server's words begin as they are. */
export function attemptWords({ state, attempts, error }: Pick<MailFacts, "state" | "attempts" | "error">): string {
  const count = attempts === 1 ? "1 attempt" : `${attempts} attempts`;
  if (state === "SENT" || state === "DROPPED") return "";
  if (error === null) return attempts === 0 ? "" : count;
  // Attempts at which the mail server took no mail at all are not counted.
  return attempts === 0 ? `Last attempt: ${error}` : `${count}. Last: ${error}`;
}
