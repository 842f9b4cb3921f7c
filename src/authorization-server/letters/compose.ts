import type { Mail } from "../../domain/people/mail.ts";
import type { Letter } from "../../mail/letter.ts";
import type { Composers, LetterServices } from "./composer.ts";
import { DELETION_LETTERS } from "./deletion-letters.ts";
import { EMAIL_LETTERS } from "./email-letters.ts";
import { INVITATION_LETTERS } from "./invitation-letter.ts";
import { NOTICE_LETTERS } from "./notice-letters.ts";
import { RECOVERY_LETTERS } from "./recovery-letters.ts";
import { SECOND_STEP_LETTERS } from "./second-step-letters.ts";
import { SIGN_UP_LETTERS } from "./sign-up-letters.ts";
import { UPSTREAM_LETTERS } from "./upstream-letters.ts";

/** Every kind of mail with its letter. */
const COMPOSERS: Composers = {
  ...INVITATION_LETTERS,
  ...NOTICE_LETTERS,
  ...SIGN_UP_LETTERS,
  ...RECOVERY_LETTERS,
  ...EMAIL_LETTERS,
  ...DELETION_LETTERS,
  ...SECOND_STEP_LETTERS,
  ...UPSTREAM_LETTERS,
};

/** Turns a mail whose turn has come into a letter; null where there is nothing to send. */
export function openCompose(services: LetterServices): (mail: Mail) => Promise<Letter | null> {
  return async (mail) => {
    const text = (await COMPOSERS[mail.kind]?.(mail, services)) ?? null;
    return text === null ? null : { to: mail.address, language: mail.language, ...text };
  };
}
