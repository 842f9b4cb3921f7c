import { createHash } from "node:crypto";
import { LRUCache } from "lru-cache";
import { emailKey } from "../domain/user.ts";

const WINDOW_MS = 15 * 60_000;
const PER_ACCOUNT = 10;
const PER_ADDRESS = 100;

/** Bounds guessing: so many sign-ins that fail per account, and per network address, in a quarter of an hour. */
export interface AttemptLimit {
  /** Counts an attempt in advance, so that many at once do not slip through. @returns whether it may go on */
  begin(email: string, address: string): boolean;
  /** It was the right person: the account starts anew, and the address gets its attempt back. */
  succeed(email: string, address: string): void;
  /** Nobody learned whether it was the right person: it does not count. */
  withdraw(email: string, address: string): void;
}

export function openAttemptLimit(): AttemptLimit {
  const counts = new LRUCache<string, number>({ max: 100_000, ttl: WINDOW_MS, noUpdateTTL: true });
  const add = (key: string, by: number) => {
    const count = (counts.get(key) ?? 0) + by;
    counts.set(key, count);
    return count;
  };
  return {
    begin(email, address) {
      // Whoever has no attempt left uses up nobody else's, and pushes no other count out of memory.
      if (add(network(address), 1) > PER_ADDRESS) return false;
      return add(account(email), 1) <= PER_ACCOUNT;
    },
    succeed(email, address) {
      add(network(address), -1);
      counts.delete(account(email));
    },
    withdraw(email, address) {
      add(network(address), -1);
      add(account(email), -1);
    },
  };
}

/** One key for every spelling that finds the account (A39), and a short one for whatever was typed. */
function account(email: string): string {
  return `account ${createHash("sha256").update(emailKey(email)).digest("base64url")}`;
}

/** An IPv4 address, or the /64 that one subscriber of IPv6 has. */
function network(address: string): string {
  const mapped = /^(?:::ffff:)?(\d+\.\d+\.\d+\.\d+)$/i.exec(address);
  if (mapped !== null) return `address ${mapped[1]}`;
  const [head = "", tail] = address.split("::");
  const left = head.split(":").filter((group) => group !== "");
  const right = tail?.split(":") ?? [];
  const zeros = tail === undefined ? [] : Array<string>(Math.max(0, 8 - left.length - right.length)).fill("0");
  return `address ${[...left, ...zeros, ...right].slice(0, 4).join(":").toLowerCase()}`;
}
