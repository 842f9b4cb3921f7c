import type { Id } from "../../domain/id.ts";

/** The tables of what leads to posts, as the newest migration leaves them: see schema.ts. */
export interface LinkSchema {
  readonly post_slugs: PostSlugTable;
  readonly preview_links: PreviewLinkTable;
}

/** Slugs that posts had while they were published, and have no more. No other post gets them. */
interface PostSlugTable {
  readonly slug: string;
  readonly post_id: Id;
}

interface PreviewLinkTable {
  readonly id: Id;
  readonly post_id: Id;
  /** SHA-256 of the token, base64url: unique. */
  readonly token_hash: string;
  readonly created_by: Id | null;
  readonly created_at: string;
  readonly expires_at: string;
  readonly last_used_at: string | null;
  readonly revoked_at: string | null;
  /** 1 when the post was published since. */
  readonly is_over: number;
  /** Id of the revision that it shows; null for a link that follows the text being written. */
  readonly revision: Id | null;
}
