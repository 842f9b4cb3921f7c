import type { Id } from "../id.ts";
import type { Once } from "../idempotency.ts";
import { type ContentEvent, type EventType, isOfPost } from "./event.ts";
import { readPostEvent } from "./post-event.ts";
import type { NewWebhook, Webhook } from "./webhook.ts";

/** PENDING: the next attempt is at `dueAt`. FAILED: all attempts failed, or the receiver answered 410. */
export const DELIVERY_STATES = ["PENDING", "DELIVERED", "FAILED"] as const;
export type DeliveryState = (typeof DELIVERY_STATES)[number];

/** One event for one webhook. */
export interface WebhookDelivery extends NewDelivery {
  readonly id: Id;
  readonly webhookId: Id;
  readonly state: DeliveryState;
  readonly createdAt: string;
  /** Time of the next attempt, or during an attempt, the end of its claim; null after the last attempt. */
  readonly dueAt: string | null;
  /** The process that is trying it; null if none is. */
  readonly claim: string | null;
  /** Attempts in all. */
  readonly attempts: number;
  /** Failed attempts since it was last sent off. */
  readonly failures: number;
  readonly lastAttemptAt: string | null;
  /** HTTP status of the last answer; null when there was none. */
  readonly lastStatus: number | null;
  /** The error of the last attempt, in a few words; null without an error. */
  readonly lastError: string | null;
}

export interface NewDelivery {
  /** The id by which receivers recognise repetitions: the same in every attempt and for every webhook. */
  readonly eventId: Id;
  readonly eventType: EventType;
  /** The body, byte for byte. */
  readonly payload: string;
}

/** How an attempt ended. */
export interface DeliveryOutcome {
  readonly state: DeliveryState;
  readonly dueAt: string | null;
  readonly failures: number;
  readonly attemptAt: string;
  readonly status: number | null;
  readonly error: string | null;
}

interface DeliveryFilter {
  readonly webhookId?: Id | undefined;
  readonly state?: DeliveryState | undefined;
  /** Goes on with those that are older than this delivery. */
  readonly after?: Id | undefined;
  readonly limit: number;
}

export interface WebhookStore {
  /**
   * The new webhook is told of events that are committed after this.
   * @throws CONFLICT when there are `most` already, KeyInUse
   */
  create(
    webhook: NewWebhook,
    options: { readonly most: number; readonly seal: (id: Id) => string; readonly once?: Once | undefined },
  ): Promise<Webhook>;
  find(id: Id): Promise<Webhook | null>;
  /** Oldest first. */
  list(): Promise<Webhook[]>;
  /** The old secret becomes the previous one, if it should still sign. @throws NOT_FOUND, KeyInUse */
  rotate(
    id: Id,
    change: { readonly secret: string; readonly previousUntil: string | null },
    once?: Once,
  ): Promise<Webhook>;
  /** A disabled webhook stays unchanged. @throws NOT_FOUND, KeyInUse */
  disable(id: Id, change: Pick<Webhook, "disabledAt" | "disabledBy">, once?: Once): Promise<Webhook>;
  /** A webhook that was disabled continues after the newest event. @throws NOT_FOUND, KeyInUse */
  enable(id: Id, once?: Once): Promise<Webhook>;
  /** With its deliveries. @throws NOT_FOUND, KeyInUse */
  delete(id: Id, once?: Once): Promise<void>;
  /**
   * Compare-and-set: adds deliveries, due at once, and moves the cursor, in one transaction. False, and nothing is written,
   * where another process has moved it, or the webhook is gone or disabled.
   */
  advance(
    id: Id,
    cursor: { readonly from: Id | ""; readonly to: Id },
    deliveries: readonly NewDelivery[],
    now: string,
  ): Promise<boolean>;
  /** Webhooks, none of them disabled, that have a delivery that is due. */
  listDue(now: string): Promise<Id[]>;
  /** Takes deliveries that are due, each for exactly one caller, until that time; those due for longest first. */
  claim(
    webhookId: Id,
    options: { readonly now: string; readonly until: string; readonly limit: number },
  ): Promise<WebhookDelivery[]>;
  /** Ends a claim. False, and nothing is written, if another process has it, or the delivery is gone. */
  settle(id: Id, claim: string, outcome: DeliveryOutcome): Promise<boolean>;
  /** Returns a claim: another process may try immediately, and no attempt is counted. */
  release(id: Id, claim: string, now: string): Promise<void>;
  findDelivery(id: Id): Promise<WebhookDelivery | null>;
  /** Newest first. */
  listDeliveries(filter: DeliveryFilter): Promise<WebhookDelivery[]>;
  /** @throws NOT_FOUND, CONFLICT while it is being tried and for a webhook that is disabled, KeyInUse */
  resend(id: Id, now: string, once?: Once): Promise<WebhookDelivery>;
  /** Destroys deliveries made before that time, at most `limit` of them. @returns how many */
  sweep(before: string, limit: number): Promise<number>;
}

/** Milliseconds from a failed attempt to the next: 5 s, 5 min, 30 min, 2 h, 5 h, 10 h, 14 h, 20 h, 24 h. */
const RETRY_DELAYS = [5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400].map((seconds) => seconds * 1_000);
/** Each delay is longer by up to this part of it, so that those that failed together do not all come back together. */
const JITTER = 0.1;

/**
 * @param failures failed attempts so far, from 1
 * @param at Unix time in milliseconds of the last one's end
 * @param random from 0 to 1
 * @returns Unix time in milliseconds; null when there is no further attempt
 */
export function nextAttempt(failures: number, at: number, random: number): number | null {
  const delay = RETRY_DELAYS[failures - 1];
  return delay === undefined ? null : Math.round(at + delay * (1 + JITTER * random));
}

/**
 * The delivery of an event to a webhook; null if there is none. For unpublished posts it learns only that they were
 * taken out of sight, and then by nothing but the id, unless an administrator has decided otherwise.
 */
export function deliveryFor(webhook: Webhook, event: ContentEvent): NewDelivery | null {
  if (webhook.eventTypes.length > 0 && !webhook.eventTypes.includes(event.type)) return null;
  const data = webhook.includesUnpublished || !isOfPost(event.type) ? event.data : publicData(event);
  if (data === null) return null;
  const head = `{"type":${JSON.stringify(event.type)},"timestamp":${JSON.stringify(event.occurredAt)}`;
  return { eventId: event.id, eventType: event.type, payload: `${head},"data":${data}}` };
}

function publicData(event: ContentEvent): string | null {
  if (readPostEvent(event)?.isPublic !== true) return null;
  const { status } = JSON.parse(event.data) as { status?: unknown };
  return status === "PUBLISHED" ? event.data : JSON.stringify({ id: event.subjectId });
}
