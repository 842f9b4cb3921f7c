import { type Html, html } from "./layout/html.ts";

/** The contact of people who need help. @param contact `SUPPORT_CONTACT`, an e-mail address or an https URL; null for an administrator */
export function contactLink(contact: string | null): Html {
  if (contact === null) return html`an administrator`;
  const href = contact.startsWith("https:") ? contact : `mailto:${contact}`;
  return html`<a href="${href}"><bdi>${contact}</bdi></a>`;
}
