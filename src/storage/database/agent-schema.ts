import type { Id } from "../../domain/id.ts";
import type { PostStatus } from "../../domain/post-status.ts";

/** The tables of agents, as the newest migration leaves them: see schema.ts. */
export interface AgentSchema {
  readonly agents: AgentTable;
  readonly agent_stops: AgentStopTable;
  readonly agent_changes: AgentChangeTable;
}

/** A row for each client and person; content is never read from here. */
interface AgentTable {
  readonly id: Id;
  readonly client_id: string;
  /** Empty for a client that acts for itself. */
  readonly user_id: Id | "";
  readonly first_used_at: string;
  readonly last_used_at: string;
}

/** One row, with the subject `all`, as long as all agents are stopped. */
interface AgentStopTable {
  readonly subject: "all";
  readonly stopped_at: string;
}

/** `AgentChange`. The columns from `status` on describe the post before the change. */
export interface AgentChangeTable {
  readonly id: Id;
  readonly at: string;
  readonly user_id: Id | null;
  readonly client_id: string;
  readonly tool: string;
  readonly trace_id: string | null;
  readonly post_id: Id;
  readonly author_id: Id;
  readonly version_before: number | null;
  readonly version_after: number | null;
  readonly planned_at: string | null;
  readonly status: PostStatus | null;
  readonly publish_at: string | null;
  /** These two where the change deleted the post. */
  readonly created_at: string | null;
  readonly published_at: string | null;
  readonly reverted_at: string | null;
  /** Before the change: one that a person chose, or of a post that was ever published. */
  readonly slug: string | null;
  /** Before the change: one that a person wrote. */
  readonly excerpt: string | null;
  readonly publish_at_zone: string | null;
  /** Null where the change left it as it was. The long one is last, so that the others are read without its overflow pages. */
  readonly title: string | null;
  readonly body: string | null;
}
