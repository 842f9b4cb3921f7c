import { type EventType, isOfPost } from "./event.ts";
import type { Webhook } from "./webhook.ts";

const POST = "01997c3e-65a5-7000-9c5f-2f8e7d3c1b0a";
const PERSON = "01997c3e-0d10-7000-8d21-6b1f0a5c9e44";

type StatusChange = readonly [previous: string, status: string];

const CHANGES: Readonly<Partial<Record<EventType, StatusChange>>> = {
  "post.updated": ["PUBLISHED", "PUBLISHED"],
  "post.published": ["DRAFT", "PUBLISHED"],
  "post.unpublished": ["PUBLISHED", "DRAFT"],
  "post.archived": ["PUBLISHED", "ARCHIVED"],
  "post.deleted": ["PUBLISHED", "PUBLISHED"],
};

/**
 * The body of a test: an event of that type as the webhook would get it, with `test: true`. Its post and its person do not exist.
 *
 * @param at RFC 3339, UTC, milliseconds
 */
export function exampleBody(
  { includesUnpublished }: Pick<Webhook, "includesUnpublished">,
  type: EventType,
  at: string,
): string {
  const data = isOfPost(type) ? postData(type, at, includesUnpublished) : personData(type, at);
  return JSON.stringify({ type, timestamp: at, test: true, data });
}

function postData(type: EventType, at: string, includesUnpublished: boolean): Readonly<Record<string, unknown>> {
  const post = { id: POST, authorId: PERSON, title: "An example", createdAt: at };
  const change = CHANGES[type];
  if (change === undefined) return { ...post, status: "PUBLISHED" };
  const [previousStatus, status] = change;
  // Without unpublished posts, the webhook learns only which post is no longer public.
  if (status !== "PUBLISHED" && !includesUnpublished) return { id: POST };
  return { ...post, updatedAt: at, status, previousStatus, version: 2 };
}

function personData(type: EventType, at: string): Readonly<Record<string, unknown>> {
  if (type === "user.created") return { id: PERSON, name: "Ada Lovelace", createdAt: at };
  if (type === "user.updated") return { id: PERSON, name: "Ada Lovelace", updatedAt: at, version: 2 };
  return { id: PERSON };
}
