import type { Selectable } from "kysely";
import type { WebhookDelivery } from "../../domain/events/webhook-delivery.ts";
import type { WebhookDeliveryTable } from "../database/webhook-schema.ts";

export function toDelivery(row: Selectable<WebhookDeliveryTable>): WebhookDelivery {
  return {
    id: row.id,
    webhookId: row.webhook_id,
    eventId: row.event_id,
    eventType: row.event_type,
    payload: row.payload,
    state: row.state,
    createdAt: row.created_at,
    dueAt: row.due_at,
    claim: row.claim,
    attempts: Number(row.attempts),
    failures: Number(row.failures),
    lastAttemptAt: row.last_attempt_at,
    lastStatus: row.last_status === null ? null : Number(row.last_status),
    lastError: row.last_error,
  };
}
