import type { AuditStore } from "./audit.ts";
import type { ChangeKind, ChangeListener } from "./change.ts";
import type { Client, NewClient, SigningAlgorithm } from "./client.ts";
import type { ContentEvent } from "./event.ts";
import type { Id } from "./id.ts";
import type { Once, RememberedChange } from "./idempotency.ts";
import type { NewPost, RenderedPost } from "./post.ts";
import type { PostDecision } from "./post-changes.ts";
import type { RootSelection, SlotValues } from "./selection.ts";
import type { NewUser, User } from "./user.ts";
import type { Role } from "./viewer.ts";
import type { WebhookStore } from "./webhook-delivery.ts";

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
  readonly posts: PostStore;
  readonly clients: ClientStore;
  readonly artifacts: ArtifactStore;
  readonly attempts: AttemptStore;
  readonly signingKeys: SigningKeyStore;
  readonly outbox: OutboxStore;
  readonly webhooks: WebhookStore;
  readonly audit: AuditStore;
  readonly idempotency: IdempotencyStore;
  readonly rateLimits: RateLimitStore;
  /**
   * Plans one statement; cheap enough to be called once per document, not once per request.
   * @throws BAD_REQUEST for objects selected more than 20 deep within each other
   */
  prepareRead(root: RootSelection): PreparedRead;
  /**
   * Tells of changes of these kinds, whichever process makes them: by id as soon as it is heard of, and in any case within
   * a second, `id: null` then meaning that any may have changed. What is changed past the program counts as well.
   *
   * @returns how to end it
   */
  watch(kinds: readonly ChangeKind[], listener: ChangeListener): () => void;
  /** Resolves when a read works, throws UNAVAILABLE with the reason otherwise. */
  check(): Promise<void>;
  close(): Promise<void>;
}

export interface PreparedRead {
  /**
   * @returns JSON text: an object or list as selected, or `null` for a missing object. Synchronous where the
   * database is in process; callers await only what is a promise.
   * @param isNewest whether it must be what is committed now. Otherwise it may be read from a copy, which has all that any
   * write of content had left when its promise resolved.
   */
  run(values: SlotValues, isNewest?: boolean): string | Promise<string>;
}

/** What a change is to be answered with. */
export interface ReadBack {
  readonly read: PreparedRead;
  /** The values of its slots, by the id of what was changed. */
  valuesFor(id: Id): SlotValues;
  /** What the change left, read in its own transaction where that is quicker than afterwards; null until then. */
  json: string | null;
}

export interface UserStore {
  /** @throws CONFLICT with field `email` when the address (by `emailKey`) is taken, KeyInUse */
  create(user: NewUser, once?: Once): Promise<User>;
  /** As `create`, but only into an empty table, whoever else tries at the same time. @throws CONFLICT otherwise */
  createFirst(user: NewUser): Promise<User>;
  find(id: Id): Promise<User | null>;
  /** By `emailKey` of the given address. */
  findByEmail(email: string): Promise<User | null>;
  /** Oldest first. */
  list(): Promise<User[]>;
  /** Newest first. @param after goes on with those that are older than this person */
  listNewest(after: Id | undefined, limit: number): Promise<User[]>;
  isEmpty(): Promise<boolean>;
  /** Each change takes effect on tokens within a second. @throws NOT_FOUND, KeyInUse */
  update(
    id: Id,
    change: { passwordHash?: string; role?: Role; disabledAt?: string | null },
    once?: Once,
  ): Promise<User>;
  /**
   * Changes what others see, counts the version up and writes a `user.updated` event, in one transaction; nothing of that
   * where nothing is given.
   * @throws NOT_FOUND, CONFLICT with `version` when it is not the expected one, KeyInUse
   */
  changeProfile(id: Id, change: { name?: string }, expectedVersion: number | null, once?: Once): Promise<void>;
}

export interface PostStore {
  /** Posts that have nothing yet of what is derived from title and body (`RenderedPost`), those that were written first. */
  listUnrendered(limit: number): Promise<{ id: Id; title: string; body: string }[]>;
  /** Keeps what is derived from a post, with a suffix to the slug where another has it; nothing where that was done already. */
  keepRendered(id: Id, rendered: RenderedPost): Promise<void>;
  /**
   * Writes the post and its `post.created` event in one transaction.
   * @throws NOT_FOUND when the author is missing, KeyInUse
   */
  create(post: NewPost, once?: Once, readBack?: ReadBack | null): Promise<Id>;
  /**
   * Reads the post, asks what is to become of it, and writes that with its event, all in one transaction. Each change counts
   * the version up. The decision may be asked for again, with the post as it is then. With `once`, that something was decided
   * is remembered even where nothing is to change.
   * @throws what `decide` throws, KeyInUse
   */
  edit(id: Id, decide: PostDecision, once?: Once): Promise<void>;
  /** Drafts whose `publishAt` is not after `now`, those that have waited longest first. */
  listDue(now: string, limit: number): Promise<Id[]>;
}

