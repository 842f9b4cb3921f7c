import { setTimeout as pause } from "node:timers/promises";
import { sql } from "kysely";
import { AppError } from "../../domain/errors.ts";
import type { Log } from "../../observe/log.ts";
import type { Metrics } from "../../observe/metrics.ts";
import type { StatementWatch } from "../../observe/statement-watch.ts";
import type { Content, Database, RowQuery, RowStatement } from "../database/database.ts";
import { bindParameters } from "../database/statement.ts";
import type { ReadingCopy } from "../reading/reading-copy.ts";
import type { PostgresAddress } from "./address.ts";
import { Connections } from "./connections.ts";
import { postgresDialect } from "./dialect.ts";
import { isRefusal, postgresError } from "./errors.ts";
import { ReaderNotes } from "./reader-notes.ts";
import { ReplayProgress } from "./replay-progress.ts";
import { ReplicaAge } from "./replica-age.ts";
import { newStatement, type Step, toValues } from "./statement.ts";

/** Milliseconds between two looks at how far the replica is. */
const LOOK_EVERY = 200;
/** Milliseconds that the replica may be behind and still be read from. */
const MAX_LAG = 1_000;
/** Milliseconds that a write waits beyond MAX_LAG, for clocks that do not run equally fast. */
const MARGIN = 50;
/** Milliseconds that a write waits for a primary that has stopped to answer, where reads go on without it. */
const HOLD = 10_000;

interface ReplicaOptions {
  readonly log: Log;
  readonly metrics: Metrics;
  readonly statements?: StatementWatch | null;
  /** Milliseconds that content from the replica may be old. Defaults to 0. */
  readonly staleness?: number;
}

/**
 * A streaming replica, and what makes a read after a write see it on every node, whoever wrote where:
 *
 * 1. A process reads from the replica only while it knows that the replica has all that was committed a second ago
 *    (MAX_LAG): it asks the primary for its position in the WAL, and the replica until that is replayed.
 * 2. A write of content is over when the replica has it, or else after a second: until then those who read from the
 *    replica either have learnt that it is that far or do not read from it any more.
 * 3. So that nobody waits for a replica that nobody reads from, readers note themselves on the primary, before they
 *    begin, for two seconds each time. A write that finds no note waits for nothing.
 *
 * With `staleness`, content may be older. Then the replica also answers while the primary does not, as long as this
 * process knows that it has everything from before that time, and everything that this process itself has written since.
 *
 * After a failover, positions of the old primary and the new one are not compared: the replica is read from again when it has a
 * note that the new primary wrote (`ReplayProgress`).
 *
 * Every duration is measured on one process's own clock, so clocks that differ do not matter. The reasons are in
 * docs/decisions/0005-changes-and-read-replicas.md.
 */
export class Replica implements ReadingCopy {
  readonly #primary: Database;
  readonly #whereabouts: RowStatement;
  /** The last answer of the primary. */
  #position: number | null = null;
  /** Timeline of the primary, in eight hexadecimal digits. A replica that becomes the primary begins the next one. */
  #timeline = "";
  readonly #connections: Connections;
  readonly #progress: ReplayProgress;
  readonly #log: Log;
  readonly #watching: NodeJS.Timeout;
  readonly #closing = new AbortController();
  readonly #age: ReplicaAge;
  readonly #staleness: number;
  /** When a write of this process ended that the replica may not have: `performance.now()`. */
  #wroteAt = Number.NEGATIVE_INFINITY;
  #notes: ReaderNotes;
  #lastUse: Use = "none";

