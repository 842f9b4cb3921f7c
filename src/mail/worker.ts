import type { ClaimedMail, MailOutcome, MailStore } from "../domain/people/mail.ts";
import type { Log } from "../observe/log.ts";
import type { Metrics } from "../observe/metrics.ts";
import { type AttemptOptions, attempt } from "./attempt.ts";
import { openBacklog } from "./backlog.ts";
import { readMailFrom } from "./smtp-settings.ts";

/** Milliseconds between two looks while there is something to do, and while there is nothing. */
const [LOOK_BUSY, LOOK_IDLE] = [1_000, 5_000];
/** Mails of one process that are under way at the same time. */
const LANES = 5;
/** Milliseconds after which another process may try: this one is taken to be dead. An attempt has 30 s. */
const CLAIMED_FOR = 60_000;
/** Milliseconds for which nothing is sent after a login that failed; twice as long after each further one. */
const [FIRST_PAUSE, LONGEST_PAUSE] = [10_000, 300_000];
/** Milliseconds that mails under way are given when the program ends. */
const LAST_WAIT = 2_000;

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

export interface MailWorker {
  /** Looks for what is due now. Resolves when it has been begun. */
  look(): Promise<void>;
  /** Resolves when no mail is under way. */
  idle(): Promise<void>;
  /** Mails under way have two seconds to end. The claims of others run out, and the next process sends them. */
  close(): Promise<void>;
}

/**
 * Sends the mails of the outbox. Every process does so: each mail is claimed in the database for one of them at a time. A process
 * that is killed loses its claims when their time is over, and another tries again, so a mail comes at least once.
 */
export function openMailWorker(options: MailWorkerOptions): MailWorker {
  const { mails, settled, wake, settings, log, metrics, now, random = Math.random } = options;
  const attemptOptions: AttemptOptions = { ...options, random, domain: domainOf(settings) };
  const underWay = new Set<Promise<void>>();
  let isClosed = false;
  let isFailing = false;
  let isAskedAgain = false;
  let looking: Promise<void> | null = null;
  let closing: Promise<void> | null = null;
  let timer: NodeJS.Timeout | undefined;
  /** Milliseconds of the present pause; 0 while the mail server takes mails. */
  let pause = 0;
  /** Unix time in milliseconds before which nothing is claimed. */
  let pausedUntil = 0;
  const unwatch = wake(() => void look());
  openBacklog({ mails, metrics, now });
  void look();

  /** One at a time. A request during a run causes one more run. */
  function look(): Promise<void> {
    if (isClosed) return Promise.resolve();
    isAskedAgain = true;
    looking ??= lookUntilDone().finally(() => {
      looking = null;
    });
    return looking;
  }

  async function lookUntilDone(): Promise<void> {
    clearTimeout(timer);
    let isBusy = false;
    try {
      while (isAskedAgain && !isClosed) {
        isAskedAgain = false;
        isBusy = (await dispatch()) || underWay.size > 0;
      }
      isFailing = false;
    } catch (error) {
      if (!isFailing) log.warn({ err: error }, "mails wait for now");
      isFailing = true;
    }
    if (!isClosed) timer = setTimeout(look, isBusy ? LOOK_BUSY : LOOK_IDLE).unref();
  }

  /** @returns whether mails wait, as far as it is known */
  async function dispatch(): Promise<boolean> {
    if (now() < pausedUntil) return true;
    // While the server fails, one mail finds out whether it works again.
    const free = (pause > 0 ? 1 : LANES) - underWay.size;
    if (free <= 0) return true;
    const [at, until] = [now(), now() + CLAIMED_FOR].map((time) => new Date(time).toISOString()) as [string, string];
    const claimed = await mails.claim({ now: at, until, limit: free });
    for (const mail of claimed) begin(mail);
    return claimed.length > 0;
  }

  function begin(mail: ClaimedMail): void {
    const done = deliver(mail)
      .catch((error: unknown) => {
        if (!isClosed) log.warn({ err: error, mailId: mail.id }, "the outcome of a mail could not be kept");
      })
      .finally(() => {
        underWay.delete(done);
        void look(); // there may be more
      });
    underWay.add(done);
  }

  async function deliver(mail: ClaimedMail): Promise<void> {
    const { outcome, result, wait, fault } = await attempt(mail, pauseFor, attemptOptions);
    if (wait > 0) pausedUntil = Math.max(pausedUntil, now() + wait);
    if (result === "sent" || result === "refused") goOn();
    // The program ends: the attempt may have been broken off, and the claim runs out.
    if (isClosed && outcome.state === "PENDING") return;
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

  async function idle(): Promise<void> {
    while (underWay.size > 0) await Promise.all(underWay);
  }

  async function close(): Promise<void> {
    isClosed = true;
    clearTimeout(timer);
    unwatch();
    await looking;
    let late: NodeJS.Timeout | undefined;
    const lastWait = new Promise((resolve) => {
      late = setTimeout(resolve, LAST_WAIT);
    });
    await Promise.race([idle(), lastWait]);
    clearTimeout(late);
  }

  return {
    look,
    idle,
    close: () => (closing ??= close()),
  };
}

function domainOf({ MAIL_FROM, AUTH_URL }: MailWorkerOptions["settings"]): string {
  if (MAIL_FROM === null) return new URL(AUTH_URL).hostname;
  const { address } = readMailFrom(MAIL_FROM);
  return address.slice(address.lastIndexOf("@") + 1);
}
