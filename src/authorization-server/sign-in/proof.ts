import { type Acr, MFA_ACR, PASSKEY_ACR, SFA_ACR } from "../../domain/acr.ts";
import type { Passkey } from "../../domain/people/passkey.ts";
import type { User } from "../../domain/people/user.ts";
import { hashToken } from "../../secrets/token-hash.ts";
import type { UpstreamOrigin } from "../upstreams/upstream.ts";

/** The way in which somebody has shown to be the person, as tokens tell it to clients. */
export interface Proof {
  /** Authentication Context Class Reference. */
  readonly acr: Acr;
  /** Authentication Method References (RFC 8176). */
  readonly amr: readonly string[];
  /** Hash of the credential id of the passkey that was used; null for none. */
  readonly passkey: string | null;
  /** The identity at another service that was used; left out for none. */
  readonly upstream?: UpstreamOrigin | undefined;
}

/** Somebody who has shown to be the person, and how. */
export interface Entrant {
  readonly user: User;
  readonly proof: Proof;
}

export const PASSWORD_PROOF: Proof = { acr: SFA_ACR, amr: ["pwd"], passkey: null };

/** A passkey shows that the device is there and that its person has unlocked it: that is two factors (U40). */
export function passkeyProof({
  credentialId,
  isBackupEligible,
}: Pick<Passkey, "credentialId" | "isBackupEligible">): Proof {
  return {
    acr: PASSKEY_ACR,
    amr: ["pop", "user", "mfa", isBackupEligible ? "swk" : "hwk"],
    passkey: passkeyMark(credentialId),
  };
}

/** Another service has shown who it is. Its word for a second step counts where `mfa` trusts it; of methods nothing is known for sure. */
export function upstreamProof(upstream: UpstreamOrigin, isSecondStep: boolean): Proof {
  const strength = isSecondStep ? { acr: MFA_ACR, amr: ["mfa"] } : { acr: PASSWORD_PROOF.acr, amr: [] };
  return { ...strength, passkey: null, upstream };
}

/** Both steps. @param first methods of the first one @param second those of the second one, such as "otp" */
export function twoStepProof(first: readonly string[], second: readonly string[]): Proof {
  return { acr: MFA_ACR, amr: [...first, ...second, "mfa"], passkey: null };
}

/** The password, and then a passkey. */
export function andPasskey(first: readonly string[], passkey: Parameters<typeof passkeyProof>[0]): Proof {
  const proof = passkeyProof(passkey);
  return { ...proof, amr: [...first, ...proof.amr] };
}

/** The name under which sessions know the passkey that they began with. */
export function passkeyMark(credentialId: string): string {
  return hashToken(credentialId);
}

/** The proof as the session keeps it. */
export function sessionFacts({ acr, amr, passkey, upstream }: Proof) {
  return {
    acr,
    ...(amr.length === 0 ? {} : { amr: [...amr] }),
    ...(passkey === null ? {} : { passkey }),
    ...(upstream === undefined ? {} : { upstream }),
  };
}
