import type { LetterPart } from "../../mail/letter.ts";
import { outside } from "../../mail/outside.ts";
import type { Composer, Composers, LetterText } from "./composer.ts";
import type { LetterSettings } from "./letter-settings.ts";

type Subject = "other" | "passkey" | "link";

/** A notice: what happened, when and where, and what to do if it was somebody else. */
export function notice(subject: string, heading: string, text: string, about: Subject = "other"): Composer {
  return async ({ params, createdAt }, { settings }) => ({
    subject,
    heading,
    parts: [
      { text },
      {
        facts: [
          ...passkeyFact(params.passkey),
          ...serviceFact(params),
          ["When", readableTime(createdAt)],
          ...browserFact(params.browser),
        ],
      },
      ...notMe(settings.AUTH_URL, about),
      ...more(params.last),
    ],
  });
}

/** "29 November 2026, 14:03 UTC". */
export function readableTime(iso: string): string {
  const format = new Intl.DateTimeFormat("en-GB", { dateStyle: "long", timeStyle: "short", timeZone: "UTC" });
  return `${format.format(new Date(iso)).replace(" at ", ", ")} UTC`;
}

export function browserFact(browser: string | undefined): (readonly [string, string])[] {
  return browser === undefined ? [] : [["Browser", outside(browser)]];
}

function passkeyFact(name: string | undefined): (readonly [string, string])[] {
  return name === undefined ? [] : [["Passkey", outside(name)]];
}

/** `service` is the name of another service, and `account` what it calls the person. */
function serviceFact({ service, account }: Readonly<Record<string, string>>): (readonly [string, string])[] {
  if (service === undefined) return [];
  return [
    ["Service", outside(service)],
    ...(account === undefined ? [] : [["Account there", outside(account)] as const]),
  ];
}

/** The way to throw somebody else out; there is no secret in it. */
function notMe(issuer: string, about: Subject): LetterPart[] {
  const then = {
    other: "",
    passkey: " Then look at the passkeys of your account, and remove what you do not know.",
    link: " Then look at the linked services of your account, and remove what you do not know.",
  }[about];
  return [
    {
      text: `If this was you, there is nothing to do. If it was not you, set a new password now. That signs out everybody else.${then}`,
    },
    { button: { label: "This was not me", href: `${issuer}/recover` } },
  ];
}

function more(last: string | undefined): LetterPart[] {
  return last === undefined
    ? []
    : [{ quiet: "There were several of these within an hour. You get no more mails about this for now." }];
}

/** Mails that tell a person what has happened to the account (U54). */
export const NOTICE_LETTERS: Composers = {
  "new-browser": notice(
    "New sign-in to your account",
    "Somebody signed in from a new browser",
    "Your account was used in a browser that we have not seen before.",
  ),
  "password-changed": notice(
    "Your password was changed",
    "Your password was changed",
    "The password of your account was changed, and every other session was signed out.",
  ),
  "passkey-added": notice(
    "A passkey was added to your account",
    "A passkey was added to your account",
    "Anybody who has its device and can unlock it can sign in as you.",
    "passkey",
  ),
  "passkey-removed": notice(
    "A passkey was removed from your account",
    "A passkey was removed from your account",
    "It cannot be used any more, and what it was signed in with was signed out.",
    "passkey",
  ),
  "passkey-refused": notice(
    "A passkey of yours was refused",
    "A passkey of yours was refused",
    "Its device counts how often the passkey is used, and the count went back. Somebody may have a copy of the device. If you do not know why, remove the passkey and make a new one.",
  ),
  "role-admin": notice(
    "You are an administrator now",
    "You are an administrator now",
    "An administrator gave you the role of an administrator. You can now manage people, clients and settings.",
  ),
  "export-made": notice(
    "Your data was exported",
    "Your data was exported",
    "A file with all data of your account was downloaded.",
  ),
  test: async (_mail, { settings }) => testText(settings),
};

/** The text of a mail that says that mail works. */
export function testText({ AUTH_URL: issuer }: Pick<LetterSettings, "AUTH_URL">): LetterText {
  return {
    subject: "Test mail",
    heading: "Mail works",
    parts: [{ text: `This is a test mail from ${issuer}. An operator asked for it.` }],
  };
}
