import { AppError } from "../../../../domain/errors.ts";
import { exampleBody } from "../../../../domain/events/webhook-example.ts";
import { assertWebhookUrl } from "../../../../domain/events/webhook-url.ts";
import type { WebhookFacts } from "../../documents/webhooks.ts";
import type { ApiFailure } from "../../ports.ts";
import { type EVENTS, eventType } from "../calls/call-words.ts";

/** Milliseconds. */
const DAY = 86_400_000;

/** State in a word or two. */
export function stateOf({ disabledAt, disabledBy, failingSince }: WebhookFacts): string {
  if (disabledAt !== null) return disabledBy === "RECEIVER" ? "Stopped by the receiver" : "Disabled";
  return failingSince === null ? "Active" : "Failing";
}

/** Whether an administrator should look at it: it has failed for a day, or the receiver answered 410 (S87). */
export function needsLook({ disabledAt, disabledBy, failingSince }: WebhookFacts, now: number): boolean {
  if (disabledAt !== null) return disabledBy === "RECEIVER";
  return failingSince !== null && now - Date.parse(failingSince) >= DAY;
}

/** "All events", "post.published and post.deleted", "post.published, post.deleted and 3 more". */
export function eventsWords(events: readonly string[]): string {
  if (events.length === 0) return "All events";
  const [first = "", second, ...rest] = events.map(eventType);
  if (second === undefined) return first;
  if (rest.length === 0) return `${first} and ${second}`;
  return `${first}, ${second} and ${rest.length === 1 ? rest[0] : `${rest.length} more`}`;
}

/** The host with what follows it, for titles and lists. */
export function shortUrl(text: string): string {
  return text.replace(/^https?:\/\//, "").replace(/\/$/, "");
}

/** Host with its port, which people type before they delete a webhook. */
export function hostOf(text: string): string {
  return URL.parse(text)?.host ?? text;
}

/** @param value of the setting; null for none */
export function privateHostsOf(
  settings: readonly { readonly name: string; readonly value: string | null }[],
): string[] {
  const value = settings.find(({ name }) => name === "PRIVATE_HOSTS")?.value ?? "";
  return value.split(",").flatMap((host) => host.trim() || []);
}

type Values = Pick<WebhookFacts, "url" | "events" | "includesUnpublished">;

/** The values that differ, so that a save leaves alone what somebody else changed meanwhile. */
export function changesOf(before: Values, after: Values): Partial<Values> {
  return {
    ...(after.url !== before.url && { url: after.url }),
    ...(String(after.events.toSorted()) !== String(before.events.toSorted()) && { events: after.events }),
    ...(after.includesUnpublished !== before.includesUnpublished && { includesUnpublished: after.includesUnpublished }),
  };
}

interface Judgement {
  /** A sentence about what is wrong; null while nothing is. */
  readonly error: string | null;
  /** A sentence that helps. */
  readonly hint: string;
}

const HINT = "An https URL that anybody can reach. It receives events by POST.";
/** Names and IP addresses that other machines do not reach, as far as their form shows. */
const PRIVATE =
  /^(?:localhost|.+\.(?:localhost|local|internal|lan)|127\..+|10\..+|192\.168\..+|169\.254\..+|172\.(?:1[6-9]|2\d|3[01])\..+|\[(?:::1|f[cd].+|fe80.+)\])$/;

/**
 * A judgement of a URL while somebody types it, by the rule that the server has.
 *
 * @param privateHosts hosts that may be called by http; null while they are not known
 * @param isDone whether the person has left the field; before that, a beginning is no mistake
 */
export function judgeUrl(text: string, privateHosts: readonly string[] | null, isDone: boolean): Judgement {
  const typed = text.trim();
  const isBeginning = "https://".startsWith(typed) || "http://".startsWith(typed);
  if (isBeginning && (!isDone || typed === "")) return { error: null, hint: HINT };
  const url = URL.parse(typed);
  const isKnown = url !== null && privateHosts?.includes(url.hostname) === true;
  try {
    // While the setting is not known, the server judges.
    assertWebhookUrl("The URL", typed, privateHosts ?? (url === null ? [] : [url.hostname]));
  } catch (error) {
    if (error instanceof AppError) return { error: error.message, hint: HINT };
    throw error;
  }
  const host = url?.host ?? typed;
  if (isKnown) return { error: null, hint: `Calls go to ${host}, which PRIVATE_HOSTS lists.` };
  if (privateHosts !== null && PRIVATE.test(url?.hostname ?? ""))
    return { error: null, hint: `${host} looks private. The server calls it only if PRIVATE_HOSTS lists it.` };
  return { error: null, hint: `Calls go to ${host}.` };
}

/** A failure of the field for the URL, in words; null for other failures. */
export function urlFailure({ field, message }: ApiFailure): string | null {
  return field === "input.url" ? message.replace(/^input\.url/, "The URL") : null;
}

/** The body of an event as a webhook gets it, on several lines. @param at RFC 3339 */
export function exampleText(type: (typeof EVENTS)[number]["type"], includesUnpublished: boolean, at: string): string {
  const { test: _, ...body } = JSON.parse(exampleBody({ includesUnpublished }, type, at)) as Record<string, unknown>;
  return JSON.stringify(body, null, 2);
}
