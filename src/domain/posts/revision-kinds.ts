import type { PostChange, PostState } from "./post.ts";
import type { RevisionKind } from "./revisions.ts";

/** Kind of the revision that a change of a post makes; null for a change that makes none. */
export function kindOfChange(
  { publishAt: planned }: PostState,
  change: PostChange,
  changesText: boolean,
): RevisionKind | null {
  switch (change.event) {
    case "post.published":
      return "PUBLISHED";
    case "post.unpublished":
      return "UNPUBLISHED";
    case "post.archived":
      return "ARCHIVED";
    default:
      if (change.publishAt != null && change.publishAt !== planned) return "SCHEDULED";
      if (changesText) return change.isRestored ? "RESTORED" : "APPLIED";
      return change.publishAt === null && planned !== null ? "UNPUBLISHED" : null;
  }
}
