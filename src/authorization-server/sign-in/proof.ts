import type { Passkey } from "../../domain/people/passkey.ts";
import type { User } from "../../domain/people/user.ts";
import { hashToken } from "../../secrets/token-hash.ts";

/** The way in which somebody has shown to be the person, as tokens tell it to clients. */
export interface Proof {
  /** Authentication Context Class Reference: REFEDS Assurance Framework 2.0, OpenID Connect EAP ACR Values 1.0. */
  readonly acr: string;
  /** Authentication Method References (RFC 8176). */
  readonly amr: readonly string[];
  /** Hash of the credential id of the passkey that was used; null for none. */
  readonly passkey: string | null;
}

/** Somebody who has shown to be the person, and how. */
export interface Entrant {
  readonly user: User;
  readonly proof: Proof;
}

export const PASSWORD_PROOF: Proof = { acr: "https://refeds.org/profile/sfa", amr: ["pwd"], passkey: null };

/** The class of a sign-in with two factors (REFEDS MFA Profile). */
export const MFA_ACR = "https://refeds.org/profile/mfa";

/** The proof after the digits of an authenticator app. */
export function withAuthenticator(proof: Proof): Proof {
  return { ...proof, acr: MFA_ACR, amr: [...proof.amr, "otp", "mfa"] };
}

/** A passkey shows that the device is there and that its person has unlocked it: that is two factors (U40). */
export function passkeyProof({
  credentialId,
  isBackupEligible,
}: Pick<Passkey, "credentialId" | "isBackupEligible">): Proof {
  return {
    acr: "phr",
    amr: ["pop", "user", "mfa", isBackupEligible ? "swk" : "hwk"],
    passkey: passkeyMark(credentialId),
  };
}

/** The name under which sessions know the passkey that they began with. */
export function passkeyMark(credentialId: string): string {
  return hashToken(credentialId);
}

/** The proof as the session keeps it. */
export function sessionFacts({ acr, amr, passkey }: Proof) {
  return { acr, amr: [...amr], ...(passkey === null ? {} : { passkey }) };
}
