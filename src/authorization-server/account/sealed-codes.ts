import type { User } from "../../domain/people/user.ts";
import type { Sealer } from "../../secrets/seal.ts";

/** Milliseconds for which the text file can be downloaded. */
const LIFETIME = 60 * 60_000;
/** Milliseconds for which the session counts as one that has shown the authenticator app. */
const PROOF_LIFETIME = 10 * 60_000;

interface NewCodes {
  readonly codes: readonly string[];
  /** Whether this session confirmed an authenticator app a moment ago: it has shown both factors. */
  readonly hasShownApp: boolean;
}

interface Sealed extends NewCodes {
  /** `User.credentialVersion` when the codes were made. */
  readonly version: number;
  /** Milliseconds of Unix time. */
  readonly at: number;
}

/** New recovery codes in a hidden field of the page that shows them: the database has only their hashes (U44). */
export interface SealedCodes {
  /** @param csrf of the form that it stands in: it counts in no other session */
  seal(user: User, codes: NewCodes, csrf: string): string;
  /** @returns null for codes that are another's or too old, and after a later change of the person's credentials */
  open(user: User, sealed: string, csrf: string): NewCodes | null;
}

/** @param now Unix time in milliseconds */
export function openSealedCodes(sealer: Sealer, now: () => number): SealedCodes {
  const placeOf = ({ id }: User, csrf: string) => `new recovery codes of ${id} in ${csrf}`;

  return {
    seal(user, { codes, hasShownApp }, csrf) {
      const content: Sealed = { codes, hasShownApp, version: user.credentialVersion, at: now() };
      return sealer.seal(JSON.stringify(content), placeOf(user, csrf));
    },

    open(user, sealed, csrf) {
      const text = sealed.length > 2_000 ? null : sealer.open(sealed, placeOf(user, csrf));
      if (text === null) return null;
      const { codes, hasShownApp, version, at } = JSON.parse(text) as Sealed;
      const age = now() - at;
      if (version !== user.credentialVersion || age > LIFETIME) return null;
      return { codes, hasShownApp: hasShownApp && age <= PROOF_LIFETIME };
    },
  };
}
