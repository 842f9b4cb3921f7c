import { openWorker, type Worker } from "../background/worker.ts";
import type { ClaimedMail, MailOutcome, MailStore } from "../domain/people/mail.ts";
import type { Log } from "../observe/log.ts";
import type { Metrics } from "../observe/metrics.ts";
import { type AttemptOptions, attempt } from "./attempt.ts";
import { openBacklog } from "./backlog.ts";
import { senderDomain } from "./smtp-settings.ts";

/** Milliseconds between two looks. */
const LOOK_EVERY = { busy: 1_000, idle: 5_000 } as const;
/** Mails of one process that are under way at the same time. */
const LANES = 5;
/** Milliseconds after which another process may try: this one is taken to be dead. An attempt has 30 s. */
const CLAIMED_FOR = 60_000;
/** Milliseconds for which nothing is sent after a login that failed; twice as long after each further one. */
const [FIRST_PAUSE, LONGEST_PAUSE] = [10_000, 300_000];

const COUNTED = { SENT: "sent", FAILED: "failed", DROPPED: "dropped", PENDING: "retried" } as const;

export interface MailWorkerOptions extends Pick<AttemptOptions, "sender" | "compose" | "take" | "now"> {
  readonly mails: Pick<MailStore, "claim" | "settle" | "backlog">;
  /** Told what the mail server said about the recipient, when it has been kept. */
  readonly settled?: (mail: ClaimedMail, result: "sent" | "refused") => Promise<void>;
  /** Calls the listener whenever mails may have been added, by any process. @returns how to stop it */
  readonly wake: (listener: () => void) => () => void;
  /** Name the domain of Message-IDs. */
  readonly settings: { readonly MAIL_FROM: string | null; readonly AUTH_URL: string };
  readonly log: Log;
  readonly metrics: Pick<Metrics, "mailSettled" | "gauge">;
  /** From 0 to 1; Math.random unless given. */
  readonly random?: () => number;
}

/** The claims of mails that are broken off run out, and the next process sends them. */
export type MailWorker = Pick<Worker<ClaimedMail>, "look" | "idle" | "close">;

/**
 * Sends the mails of the outbox. Every process does so, and each mail is claimed for one of them at a time. It comes at least once.
 */
export function openMailWorker(options: MailWorkerOptions): MailWorker {
  const { mails, settled, wake, settings, log, metrics, now, random = Math.random } = options;
  const attemptOptions: AttemptOptions = { ...options, random, domain: domainOf(settings) };
  const worker = openWorker<ClaimedMail>({
    run: dispatch,
    perform: deliver,
    breakOff: () => options.sender.close(),
    every: LOOK_EVERY,
    factsOf: ({ id }) => ({ mailId: id }),
    words: { failing: "mails wait for now", lost: "the outcome of a mail could not be kept" },
    log,
  });
  /** Milliseconds of the present pause; 0 while the mail server takes mails. */
  let pause = 0;
  /** Unix time in milliseconds before which nothing is claimed. */
  let pausedUntil = 0;
  const unwatch = wake(() => void worker.look());
  openBacklog({ mails, metrics, now });
  void worker.look();

  /** @returns whether mails wait, as far as it is known */
  async function dispatch(): Promise<boolean> {
    if (now() < pausedUntil) return true;
    // While the server fails, one mail finds out whether it works again.
    const free = (pause > 0 ? 1 : LANES) - worker.underWay().length;
    if (free <= 0) return true;
    const [at, until] = [now(), now() + CLAIMED_FOR].map((time) => new Date(time).toISOString()) as [string, string];
    const claimed = await mails.claim({ now: at, until, limit: free });
    for (const mail of claimed) worker.begin(mail);
    return claimed.length > 0;
  }

  async function deliver(mail: ClaimedMail): Promise<void> {
    const { outcome, result, wait, fault } = await attempt(mail, pauseFor, attemptOptions);
    if (wait > 0) pausedUntil = Math.max(pausedUntil, now() + wait);
    if (result === "sent" || result === "refused") goOn();
    // The program ends: the attempt may have been broken off, and the claim runs out.
    if (worker.isClosed() && (outcome.state === "PENDING" || result === "retry")) return;
    await mails.settle(mail.id, mail.claim, outcome, new Date(now()).toISOString());
    record(mail, outcome, fault);
    if (result === "sent" || result === "refused") await settled?.(mail, result);
  }

  /** Milliseconds until the next attempt of any mail. Mails that failed together make one pause. */
  function pauseFor(): number {
    if (now() >= pausedUntil) {
      pause = Math.min(pause === 0 ? FIRST_PAUSE : 2 * pause, LONGEST_PAUSE);
      pausedUntil = now() + pause;
    }
    return pausedUntil - now();
  }

  function goOn(): void {
    if (pause > 0) log.info({}, "mails are sent again");
    pause = 0;
  }

  /** Addresses and parts of letters stay out of the log. */
  function record(mail: ClaimedMail, outcome: MailOutcome, fault: unknown): void {
    const facts = { mailId: mail.id, kind: mail.kind };
    if (outcome.state !== "PENDING" || outcome.counts) metrics.mailSettled(COUNTED[outcome.state]);
    if (fault !== undefined) log.error({ ...facts, err: fault }, "a mail could not be written");
    if (outcome.state === "FAILED") log.warn({ ...facts, error: outcome.error }, "a mail is not sent");
    else if (outcome.state === "PENDING")
      log.warn({ ...facts, error: outcome.error }, "a mail waits for another attempt");
    else log.debug(facts, outcome.state === "SENT" ? "a mail was sent" : "a mail was not needed");
  }

  return {
    look: worker.look,
    idle: worker.idle,
    close() {
      unwatch();
      return worker.close();
    },
  };
}

function domainOf({ MAIL_FROM, AUTH_URL }: MailWorkerOptions["settings"]): string {
  return MAIL_FROM === null ? new URL(AUTH_URL).hostname : senderDomain(MAIL_FROM);
}
