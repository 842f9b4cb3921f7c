import type { Generated } from "kysely";
import type { AuditEvent } from "../../domain/audit.ts";
import type { EventType } from "../../domain/events/event.ts";
import type { Id } from "../../domain/id.ts";
import type { PostStatus } from "../../domain/post-status.ts";
import type { SigningKey } from "../../domain/store/signing-keys.ts";
import type { Role } from "../../domain/viewer.ts";
import type { AccountSchema } from "./account-schema.ts";
import type { AgentSchema } from "./agent-schema.ts";
import type { ClientSchema } from "./client-schema.ts";
import type { HistorySchema } from "./history-schema.ts";
import type { LinkSchema } from "./link-schema.ts";
import type { WebhookSchema } from "./webhook-schema.ts";

/**
 * The tables, as the newest migration leaves them. Times ending in `_at` are RFC 3339 text, UTC, milliseconds; those
 * ending in `_seconds` are Unix time. Flags are 0 or 1.
 */
export interface Schema extends AccountSchema, AgentSchema, ClientSchema, HistorySchema, LinkSchema, WebhookSchema {
  readonly users: UserTable;
  readonly posts: PostTable;
  readonly artifacts: ArtifactTable;
  readonly attempts: AttemptTable;
  readonly signing_keys: SigningKeyTable;
  readonly outbox: OutboxTable;
  readonly audit: AuditTable;
  readonly replica_readers: ReplicaReaderTable;
  readonly idempotency: IdempotencyTable;
  readonly rate_limits: RateLimitTable;
  readonly post_editing: EditingTable;
  readonly creations: CreationTable;
  readonly gates: GateTable;
  readonly content_version: ContentVersionTable;
  readonly schema_migrations: MigrationTable;
  readonly schema_limits: SchemaLimitTable;
  readonly nodes: NodeTable;
}

/** The tables from which content is read that may be kept in memory. A write to any other table outdates nothing of it. */
export const CONTENT_TABLES = [
  "users",
  "posts",
  "post_slugs",
  "preview_links",
] as const satisfies readonly (keyof Schema)[];
/** Tables that `storage/reading` reads from. What comes from other than content tables is read anew each time. */
export type ReadTable = (typeof CONTENT_TABLES)[number] | keyof HistorySchema;

export interface UserTable {
  readonly id: Id;
  readonly name: string;
  /** `nameKey` of the name, by which people are searched for. */
  readonly name_key: Generated<string>;
  readonly email: string;
  /** `emailKey` of the address: unique. */
  readonly email_key: string;
  readonly email_verified: number;
  readonly role: Role;
  readonly password_hash: string | null;
  readonly created_at: string;
  readonly disabled_at: string | null;
  /** Last change of the person's public fields; null before the first change. */
  readonly updated_at: string | null;
  readonly version: Generated<number>;
  /** `User.credentialVersion`. */
  readonly credential_version: Generated<number>;
  readonly second_step: Generated<number>;
  readonly local_sign_in: Generated<number>;
  readonly deletes_at: string | null;
  /** Set for a former member: name, address and password are gone then. */
  readonly deleted_at: string | null;
}

interface PostTable {
  readonly number: Generated<number>;
  readonly id: Id;
  readonly author_id: Id;
  readonly status: PostStatus;
  readonly created_at: string;
  readonly updated_at: string;
  /** For the first time; empty for a post that never was, so that every row has a key for lists by it. */
  readonly published_at: string;
  /** Time at which a draft gets published. */
  readonly publish_at: string | null;
  readonly version: Generated<number>;
  readonly title: string;
  /** Unique. This and the others that are derived from title and body are null until they are made: `renderOldPosts`. */
  readonly slug: string | null;
  readonly word_count: number | null;
  /** The one that is shown, whoever made it. */
  readonly excerpt: string | null;
  /** The two long ones are last, so that what stands before them is read without their overflow pages. */
  readonly body: string;
  readonly body_html: string | null;
  /** On PostgreSQL alone: `WrittenWords`. null until `reindex` has made them. */
  readonly search: Generated<string | null>;
  // These three came later. They are mostly null or 0, which takes no look at what stands before them.
  /** Whether a person chose the slug, so that it does not follow the title. */
  readonly slug_by_hand: Generated<number>;
  /** The excerpt that the body gives, where a person wrote another one. */
  readonly derived_excerpt: string | null;
  readonly publish_at_zone: string | null;
}

