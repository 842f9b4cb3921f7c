import type { AgentStore } from "../agents/agent.ts";
import type { AuditStore } from "../audit.ts";
import type { ChangeKind, ChangeListener } from "../change.ts";
import type { ClientStore } from "../clients/client-store.ts";
import type { OutboxStore } from "../events/event.ts";
import type { WebhookStore } from "../events/webhook-delivery.ts";
import type { IdempotencyStore } from "../idempotency.ts";
import type { AccountStateStore } from "../people/account-state.ts";
import type { AccountTokenStore } from "../people/account-token.ts";
import type { DeletionStore } from "../people/deletion.ts";
import type { InvitationStore } from "../people/invitation.ts";
import type { MailStore } from "../people/mail.ts";
import type { PasskeyStore } from "../people/passkey.ts";
import type { ScimUserStore } from "../people/scim-user.ts";
import type { SecondStepStore } from "../people/second-step.ts";
import type { UpstreamIdentityStore } from "../people/upstream-identity.ts";
import type { UserStore } from "../people/user.ts";
import type { DeletedPostStore } from "../posts/deleted-posts.ts";
import type { EditingStore } from "../posts/editing.ts";
import type { RevisionStore } from "../posts/history.ts";
import type { PlannedUpdateStore } from "../posts/planned-update.ts";
import type { PostStore } from "../posts/post.ts";
import type { PreviewLinkStore } from "../posts/previews.ts";
import type { WorkingCopyStore } from "../posts/working-copy.ts";
import type { PreparedRead } from "../reading/prepared-read.ts";
import type { RootSelection } from "../reading/selection.ts";
import type { ArtifactStore } from "./artifacts.ts";
import type { AttemptStore } from "./attempts.ts";
import type { NodeStore } from "./nodes.ts";
import type { RateLimitStore } from "./rate-limits.ts";
import type { SealedTextStore } from "./sealed-texts.ts";
import type { SigningKeyStore } from "./signing-keys.ts";

interface StoreFacts {
  /** Bytes of the whole database. */
  readonly bytes: number;
  /** The last migration that was made, and the last that this program knows. */
  readonly schema: {
    readonly current: number;
    readonly known: number;
    /** Names of contract migrations that wait for older nodes to end. */
    readonly waiting: readonly string[];
  };
  /** Processes of this program that use it; null where the database does not know. */
  readonly processes: number | null;
  /** The replica that content is read from; null where there is none. */
  readonly replica: ReplicaState | null;
}

interface ReplicaState {
  /** Whether it is at most a second behind, so that reads go to it. */
  readonly isUsed: boolean;
  /** Whether reads go to it although it is not known to be that near. */
  readonly isStale: boolean;
  /** Why its last question had no answer; null when it had one. */
  readonly problem: string | null;
}

/**
 * The storage contract, kept by every database (test/conformance/store.ts).
 *
 * A write is durable and whole when its promise resolves; when it rejects, nothing of it is there.
 * Beside the errors named below, every method may throw AppError UNAVAILABLE (busy, full, read-only or
 * unreachable; nothing was written, or the message says that this is not known) and INTERNAL (a fault of ours or a damaged database).
 * Times are RFC 3339 text, UTC, milliseconds, unless a name ends in `Seconds` (Unix time).
 */
export interface Store {
  readonly users: UserStore;
  readonly deletions: DeletionStore;
  readonly accountStates: AccountStateStore;
  readonly accountTokens: AccountTokenStore;
  readonly invitations: InvitationStore;
  readonly mails: MailStore;
  readonly passkeys: PasskeyStore;
  readonly secondSteps: SecondStepStore;
  readonly upstreamIdentities: UpstreamIdentityStore;
  readonly scimUsers: ScimUserStore;
  readonly posts: PostStore;
  readonly workingCopies: WorkingCopyStore;
  readonly plannedUpdates: PlannedUpdateStore;
  readonly revisions: RevisionStore;
  readonly editing: EditingStore;
  readonly deletedPosts: DeletedPostStore;
  readonly previewLinks: PreviewLinkStore;
  readonly clients: ClientStore;
  readonly artifacts: ArtifactStore;
  readonly attempts: AttemptStore;
  readonly signingKeys: SigningKeyStore;
  readonly outbox: OutboxStore;
  readonly webhooks: WebhookStore;
  readonly audit: AuditStore;
  readonly agents: AgentStore;
  readonly idempotency: IdempotencyStore;
  readonly rateLimits: RateLimitStore;
  readonly sealedTexts: SealedTextStore;
  readonly nodes: NodeStore;
  /**
   * Plans one statement; cheap enough to be called once per document, not once per request.
   * @throws BAD_REQUEST for objects selected more than 20 deep within each other
   */
  prepareRead(root: RootSelection): PreparedRead;
  /**
   * While this number stays, no result that a `HeldRead` gives has changed. Null where that is not known. Missing where nothing
   * is held.
   */
  heldVersion?(): number | null;
  /** Frees what is only kept to answer faster, for a process that has nothing to do. */
  rest(): void;
  /**
   * Reports changes of these kinds, whichever process makes them: by id as soon as it learns of them, and always within
   * a second, where `id: null` means that any may have changed. Changes by other programs count as well.
   *
   * @returns how to end it
   */
  watch(kinds: readonly ChangeKind[], listener: ChangeListener): () => void;
  /**
   * Whether changes by other processes are told as soon as they are committed: false while they are only found by looking twice
   * a second. null where this database, or the way to it, tells nothing.
   */
  hears(): boolean | null;
  /** Whether content can be read now, at least as it was a while ago, even if the database itself does not answer. */
  readsAlone(): boolean;
  /** Unix time in milliseconds, by the clock of the database's machine. */
  clock(): Promise<number>;
  /** Facts that the database tells about itself. */
  facts(): Promise<StoreFacts>;
  /** Resolves when a read works, throws UNAVAILABLE with the reason otherwise. */
  check(): Promise<void>;
  close(): Promise<void>;
}
