import { AppError } from "../errors.ts";
import type { Id } from "../id.ts";
import type { EventType } from "./event.ts";

/** An address that is told of changes by HTTP (Standard Webhooks 1.0.0). */
export interface Webhook {
  readonly id: Id;
  readonly url: string;
  /** Types of events that it gets. An empty list means all. */
  readonly eventTypes: readonly EventType[];
  /** Whether it is told of posts that are not published, and what is in them. */
  readonly includesUnpublished: boolean;
  /** Sealed, of the form `whsec_…` inside. */
  readonly secret: string;
  /** The sealed secret before, which signs too until `previousUntil`. */
  readonly previousSecret: string | null;
  readonly previousUntil: string | null;
  /** The last event that has been made a delivery of, where it is for this webhook; empty: none. */
  readonly cursor: Id | "";
  readonly createdAt: string;
  readonly disabledAt: string | null;
  /** The cause of disabling: an administrator, or the receiver by answering 410. */
  readonly disabledBy: "administrator" | "receiver" | null;
}

export type NewWebhook = Pick<Webhook, "url" | "eventTypes" | "includesUnpublished">;

/** Makes secrets, and encrypts them for the store. A sealed one opens for its own webhook only. */
export interface WebhookSecrets {
  /** `whsec_` and 256 random bits in base64. */
  create(): string;
  seal(secret: string, webhookId: Id): string;
}

export function noWebhook(): AppError {
  return new AppError("NOT_FOUND", "There is no webhook with this id.");
}
