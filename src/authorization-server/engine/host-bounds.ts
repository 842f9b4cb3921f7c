import Provider from "oidc-provider";
import { CallBounds } from "../../domain/call-bounds.ts";
import { networkOf } from "../../domain/network.ts";
import type { EngineRequest } from "../http/engine-request.ts";

/** Calls at the same time: to one host, for the callers of one network, and in all. */
const AT_ONCE = { host: 8, caller: 4, all: 64 } as const;
/** Calls in a minute that ask one host, or are caused by one network, for something that we do not know yet. */
const IN_A_MINUTE = { host: 60, caller: 30 } as const;

/** Bounds on calls to hosts that callers have chosen: the address of a client's document or of its keys. */
export class HostBounds {
  readonly #bounds: CallBounds;

  /** @param now milliseconds of Unix time */
  constructor(now: () => number) {
    this.#bounds = new CallBounds({ atOnce: AT_ONCE, inAMinute: IN_A_MINUTE }, now);
  }

  /**
   * Makes a call within the bounds.
   *
   * @param isUnknown whether anybody can cause it with a URL of their own invention: then calls in a minute are bounded too
   * @throws TooManyCalls, what `work` throws
   */
  call<T>(url: string, isUnknown: boolean, work: () => Promise<T>): Promise<T> {
    const request = Provider.ctx?.req as EngineRequest | undefined;
    const caller = request === undefined ? null : networkOf(request.address);
    return this.#bounds.call({ url, caller, isRepeatable: isUnknown }, work);
  }
}
