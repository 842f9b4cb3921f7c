import type { Config } from "../config/config.ts";
import { loadSecret } from "../config/installation-secret.ts";
import { mailMode } from "../config/mail-mode.ts";
import type { Administration } from "../domain/administration.ts";
import { AppError } from "../domain/errors.ts";
import { type Id, parseId } from "../domain/id.ts";
import type { PeopleMail } from "../domain/people/people-mail.ts";
import type { User } from "../domain/people/user.ts";
import type { Store } from "../domain/store/store.ts";
import { withAdministration } from "./context.ts";

/** @throws AppError NOT_FOUND */
export async function getByEmail(store: Store, email: string): Promise<User> {
  const user = await store.users.findByEmail(email);
  if (user === null) throw new AppError("NOT_FOUND", `There is nobody with the address ${email}.`);
  return user;
}

/** The id of a person by e-mail address or id. Somebody who is not there any more is found by id. @throws AppError NOT_FOUND */
export async function getIdOfPerson(store: Store, text: string): Promise<Id> {
  return parseId(text) ?? (await getByEmail(store, text)).id;
}

/** Runs a task of the operator that mails people, or makes links for them. */
export function withPeopleMail<T>(
  task: (administration: Administration<Store> & { readonly mail: PeopleMail }, config: Config) => Promise<T>,
): Promise<T> {
  return withAdministration(async (administration, config) => {
    const { peopleMailOf } = await import("../app/mail.ts");
    const mail = peopleMailOf(config, { ...administration, secret: () => loadSecret(config) });
    return task({ ...administration, mail }, config);
  });
}

/** A sentence about a mail that was written down. The server sends it, not the command. */
export function onItsWay(sentence: string, config: Config): string {
  const isShown = mailMode(config) === "mailbox";
  return `${sentence} ${isShown ? `While the server runs, it is shown at ${config.AUTH_URL}/mailbox.` : "The server sends it."}`;
}
