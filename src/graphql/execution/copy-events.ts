import type { Id } from "../../domain/id.ts";
import { parseId } from "../../domain/id.ts";
import { type EditedPost, type EditingSlice, findEdited } from "../../domain/posts/editing.ts";
import { isChangeable } from "../../domain/posts/post-changes.ts";
import type { Viewer } from "../../domain/viewer.ts";
import type { BoundValues } from "../plan/bound-values.ts";
import { toJson } from "../plan/object-shape.ts";
import type { RootField } from "../plan/root-field.ts";

/** A subscription to a post that is being written. The viewer may change that post. */
export interface CopySubscription {
  readonly field: Extract<RootField, { kind: "copyEvents" }>;
  readonly viewer: Viewer;
  readonly postId: Id;
}

/** @throws AppError NOT_FOUND, FORBIDDEN for a post that is not the viewer's to change */
export async function copySubscriptionTo(
  field: CopySubscription["field"],
  { args, viewer }: Pick<BoundValues[number], "args"> & { readonly viewer: Viewer },
  store: EditingSlice,
): Promise<CopySubscription> {
  return { field, viewer, postId: await findEdited({ store, viewer, id: parseId(args.post as string) }) };
}

/** Writes an event where there is something new for a subscriber: other people, or another version of the text. */
export function openCopyEvents({ field, viewer }: CopySubscription): (post: EditedPost) => string | null {
  let told = "";
  return (post) => {
    if (!isChangeable(viewer, post)) return null;
    const { id: postId, version, workingVersion } = post;
    const editing = post.editing.filter(({ id }) => id !== viewer.userId);
    const event = { postId, version, workingVersion, editing };
    const facts = JSON.stringify(event);
    if (facts === told) return null;
    told = facts;
    return `{"data":{"${field.key}":${toJson(event, field.shape)}}}`;
  };
}
