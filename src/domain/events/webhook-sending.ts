import { badInput } from "../errors.ts";
import type { Id } from "../id.ts";
import type { EventType } from "./event.ts";
import { noWebhook, type Webhook } from "./webhook.ts";
import type { WebhookAdministration } from "./webhook-administration.ts";
import type { DeliveryAttempt, Resent } from "./webhook-delivery.ts";
import { exampleBody } from "./webhook-example.ts";

type Sending = Omit<WebhookAdministration, "secrets" | "privateHosts">;

/** Failed deliveries that one call sends again. */
export const MOST_RESENT = 100;

/**
 * Sends a signed body to a webhook once, in a few seconds, and never through the outbox.
 *
 * @param callerId the person for whom it is sent; null for the operator at the terminal
 * @param requestId the request that waits for it; left out at the terminal
 * @throws AppError RATE_LIMITED for too many calls of this caller, or to this host
 */
export type CallWebhook = (
  webhook: Webhook,
  body: string,
  callerId: Id | null,
  requestId?: string,
) => Promise<DeliveryAttempt>;

export interface WebhookTest {
  readonly eventType: EventType;
  /** The body that was sent. */
  readonly payload: string;
  readonly attempt: DeliveryAttempt;
}

/**
 * Sends failed deliveries again that were made since a moment, oldest first, each with the id that it had. To be repeated as long
 * as it finds more than it has sent.
 *
 * @param limit 0 counts only
 * @throws AppError BAD_USER_INPUT for a limit out of range, NOT_FOUND, CONFLICT for a webhook that is disabled, KeyInUse
 */
export async function resendFailedDeliveries(
  { store, now, record, once }: Sending,
  id: Id | null,
  { since, limit }: { readonly since: string; readonly limit: number },
): Promise<Resent> {
  if (!(limit >= 0 && limit <= MOST_RESENT)) throw badInput("limit", `limit must be from 0 to ${MOST_RESENT}.`);
  if (id === null) throw noWebhook();
  const resent = await store.webhooks.resendFailed(id, { since, limit, now: new Date(now()).toISOString() }, once);
  if (resent.resent > 0) {
    const detail = `${id} failed deliveries since ${since} sent again: ${resent.resent}`;
    await record({ event: "webhook", result: "ok", detail });
  }
  return resent;
}

/**
 * Sends a webhook an example of an event with `test: true`, also while it is disabled. Nothing of it is kept except the audit.
 *
 * @throws AppError NOT_FOUND, RATE_LIMITED
 */
export async function testWebhook(
  { store, now, record, actorId, callWebhook }: Sending & { readonly callWebhook: CallWebhook },
  id: Id | null,
  eventType: EventType,
): Promise<WebhookTest> {
  const webhook = id === null ? null : await store.webhooks.find(id);
  if (webhook === null) throw noWebhook();
  const payload = exampleBody(webhook, eventType, new Date(now()).toISOString());
  const attempt = await callWebhook(webhook, payload, actorId);
  const detail = `${id} tested with ${eventType}: ${attempt.error ?? `the receiver answered ${attempt.status}`}`;
  await record({ event: "webhook", result: attempt.error === null ? "ok" : "failed", detail });
  return { eventType, payload, attempt };
}
