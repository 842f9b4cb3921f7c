/**
 * Authentication Context Class References, weakest first: the strength of a sign-in, as tokens tell it to clients. REFEDS Single-Factor
 * and Multi-Factor Authentication Profiles; OpenID Connect EAP ACR Values 1.0 for a sign-in that resists phishing.
 */
export const ACRS = ["https://refeds.org/profile/sfa", "https://refeds.org/profile/mfa", "phr"] as const;

export type Acr = (typeof ACRS)[number];

export const [SFA_ACR, MFA_ACR, PASSKEY_ACR] = ACRS;

/** Place in the order of strength, from 1 for one factor to 3 for a passkey; 0 for none and for names that are not of this list. */
export function acrRank(acr: unknown): number {
  return ACRS.indexOf(acr as Acr) + 1;
}
