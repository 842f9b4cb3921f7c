import { AppError } from "../errors.ts";
import type { Id } from "../id.ts";
import type { PostStatus } from "../post-status.ts";
import type { Viewer } from "../viewer.ts";

/** Whether the viewer writes drafts of their own and nothing else: the scope `posts:draft` without `posts:write`. */
export function isForDraftsOnly({ scopes }: Viewer): boolean {
  return scopes.has("posts:draft") && !scopes.has("posts:write");
}

/** Whether a new post stays a draft until somebody publishes it. */
export function staysDraft({
  status,
  publishAt,
}: {
  readonly status?: unknown;
  readonly publishAt?: unknown;
}): boolean {
  return status === "DRAFT" && publishAt == null;
}

interface Draft {
  readonly authorId: Id;
  readonly status: PostStatus;
  readonly publishAt: string | null;
}

/**
 * A draft that is scheduled counts as published: a change of its text decides what the server publishes.
 *
 * @param change null where nothing is to change
 * @throws AppError FORBIDDEN unless the change is one of a draft's text, and the draft is the viewer's own
 */
export function assertDraftsOnly(
  { userId }: Viewer,
  post: Draft,
  change: { readonly event: string; readonly publishAt?: string | null } | null,
): void {
  const isOwnDraft = post.authorId === userId && post.status === "DRAFT" && post.publishAt === null;
  const isOfText = change === null || (change.event === "post.updated" && change.publishAt === undefined);
  if (!isOwnDraft || !isOfText) throw needsWriting();
}

export function needsWriting(): AppError<"FORBIDDEN"> {
  return new AppError("FORBIDDEN", "The access token allows drafts only. This needs the scope posts:write.", {
    scopes: ["posts:write"],
  });
}
