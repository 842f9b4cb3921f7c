import type { User } from "../../domain/people/user.ts";
import type { Composer, Composers } from "./composer.ts";
import { browserFact, readableTime } from "./notice-letters.ts";

/** Facts of a notice about the deletion of this account. */
export function deletionParams({ deletesAt }: Pick<User, "deletesAt">): Readonly<Record<string, string>> {
  return deletesAt === null ? {} : { deletesAt };
}

/** Says how to keep the account. A person who keeps it has the right password, so there is no link to set another. */
const askedLetter: Composer = async ({ params, createdAt }, { settings }) => {
  const asked = params.by === "administrator" ? "An administrator" : "Somebody who was signed in to your account";
  const end = params.deletesAt === undefined ? "soon" : `on ${readableTime(params.deletesAt)}`;
  return {
    subject: "Your account will be deleted",
    heading: "Your account will be deleted",
    parts: [
      { text: `${asked} asked to delete your account at ${settings.OPERATOR_NAME}. It is deleted ${end}.` },
      { facts: [["When", readableTime(createdAt)], ...browserFact(params.browser)] },
      { text: "To keep it, sign in before then. If you did not ask for this, change your password afterwards." },
      { button: { label: "Keep my account", href: `${settings.AUTH_URL}/account` } },
    ],
  };
};

const undoneLetter: Composer = async ({ params, createdAt }, { settings }) => {
  const kept = params.by === "administrator" ? "An administrator" : "Somebody who knows your password";
  return {
    subject: "Your account stays",
    heading: "Your account stays",
    parts: [
      { text: `${kept} kept your account at ${settings.OPERATOR_NAME}. It is not deleted.` },
      { facts: [["When", readableTime(createdAt)], ...browserFact(params.browser)] },
      { text: "If this was you, there is nothing to do. If it was not you, set a new password now." },
      { button: { label: "This was not me", href: `${settings.AUTH_URL}/recover` } },
    ],
  };
};

/** The last mail to an address whose account is gone. */
const doneLetter: Composer = async ({ params, createdAt }, { settings }) => ({
  subject: "Your account was deleted",
  heading: "Your account was deleted",
  parts: [
    {
      text: `Your account at ${settings.OPERATOR_NAME} is gone, with your name and this address. ${
        params.posts === "delete" ? "Your posts are gone too." : "Your posts stay, without your name."
      }`,
    },
    { facts: [["When", readableTime(createdAt)]] },
    { text: "There is nothing to do. This address can be used for a new account." },
  ],
});

/** Mails about the deletion of an account (U54, U72). */
export const DELETION_LETTERS: Composers = {
  "deletion-asked": askedLetter,
  "deletion-undone": undoneLetter,
  "deletion-done": doneLetter,
};
