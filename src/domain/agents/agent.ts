import type { Id } from "../id.ts";
import type { Once } from "../idempotency.ts";
import type { PostStatus } from "../post-status.ts";

/** Milliseconds for which a use of an agent stands for those that follow: the time of the last use is as exact as that. */
export const USE_NOTED_FOR = 60_000;

/** A client that has acted for a person through `/mcp`, or for itself. */
export interface Agent {
  readonly id: Id;
  readonly clientId: string;
  /** The name of the client; null for one that is not stored (any more). */
  readonly clientName: string | null;
  /** Whether the client is disabled: the server rejects it and its tokens. */
  readonly isStopped: boolean;
  /** null for a client that acts for itself. */
  readonly userId: Id | null;
  readonly userName: string | null;
  readonly firstUsedAt: string;
  /** To the minute. */
  readonly lastUsedAt: string;
  /** Changes of posts since the time that was asked for. */
  readonly writes: number;
}

/** A change of a post that an agent made. */
export interface AgentChange {
  readonly id: Id;
  readonly at: string;
  readonly userId: Id | null;
  readonly clientId: string;
  readonly tool: string;
  readonly traceId: string | null;
  readonly postId: Id;
  readonly authorId: Id;
  /** Version before the change; null where the change created the post. */
  readonly versionBefore: number | null;
  /** Version after the change; null where the change deleted the post. */
  readonly versionAfter: number | null;
  /** `publishAt` after the change: from then on the server publishes the post, as the agent has planned. */
  readonly plannedAt: string | null;
  /** The post before the change; null where the change created it. */
  readonly before: StateBefore | null;
  /** When an administrator took the change back. */
  readonly revertedAt: string | null;
}

interface StateBefore {
  readonly status: PostStatus;
  readonly publishAt: string | null;
  readonly publishAtZone: string | null;
  /** One that a person chose, or of a post that was ever published: its URL stays. Otherwise null. */
  readonly slug: string | null;
  /** One that a person wrote. */
  readonly excerpt: string | null;
  /** null where the change left the title as it was. */
  readonly title: string | null;
  /** Whether the change replaced the body: `AgentStore.findBodyBefore` has the one before. */
  readonly hasBody: boolean;
  /** These two where the change deleted the post. */
  readonly createdAt: string | null;
  readonly publishedAt: string | null;
}

export interface AgentChangeFilter {
  readonly clientId?: string | undefined;
  readonly userId?: Id | undefined;
  /** Changes by agents of this person, and changes by any agent of this person's posts. */
  readonly about?: Id | undefined;
  /** RFC 3339, UTC, milliseconds; that moment is included. */
  readonly since?: string | undefined;
  /** RFC 3339. The moment itself is not included. */
  readonly until?: string | undefined;
  /** Leaves out the changes that were taken back. */
  readonly isOpen?: boolean | undefined;
  /** Goes on with those that come after this one in the list. */
  readonly before?: Pick<AgentChange, "at" | "id"> | undefined;
  readonly limit: number;
}

export interface AgentStore {
  /** Notes that the agent is in use. At most one row of each client and person changes, and only after a minute. */
  noteUse(use: { readonly userId: Id | null; readonly clientId: string; readonly at: string }): Promise<void>;
  /** Those that were first used last come first. @param after continues with those before this one. */
  list(filter: {
    readonly after?: Id | undefined;
    readonly clientId?: string | undefined;
    readonly userId?: Id | undefined;
    /** Since when `writes` are counted. */
    readonly writesSince: string;
    readonly limit: number;
  }): Promise<Agent[]>;
  /** When all agents were stopped; null while they may act. */
  stoppedAt(): Promise<string | null>;
  /** Stops all agents, or lets them in again (null). Every process is told. @throws KeyInUse */
  stop(at: string | null, once?: Once): Promise<void>;
  /** Newest first, without bodies. */
  listChanges(filter: AgentChangeFilter): Promise<AgentChange[]>;
  /** The body that a change replaced or deleted; null for a change that kept it. */
  findBodyBefore(changeId: Id): Promise<string | null>;
  /** Destroys changes from before that time, and agents without use since; at most `limit` of each. @returns the larger number */
  sweep(before: string, limit: number): Promise<number>;
}

/** The part of the store that agents need. */
export interface AgentSlice {
  readonly agents: AgentStore;
}
