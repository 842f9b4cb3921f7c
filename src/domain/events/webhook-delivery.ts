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

/** A delivery to be made, with the post that it can be found by. */
export interface EventDelivery extends NewDelivery {
  /** Null for events of people. */
  readonly postId?: Id | null;
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

/** Events and deliveries that wait for webhooks. */
export interface WebhookBacklog {
  readonly pending: number;
  /** Since when the oldest of it waits; null where nothing does. */
  readonly oldest: string | null;
}

/** One attempt, as it is kept. */
export interface DeliveryAttempt {
  /** RFC 3339, UTC. */
  readonly startedAt: string;
  readonly durationMs: number;
  /** HTTP status of the answer; null when there was none. */
  readonly status: number | null;
  /** The beginning of the answer as text; null when there was none. */
  readonly answer: string | null;
  /** In words; null for a delivery. */
  readonly error: string | null;
  /** As they were sent; null where nothing was sent. */
  readonly headers: readonly SentHeader[] | null;
}

export interface SentHeader {
  readonly name: string;
  readonly value: string;
}

/** An attempt that has just been made. */
export interface MadeAttempt extends DeliveryAttempt {
  readonly webhookId: Id;
  /** Attempts of the delivery so far, this one included. */
  readonly number: number;
}

interface ResendRequest {
  /** RFC 3339, UTC, milliseconds; that moment is included. */
  readonly since: string;
  readonly limit: number;
  readonly now: string;
}

export interface Resent {
  /** Failed deliveries that there were before, counted up to `COUNTED_FAILURES`. One more than that means more. */
  readonly found: number;
  readonly resent: number;
}

/** Limit: failed deliveries that are counted before they are sent again. */
export const COUNTED_FAILURES = 10_000;

export interface DeliveryFilter {
  readonly webhookId?: Id | undefined;
  readonly state?: DeliveryState | undefined;
  readonly eventType?: EventType | undefined;
  /** Deliveries of events of this post. */
  readonly postId?: Id | undefined;
  /** RFC 3339, UTC, milliseconds: when the delivery was made, that moment included. */
  readonly since?: string | undefined;
  /** As `since`, that moment left out. */
  readonly until?: string | undefined;
  /** Goes on with those that are older than this delivery. */
  readonly after?: Id | undefined;
  readonly limit: number;
}

/** Attempts that are kept of each delivery. */
export const KEPT_ATTEMPTS = 20;

/** Numbers of one webhook. Each is counted up to `COUNTED_DELIVERIES`, and one more than that means more. */
export interface WebhookNumbers {
  readonly webhookId: Id;
  /** Deliveries that were made in the last 24 hours, by what became of them. */
  readonly lastDay: { readonly delivered: number; readonly failed: number; readonly waiting: number };
  /** Deliveries that wait for an attempt, of any age. */
  readonly waiting: number;
  readonly oldestWaitingAt: string | null;
  /** Time of the first failed attempt since the last delivery; null while deliveries succeed. */
  readonly failingSince: string | null;
  readonly failingReason: string | null;
}

/** Limit: deliveries that are counted for a list, whose cost so stays the same however many there are. */
export const COUNTED_DELIVERIES = 1_000;

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
  /** Fields that are left out keep their value. Another URL is not failing yet. @throws NOT_FOUND, KeyInUse */
  update(id: Id, change: Partial<NewWebhook>, once?: Once): Promise<Webhook>;
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
    deliveries: readonly EventDelivery[],
    now: string,
  ): Promise<boolean>;
  /** How much enabled webhooks are behind: events that are not handed to them, and deliveries that are due; up to 10,000 each. */
  backlog(now: string): Promise<WebhookBacklog>;
  /** Webhooks, none of them disabled, that have a delivery that is due. */
  listDue(now: string): Promise<Id[]>;
  /** Takes deliveries that are due, each for exactly one caller, until that time; those due for longest first. */
  claim(
    webhookId: Id,
    options: { readonly now: string; readonly until: string; readonly limit: number },
  ): Promise<WebhookDelivery[]>;
  /**
   * Ends a claim, and keeps the attempt in the same transaction. False, and no outcome is written, if another process has the
   * delivery, or it is gone.
   */
  settle(id: Id, claim: string, outcome: DeliveryOutcome, made?: MadeAttempt): Promise<boolean>;
  /** Returns a claim: another process may try immediately, and no attempt is counted. */
  release(id: Id, claim: string, now: string): Promise<void>;
  findDelivery(id: Id): Promise<WebhookDelivery | null>;
  /** Newest first. */
  listDeliveries(filter: DeliveryFilter): Promise<WebhookDelivery[]>;
  /** The newest `KEPT_ATTEMPTS` of each of these deliveries, newest first. */
  listAttempts(deliveryIds: readonly Id[]): Promise<ReadonlyMap<Id, readonly DeliveryAttempt[]>>;
  /** @param dayAgo the time 24 hours ago */
  numbers(webhookIds: readonly Id[], dayAgo: string): Promise<WebhookNumbers[]>;
  /** @throws NOT_FOUND, CONFLICT while it is being tried and for a webhook that is disabled, KeyInUse */
  resend(id: Id, now: string, once?: Once): Promise<WebhookDelivery>;
  /**
   * Sends failed deliveries of a webhook again that were made since then, oldest first, at most `limit` of them.
   * @throws NOT_FOUND, CONFLICT for a webhook that is disabled, KeyInUse
   */
  resendFailed(webhookId: Id, request: ResendRequest, once?: Once): Promise<Resent>;
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
export function deliveryFor(webhook: Webhook, event: ContentEvent): EventDelivery | null {
  if (webhook.eventTypes.length > 0 && !webhook.eventTypes.includes(event.type)) return null;
  const data = webhook.includesUnpublished || !isOfPost(event.type) ? event.data : publicData(event);
  if (data === null) return null;
  const head = `{"type":${JSON.stringify(event.type)},"timestamp":${JSON.stringify(event.occurredAt)}`;
  const postId = isOfPost(event.type) ? event.subjectId : null;
  return { eventId: event.id, eventType: event.type, payload: `${head},"data":${data}}`, postId };
}

function publicData(event: ContentEvent): string | null {
  if (readPostEvent(event)?.isPublic !== true) return null;
  const { status } = JSON.parse(event.data) as { status?: unknown };
  return status === "PUBLISHED" ? event.data : JSON.stringify({ id: event.subjectId });
}
