import type { ClaimedMail, MailOutcome } from "../domain/people/mail.ts";
import type { Letter } from "./letter.ts";
import type { MailSender, SendOutcome } from "./sender.ts";

/** Milliseconds from a failed attempt to the next. */
const DELAYS = [10_000, 60_000, 300_000, 1_800_000, 7_200_000];
/** Part of a delay that chance adds at most, so that mails that failed together do not return together. */
const JITTER = 0.1;

export interface AttemptOptions {
  readonly sender: MailSender;
  /** Writes the letter, with a new link for each attempt. null: there is nothing to send after all. */
  readonly compose: (mail: ClaimedMail) => Promise<Letter | null>;
  /** Takes the place of one mail among those of this hour. @returns seconds to wait; 0 when there is one */
  readonly take: () => Promise<number>;
  /** The part of a Message-ID after the `@`. */
  readonly domain: string;
  readonly now: () => number;
  /** From 0 to 1. */
  readonly random: () => number;
}

export interface Attempt {
  readonly outcome: MailOutcome;
  /** null where the letter did not come as far as the mail server. */
  readonly result: SendOutcome["result"] | null;
  /** Milliseconds for which this server sends nothing, because of its share of an hour; else 0. */
  readonly wait: number;
  /** An error of our own program, for the log. */
  readonly fault?: unknown;
}

/**
 * Tries once to send a mail.
 * @param pause milliseconds until the next attempt where nothing can be sent now
 */
export async function attempt(mail: ClaimedMail, pause: () => number, options: AttemptOptions): Promise<Attempt> {
  const { sender, compose, take, domain, now, random } = options;
  const nothing = { result: null, wait: 0 } as const;
  if (Date.parse(mail.expiresAt) <= now())
    return { ...nothing, outcome: { state: "FAILED", error: mail.error ?? "it expired before it could be sent" } };

  let letter: Letter | null;
  try {
    letter = await compose(mail);
    if (letter === null) return { ...nothing, outcome: { state: "DROPPED" } };
    const wait = (await take()) * 1_000;
    if (wait > 0)
      return { ...nothing, outcome: later("this server has sent its mails of this hour", wait, false), wait };
  } catch (fault) {
    return { ...nothing, outcome: retry("the mail could not be written"), fault };
  }

  const sent = await sender
    .send(letter, `<${mail.id}.${mail.attempts + 1}@${domain}>`)
    .catch((): SendOutcome => ({ result: "retry", reason: "sending failed" }));
  const { result } = sent;
  if (result === "sent") return { result, wait: 0, outcome: { state: "SENT" } };
  if (result === "refused") return { result, wait: 0, outcome: { state: "FAILED", error: sent.reason } };
  return { result, wait: 0, outcome: result === "retry" ? retry(sent.reason) : later(sent.reason, pause(), false) };

  function retry(error: string): MailOutcome {
    const delay = DELAYS[mail.attempts];
    return delay === undefined ? { state: "FAILED", error } : later(error, delay * (1 + JITTER * random()), true);
  }

  function later(error: string, delay: number, counts: boolean): MailOutcome {
    const due = Math.ceil(now() + delay);
    if (due >= Date.parse(mail.expiresAt)) return { state: "FAILED", error };
    return { state: "PENDING", error, dueAt: new Date(due).toISOString(), counts };
  }
}