export interface ArtifactTable {
  readonly id_hash: string;
  readonly kind: string;
  readonly grant_id: string | null;
  readonly user_id: string | null;
  readonly client_id: string | null;
  readonly scope: string | null;
  readonly uid_hash: string | null;
  readonly user_code_hash: string | null;
  readonly expires_at_seconds: number | null;
  readonly consumed_at_seconds: number | null;
  readonly payload: string;
  readonly jkt: string | null;
  readonly x5t: string | null;
  readonly auth_time_seconds: number | null;
  readonly acr: string | null;
  /** `Door` of an access token. */
  readonly audience: string | null;
}

interface AttemptTable {
  readonly key: string;
  readonly count: number;
  readonly ends_at_seconds: number;
}

export interface SigningKeyTable {
  readonly kid: string;
  readonly algorithm: SigningKey["algorithm"];
  readonly private_key: string;
  readonly created_at: string;
  readonly retired_at: string | null;
  readonly signs_from: string;
}

interface OutboxTable {
  /** Ascends in the order of commits. */
  readonly id: Id;
  readonly type: EventType;
  readonly subject_id: Id;
  readonly occurred_at: string;
  readonly data: string;
}

export interface AuditTable {
  readonly id: Id;
  readonly at: string;
  readonly event: AuditEvent["event"];
  readonly result: AuditEvent["result"];
  readonly user_id: string | null;
  readonly client_id: string | null;
  readonly address: string | null;
  readonly request_id: string | null;
  readonly detail: string | null;
  readonly actor_id: string | null;
}

interface ReplicaReaderTable {
  /** Id of a process. */
  readonly id: string;
  /** Unix time in milliseconds, by the clock of the database. */
  readonly until_ms: number;
}

interface IdempotencyTable {
  /** With `field`: `Once`. */
  readonly id: string;
  readonly field: number;
  readonly fingerprint: string;
  readonly subject_id: Id;
  readonly created_at_seconds: number;
  readonly answer: string | null;
}

interface RateLimitTable {
  /** With `number`, counted by the process itself: one batch. */
  readonly process: string;
  readonly number: number;
  /** Unix time in milliseconds, by the clock of the database. */
  readonly at_ms: number;
  /** A JSON object of points by the hash of a bucket's key. */
  readonly taken: string;
}

/** A row for each post and person who writes it. */
interface EditingTable {
  readonly post_id: Id;
  readonly user_id: Id;
  /** Last announcement: Unix time in milliseconds, by the clock of the database. */
  readonly at_ms: number;
}

/** A row for each table whose rows are ordered by their creation. */
interface CreationTable {
  readonly subject: "posts" | "users";
  /** These two of the row that was created last. */
  readonly created_at: string;
  readonly id: Id;
}

/** Rows to lock, on PostgreSQL only: see postgres/locks.ts. */
interface GateTable {
  readonly id: number;
  /** Counted up in the row -1, when an engine is tested; 0 in the others. */
  readonly n: number;
}

/** One row, on SQLite only, by which a process knows whether another one has changed content. */
interface ContentVersionTable {
  /** Grows with each row that anybody writes in `users`, `posts`, `post_slugs` or `preview_links`. */
  readonly version: number;
}

interface MigrationTable {
  readonly version: number;
  readonly name: string;
  readonly applied_at: string;
}

interface SchemaLimitTable {
  /** `min_program`: the newest schema that the oldest program knows which may serve the database. */
  readonly name: string;
  readonly schema: number;
}

/** A row for each process that serves the database. Times are Unix time in milliseconds, by the clock of the database. */
interface NodeTable {
  readonly id: string;
  /** Version of its program, such as `0.2.0`. */
  readonly version: string;
  /** The newest schema that it knows. */
  readonly schema: number;
  readonly host: string;
  readonly pid: number;
  readonly started_ms: number;
  readonly seen_ms: number;
}
