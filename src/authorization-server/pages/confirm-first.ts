import { contactLink } from "./contact-link.ts";
import { type Html, html } from "./layout/html.ts";

/** Says how a person whose e-mail address is not confirmed gets on. */
export function confirmFirst(model: {
  /** The path of the account page, which offers the mail. */
  root: string;
  sendsMail: boolean;
  supportContact: string | null;
}): Html {
  return model.sendsMail
    ? html`Confirm your e-mail address first. <a href="${model.root}">Go to your account</a>`
    : html`Your e-mail address must be confirmed first, and this server sends no mail. Ask ${contactLink(model.supportContact)}.`;
}
