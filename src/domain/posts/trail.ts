import type { Id } from "../id.ts";
import type { PostStatus } from "../post-status.ts";
import type { WrittenPost } from "../reading/stored-fields.ts";
import type { AgentAct } from "../viewer.ts";
import type { RenderedPost } from "./rendering.ts";
import type { ChangedBy } from "./revisions.ts";

/** A change of a post writes this in its own transaction: for an agent, so that it can be taken back; or because it takes others back. */
export type Trail = { readonly act: AgentAct } | { readonly takesBack: TakeBack };

/** Changes by an agent that one change of the same post takes back. */
export interface TakeBack {
  /** Ids of `agent_changes`. Each is taken back once only: of two callers, the later one fails. */
  readonly changes: readonly Id[];
  readonly clientId: string;
  /** The person for whom the agent made the last of them. */
  readonly userId: Id | null;
  /** A few words on the administrator who takes them back, such as `at the terminal`. */
  readonly by: string;
}

/** The reason for which a deleted post comes back: somebody takes an agent's changes back, or restores the post. */
export type Return = { readonly takesBack: TakeBack } | { readonly by: ChangedBy };

/** A deleted post as it comes back. */
export type DeletedPost = WrittenPost & {
  readonly id: Id;
  readonly authorId: Id;
  readonly status: PostStatus;
  readonly createdAt: string;
  /** null for a post that was never published. */
  readonly publishedAt: string | null;
  /** The version of the post that comes back, which no client has seen before. */
  readonly version: number;
  readonly rendered: RenderedPost;
};
