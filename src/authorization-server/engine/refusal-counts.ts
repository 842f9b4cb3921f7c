import type { NewAuditEvent } from "../../domain/audit.ts";
import { networkOf } from "../../domain/network.ts";

/** Refusals that are written one by one: of one kind, for one range of IP addresses, in one minute. */
const WRITTEN = 10;
/** Kinds that are counted at the same time. Beyond, all other refusals are one kind. */
const MOST_KINDS = 1_000;
const MINUTE = 60_000;

const REFUSALS: ReadonlySet<NewAuditEvent["result"]> = new Set(["refused", "limited", "denied"]);

interface Count {
  readonly event: NewAuditEvent;
  readonly range: string;
  count: number;
}

/**
 * Keeps strangers from filling the audit: refusals beyond ten a minute become one row for each minute, range of IP
 * addresses and reason (A46).
 */
export class RefusalCounts {
  readonly #now: () => number;
  readonly #write: (event: NewAuditEvent) => void;
  #counts = new Map<string, Count>();
  #since = Number.NEGATIVE_INFINITY;

  /**
   * @param now milliseconds of Unix time
   * @param write gets one row for each count when its minute ends
   */
  constructor(now: () => number, write: (event: NewAuditEvent) => void) {
    this.#now = now;
    this.#write = write;
  }

  /** Whether the event gets its own row; otherwise it is counted. */
  takes(event: NewAuditEvent, reason = event.detail): boolean {
    // In both directions: a clock that is set back must not make a minute last (F14).
    if (Math.abs(this.#now() - this.#since) >= MINUTE) this.flush();
    if (!REFUSALS.has(event.result)) return true;
    const count = this.#countOf({ ...event, detail: reason });
    return ++count.count <= WRITTEN;
  }

  /** Ends the minute: what was counted is written. */
  flush(): void {
    for (const { event, range, count } of this.#counts.values()) {
      if (count <= WRITTEN) continue;
      const detail = `${count - WRITTEN} more within a minute from ${range}: ${event.detail ?? event.result}`;
      this.#write({ event: event.event, result: event.result, detail });
    }
    this.#counts = new Map();
    this.#since = this.#now();
  }

  #countOf(event: NewAuditEvent): Count {
    const range = rangeOf(event.address ?? null);
    const key = JSON.stringify([event.event, event.result, event.detail ?? null, range]);
    const known = this.#counts.get(key);
    if (known !== undefined) return known;
    if (this.#counts.size >= MOST_KINDS) return this.#others(event);
    const count = { event, range, count: 0 };
    this.#counts.set(key, count);
    return count;
  }

  #others({ event, result }: NewAuditEvent): Count {
    const key = `${event} ${result}`;
    const known = this.#counts.get(key);
    if (known !== undefined) return known;
    const others = { event: { event, result, detail: "different reasons" }, range: "many addresses", count: 0 };
    this.#counts.set(key, others);
    return others;
  }
}

/** The range that an IP address is counted in: 256 of IPv4, one network of 64 bits of IPv6. */
function rangeOf(address: string | null): string {
  if (address === null) return "an unknown address";
  const network = networkOf(address);
  if (network.includes(":")) return `${network}::/64`;
  return /^\d+\.\d+\.\d+\.\d+$/.test(network) ? `${network.replace(/\d+$/, "0")}/24` : network;
}
