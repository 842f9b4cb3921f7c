import { FEW_CODES } from "../../domain/people/second-step.ts";
import { outside } from "../../mail/outside.ts";
import type { Composer, Composers } from "./composer.ts";
import { browserFact, notice, readableTime } from "./notice-letters.ts";

/** `params.left` is the number of codes that are left. */
const codeUsedLetter: Composer = (mail, services) => {
  const left = Number(mail.params.left);
  const codes = left === 0 ? "None is left." : left === 1 ? "1 code is left." : `${left} codes are left.`;
  const advice = left > FEW_CODES ? "" : " Make new ones on your account page soon.";
  const lost = `If you lost your phone, open ${services.settings.AUTH_URL}/account/second-step and replace or remove the authenticator app.`;
  const text = `Somebody used one of the recovery codes of your account. ${codes}${advice} ${lost}`;
  return notice("A recovery code was used", "A recovery code was used", text)(mail, services);
};

/** `params.by` is `administrator` where one of them did it, and `params.name` the person, in mails to administrators. */
const offLetter: Composer = async (mail, services) => {
  const { params, createdAt } = mail;
  if (params.by !== "administrator") return offNotice(mail, services);
  const whose = params.name === undefined ? "your account" : `the account of ${outside(params.name)}`;
  return {
    subject: "A second step was turned off",
    heading: "A second step was turned off",
    parts: [
      {
        text: `An administrator of ${services.settings.OPERATOR_NAME} turned off the second step for ${whose}, and removed its authenticator app and recovery codes.`,
      },
      { facts: [["When", readableTime(createdAt)]] },
      { quiet: "Did nobody ask for it? Tell your administrators now." },
    ],
  };
};

const offNotice = notice(
  "Your second step was turned off",
  "The second step was turned off",
  "Sign-in to your account does not ask for a second step any more. Your authenticator app and recovery codes were removed.",
);

/** The first step was right, so the password has to change. */
const refusedLetter: Composer = async ({ params, createdAt }, { settings }) => ({
  subject: "Somebody knows your password",
  heading: "Somebody knows your password",
  parts: [
    {
      text: "Somebody entered the right password for your account several times, and did not get through the second step. They are not signed in.",
    },
    { facts: [["When", readableTime(createdAt)], ...browserFact(params.browser)] },
    { text: "If this was you, there is nothing to do. If it was not you, choose a new password now." },
    { button: { label: "Choose a new password", href: `${settings.AUTH_URL}/recover` } },
  ],
});

/** Mails about the second step of sign-in (U49, U54). */
export const SECOND_STEP_LETTERS: Composers = {
  "totp-added": notice(
    "An authenticator app was added",
    "An authenticator app was added",
    "Your account has a new authenticator app. One that was there before does not count any more.",
  ),
  "totp-removed": notice(
    "Your authenticator app was removed",
    "Your authenticator app was removed",
    "The authenticator app of your account was removed. Its digits do not count any more.",
  ),
  "recovery-codes-made": notice(
    "New recovery codes were made",
    "New recovery codes were made",
    "Your account has new recovery codes. All codes from before are void.",
  ),
  "recovery-code-used": codeUsedLetter,
  "second-step-on": notice(
    "Your second step is on",
    "The second step is on",
    "From now on, sign-in to your account asks for a second step after the password.",
  ),
  "second-step-off": offLetter,
  "second-step-refused": refusedLetter,
};