  constructor(
    primary: Database,
    address: PostgresAddress,
    { log, metrics, statements = null, staleness = 0 }: ReplicaOptions,
  ) {
    this.#primary = primary;
    this.#whereabouts = primary.prepareRow(POSITION.compile(primary.read));
    this.#connections = new Connections(address, { metrics, statements, role: "replica" }, address.size - 1);
    this.#notes = new ReaderNotes(primary);
    const note = () => this.#notes.id;
    this.#progress = new ReplayProgress(primary, this.#connections, note, (position) => this.#age.replayed(position));
    this.#log = log;
    this.#staleness = staleness;
    this.#age = new ReplicaAge(Math.max(staleness, MAX_LAG));
    metrics.gauge("replica_lag_bytes", () => this.#lag());
    this.#watching = setInterval(() => this.#watch(), LOOK_EVERY).unref();
  }

  /**
   * Begins to use the replica as soon as it can be used.
   *
   * @throws AppError UNAVAILABLE when it cannot be one of this primary, or refuses us; one that is away is waited for
   */
  async open(): Promise<void> {
    try {
      await this.#progress.ask();
    } catch (error) {
      if (isRefusal(error) || error instanceof AppError) {
        await this.close();
        const { message } = postgresError(error);
        throw new AppError("UNAVAILABLE", `DATABASE_READ_URL: ${message}`, {}, error);
      }
      this.#log.warn({ err: postgresError(error) }, "the read replica is away: reads go to the primary");
    }
    void this.#look();
  }

  prepareRow(query: RowQuery, content?: Content): RowStatement {
    const elsewhere = this.#primary.prepareRow(query);
    if (this.#staleness > 0 && content === undefined) return elsewhere;
    const statement = newStatement(query.sql, "kept");
    return {
      query,
      run: async (values) => {
        if (this.#use() === "none") return elsewhere.run(values);
        try {
          const step: Step = { statement, values: bindParameters(query, values) };
          const { columns, rows } = await this.#connections.hold(() => this.#connections.read(step, 1));
          return rows[0] === undefined ? undefined : toValues(columns, rows[0]);
        } catch {
          // A replica ends statements that stand in the way of replaying, among other things.
          return elsewhere.run(values);
        }
      },
    };
  }

  state(): { readonly isUsed: boolean; readonly isStale: boolean; readonly problem: string | null } {
    const { problem } = this.#progress;
    const use = this.#use();
    return {
      ...{ isUsed: use === "current", isStale: use === "stale" },
      problem: problem === null ? null : postgresError(problem).message,
    };
  }

  /** Whether reads of content are answered even if the primary is away. */
  readsAlone(): boolean {
    return this.#staleness > 0 && this.#use() !== "none";
  }

  async settled(): Promise<void> {
    if (this.#staleness > 0) return this.#settledHere();
    const until = performance.now() + MAX_LAG + MARGIN;
    try {
      const { position, readers } = await this.#askPrimary();
      if (readers > 0) await this.#progress.reaches(position, until);
    } catch {
      await pause(until - performance.now());
    }
  }

  async close(): Promise<void> {
    this.#closing.abort();
    clearInterval(this.#watching);
    this.#progress.close();
    await this.#connections.close();
  }

  /** Bytes of WAL that the replica had not replayed when both were asked last; null until both have answered. */
  #lag(): number | null {
    const { replayed } = this.#progress;
    return this.#position === null || replayed === null ? null : Math.max(0, this.#position - replayed);
  }

  /**
   * As `settled`, for the reads of this process alone: they go to the primary for as long as the replica may lack what
   * was written. Where the primary has stopped to answer as well, the write is acknowledged later, so that reads go on.
   */
  async #settledHere(): Promise<void> {
    const began = performance.now();
    const until = began + MAX_LAG + MARGIN;
    let position: number | null = null;
    while (performance.now() - began < HOLD && !this.#closing.signal.aborted) {
      const answer = await this.#askPrimary().catch(() => null);
      position ??= answer?.position ?? null;
      if (answer !== null && (answer.readers === 0 || performance.now() >= until)) break;
      const next = Math.max(until, performance.now() + LOOK_EVERY);
      if (position === null) await pause(LOOK_EVERY);
      else if (await this.#progress.reaches(position, next)) return;
    }
    this.#wroteAt = performance.now();
  }

  /** `current`: at most a second behind. `stale`: older, as far as this process may know. `none`: reads go to the primary. */
  #use(): Use {
    const now = performance.now();
    const { knownFrom } = this.#age;
    if (knownFrom < this.#wroteAt) return "none";
    if (now - knownFrom < MAX_LAG && this.#notes.cover(knownFrom, now)) return "current";
    return now - knownFrom < this.#staleness && this.#progress.problem === null ? "stale" : "none";
  }

  #watch(): void {
    const use = this.#use();
    if (use === this.#lastUse) return;
    this.#lastUse = use;
    const { problem } = this.#progress;
    const reason = problem === null ? {} : { err: postgresError(problem) };
    if (use === "current") this.#log.info({}, "reads go to the replica");
    else if (use === "stale")
      this.#log.warn(reason, "the read replica is behind, or the primary is away: content that is read may be old");
    else this.#log.warn(reason, "the read replica is behind or away: reads go to the primary");
  }

  async #look(): Promise<void> {
    const { signal } = this.#closing;
    while (!signal.aborted) {
      const askedAt = performance.now();
      try {
        const { position } = await this.#askPrimary();
        this.#age.heard(askedAt, position);
        const isNear = await this.#progress.reaches(position, askedAt + MAX_LAG, { needsProof: false });
        if (isNear) await (this.#progress.isProven ? this.#notes.renew() : this.#notes.mark());
      } catch {
        // The primary is away: without news of it, the replica is not read from for long. Does the replica itself answer?
        if (this.#staleness > 0) await this.#progress.reaches(0, performance.now() + MAX_LAG, { needsProof: false });
      }
      await pause(LOOK_EVERY, null, { ref: false, signal }).catch(() => {});
    }
  }

  /** The position up to which the primary has made commits durable, and how many processes read from the replica. */
  async #askPrimary(): Promise<{ position: number; readers: number }> {
    const [position, readers, timeline] = (await this.#whereabouts.run([])) as [number, number, string];
    if (timeline < this.#timeline) throw new Error("This is a primary from before a failover.");
    if (timeline > this.#timeline) {
      this.#timeline = timeline;
      this.#age.restart();
      this.#notes = new ReaderNotes(this.#primary);
    }
    this.#position = position;
    return { position, readers };
  }
}

type Use = "current" | "stale" | "none";

const NOW_MS = postgresDialect.nowMs;

/** With synchronous_commit off, a commit is written to memory before it is flushed. */
const POSITION = sql`select
  pg_wal_lsn_diff(case current_setting('synchronous_commit')
    when 'off' then pg_current_wal_insert_lsn() else pg_current_wal_flush_lsn() end, '0/0')::bigint as position,
  (select count(*) from replica_readers where until_ms > ${NOW_MS})::bigint as readers,
  left(pg_walfile_name(pg_current_wal_insert_lsn()), 8) as timeline`;