export interface ClientStore {
  /** @throws CONFLICT when the id is taken, KeyInUse */
  create(client: NewClient, once?: Once): Promise<Client>;
  /** Creates the client or, where its id exists, makes it equal to what is given; `disabledAt` stays. */
  put(client: NewClient): Promise<Client>;
  find(id: string): Promise<Client | null>;
  /** Oldest first. */
  list(): Promise<Client[]>;
  /** @throws NOT_FOUND, KeyInUse */
  update(id: string, change: { secretHash?: string; disabledAt?: string | null }, once?: Once): Promise<Client>;
}

/**
 * Anything that the authorization server keeps for a while: codes, tokens, sessions, grants, interactions.
 * Bearer values never reach storage: it is given SHA-256 hashes (base64url), and a payload that is encrypted.
 */
export interface Artifact {
  /** The model's name in the protocol engine, such as `AccessToken`. */
  readonly kind: string;
  readonly idHash: string;
  readonly grantId: string | null;
  readonly userId: string | null;
  readonly clientId: string | null;
  /** Space-separated, as in RFC 6749 section 3.3. */
  readonly scope: string | null;
  /** Second name of a session. */
  readonly uidHash: string | null;
  /** RFC 8628. */
  readonly userCodeHash: string | null;
  readonly payload: string;
  readonly expiresAtSeconds: number | null;
  readonly consumedAtSeconds: number | null;
  /** SHA-256 thumbprint (RFC 7638) of the key that a bearer must prove to have (RFC 9449 section 6); of a token that is bound. */
  readonly jkt?: string | null;
  /** SHA-256 thumbprint of the certificate that a bearer must come with (RFC 8705 section 3); of a token that is bound. */
  readonly x5t?: string | null;
}

/** One artifact used up, and others issued for it. */
interface Redemption {
  readonly kind: string;
  readonly idHash: string;
  readonly atSeconds: number;
  /** `idHash` of the artifact of kind `Grant` that all of it belongs to. */
  readonly grantHash: string;
  /** Every one with the `grantId` of that grant. */
  readonly issued: readonly Artifact[];
}

export interface ArtifactStore {
  /** Creates or replaces by (kind, idHash); a consumption that is recorded already stays recorded. */
  put(artifact: Artifact): Promise<void>;
  /** Expired ones are still returned until they are swept: the engine judges expiry itself. */
  find(kind: string, idHash: string): Promise<Artifact | null>;
  findByUid(kind: string, uidHash: string): Promise<Artifact | null>;
  findByUserCode(kind: string, userCodeHash: string): Promise<Artifact | null>;
  /** Compare-and-set: true for exactly one caller, false for the rest and for what is missing. */
  consume(kind: string, idHash: string, atSeconds: number): Promise<boolean>;
  /**
   * Consumes, as `consume` does, and puts what is issued for it, in one transaction. False, and nothing is written, where
   * another caller has consumed it, or its grant is not there any more.
   */
  redeem(redemption: Redemption): Promise<boolean>;
  destroy(kind: string, idHash: string): Promise<void>;
  /** Destroys every artifact of the grant, of whatever kind. */
  revokeGrant(grantId: string): Promise<void>;
  /**
   * Destroys everything that belongs to the person, of whatever kind: sign-out everywhere.
   * @param kept what stays: whole kinds, and single artifacts by their `idHash`
   */
  revokeUser(
    userId: string,
    kept?: { readonly kinds?: readonly string[]; readonly idHashes?: readonly string[] },
  ): Promise<void>;
  /** Destroys everything of the person that belongs to the client. */
  revokeClientOfUser(userId: string, clientId: string): Promise<void>;
  /** What the person has of these kinds, expired or not; a thousand at most, those that last longest first. */
  listOfUser(userId: string, kinds: readonly string[]): Promise<Artifact[]>;
  /**
   * A live access token with what a resource server must know, or null when it is unknown, expired, consumed, or its
   * client or person is missing or disabled.
   */
  findAccessToken(idHash: string, nowSeconds: number): Promise<AccessToken | null>;
  /** Destroys what expired before `beforeSeconds`, at most `limit` of it. @returns how many */
  sweep(beforeSeconds: number, limit: number): Promise<number>;
}

