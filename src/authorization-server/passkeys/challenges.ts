import { randomBytes } from "node:crypto";
import type { AttemptStore } from "../../domain/store/attempts.ts";
import type { Sealer } from "../../secrets/seal.ts";
import { hashToken } from "../../secrets/token-hash.ts";

/** Milliseconds for which a page with a challenge can be used. */
const LIFETIME = 3_600_000;

/** Purpose of a challenge. An answer for one purpose does not count for the other (P30). */
type Purpose = "sign-in" | "new passkey";

/** A challenge for the browser, and the same sealed, which its form sends back. */
interface IssuedChallenge {
  /** 32 random bytes, base64url. */
  readonly challenge: string;
  readonly state: string;
}

/** Random bytes that an authenticator signs, so that no answer counts twice. Nothing is kept of those that nobody answers. */
export interface Challenges {
  /**
   * @param form the proof of the form that it stands in: it counts in no other browser, and for no other person
   * @param about a text that comes back with it
   */
  issue(purpose: Purpose, form: string, about?: string): IssuedChallenge;
  /** Spends one, for all nodes. @returns null for a state that is old, used, or another form's */
  spend(purpose: Purpose, form: string, state: string): Promise<{ challenge: string; about: string } | null>;
}

interface State {
  readonly challenge: string;
  readonly about: string;
  /** Milliseconds of Unix time. */
  readonly until: number;
}

/** @param now milliseconds of Unix time */
export function openChallenges(sealer: Sealer, attempts: AttemptStore, now: () => number): Challenges {
  const contextOf = (purpose: Purpose, form: string) => `passkey challenge, ${purpose}, ${form}`;

  return {
    issue(purpose, form, about = "") {
      const challenge = randomBytes(32).toString("base64url");
      const state: State = { challenge, about, until: now() + LIFETIME };
      return { challenge, state: sealer.seal(JSON.stringify(state), contextOf(purpose, form)) };
    },

    async spend(purpose, form, sealed) {
      const opened = sealed.length > 2_000 ? null : sealer.open(sealed, contextOf(purpose, form));
      if (opened === null) return null;
      const { challenge, about, until } = JSON.parse(opened) as State;
      if (until <= now()) return null;
      const key = `passkey challenge ${hashToken(challenge)}`;
      const isFirst = await attempts.claimOnce(key, Math.ceil(until / 1_000) + 300, Math.floor(now() / 1_000));
      return isFirst ? { challenge, about } : null;
    },
  };
}
