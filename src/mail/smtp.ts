import { isEmail } from "../domain/people/email.ts";
import { isAscii } from "../domain/text.ts";
import { type Imprint, type Letter, renderLetter } from "./letter.ts";
import type { MailSender, SendOutcome } from "./sender.ts";
import { connectionOptions, type SmtpLimits } from "./smtp-connection.ts";
import { outcomeOf, type SmtpError } from "./smtp-failure.ts";
import { probeSmtp, type SmtpStep } from "./smtp-probe.ts";
import { readSmtpSettings, type SmtpSettings, wireAddress } from "./smtp-settings.ts";

const LIMITS: SmtpLimits = { connect: 10_000, whole: 30_000 };

export interface SmtpOptions extends Imprint {
  readonly now: () => number;
  /** Whether the host, as in a URL, is this machine: only there mail may go without TLS. */
  readonly isLoopback: (host: string) => boolean;
  /** 10 s and 30 s unless given. */
  readonly limits?: SmtpLimits;
  /** Certificates in PEM that are believed instead of those that Node knows. */
  readonly ca?: string;
}

export interface SmtpSender extends MailSender {
  /**
   * Connects and logs in without sending anything, and says how each step went. It stops at the first that fails.
   * @returns whether all went well
   */
  probe(onStep: (step: SmtpStep) => void): Promise<boolean>;
}

/**
 * Sends letters by SMTP, each over a connection of its own. nodemailer is loaded with the first letter: a start does not need it.
 *
 * @throws Error naming the setting that cannot be used
 */
export function openSmtp(settings: SmtpSettings, options: SmtpOptions): SmtpSender {
  const { now, limits = LIMITS } = options;
  const server = readSmtpSettings(settings, options.isLoopback);
  const connection = connectionOptions(server, limits, options.ca);
  const end = new AbortController();

  async function send(letter: Letter, messageId: string): Promise<SendOutcome> {
    if (!isEmail(letter.to)) return { result: "refused", reason: "the address is not valid" };
    const to = wireAddress(letter.to);
    try {
      const { createTransport } = await import("nodemailer");
      const signal = AbortSignal.any([AbortSignal.timeout(limits.whole), end.signal]);
      const { subject, text, html } = renderLetter(letter, options);
      await createTransport(connection).sendMail({
        from: server.from,
        to: { name: "", address: to },
        envelope: { from: { name: "", address: server.from.address }, to: { name: "", address: to } },
        subject,
        text,
        html,
        messageId,
        date: new Date(now()),
        headers: {
          "Auto-Submitted": "auto-generated",
          "X-Auto-Response-Suppress": "All",
          "Content-Language": letter.language,
        },
        disableFileAccess: true,
        disableUrlAccess: true,
        signal,
      });
      return { result: "sent" };
    } catch (error) {
      return outcomeOf(error as SmtpError, isAscii(to));
    }
  }

  return {
    send,
    probe: (onStep) => probeSmtp(server, connection, limits.whole, onStep),
    close: () => end.abort(),
  };
}
