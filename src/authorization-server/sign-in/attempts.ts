import { networkOf } from "../../domain/network.ts";
import type { AttemptStore } from "../../domain/store/attempts.ts";
import { hashEmail } from "../../secrets/email-hash.ts";

/** Seconds after the first counted attempt after which all of them are forgotten. */
export const ATTEMPT_WINDOW = 15 * 60;
const PER_ACCOUNT = 10;
const PER_ADDRESS = 100;

/**
 * Bounds guessing: so many sign-ins that fail per account, and per network address, in a quarter of an hour, on all
 * nodes together.
 */
export interface AttemptLimit {
  /** Counts an attempt in advance, so that many at the same time do not slip through. @returns whether it may go on */
  begin(place: AttemptPlace): Promise<boolean>;
  /** It was the right person: the account starts again from zero, and the address gets its attempt back. */
  succeed(place: AttemptPlace): Promise<void>;
  /** Nobody learned whether it was the right person: it does not count. */
  withdraw(place: AttemptPlace): Promise<void>;
}

/** The account and the origin of an attempt. */
interface AttemptPlace {
  readonly email: string;
  readonly address: string;
  /**
   * The name of attempts that are this person's own: those of a session that is open, or of a browser in which the person
   * has signed in before. Nobody else can use them up (A48). null: attempts count for the account and the address.
   */
  readonly budget: string | null;
}

export function openAttemptLimit(attempts: AttemptStore, now: () => number): AttemptLimit {
  const add = (key: string) => attempts.add(key, ATTEMPT_WINDOW, Math.floor(now() / 1000));
  return {
    async begin({ email, address, budget }) {
      if (budget !== null) return (await add(budget)) <= PER_ACCOUNT;
      // A caller without attempts left uses up nobody else's.
      if ((await add(network(address))) > PER_ADDRESS) return false;
      return (await add(account(email))) <= PER_ACCOUNT;
    },
    async succeed({ email, address, budget }) {
      if (budget !== null) await attempts.clear(budget);
      else await attempts.withdraw(network(address));
      await attempts.clear(account(email));
    },
    async withdraw({ email, address, budget }) {
      if (budget !== null) return attempts.withdraw(budget);
      await attempts.withdraw(network(address));
      await attempts.withdraw(account(email));
    },
  };
}

/** Resets the attempts of an account, so that its person can sign in again. */
export function unlockAccount(attempts: AttemptStore, email: string): Promise<void> {
  return attempts.clear(account(email));
}

function account(email: string): string {
  return `account ${hashEmail(email)}`;
}

function network(address: string): string {
  return `address ${networkOf(address)}`;
}
