import { randomUUID } from "node:crypto";
import { Command, Option } from "commander";
import { programName } from "../config/command-line.ts";
import { type Config, ConfigError, readConfig } from "../config/config.ts";
import { mailMode } from "../config/mail-mode.ts";
import { AppError } from "../domain/errors.ts";
import type { Id } from "../domain/id.ts";
import { assertEmail } from "../domain/people/email.ts";
import { MAIL_STATES, type Mail, type MailState } from "../domain/people/mail.ts";
import { retryMail } from "../domain/people/mail-administration.ts";
import type { SmtpStep } from "../mail/smtp-probe.ts";
import { senderDomain } from "../mail/smtp-settings.ts";
import { type Clock, systemClock, withAdministration, withStore } from "./context.ts";
import { afterOption, limitOption } from "./list-options.ts";
import { hint, printLines, printTable } from "./terminal/output.ts";
import { cellText } from "./terminal/table.ts";

interface ListOptions {
  state?: MailState;
  after?: Id;
  limit: number;
  json?: boolean;
}

/** Columns of the longest name of a step. */
const WIDEST = "greeting".length;

export function mailCommand(): Command {
  const command = new Command("mail").description("mails about accounts");
  command
    .command("list")
    .description("lists mails, newest first, without their text")
    .addOption(new Option("--state <state>", "those in this state").choices(MAIL_STATES))
    .addOption(afterOption("mail", "mails"))
    .addOption(limitOption(1_000))
    .option("--json", "print JSON")
    .action(list);
  command
    .command("retry <mail-id>")
    .description("sends a failed mail again, with a new link")
    .action((id: string) =>
      withAdministration(async (administration) => {
        await retryMail(administration, id);
        hint(`Mail ${id} is sent again within a second while the server runs.`);
      }),
    );
  command
    .command("test <address>")
    .description("connects to the mail server step by step, then sends a test mail")
    .action((address: string) => test(address));
  return command;
}

async function list({ json, ...filter }: ListOptions): Promise<void> {
  await withStore(async (store) => {
    const found = await store.mails.list(filter);
    if (json) return printTable(found.map(describe), true);
    if (found.length === 0) return hint("There are no such mails. They are kept for 30 days.");
    return printTable(found.map(summary), false, ["id"]);
  });
}

async function test(address: string, now: Clock = systemClock): Promise<void> {
  assertEmail("address", address);
  const config = readConfig(process.env);
  if (config.SMTP_URL === null) throw noServer(config);
  const { openSmtpOf, testLetter } = await import("../app/mail.ts");
  const sender = openSmtpOf(config, now);
  const steps: SmtpStep[] = [];
  const lines: Promise<void>[] = [];
  const isReady = await sender.probe((step) => {
    steps.push(step);
    lines.push(printLines([`${step.name.padEnd(WIDEST)}  ${step.isOk ? "good " : "wrong"}  ${step.words}`]));
  });
  await Promise.all(lines);
  if (!isReady) throw new AppError("UNAVAILABLE", `No mail was sent: ${steps.at(-1)?.name} failed.`);
  const outcome = await sender.send(testLetter(config, address), `<${randomUUID()}@${senderDomain(config.MAIL_FROM)}>`);
  if (outcome.result !== "sent") throw new AppError("UNAVAILABLE", `The mail was not sent: ${outcome.reason}.`);
  hint(`The mail server took a test mail to ${cellText(address)}. Look there, and in the spam folder too.`);
}

function noServer(config: Config): ConfigError {
  const instead =
    mailMode(config) === "mailbox"
      ? ` While the server runs, mails are shown at ${config.AUTH_URL}/mailbox instead.`
      : "";
  return new ConfigError(
    `SMTP_URL is not set, so there is no mail server to test.${instead} Set SMTP_URL=smtps://USER@HOST:465, SMTP_PASSWORD and MAIL_FROM, then run ${programName()} mail test again.`,
  );
}

/** The columns of a list. */
function summary({ id, kind, address, state, error }: Mail) {
  return { id, kind, to: address, state, error };
}

/** Everything but the facts of its text. */
function describe({ params: _, ...mail }: Mail) {
  return mail;
}
