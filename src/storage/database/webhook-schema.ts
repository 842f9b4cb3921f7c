import type { EventType } from "../../domain/events/event.ts";
import type { Webhook } from "../../domain/events/webhook.ts";
import type { DeliveryState } from "../../domain/events/webhook-delivery.ts";
import type { Id } from "../../domain/id.ts";

/** The tables of webhooks, as the newest migration leaves them: see schema.ts. */
export interface WebhookSchema {
  readonly webhooks: WebhookTable;
  readonly webhook_deliveries: WebhookDeliveryTable;
  readonly webhook_attempts: WebhookAttemptTable;
}

export interface WebhookTable {
  readonly id: Id;
  readonly url: string;
  /** A JSON array of strings. */
  readonly event_types: string;
  readonly includes_unpublished: number;
  readonly secret: string;
  readonly previous_secret: string | null;
  readonly previous_until: string | null;
  /** Place in the outbox; empty for its beginning. */
  readonly cursor: Id | "";
  readonly created_at: string;
  readonly disabled_at: string | null;
  readonly disabled_by: Webhook["disabledBy"];
  /** Time of the first failed attempt since the last delivery; null while deliveries succeed. */
  readonly failing_since: string | null;
  readonly failing_reason: string | null;
}

export interface WebhookDeliveryTable {
  readonly id: Id;
  readonly webhook_id: Id;
  readonly event_id: Id;
  readonly event_type: EventType;
  readonly payload: string;
  readonly state: DeliveryState;
  readonly created_at: string;
  readonly due_at: string | null;
  readonly claim: string | null;
  readonly attempts: number;
  readonly failures: number;
  readonly last_attempt_at: string | null;
  readonly last_status: number | null;
  readonly last_error: string | null;
  /** The post that the event is about; null for events of people. */
  readonly post_id: Id | null;
}

/** The newest attempts of each delivery. They go with it. */
interface WebhookAttemptTable {
  readonly delivery_id: Id;
  /** Counts from 1 in each delivery. */
  readonly number: number;
  readonly started_at: string;
  readonly duration_ms: number;
  readonly status: number | null;
  readonly error: string | null;
  /** A JSON array of names and values; null where nothing was sent. */
  readonly headers: string | null;
  readonly answer: string | null;
}
