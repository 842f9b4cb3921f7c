import type { TokenPurpose } from "../../domain/people/account-token.ts";
import type { AttemptStore } from "../../domain/store/attempts.ts";
import { hashEmail } from "../../secrets/email-hash.ts";
import type { LinkState, MailedSecrets } from "../letters/mailed-secrets.ts";

/** Codes that one browser may try for one e-mail address within TRIES_SECONDS (U13, P11). */
const MOST_TRIES = 5;
const TRIES_SECONDS = 3_600;

/** The refusal of a code, for the page that asks for it. */
export interface CodeRefusal {
  readonly state: "refused";
  readonly status: 400 | 429;
  readonly message: string;
  readonly headers: Readonly<Record<string, string>>;
}

export interface TypedCodesOptions {
  readonly store: { readonly attempts: AttemptStore };
  readonly secrets: MailedSecrets;
  /** Milliseconds of Unix time. */
  readonly now: () => number;
}

/** Judges the code from a mail that somebody types in the browser that asked for it. @returns the code's link, whatever its state */
export type TypedCodes = (
  typed: string,
  email: string,
  browserHash: string,
) => Promise<Exclude<LinkState, { state: "unknown" }> | CodeRefusal>;

export function openTypedCodes({ store, secrets, now }: TypedCodesOptions, purpose: TokenPurpose): TypedCodes {
  return async (typed, email, browserHash) => {
    if (typed.trim() === "") return refusal(400, "Enter the code from the mail.");
    const key = `${purpose} codes ${browserHash} ${hashEmail(email)}`;
    // In advance, so that many at the same time do not slip through.
    const tries = await store.attempts.add(key, TRIES_SECONDS, Math.floor(now() / 1_000));
    if (tries > MOST_TRIES)
      return refusal(429, "There were too many wrong codes. Open the link in the mail, or wait an hour.");
    const link = await secrets.readCode(typed, purpose, email, browserHash);
    if (link.state === "unknown") return refusal(400, `This code is not right. ${triesLeft(MOST_TRIES - tries)}`);
    if (link.state === "good") await store.attempts.clear(key);
    return link;
  };
}

function refusal(status: CodeRefusal["status"], message: string): CodeRefusal {
  const headers = status === 429 ? { "retry-after": String(TRIES_SECONDS) } : {};
  return { state: "refused", status, message, headers };
}

function triesLeft(left: number): string {
  if (left === 0) return "No tries are left. Open the link in the mail, or wait an hour.";
  return left === 1 ? "1 try is left." : `${left} tries are left.`;
}
