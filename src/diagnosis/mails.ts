import { commandLine } from "../config/command-line.ts";
import type { MailStore } from "../domain/people/mail.ts";
import type { Finding } from "./finding.ts";

/** Milliseconds after which a waiting mail says that something is wrong: three attempts have failed by then. */
const LONG_WAIT = 10 * 60_000;
/** Milliseconds for which a failed mail is worth a word. */
const RECENT = 7 * 86_400_000;
/** Whether mails wait for too long, or have failed. */
export async function checkOutbox(mails: MailStore, now: number): Promise<Finding[]> {
  const check = "mail outbox";
  const { pending, oldest } = await mails.backlog();
  const [failed] = await mails.list({ state: "FAILED", limit: 1 });
  const age = oldest === null ? 0 : now - Date.parse(oldest);
  if (age > LONG_WAIT) {
    const detail = `${waiting(pending)}, the oldest for ${Math.round(age / 60_000)} minutes: ${commandLine()} mail list --state PENDING`;
    return [{ check, result: "warning", detail }];
  }
  if (failed !== undefined && now - Date.parse(failed.createdAt) < RECENT)
    return [{ check, result: "warning", detail: `mails failed this week: ${commandLine()} mail list --state FAILED` }];
  return [{ check, result: "good", detail: pending === 0 ? "no mail waits" : `${waiting(pending)}, none for long` }];
}

function waiting(count: number): string {
  return count === 1 ? "1 mail waits" : `${count} mails wait`;
}
