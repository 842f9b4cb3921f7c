import { createHash } from "node:crypto";
import { networkOf } from "../../domain/network.ts";
import { emailKey } from "../../domain/people/email.ts";
import type { AttemptStore } from "../../domain/store/attempts.ts";

const WINDOW_SECONDS = 15 * 60;
const PER_ACCOUNT = 10;
const PER_ADDRESS = 100;

/**
 * Bounds guessing: so many sign-ins that fail per account, and per network address, in a quarter of an hour, on all
 * nodes together.
 */
export interface AttemptLimit {
  /** Counts an attempt in advance, so that many at once do not slip through. @returns whether it may go on */
  begin(email: string, address: string): Promise<boolean>;
  /** It was the right person: the account starts anew, and the address gets its attempt back. */
  succeed(email: string, address: string): Promise<void>;
  /** Nobody learned whether it was the right person: it does not count. */
  withdraw(email: string, address: string): Promise<void>;
}

export function openAttemptLimit(attempts: AttemptStore, now: () => number): AttemptLimit {
  const add = (key: string) => attempts.add(key, WINDOW_SECONDS, Math.floor(now() / 1000));
  return {
    async begin(email, address) {
      // Whoever has no attempt left uses up nobody else's.
      if ((await add(network(address))) > PER_ADDRESS) return false;
      return (await add(account(email))) <= PER_ACCOUNT;
    },
    async succeed(email, address) {
      await attempts.withdraw(network(address));
      await attempts.clear(account(email));
    },
    async withdraw(email, address) {
      await attempts.withdraw(network(address));
      await attempts.withdraw(account(email));
    },
  };
}

/** One key for every spelling that finds the account (A39), and a short one for whatever was typed. */
function account(email: string): string {
  return `account ${createHash("sha256").update(emailKey(email)).digest("base64url")}`;
}

function network(address: string): string {
  return `address ${networkOf(address)}`;
}
