import { EVENT_TYPES, type EventType } from "../../../../domain/events/event.ts";
import { failureWords } from "../../api/failure-words.ts";
import type { DeliveryFacts } from "../../documents/deliveries.ts";
import { ApiFailure } from "../../ports.ts";

/** An event by its name in the schema. */
export type EventName = DeliveryFacts["event"];

interface EventEntry {
  readonly name: EventName;
  /** As receivers see it. */
  readonly type: EventType;
  /** Cause of the event, in a few words. */
  readonly words: string;
}

const CAUSES: Readonly<Record<EventType, string>> = {
  "post.created": "A post was written",
  "post.updated": "The text of a post changed",
  "post.published": "A post went live",
  "post.unpublished": "A post is a draft again",
  "post.archived": "A post was archived",
  "post.deleted": "A post was deleted",
  "user.created": "An account was created",
  "user.updated": "The name of a person changed",
  "user.email-changed": "The e-mail address of a person changed",
  "user.deleted": "A person was deleted",
};

/** Every event, in the order of the docs. */
export const EVENTS: readonly EventEntry[] = EVENT_TYPES.map((type) => ({
  ...{ type, words: CAUSES[type] },
  name: type.replaceAll(/[-.]/g, "_").toUpperCase() as EventName,
}));

/** @returns the type, such as `post.published`; the name itself for an event of a later version */
export function eventType(name: string): string {
  return EVENTS.find((event) => event.name === name)?.type ?? name;
}

/** State of a delivery in a word. */
export function stateWord({ state, attempts }: Pick<DeliveryFacts, "state" | "attempts">): string {
  if (state === "DELIVERED") return "Delivered";
  if (state === "FAILED") return "Failed";
  return attempts === 0 ? "Waiting" : "Retrying";
}

/** A number that the server counts up to a bound. */
export function countWords(count: number, most = 1_000): string {
  return count > most ? `more than ${most.toLocaleString("en")}` : count.toLocaleString("en");
}

/** "17 waiting calls go out", from what one call does and what several do. */
export function waitingWords(count: number, one: string, many: string): string {
  return count === 1 ? `1 waiting call ${one}` : `${countWords(count)} waiting calls ${many}`;
}

/** "42 ms", "1.3 s". */
export function durationWords(milliseconds: number): string {
  return milliseconds < 1_000 ? `${milliseconds} ms` : `${(milliseconds / 1_000).toFixed(1)} s`;
}

interface Subject {
  /** Title of a post or name of a person; null where the event does not say. */
  readonly name: string | null;
  readonly postId: string | null;
}

/** The post or person of an event, as far as its body says. */
export function subjectOf({ event, payload }: Pick<DeliveryFacts, "event" | "payload">): Subject {
  const text = (value: unknown) => (typeof value === "string" ? value : null);
  let data: { readonly id?: unknown; readonly title?: unknown; readonly name?: unknown } = {};
  try {
    data = (JSON.parse(payload) as { readonly data?: typeof data }).data ?? {};
  } catch {
    // No body of ours.
  }
  return { name: text(data.title ?? data.name), postId: event.startsWith("POST_") ? text(data.id) : null };
}

/** A body of JSON on several lines; any other body unchanged. */
export function prettyBody(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

/** A sentence with its first letter in upper case and a full stop, from an error of an attempt. */
export function errorSentence(error: string): string {
  const text = error.slice(0, 1).toUpperCase() + error.slice(1);
  return /[.!?]$/.test(text) ? text : `${text}.`;
}

/** A sentence for a request about webhooks that did not succeed. */
export function webhookFailureWords(error: unknown): string {
  if (!(error instanceof ApiFailure)) return "Something went wrong in this page. Try again.";
  if (error.kind === "not-found") return "The webhook or delivery no longer exists.";
  if (error.code === "RATE_LIMITED")
    return `Too many calls. Nothing was sent. Try again in ${error.retryAfter ?? 60} seconds.`;
  return failureWords(error);
}
