import { openMailedSecrets } from "../authorization-server/letters/mailed-secrets.ts";
import { testText } from "../authorization-server/letters/notice-letters.ts";
import { openOutgoing } from "../authorization-server/letters/outgoing.ts";
import { openPeopleMail } from "../authorization-server/letters/people-mail.ts";
import type { Config } from "../config/config.ts";
import { isLoopback } from "../config/loopback.ts";
import { mailMode } from "../config/mail-mode.ts";
import type { ClaimedMail } from "../domain/people/mail.ts";
import type { PeopleMail } from "../domain/people/people-mail.ts";
import type { Store } from "../domain/store/store.ts";
import type { Imprint, Letter } from "../mail/letter.ts";
import { type Mailbox, openMailbox } from "../mail/mailbox.ts";
import type { MailSender } from "../mail/sender.ts";
import { openSmtp, type SmtpSender } from "../mail/smtp.ts";
import { type MailWorker, openMailWorker } from "../mail/worker.ts";
import type { Log } from "../observe/log.ts";
import type { Metrics } from "../observe/metrics.ts";
import { assertMailServer } from "./usable.ts";

/** Mails that the whole installation sends in an hour. More of them wait (U32). */
const MOST_PER_HOUR = 600;
const HOUR = 3_600;

export interface MailSenders {
  /** null: this server sends no mail. */
  readonly sender: MailSender | null;
  /** For developers, where there is no mail server. */
  readonly mailbox: Mailbox | null;
}

/** @throws ConfigError naming the setting that cannot be used */
export function openMailSenders(config: Config, now: () => number, announce: (line: string) => void): MailSenders {
  switch (mailMode(config)) {
    case "smtp":
      return { sender: openSmtpOf(config, now), mailbox: null };
    case "mailbox": {
      const mailbox = openMailbox({ ...imprintOf(config), now, AUTH_URL: config.AUTH_URL, announce });
      return { sender: mailbox, mailbox };
    }
    case "none":
      return { sender: null, mailbox: null };
  }
}

/** @throws ConfigError naming the setting that cannot be used */
export function openSmtpOf(config: Config, now: () => number): SmtpSender {
  assertMailServer(config);
  return openSmtp(config, { ...imprintOf(config), now, isLoopback });
}

function imprintOf({ OPERATOR_NAME, SUPPORT_CONTACT }: Config): Imprint {
  return { operator: OPERATOR_NAME, supportContact: SUPPORT_CONTACT };
}

/** A letter that says that mail works. */
export function testLetter(config: Config, to: string): Letter {
  return { to, language: "en", ...testText(config) };
}

/** Mails and links of administrators, for GraphQL and for the command line. @param now Unix time in milliseconds */
export function peopleMailOf(
  config: Config,
  { store, secret, now }: { readonly store: Store; readonly secret: () => Uint8Array; readonly now: () => number },
): PeopleMail {
  return openPeopleMail({
    settings: config,
    outgoing: openOutgoing(mailMode(config) !== "none", store, now),
    secrets: () => openMailedSecrets(store.accountTokens, secret(), now),
    now,
  });
}

export interface MailDeliveryOptions {
  readonly config: Config;
  readonly store: Pick<Store, "mails" | "attempts" | "accountStates" | "watch">;
  readonly sender: MailSender;
  readonly compose: (mail: ClaimedMail) => Promise<Letter | null>;
  readonly metrics: Metrics;
  readonly log: Log;
  readonly now: () => number;
}

/** Sends what the outbox of mails holds, and remembers of whom mails come back. */
export function openMailDelivery({ config, store, ...options }: MailDeliveryOptions): MailWorker {
  const { attempts, accountStates, mails } = store;
  return openMailWorker({
    ...options,
    mails,
    settings: config,
    take: async () => {
      const nowSeconds = Math.floor(options.now() / 1_000);
      return (await attempts.add("mails of everybody", HOUR, nowSeconds)) <= MOST_PER_HOUR ? 0 : 60;
    },
    settled: async ({ userId }, result) => {
      if (userId !== null && result === "refused") await accountStates.note(userId, { mailState: "failing" });
    },
    wake: (listener) => store.watch(["mail"], listener),
  });
}
