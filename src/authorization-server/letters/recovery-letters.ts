import { isEmail } from "../../domain/people/email.ts";
import type { Mail } from "../../domain/people/mail.ts";
import { isActive, type User } from "../../domain/people/user.ts";
import { outside } from "../../mail/outside.ts";
import type { Composers, LetterServices, LetterText } from "./composer.ts";
import { linkTo } from "./links.ts";
import { browserFact, readableTime } from "./notice-letters.ts";
import { RECOVERY_BY_ADMINISTRATOR } from "./people-mail.ts";

/**
 * Links to a new password. Without an account that may be used, nothing is sent (U21). `params.interaction` is the sign-in that it
 * began in, `params.browser` the readable name of the asking browser.
 */
export const RECOVERY_LETTERS: Composers = {
  recovery: async (mail, services) => {
    const user = await services.store.users.findByEmail(mail.address);
    if (!mayRecover(user)) return null;
    const elsewhere = services.policy.refusalOf(user, null);
    if (elsewhere !== null) return signsInElsewhere(user, elsewhere, mail, services);
    return recovery(user, mail, services, {
      text: `Somebody, probably you, asked for a new password for your account at ${services.settings.OPERATOR_NAME}. ${
        user.passwordHash === null
          ? "Your account has none, because you sign in another way, such as with a passkey. If that does not work any more, open the link to choose one."
          : "Open the link to choose one."
      }`,
      quiet: "If this was not you, do nothing. Your password stays as it is.",
    });
  },

  "recovery-by-administrator": async (mail, services) => {
    const user = mail.userId === null ? null : await services.store.users.find(mail.userId);
    if (!mayRecover(user)) return null;
    const elsewhere = services.policy.refusalOf(user, null);
    if (elsewhere !== null) return signsInElsewhere(user, elsewhere, mail, services);
    return recovery(user, mail, services, {
      seconds: RECOVERY_BY_ADMINISTRATOR,
      text: `An administrator of ${services.settings.OPERATOR_NAME} sends you this link, to choose a new password for your account.`,
      quiet: "If you do not need a new password, do nothing. Your password stays as it is.",
    });
  },

  "recovery-told": async ({ params, createdAt }, { settings }) => {
    const whose = params.name === undefined ? "your account" : `the account of ${outside(params.name)}`;
    return {
      subject: "A link to a new password was made",
      heading: "A link to a new password",
      parts: [
        { text: `An administrator of ${settings.OPERATOR_NAME} made a link with which ${whose} gets a new password.` },
        { facts: [["When", readableTime(createdAt)]] },
        { quiet: "Did nobody ask for it? Tell your administrators now: whoever has the link has the account." },
      ],
    };
  },
};

/** For somebody whose domain signs in with another service: a password would open nothing (U21, U65). */
function signsInElsewhere(user: User, sentence: string, mail: Mail, { settings }: LetterServices): LetterText {
  return {
    to: user.email,
    subject: "You need no password here",
    heading: "You need no password here",
    parts: [
      {
        text: `Somebody, probably you, asked for a new password for your account at ${settings.OPERATOR_NAME}. You need none: ${sentence}`,
      },
      { button: { label: "Sign in", href: `${settings.AUTH_URL}/account` } },
      { facts: [["Requested", readableTime(mail.createdAt)], ...browserFact(mail.params.browser)] },
      { quiet: "If this was not you, do nothing. Nothing has changed." },
    ],
  };
}

function mayRecover(user: User | null): user is User {
  return user !== null && isActive(user) && isEmail(user.email);
}

async function recovery(
  user: User,
  { params, createdAt }: Mail,
  { settings, secrets }: LetterServices,
  { text, quiet, seconds }: { readonly text: string; readonly quiet: string; readonly seconds?: number },
): Promise<LetterText> {
  const { secret, expiresAtSeconds } = await secrets.issue({
    purpose: "recovery",
    email: user.email,
    userId: user.id,
    credentialVersion: user.credentialVersion,
    interaction: params.interaction ?? null,
    ...(seconds === undefined ? {} : { seconds }),
  });
  return {
    to: user.email,
    subject: "Choose a new password",
    heading: "Choose a new password",
    parts: [
      { text },
      { button: { label: "Choose a new password", href: linkTo(settings.AUTH_URL, "recovery", secret) } },
      {
        facts: [
          ["Requested", readableTime(createdAt)],
          ...browserFact(params.browser),
          ["Good until", readableTime(new Date(expiresAtSeconds * 1_000).toISOString())],
        ],
      },
      { quiet },
    ],
  };
}
