import { emailKey } from "../../domain/people/email.ts";
import type { Mail } from "../../domain/people/mail.ts";
import { isActive, type User } from "../../domain/people/user.ts";
import type { Composer, Composers, LetterServices } from "./composer.ts";
import { linkTo } from "./links.ts";
import { browserFact, notice, readableTime } from "./notice-letters.ts";

/**
 * The link to a new address. Nothing is sent where the address belongs to somebody else, or where the account's credentials have changed
 * since it was asked for: the thief who asked may have been locked out.
 */
const changeLetter: Composer = async (mail, { store, secrets, settings }) => {
  const user = await personOf(mail, store);
  if (user === null || String(user.credentialVersion) !== mail.params.version) return null;
  const owner = await store.users.findByEmail(mail.address);
  if (owner !== null && owner.id !== user.id) return null;
  const { browserHash = null } = mail.params;
  const { secret, code, expiresAtSeconds } = await secrets.issue({
    purpose: "email-change",
    email: mail.address,
    userId: user.id,
    credentialVersion: user.credentialVersion,
    browserHash,
  });
  return {
    subject: "Confirm your e-mail address",
    heading: "Is this your address?",
    parts: [
      {
        text: `Somebody asked to use this address for an account at ${settings.OPERATOR_NAME}. If this was you, open the link in a browser where you are signed in.`,
      },
      { button: { label: "Use this address", href: linkTo(settings.AUTH_URL, "email-change", secret) } },
      ...(code === null ? [] : [{ text: "Or type this code on the page where you asked:" }, { code }]),
      { facts: [["When", readableTime(mail.createdAt)], ...browserFact(mail.params.browser)] },
      {
        quiet: `Both are good until ${endOf(expiresAtSeconds)}. If this was not you, do nothing, and nothing changes.`,
      },
    ],
  };
};

/** The way back, to the former address. None is sent once the account has that address again. */
const undoLetter: Composer = async (mail, { store, secrets, settings }) => {
  const user = await personOf(mail, store);
  if (user === null || emailKey(user.email) === emailKey(mail.address)) return null;
  const { secret, expiresAtSeconds } = await secrets.issue({
    purpose: "email-undo",
    email: mail.address,
    userId: user.id,
    // The mail was written down at the change, and may be sent much later.
    sinceSeconds: Math.floor(Date.parse(mail.createdAt) / 1_000),
  });
  return {
    subject: "Your e-mail address was changed",
    heading: "Your account has another address now",
    parts: [
      { text: `Your account at ${settings.OPERATOR_NAME} does not use this address any more.` },
      { facts: [["When", readableTime(mail.createdAt)], ...browserFact(mail.params.browser)] },
      {
        text: "If this was you, there is nothing to do. If it was not you, take the address back. That signs out everybody, and you choose a new password.",
      },
      { button: { label: "This was not me", href: linkTo(settings.AUTH_URL, "email-undo", secret) } },
      { quiet: `The link is good until ${endOf(expiresAtSeconds)}.` },
    ],
  };
};

const changedNotice = notice(
  "This is your e-mail address now",
  "Your account has this address now",
  "You sign in with this address from now on.",
);

/** Mails about a change of the address (U25). */
export const EMAIL_LETTERS: Composers = {
  "email-change": changeLetter,
  "email-change-asked": notice(
    "Another e-mail address was asked for",
    "Somebody wants to change your address",
    "Somebody who is signed in to your account asked to use another e-mail address. Your account keeps this address until the other one is confirmed.",
  ),
  "email-changed": (mail, services) => (mail.params.to === "former" ? undoLetter : changedNotice)(mail, services),
};

async function personOf({ userId }: Mail, { users }: LetterServices["store"]): Promise<User | null> {
  const user = userId === null ? null : await users.find(userId);
  return user !== null && isActive(user) ? user : null;
}

function endOf(seconds: number): string {
  return readableTime(new Date(seconds * 1_000).toISOString());
}
