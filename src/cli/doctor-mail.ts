import { Resolver } from "node:dns/promises";
import { isIP } from "node:net";
import type { Config } from "../config/config.ts";
import { isLoopback } from "../config/loopback.ts";
import { mailMode } from "../config/mail-mode.ts";
import type { Finding } from "../diagnosis/finding.ts";
import type { SmtpStep } from "../mail/smtp-probe.ts";
import { senderDomain } from "../mail/smtp-settings.ts";

/** Milliseconds that a name server may take. */
const PATIENCE = 3_000;

/** Whether the mail server takes mails, and others can know that they are ours. */
export async function checkMailServer(config: Config, now: () => number): Promise<Finding[]> {
  const check = "mail";
  switch (mailMode(config)) {
    case "mailbox":
      return [
        { check, result: "good", detail: `SMTP_URL is not set: mails are shown at ${config.AUTH_URL}/mailbox instead` },
      ];
    case "none":
      return [
        {
          check,
          result: "warning",
          detail:
            "SMTP_URL is not set: nobody can sign up or set a forgotten password by mail, and nobody is told of new sign-ins; administrators hand out links (user invite, user recover)",
        },
      ];
    case "smtp":
      return [await probe(config, now), ...(await checkSender(config))];
  }
}

async function probe(config: Config, now: () => number): Promise<Finding> {
  const check = "mail";
  const { openSmtpOf } = await import("../app/mail.ts");
  const steps: SmtpStep[] = [];
  try {
    const isReady = await openSmtpOf(config, now).probe((step) => steps.push(step));
    const last = steps.at(-1);
    if (!isReady) return { check, result: "wrong", detail: `${last?.name} failed: ${last?.words}` };
    return { check, result: "good", detail: steps.map(({ words }) => words).join(", ") };
  } catch (error) {
    return { check, result: "wrong", detail: (error as Error).message };
  }
}

/** A domain without MX gets no answers and no failed mails back; one without SPF lets its mails end in spam folders. */
async function checkSender({ MAIL_FROM }: Config): Promise<Finding[]> {
  if (MAIL_FROM === null) return []; // which the probe has said
  const check = "mail sender";
  const domain = senderDomain(MAIL_FROM);
  if (isLoopback(domain) || isIP(domain) !== 0) return [];
  const names = new Resolver({ timeout: PATIENCE, tries: 1 });
  const [mx, texts] = await Promise.all([
    answers(() => names.resolveMx(domain)),
    answers(() => names.resolveTxt(domain)),
  ]);
  if (mx === null || texts === null)
    return [{ check, result: "unchecked", detail: `the name servers of ${domain} do not answer from here` }];
  const missing = [
    ...(mx.length === 0 ? ["no MX record: failed mails cannot come back"] : []),
    ...(texts.some((text) => text.join("").startsWith("v=spf1")) ? [] : ["no SPF record: mails may end as spam"]),
  ];
  if (missing.length > 0) return [{ check, result: "warning", detail: `${domain} has ${missing.join(", and ")}` }];
  return [{ check, result: "good", detail: `${domain} has MX and SPF records` }];
}

/** Records of a name; none for one that does not exist, null where nobody answers. */
async function answers<T>(ask: () => Promise<T[]>): Promise<T[] | null> {
  try {
    return await ask();
  } catch (error) {
    const { code = "" } = error as NodeJS.ErrnoException;
    return ["ENODATA", "ENOTFOUND"].includes(code) ? [] : null;
  }
}
