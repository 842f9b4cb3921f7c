import { badInput } from "../../domain/errors.ts";
import type { PostEventType } from "../../domain/events/event.ts";
import type { Audience, PostEvent } from "../../domain/events/post-event.ts";
import { type Id, parseId } from "../../domain/id.ts";
import { ALL, type SlotValues } from "../../domain/reading/selection.ts";
import type { Viewer } from "../../domain/viewer.ts";
import type { ErrorEntry } from "../documents/errors.ts";
import type { BoundValues } from "../plan/bound-values.ts";
import type { PostPart, RootField } from "../plan/root-field.ts";

/** As coerced by the schema. */
interface FilterInput {
  readonly author?: string | null;
  readonly post?: string | null;
  readonly type?: readonly string[] | null;
}

/** A subscription that may begin: everything has been checked. */
export interface EventSubscription {
  readonly field: Extract<RootField, { kind: "events" }>;
  readonly values: SlotValues;
  readonly viewer: Viewer;
  /** Begins after this event; null: with the next one. */
  readonly after: Id | null;
  readonly matches: (event: PostEvent) => boolean;
}

/** @throws AppError BAD_USER_INPUT for `after` that is no event's id */
export function subscriptionTo(
  field: EventSubscription["field"],
  { values, args, viewer }: BoundValues[number] & { readonly viewer: Viewer },
): EventSubscription {
  const { after = null, filter = null } = args as {
    readonly after?: string | null;
    readonly filter?: FilterInput | null;
  };
  return { field, values, viewer, after: after === null ? null : eventId("after", after), matches: filterOf(filter) };
}

/** @throws AppError BAD_USER_INPUT */
export function eventId(name: string, text: string): Id {
  const id = parseId(text);
  if (id === null) throw badInput(name, `${name} is not the id of an event.`);
  return id;
}

function filterOf(filter: FilterInput | null): (event: PostEvent) => boolean {
  const { author = null, post = null, type: types = null } = filter ?? {};
  const [authorId, postId] = [author, post].map((id) => (id === null ? undefined : parseId(id)));
  return (event) =>
    (authorId === undefined || event.authorId === authorId) &&
    (postId === undefined || event.postId === postId) &&
    (types === null || types.includes(TYPE_NAMES[event.type]));
}

/** Names of the types in the schema. */
const TYPE_NAMES: Readonly<Record<PostEventType, string>> = {
  "post.created": "CREATED",
  "post.updated": "UPDATED",
  "post.published": "PUBLISHED",
  "post.unpublished": "UNPUBLISHED",
  "post.archived": "ARCHIVED",
  "post.deleted": "DELETED",
};

/** The values of a read for one audience. For one person's posts, all other viewers see the same as an anonymous one. */
export function valuesFor(audience: Audience, { postId, authorId }: PostEvent, values: SlotValues): SlotValues {
  const viewers = { all: ALL, author: authorId, public: null } as const;
  return [postId, viewers[audience], ...values.slice(2)];
}

/**
 * The answer to one event.
 *
 * @param post reads the selection of the post
 * @param failed makes the entry for a selection that cannot be read, whose place is then null
 */
export async function writeEvent(
  { key, parts }: EventSubscription["field"],
  event: PostEvent,
  post: (part: PostPart) => Promise<string>,
  failed: (error: unknown, place: Pick<ErrorEntry, "path" | "locations">) => ErrorEntry,
): Promise<string> {
  const errors: ErrorEntry[] = [];
  let json = "";
  for (const part of parts) {
    json += part.prefix;
    if (part.kind === "constant") json += part.json;
    else if (part.kind === "type") json += `"${TYPE_NAMES[event.type]}"`;
    else if (part.kind !== "post") json += JSON.stringify(event[part.kind]);
    else {
      const { locations = [] } = part;
      json += await post(part).catch((error: unknown) => {
        errors.push(failed(error, { path: [key, part.key], locations }));
        return "null";
      });
    }
  }
  const data = `"data":{"${key}":{${json}}}`;
  return errors.length === 0 ? `{${data}}` : `{"errors":${JSON.stringify(errors)},${data}}`;
}
