import type { Config } from "../config/config.ts";
import { CallBounds, type CallLimits, TooManyCalls } from "../domain/call-bounds.ts";
import { AppError } from "../domain/errors.ts";
import type { CallWebhook } from "../domain/events/webhook-sending.ts";
import type { Id } from "../domain/id.ts";
import { openTestCall } from "../events/test-call.ts";
import { withoutCounting } from "../http/gate.ts";
import { openGuardedFetch } from "../http/guarded-fetch.ts";

/** Tests of webhooks: nobody needs more, and an administrator's token must not make this server flood a host. */
const LIMITS: CallLimits = { atOnce: { host: 2, caller: 2, all: 8 }, inAMinute: { host: 20, caller: 20 } };
/** Milliseconds for one call, so that the answer is there within 15 seconds. */
const LONGEST = 14_000;
/** Milliseconds of the request's time that are left for the rest of it. */
const SPARE = 1_000;

export interface WebhookTestOptions {
  readonly openSecret: (sealed: string, webhookId: Id) => string | null;
  /** Unix time in milliseconds. */
  readonly now: () => number;
  /** Runs work that waits for a host which a caller has chosen: how slow that host is counts as no load. */
  readonly waiting?: (<T>(requestId: string, work: () => Promise<T>) => Promise<T>) | undefined;
}

/**
 * Calls webhooks for tests, under the guards of deliveries (A37). The wait for the receiver counts as no load, has bounds of its
 * own, and ends before the request's time does (A45).
 */
export function openWebhookTest(
  { PRIVATE_HOSTS, REQUEST_TIMEOUT }: Pick<Config, "PRIVATE_HOSTS" | "REQUEST_TIMEOUT">,
  { openSecret, now, waiting = (_id, work) => work() }: WebhookTestOptions,
): CallWebhook {
  const bounds = new CallBounds(LIMITS, now);
  const time = Math.max(SPARE, REQUEST_TIMEOUT * 1_000 - SPARE);
  const send = openGuardedFetch({ privateHosts: PRIVATE_HOSTS });
  const call = openTestCall({ send, openSecret, now, timeout: Math.min(LONGEST, time) });
  return async (webhook, body, caller, requestId = "") => {
    try {
      const bounded = { url: webhook.url, caller, isRepeatable: true };
      return await bounds.call(bounded, () => waiting(requestId, () => withoutCounting(() => call(webhook, body))));
    } catch (error) {
      if (!(error instanceof TooManyCalls)) throw error;
      const { retryAfter } = error;
      throw new AppError("RATE_LIMITED", "Too many tests of webhooks. Try again in a minute.", { retryAfter });
    }
  };
}
