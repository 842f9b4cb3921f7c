import type { WebhookWithDeliveriesVariables } from "../../documents/deliveries.ts";
import { EVENTS } from "../calls/call-words.ts";

type DeliveryFilter = NonNullable<WebhookWithDeliveriesVariables["filter"]>;

/** States by their names in the schema, with their words. */
export const STATES = [
  ["PENDING", "Waiting or retrying"],
  ["DELIVERED", "Delivered"],
  ["FAILED", "Failed"],
] as const;

/** Names of filters in the query of the URL. */
const NAMES = ["state", "event", "since", "until", "post"];

/** Conditions for the API, from the query of the URL. Values that mean nothing are left out. */
export function filterOf(webhook: string, query: URLSearchParams): DeliveryFilter {
  const state = STATES.find(([name]) => name === query.get("state"))?.[0];
  const event = EVENTS.find(({ name }) => name === query.get("event"))?.name;
  const [since, until] = [momentOf(query.get("since")), momentOf(query.get("until"))];
  const post = query.get("post")?.trim().toLowerCase() || undefined;
  return {
    webhook,
    ...(state !== undefined && { state }),
    ...(event !== undefined && { event }),
    ...(since !== null && { since }),
    ...(until !== null && { until }),
    ...(post !== undefined && { post }),
  };
}

export function isFiltered(query: URLSearchParams): boolean {
  return NAMES.some((name) => query.has(name));
}

/** @param value of a field for date and time, in the person's zone @returns RFC 3339, UTC; null for anything else */
export function momentOf(value: string | null): string | null {
  const at = new Date(value ?? "");
  return Number.isNaN(at.getTime()) ? null : at.toISOString();
}

/** The value of a field for date and time, to the minute. */
export function fieldValueOf(at: number): string {
  const local = new Date(at - new Date(at).getTimezoneOffset() * 60_000);
  return local.toISOString().slice(0, 16);
}
