/** Calls at the same time, and in a minute. */
export interface CallLimits {
  /** To one host, of one caller, and in all. */
  readonly atOnce: { readonly host: number; readonly caller: number; readonly all: number };
  /** To one host, and of one caller. */
  readonly inAMinute: { readonly host: number; readonly caller: number };
}

export interface BoundedCall {
  readonly url: string;
  /** Names the caller; null for none that is counted. */
  readonly caller: string | null;
  /** Whether the limits of a minute count too: for calls that anybody can cause again and again. */
  readonly isRepeatable: boolean;
}

const MINUTE = 60_000;
/** Hosts and callers that are counted at the same time; the longest unused one is forgotten. */
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
 * Bounds on calls to hosts that callers have chosen. Nobody can make this server call one host without end, and one caller cannot
 * take all calls (A45).
 */
export class CallBounds {
  readonly #limits: CallLimits;
  readonly #now: () => number;
  readonly #hosts = new Map<string, Count>();
  readonly #callers = new Map<string, Count>();
  #active = 0;

  /** @param now milliseconds of Unix time */
  constructor(limits: CallLimits, now: () => number) {
    this.#limits = limits;
    this.#now = now;
  }

  /**
   * Makes a call within the bounds.
   *
   * @throws TooManyCalls, what `work` throws
   */
  async call<T>({ url, caller: name, isRepeatable }: BoundedCall, work: () => Promise<T>): Promise<T> {
    const { atOnce, inAMinute } = this.#limits;
    const host = this.#count(this.#hosts, new URL(url).host);
    const caller = name === null ? null : this.#count(this.#callers, name);
    const isTooMany =
      this.#active >= atOnce.all ||
      host.active >= atOnce.host ||
      (caller?.active ?? 0) >= atOnce.caller ||
      (isRepeatable && (host.inMinute >= inAMinute.host || (caller?.inMinute ?? 0) >= inAMinute.caller));
    if (isTooMany) throw new TooManyCalls("too many calls to this host, or by this caller");
    const counts = caller === null ? [host] : [host, caller];
    this.#active++;
    for (const count of counts) {
      count.active++;
      if (isRepeatable) count.inMinute++;
    }
    try {
      return await work();
    } finally {
      this.#active--;
      for (const count of counts) count.active--;
    }
  }

  #count(counts: Map<string, Count>, key: string): Count {
    const now = this.#now();
    const count = counts.get(key) ?? { active: 0, inMinute: 0, minuteSince: now };
    // To the end of the line: the one that nobody has used for the longest is forgotten first.
    counts.delete(key);
    counts.set(key, count);
    const [oldest] = counts.keys();
    if (counts.size > COUNTED && oldest !== undefined) counts.delete(oldest);
    // In both directions: a clock that is set back must not make a minute last (F14).
    if (Math.abs(now - count.minuteSince) >= MINUTE) {
      count.inMinute = 0;
      count.minuteSince = now;
    }
    return count;
  }
}
