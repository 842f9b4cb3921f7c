import { networkOf } from "../../domain/network.ts";
import type { AttemptStore } from "../../domain/store/attempts.ts";
import { hashEmail } from "../../secrets/email-hash.ts";

const HOUR = 3_600;
const DAY = 86_400;
const PER_ADDRESS = { hour: 3, day: 5 } as const;
const PER_NETWORK = 20;
/** For the network of 48 bits around an IPv6 address. */
const PER_SITE = 200;
const PER_KIND = 5;

/** Bounds of mails that somebody asks for, so that nobody is flooded with them (U32), on all nodes together. */
export interface MailLimits {
  /**
   * Counts a request from there. @returns seconds to wait, 0 to go on
   */
  ofNetwork(address: string): Promise<number>;
  /**
   * Counts a mail to the address. Nobody is told: the page is the same.
   * @param browser name of a browser that the account knows, which strangers cannot use up; null for any other
   */
  mayMail(email: string, browser: string | null): Promise<boolean>;
  /** Counts a notice to a person. `last`: the notice to send says that there are more of them. */
  ofNotice(userId: string, kind: string): Promise<"send" | "last" | "drop">;
}

/** @param now Unix time in milliseconds */
export function openMailLimits(attempts: AttemptStore, now: () => number): MailLimits {
  const nowSeconds = () => Math.floor(now() / 1_000);
  const add = (key: string, seconds: number) => attempts.add(key, seconds, nowSeconds());

  return {
    async ofNetwork(address) {
      const network = networkOf(address);
      if ((await add(`mails from ${network}`, HOUR)) > PER_NETWORK) return HOUR;
      // Only now, so that a network beyond its own limit uses up nothing of the others around it.
      const site = siteOf(network);
      return site !== null && (await add(`mails from ${site}`, HOUR)) > PER_SITE ? HOUR : 0;
    },
    async mayMail(email, browser) {
      const key = browser === null ? `mails to ${hashEmail(email)}` : `mails for ${browser}`;
      const [inHour = 0, inDay = 0] = await attempts.addAll(
        [
          { key: `${key} in an hour`, windowSeconds: HOUR },
          { key: `${key} in a day`, windowSeconds: DAY },
        ],
        nowSeconds(),
      );
      return inHour <= PER_ADDRESS.hour && inDay <= PER_ADDRESS.day;
    },
    async ofNotice(userId, kind) {
      const count = await add(`notices ${kind} ${userId}`, HOUR);
      if (count > PER_KIND) return "drop";
      return count === PER_KIND ? "last" : "send";
    },
  };
}

/** The first 48 bits of an IPv6 network as `networkOf` writes it; null for IPv4. */
function siteOf(network: string): string | null {
  return network.includes(":") ? `${network.split(":").slice(0, 3).join(":")}::/48` : null;
}
