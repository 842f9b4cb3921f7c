import { createHmac, createSecretKey, timingSafeEqual } from "node:crypto";

/** Milliseconds after which there is a new nonce. */
const STEP = 60_000;
/** Steps for which one is taken: at most the five minutes for which a proof counts. */
const TAKEN = 5;

/** Nonces that a proof must have, so that none can be made ahead of its use (RFC 9449 section 9). */
export interface DpopNonces {
  /** The one for the next proof. */
  current(): string;
  isTaken(nonce: string): boolean;
}

/** They follow from the key and the time, so that every node knows all of them. @param now milliseconds of Unix time */
export function openDpopNonces(key: Uint8Array, now: () => number): DpopNonces {
  const secret = createSecretKey(key);
  const nonceOf = (step: number) => createHmac("sha256", secret).update(String(step)).digest("base64url");
  const step = () => Math.floor(now() / STEP);
  return {
    current: () => nonceOf(step()),
    isTaken(nonce) {
      const given = Buffer.from(nonce);
      // One ahead: nodes may disagree about the minute.
      return Array.from({ length: TAKEN + 1 }, (_, back) => Buffer.from(nonceOf(step() + 1 - back))).some(
        (expected) => expected.length === given.length && timingSafeEqual(expected, given),
      );
    },
  };
}
