import { LRUCache } from "lru-cache";
import Provider from "oidc-provider";
import { networkOf } from "../../domain/network.ts";
import type { EngineRequest } from "../http/engine-request.ts";

/** Calls at the same time: to one host, for the callers of one network, and in all. */
const AT_ONCE = { host: 8, caller: 4, all: 64 } as const;
/** Calls in a minute that ask one host, or are caused by one network, for something that we do not know yet. */
const IN_A_MINUTE = { host: 60, caller: 30 } as const;
const MINUTE = 60_000;
/** Hosts and networks that are counted at the same time; the longest unused one is forgotten. */
const COUNTED = 10_000;

/** Thrown instead of one more call. It says when another attempt makes sense. */
export class TooManyCalls extends Error {
  override readonly name = "TooManyCalls";
  readonly retryAfter = 60;
}

interface Count {
  active: number;
  inMinute: number;
  minuteSince: number;
}

/**
 * Bounds on calls to hosts that callers have chosen: the address of a client's document or of its keys. Nobody can make this
 * server call one host without end, and one caller cannot take all calls (A45).
 */
export class HostBounds {
  readonly #now: () => number;
  readonly #hosts = new LRUCache<string, Count>({ max: COUNTED });
  readonly #callers = new LRUCache<string, Count>({ max: COUNTED });
  #active = 0;

  /** @param now milliseconds of Unix time */
  constructor(now: () => number) {
    this.#now = now;
  }

  /**
   * Makes a call within the bounds.
   *
   * @param isUnknown whether anybody can cause it with a URL of their own invention: then calls in a minute are bounded too
   * @throws TooManyCalls, what `work` throws
   */
  async call<T>(url: string, isUnknown: boolean, work: () => Promise<T>): Promise<T> {
    const host = this.#count(this.#hosts, new URL(url).host);
    const request = Provider.ctx?.req as EngineRequest | undefined;
    const caller = request === undefined ? null : this.#count(this.#callers, networkOf(request.address));
    const isTooMany =
      this.#active >= AT_ONCE.all ||
      host.active >= AT_ONCE.host ||
      (caller?.active ?? 0) >= AT_ONCE.caller ||
      (isUnknown && (host.inMinute >= IN_A_MINUTE.host || (caller?.inMinute ?? 0) >= IN_A_MINUTE.caller));
    if (isTooMany) throw new TooManyCalls("too many calls to this host, or by this caller");
    const counts = caller === null ? [host] : [host, caller];
    this.#active++;
    for (const count of counts) {
      count.active++;
      if (isUnknown) count.inMinute++;
    }
    try {
      return await work();
    } finally {
      this.#active--;
      for (const count of counts) count.active--;
    }
  }

  #count(counts: LRUCache<string, Count>, key: string): Count {
    const now = this.#now();
    const known = counts.get(key);
    const count = known ?? { active: 0, inMinute: 0, minuteSince: now };
    if (known === undefined) counts.set(key, count);
    // In both directions: a clock that is set back must not make a minute last (F14).
    if (Math.abs(now - count.minuteSince) >= MINUTE) {
      count.inMinute = 0;
      count.minuteSince = now;
    }
    return count;
  }
}
