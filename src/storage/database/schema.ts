import type { Generated } from "kysely";
import type { AuditEvent } from "../../domain/audit.ts";
import type { AssertionAlgorithm, Client } from "../../domain/clients/client.ts";
import type { EventType } from "../../domain/events/event.ts";
import type { Webhook } from "../../domain/events/webhook.ts";
import type { DeliveryState } from "../../domain/events/webhook-delivery.ts";
import type { Id } from "../../domain/id.ts";
import type { PostStatus } from "../../domain/post-status.ts";
import type { SigningKey } from "../../domain/store/signing-keys.ts";
import type { Role } from "../../domain/viewer.ts";
import type { AccountSchema } from "./account-schema.ts";
import type { AgentSchema } from "./agent-schema.ts";

/**
 * The tables, as the newest migration leaves them. Times ending in `_at` are RFC 3339 text, UTC, milliseconds; those
 * ending in `_seconds` are Unix time. Flags are 0 or 1.
 */
export interface Schema extends AccountSchema, AgentSchema {
  readonly users: UserTable;
  readonly posts: PostTable;
  readonly clients: ClientTable;
  readonly artifacts: ArtifactTable;
  readonly attempts: AttemptTable;
  readonly signing_keys: SigningKeyTable;
  readonly outbox: OutboxTable;
  readonly audit: AuditTable;
  readonly replica_readers: ReplicaReaderTable;
  readonly idempotency: IdempotencyTable;
  readonly webhooks: WebhookTable;
  readonly webhook_deliveries: WebhookDeliveryTable;
  readonly rate_limits: RateLimitTable;
  readonly creations: CreationTable;
  readonly schema_migrations: MigrationTable;
}

/** The tables from which content is read: `storage/reading` reads from no other. A write to any other table outdates no content. */
export const CONTENT_TABLES = ["users", "posts"] as const satisfies readonly (keyof Schema)[];
export type ContentTable = (typeof CONTENT_TABLES)[number];

export interface UserTable {
  readonly id: Id;
  readonly name: string;
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
  /** When a draft is to be published. */
  readonly publish_at: string | null;
  readonly version: Generated<number>;
  readonly title: string;
  /** Unique. This and the others that are derived from title and body are null until they are made: `renderOldPosts`. */
  readonly slug: string | null;
  readonly word_count: number | null;
  readonly excerpt: string | null;
  /** The two long ones are last, so that what stands before them is read without their overflow pages. */
  readonly body: string;
  readonly body_html: string | null;
  /** On PostgreSQL alone: `WrittenWords`. null until `reindex` has made them. */
  readonly search: Generated<string | null>;
}

export interface ClientTable {
  readonly id: string;
  readonly name: string;
  readonly type: "public" | "confidential";
  readonly secret_hash: string | null;
  /** The four lists are JSON arrays of strings. */
  readonly redirect_uris: string;
  readonly post_logout_redirect_uris: string;
  readonly grant_types: string;
  readonly scopes: string;
  readonly first_party: number;
  readonly created_at: string;
  readonly disabled_at: string | null;
  readonly id_token_algorithm: SigningKey["algorithm"];
  readonly backchannel_logout_uri: string | null;
  /** A JWK Set. */
  readonly jwks: string | null;
  readonly dpop_bound: number;
  readonly origin: Client["origin"];
  readonly registration_token_hash: string | null;
  readonly jwks_uri: string | null;
  readonly must_push: number;
  readonly must_sign: number;
  readonly certificate_subject: string | null;
  readonly self_signed: number;
  readonly certificate_bound: number;
  readonly assertion_algorithm: AssertionAlgorithm | null;
  readonly resource_server: string | null;
  readonly used_at: string | null;
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

interface AuditTable {
  readonly id: Id;
  readonly at: string;
  readonly event: AuditEvent["event"];
  readonly result: AuditEvent["result"];
  readonly user_id: string | null;
  readonly client_id: string | null;
  readonly address: string | null;
  readonly request_id: string | null;
  readonly detail: string | null;
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

export interface WebhookTable {
  readonly id: Id;
  readonly url: string;
  /** A JSON array of strings. */
  readonly event_types: string;
  readonly includes_unpublished: number;
  readonly secret: string;
  readonly previous_secret: string | null;
  readonly previous_until: string | null;
  /** Place in the outbox; empty for its beginning. */
  readonly cursor: Id | "";
  readonly created_at: string;
  readonly disabled_at: string | null;
  readonly disabled_by: Webhook["disabledBy"];
}

export interface WebhookDeliveryTable {
  readonly id: Id;
  readonly webhook_id: Id;
  readonly event_id: Id;
  readonly event_type: EventType;
  readonly payload: string;
  readonly state: DeliveryState;
  readonly created_at: string;
  readonly due_at: string | null;
  readonly claim: string | null;
  readonly attempts: number;
  readonly failures: number;
  readonly last_attempt_at: string | null;
  readonly last_status: number | null;
  readonly last_error: string | null;
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

/** A row for each table whose rows are ordered by their creation. */
interface CreationTable {
  readonly subject: "posts" | "users";
  /** These two of the row that was created last. */
  readonly created_at: string;
  readonly id: Id;
}

interface MigrationTable {
  readonly version: number;
  readonly name: string;
  readonly applied_at: string;
}
