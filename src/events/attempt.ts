import type { Webhook } from "../domain/events/webhook.ts";
import {
  type DeliveryOutcome,
  type MadeAttempt,
  nextAttempt,
  type WebhookDelivery,
} from "../domain/events/webhook-delivery.ts";
import { type CallOptions, call } from "./call.ts";

export interface AttemptOptions extends CallOptions {
  /** From 0 to 1. */
  readonly random: () => number;
}

/** The outcome to record, and the attempt to keep; `isGone` if the receiver answered 410. null: the call was cancelled. */
export type Attempt = {
  readonly outcome: DeliveryOutcome;
  readonly made: MadeAttempt;
  readonly isGone: boolean;
} | null;

/** Sends one delivery once. Only what the receiver answers with 2xx in time is delivered. */
export async function attempt(
  webhook: Webhook,
  { eventId, payload, attempts, failures }: WebhookDelivery,
  signal: AbortSignal,
  options: AttemptOptions,
): Promise<Attempt> {
  const { now, random } = options;
  const called = await call(webhook, { id: eventId, body: payload }, signal, options);
  if (called === null) return null;
  const { shortError: error, ...rest } = called;
  const { status } = rest;
  const made = { ...rest, webhookId: webhook.id, number: attempts + 1 };
  const at = now();
  const attemptAt = new Date(at).toISOString();
  if (error === null) {
    const outcome = { state: "DELIVERED", dueAt: null, failures, attemptAt, status, error } as const;
    return { outcome, made, isGone: false };
  }
  const isGone = status === 410;
  const next = isGone ? null : nextAttempt(failures + 1, at, random());
  const outcome: DeliveryOutcome = {
    state: next === null ? "FAILED" : "PENDING",
    dueAt: next === null ? null : new Date(next).toISOString(),
    failures: failures + 1,
    attemptAt,
    status,
    error,
  };
  return { outcome, made, isGone };
}
