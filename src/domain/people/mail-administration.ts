import type { Administration } from "../administration.ts";
import { AppError } from "../errors.ts";
import { type Id, parseId } from "../id.ts";
import { assertEmail } from "./email.ts";
import type { Mail, MailStore } from "./mail.ts";
import type { PeopleMail } from "./people-mail.ts";

const HOUR = 3_600;
/** Links and test mails that one administrator sends in an hour (U19), so that a stolen token cannot flood others with them. */
const MOST_PER_HOUR = 50;
/** Seconds for which a mail that is sent again is tried: it begins anew, with a new link. */
const RETRIED_FOR = 86_400;

/** Counts for all processes together; `AttemptStore` is one. */
export interface MailAttempts {
  add(key: string, windowSeconds: number, nowSeconds: number): Promise<number>;
}

/**
 * Counts a mail or link of this administrator. The operator at the terminal may send any number.
 *
 * @throws AppError RATE_LIMITED
 */
export async function assertMayMail({
  store,
  actorId,
  now,
}: Pick<Administration<{ readonly attempts: MailAttempts }>, "store" | "actorId" | "now">): Promise<void> {
  if (actorId === null) return;
  const count = await store.attempts.add(`mails by ${actorId}`, HOUR, Math.floor(now() / 1_000));
  if (count > MOST_PER_HOUR)
    throw new AppError(
      "RATE_LIMITED",
      `An administrator sends ${MOST_PER_HOUR} invitations and other mails an hour. Try again later.`,
      { limit: MOST_PER_HOUR, retryAfter: HOUR },
    );
}

/**
 * Sends a mail that says that mail works.
 *
 * @param field its argument in errors
 * @throws AppError BAD_USER_INPUT, CONFLICT where this server sends no mail, RATE_LIMITED, KeyInUse
 */
export async function sendTestMail(
  administration: Administration<{ readonly attempts: MailAttempts; readonly mails: MailStore }> & {
    readonly mail: PeopleMail;
  },
  address: string,
  field = "to",
): Promise<Mail> {
  assertEmail(field, address);
  const { store, mail, record, once } = administration;
  if (!mail.isOn) throw new AppError("CONFLICT", "This server sends no mail: SMTP_URL is not set.");
  await assertMayMail(administration);
  const id = await mail.test(address, once);
  await record({ event: "mail", result: "ok", detail: `test mail ${id}` });
  return getMail(store.mails, id);
}

/**
 * Tries a failed mail again.
 *
 * @throws AppError NOT_FOUND, CONFLICT for a mail that has not failed, or whose address is forgotten; KeyInUse
 */
export async function retryMail(
  { store, now, record, once }: Administration<{ readonly mails: MailStore }>,
  id: string,
): Promise<Mail> {
  const { id: mailId } = await getMail(store.mails, parseId(id));
  const [at, until] = [now(), now() + RETRIED_FOR * 1_000].map((time) => new Date(time).toISOString());
  const mail = await store.mails.retry(mailId, at as string, until as string, once);
  await record({ event: "mail", result: "ok", detail: `${mailId} sent again` });
  return mail;
}

async function getMail(mails: MailStore, id: Id | null): Promise<Mail> {
  const mail = id === null ? null : await mails.find(id);
  if (mail === null) throw new AppError("NOT_FOUND", "There is no mail with this id.");
  return mail;
}
