import type { Change, ChangeKind, ChangeListener } from "../../domain/change.ts";
import type { Id } from "../../domain/id.ts";
import type { Database } from "./database.ts";

/** Milliseconds until changes of other processes count as possible, where the database names no other time. */
const POLL = 500;
/** The part of it that lies between two looks at the outbox at most, while somebody wants to know of events. */
const EVENT_SHARE = 0.4;
/** The share of the time between two looks that is random, so that processes do not look at the same moment. */
const JITTER = 0.25;

interface Watcher {
  readonly kinds: ReadonlySet<ChangeKind>;
  readonly listener: ChangeListener;
}

/**
 * Tells what has changed. Changes of this process are told as soon as they are committed; those of other processes as
 * the database lets us know (`Database.follow`). Events of other processes are found by looking: a notification in every
 * commit of content would let one commit wait for another on PostgreSQL (docs/decisions/0005-changes-and-read-replicas.md).
 */
export class Changes {
  readonly #database: Database;
  readonly #watchers = new Set<Watcher>();
  #unfollow: (() => void) | null = null;
  #eventPoll: NodeJS.Timeout | null = null;
  #lastEvent: Id | null = null;

  constructor(database: Database) {
    this.#database = database;
  }

  /** @returns how to end it */
  watch(kinds: readonly ChangeKind[], listener: ChangeListener): () => void {
    const watcher = { kinds: new Set(kinds), listener };
    this.#watchers.add(watcher);
    this.#unfollow ??= this.#database.follow((change) => this.#tell(change));
    if (watcher.kinds.has("event")) this.#eventPoll ??= this.#lookLater();
    return () => {
      this.#watchers.delete(watcher);
      if (this.#watchers.size === 0) this.close();
      else if (![...this.#watchers].some((other) => other.kinds.has("event"))) this.#endEventPoll();
    };
  }

  close(): void {
    this.#watchers.clear();
    this.#unfollow?.();
    this.#unfollow = null;
    this.#endEventPoll();
  }

  /** The database for writes that make this change: it is told to everybody when they are committed. */
  telling(change: Change, database = this.#database): Database {
    const { dialect } = database;
    const announcement = change.kind === "event" ? null : dialect.announcement(change);
    return {
      dialect,
      read: database.read,
      prepareRow: (query, content) => database.prepareRow(query, content),
      follow: (tell) => database.follow(tell),
      close: () => database.close(),
      write: (job, patience) =>
        this.#tellAfter(change, () =>
          database.write(async (tx) => {
            const value = await job(tx);
            await announcement?.execute(tx);
            return value;
          }, patience),
        ),
      writeAtOnce: (queries, isRight, author) =>
        this.#tellAfter(change, async () => {
          if (announcement === null) return database.writeAtOnce(queries, isRight, author);
          const ours = (changed: readonly number[]) => changed.slice(0, queries.length);
          const isOursRight = isRight && ((changed: readonly number[]) => isRight(ours(changed)));
          return ours(await database.writeAtOnce([...queries, announcement.compile(database.read)], isOursRight));
        }),
      writeTogether: (queries, readings, author) => {
        const all = announcement === null ? queries : [...queries, announcement.compile(database.read)];
        return this.#tellAfter(change, () => database.writeTogether(all, readings, author));
      },
    };
  }

  /** Also after a failure, which may have been one of a commit that was made all the same. */
  async #tellAfter<T>(change: Change, write: () => Promise<T>): Promise<T> {
    try {
      return await write();
    } finally {
      this.#tell(change);
    }
  }

  #tell(change: Change): void {
    for (const { kinds, listener } of this.#watchers) if (kinds.has(change.kind)) listener(change);
  }

  async #lookForEvents(): Promise<void> {
    const query = this.#database.read.selectFrom("outbox").select("id").orderBy("id", "desc").limit(1);
    try {
      const last = await query.executeTakeFirst();
      if (last !== undefined && last.id !== this.#lastEvent) {
        this.#lastEvent = last.id;
        this.#tell({ kind: "event", id: last.id });
      }
    } catch {
      // Away: the next look will do.
    }
    if (this.#eventPoll !== null) this.#eventPoll = this.#lookLater();
  }

  #lookLater(): NodeJS.Timeout {
    const wait = (this.#database.pollEvery ?? POLL) * EVENT_SHARE * (1 - Math.random() * JITTER);
    return setTimeout(() => this.#lookForEvents(), wait).unref();
  }

  #endEventPoll(): void {
    if (this.#eventPoll !== null) clearTimeout(this.#eventPoll);
    this.#eventPoll = null;
    this.#lastEvent = null;
  }
}
