import { randomUUID } from "node:crypto";
import type { Webhook } from "../domain/events/webhook.ts";
import type { DeliveryAttempt } from "../domain/events/webhook-delivery.ts";
import { type CallOptions, call } from "./call.ts";

/** Sends a body once, signed as deliveries are, with an id of its own. Only its time limit ends it. */
export function openTestCall(options: CallOptions): (webhook: Webhook, body: string) => Promise<DeliveryAttempt> {
  return async (webhook, body) => {
    const called = await call(webhook, { id: randomUUID(), body }, new AbortController().signal, options);
    if (called === null) throw new Error("A test that nobody cancels was cancelled.");
    const { shortError: _, ...attempt } = called;
    return attempt;
  };
}
