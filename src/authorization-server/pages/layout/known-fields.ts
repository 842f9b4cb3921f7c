import type { Field } from "./field.ts";
import { html } from "./html.ts";

/** The rules for a new password, as far as people need to know them beforehand. */
const PASSWORD_HINT =
  "At least 15 characters, without your name, your e-mail address and the name of this service. A few words in a row are fine.";

/** Attributes of an input for an e-mail address, besides `autocomplete`: phones change nothing that is typed. type=email rejects some. */
export const ADDRESS_INPUT = html`type="text" inputmode="email" autocapitalize="none" autocorrect="off" spellcheck="false"`;

/** The address of the account, for password managers. It cannot be changed. */
export function fixedAddressField(email: string): Field {
  const attributes = html`type="text" autocomplete="username" readonly value="${email}"`;
  return { name: "email", label: "E-mail address", attributes };
}

/** @param name typed last, or the present one */
export function nameField(name: string, hint?: string): Field {
  const attributes = html`type="text" autocomplete="name" maxlength="400" value="${name}"`;
  return { name: "name", label: "Your name", attributes, ...(hint === undefined ? {} : { hint }) };
}

export function currentPasswordField(name: string, label: string): Field {
  return { name, label, attributes: html`type="password" autocomplete="current-password"` };
}

export function newPasswordField(label = "New password"): Field {
  const attributes = html`type="password" autocomplete="new-password" minlength="15"`;
  return { name: "password", label, attributes, hint: PASSWORD_HINT };
}

/** The code from a mail. */
export const CODE_FIELD: Field = {
  name: "code",
  label: "Code",
  attributes: html`type="text" autocomplete="one-time-code" autocapitalize="characters" autocorrect="off" spellcheck="false" maxlength="40"`,
  hint: "Eight letters, such as BCDF-GHJK.",
};

/** The digits that an authenticator app shows. */
export const DIGITS_FIELD: Field = {
  name: "digits",
  label: "Digits",
  attributes: html`type="text" inputmode="numeric" autocomplete="one-time-code" maxlength="20"`,
  hint: "The 6 digits that the app shows now.",
};

/** One of the codes that a person keeps. */
export const RECOVERY_CODE_FIELD: Field = {
  name: "code",
  label: "Recovery code",
  attributes: html`type="text" autocomplete="off" autocapitalize="characters" autocorrect="off" spellcheck="false" maxlength="40"`,
  hint: "Fifteen letters, such as BCDFG-HJKLM-NPQRS.",
};
