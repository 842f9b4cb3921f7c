import { isEmail } from "../../domain/people/email.ts";
import type { Mail } from "../../domain/people/mail.ts";
import { isSignUpDomain } from "../../domain/people/sign-up-domains.ts";
import { isActive, type User } from "../../domain/people/user.ts";
import type { Composers, LetterServices, LetterText } from "./composer.ts";
import { invitationText } from "./invitation-letter.ts";
import { linkTo } from "./links.ts";
import { readableTime } from "./notice-letters.ts";

/**
 * The letter to an address for which somebody asked for an account, perhaps a stranger: only the owner of the address learns
 * whether there is an account (U11). `params.browser` is the hash of the asking browser's cookie, `params.interaction` the sign-in
 * that it began in.
 */
export const SIGN_UP_LETTERS: Composers = {
  "sign-up": async (mail, services) => {
    const { settings, store, now } = services;
    // The first person is the administrator, who comes in by the set-up link (U17).
    if (settings.SIGN_UP === "closed" || (await store.users.isEmpty())) return null;
    const invitation = await store.invitations.findOpen(mail.address, new Date(now()).toISOString());
    const user = await store.users.findByEmail(mail.address);
    if (user !== null) return settings.SIGN_UP === "open" ? existing(user, mail, services) : null;
    if (invitation !== null) return { to: invitation.email, ...(await invitationText(invitation, services)) };
    return settings.SIGN_UP === "open" && isSignUpDomain(mail.address, settings.SIGN_UP_DOMAINS)
      ? free(mail, services)
      : null;
  },
};

async function free(mail: Mail, { settings, secrets }: LetterServices): Promise<LetterText> {
  const { browser, interaction } = mail.params;
  const { secret, code, expiresAtSeconds } = await secrets.issue({
    purpose: "sign-up",
    email: mail.address,
    browserHash: browser ?? null,
    interaction: interaction ?? null,
  });
  return {
    subject: "Finish your account",
    heading: "Finish your account",
    parts: [
      {
        text: `Somebody, probably you, wants to create an account at ${settings.OPERATOR_NAME} with this e-mail address. Open the link to choose a name and a password.`,
      },
      { button: { label: "Finish your account", href: linkTo(settings.AUTH_URL, "sign-up", secret) } },
      ...(code === null ? [] : [{ text: "Or type this code in the window where you began:" }, { code }]),
      {
        facts: [
          ["Requested", readableTime(mail.createdAt)],
          ["Good until", readableTime(new Date(expiresAtSeconds * 1_000).toISOString())],
        ],
      },
      { quiet: "If this was not you, do nothing. There will be no account." },
    ],
  };
}

/** null for an account that nobody can use: its owner has no way in, and nobody else learns of it. */
function existing(user: User, mail: Mail, { settings }: LetterServices): LetterText | null {
  if (!isActive(user) || !isEmail(user.email)) return null;
  return {
    to: user.email,
    subject: "You have an account already",
    heading: "You have an account already",
    parts: [
      {
        text: `Somebody, probably you, wanted to create an account at ${settings.OPERATOR_NAME} with this e-mail address. There is one already.`,
      },
      { button: { label: "Sign in", href: `${settings.AUTH_URL}/account` } },
      { text: "If you do not know the password any more, choose a new one:" },
      { button: { label: "Forgot the password?", href: `${settings.AUTH_URL}/recover` } },
      { facts: [["Requested", readableTime(mail.createdAt)]] },
      { quiet: "If this was not you, do nothing. Your account stays as it is." },
    ],
  };
}
