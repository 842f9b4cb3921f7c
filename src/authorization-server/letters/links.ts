/** The pages that links in mails lead to, below the issuer. */
export const LINK_PATHS = {
  "sign-up": "/sign-up/finish",
  invitation: "/invitation",
  recovery: "/recover/finish",
  "email-change": "/account/email/finish",
  "email-undo": "/account/email/undo",
} as const;

/** The URL for a mail. It comes from the settings, never from a request (R1). */
export function linkTo(issuer: string, purpose: keyof typeof LINK_PATHS, secret: string): string {
  return `${issuer}${LINK_PATHS[purpose]}?token=${secret}`;
}