export interface AccessToken {
  readonly idHash: string;
  readonly grantId: string | null;
  readonly userId: Id | null;
  readonly role: Role | null;
  readonly clientId: string;
  /** Space-separated. */
  readonly scope: string;
  readonly expiresAtSeconds: number;
  /** Thumbprint of the key that must be proved with every use (RFC 9449 section 7); null for a bearer token. */
  readonly jkt: string | null;
  /** Thumbprint of the certificate that must come with every use (RFC 8705 section 3); null for any other token. */
  readonly x5t: string | null;
}

/** Counts of what may be tried a few times only, kept for all processes together. */
export interface AttemptStore {
  /** Counts one more, within a window that begins with the first one. @returns how many there are in it now */
  add(key: string, windowSeconds: number, nowSeconds: number): Promise<number>;
  /**
   * For what may be used once, whatever the clocks of others say.
   * @param untilSeconds for how long that is remembered: to when it would be refused anyway
   * @returns whether nobody has used it before
   */
  claimOnce(key: string, untilSeconds: number, nowSeconds: number): Promise<boolean>;
  /** Takes one back where there is one. */
  withdraw(key: string): Promise<void>;
  clear(key: string): Promise<void>;
  /** Destroys counts whose window is over, at most `limit` of them. @returns how many */
  sweep(nowSeconds: number, limit: number): Promise<number>;
}

/** A key that signs ID tokens, its private part encrypted. */
export interface SigningKey {
  readonly kid: string;
  readonly algorithm: SigningAlgorithm;
  /** Encrypted private JWK. */
  readonly privateKey: string;
  readonly createdAt: string;
  /** Until then it is published only, so that whoever verifies has it when its first token comes. */
  readonly signsFrom: string;
  /** From when on another key signs instead; the public part stays published until its last token is gone. */
  readonly retiredAt: string | null;
}

export interface SigningKeyStore {
  /** Newest first. */
  list(): Promise<SigningKey[]>;
  /** Adds the keys unless there is any already, whoever else tries at the same time. */
  createIfNone(keys: readonly SigningKey[]): Promise<void>;
  /**
   * Adds keys, each of which takes over from the one of its algorithm at its `signsFrom`.
   * @throws CONFLICT where one is to take over already
   */
  rotate(keys: readonly SigningKey[]): Promise<void>;
  /** Adds keys, and destroys all others of their algorithms. */
  replace(keys: readonly SigningKey[]): Promise<void>;
  /** Destroys what retired before that time. */
  sweep(before: string): Promise<void>;
}

/**
 * Which changes were made for requests that came with an Idempotency-Key. What is a day old (`REMEMBERED_SECONDS`) is
 * forgotten, whether it is still there or not.
 */
export interface IdempotencyStore {
  /** By `Once.id`, in the order of the fields. */
  find(id: string): Promise<RememberedChange[]>;
  /** Keeps the whole answer with a change that is remembered. */
  keepAnswer(id: string, field: number, answer: string): Promise<void>;
  /** Destroys what is forgotten, at most `limit` of it. @returns how many */
  sweep(limit: number): Promise<number>;
}

/** What one process took from buckets of rate limits between two of its batches. */
export interface TakenPoints {
  readonly process: string;
  /** Ascends with each batch of the process. */
  readonly number: number;
  /** By bucket, which is named by a hash. */
  readonly taken: Readonly<Record<string, number>>;
  /** Milliseconds since it was told. */
  readonly age: number;
}

/**
 * What processes tell one another of their buckets: `src/rate-sharing.ts`. Time is that of the database, and nothing waits for
 * long: rather than that, it is UNAVAILABLE.
 */
export interface RateLimitStore {
  /** Tells one batch. When there is one of this number already, nothing is done. */
  tell(process: string, number: number, taken: TakenPoints["taken"]): Promise<void>;
  /**
   * What others than this process told within these milliseconds, oldest first; the newest 10,000 batches at the most.
   * @param heard the number of the last batch that is known, by process
   */
  hear(process: string, heard: ReadonlyMap<string, number>, milliseconds: number): Promise<TakenPoints[]>;
  /** Destroys what is older. */
  sweep(milliseconds: number): Promise<void>;
}

export interface OutboxStore {
  /** Events after the given id (null: from the beginning), oldest first. */
  list(after: Id | null, limit: number): Promise<ContentEvent[]>;
  /** The id of the newest event, null when there is none. Whatever is committed from now on comes after it in `list`. */
  last(): Promise<Id | null>;
}
