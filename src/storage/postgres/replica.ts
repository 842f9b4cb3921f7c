import { randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { sql } from "kysely";
import { AppError } from "../../domain/errors.ts";
import type { Log } from "../../observe/log.ts";
import type { Metrics } from "../../observe/metrics.ts";
import type { StatementWatch } from "../../observe/statement-watch.ts";
import type { Database, RowQuery, RowStatement } from "../database/database.ts";
import { bindParameters } from "../database/statement.ts";
import type { ReadingCopy } from "../reading/reading-copy.ts";
import type { PostgresAddress } from "./address.ts";
import { Connections } from "./connections.ts";
import { postgresDialect } from "./dialect.ts";
import { isRefusal, postgresError } from "./errors.ts";
import { ReplayProgress } from "./replay-progress.ts";
import { newStatement, type Step, toValues } from "./statement.ts";

/** Milliseconds between two looks at how far the replica is. */
const LOOK_EVERY = 200;
/** Milliseconds that the replica may be behind and still be read from. */
const MAX_LAG = 1_000;
/** Milliseconds for which a process notes in the database that it reads from the replica. */
const NOTE = 2_000;
/** Milliseconds that a write waits beyond MAX_LAG, for clocks that do not run equally fast. */
const MARGIN = 50;

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
 * Every duration is measured on one process's own clock, so clocks that differ do not matter. The reasons are in
 * docs/decisions/0005-changes-and-read-replicas.md.
 */
export class Replica implements ReadingCopy {
  readonly #primary: Database;
  readonly #whereabouts: RowStatement;
  /** The last answer of the primary. */
  #position: number | null = null;
  readonly #connections: Connections;
  readonly #progress: ReplayProgress;
  readonly #log: Log;
  readonly #id = randomUUID();
  readonly #watching: NodeJS.Timeout;
  readonly #closing = new AbortController();
  /** All that was committed before then is on the replica: `performance.now()`. */
  #knownFrom = Number.NEGATIVE_INFINITY;
  /** From when until when there is a note without a gap. */
  #notedFrom = Number.POSITIVE_INFINITY;
  #notedUntil = Number.NEGATIVE_INFINITY;
  #wasUsed = false;

  constructor(
    primary: Database,
    address: PostgresAddress,
    {
      log,
      metrics,
      statements = null,
    }: { readonly log: Log; readonly metrics: Metrics; readonly statements?: StatementWatch | null },
  ) {
    this.#primary = primary;
    this.#whereabouts = primary.prepareRow(POSITION.compile(primary.read));
    this.#connections = new Connections(address, { metrics, statements, role: "replica" }, address.size - 1);
    this.#progress = new ReplayProgress(primary, this.#connections);
    this.#log = log;
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

  prepareRow(query: RowQuery): RowStatement {
    const statement = newStatement(query.sql, "kept");
    const elsewhere = this.#primary.prepareRow(query);
    return {
      query,
      run: async (values) => {
        if (!this.#isUsed()) return elsewhere.run(values);
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

  state(): { readonly isUsed: boolean; readonly problem: string | null } {
    const { problem } = this.#progress;
    return { isUsed: this.#isUsed(), problem: problem === null ? null : postgresError(problem).message };
  }

  async settled(): Promise<void> {
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

  #isUsed(): boolean {
    const now = performance.now();
    return now - this.#knownFrom < MAX_LAG && this.#knownFrom >= this.#notedFrom && now < this.#notedUntil;
  }

  #watch(): void {
    const isUsed = this.#isUsed();
    if (isUsed === this.#wasUsed) return;
    this.#wasUsed = isUsed;
    if (isUsed) {
      this.#log.info({}, "reads go to the replica");
      return;
    }
    const { problem } = this.#progress;
    const reason = problem === null ? {} : { err: postgresError(problem) };
    this.#log.warn(reason, "the read replica is behind or away: reads go to the primary");
  }

  async #look(): Promise<void> {
    const { signal } = this.#closing;
    while (!signal.aborted) {
      try {
        const askedAt = performance.now();
        const { position } = await this.#askPrimary();
        if (await this.#progress.reaches(position, askedAt + MAX_LAG)) {
          this.#knownFrom = askedAt;
          if (this.#notedUntil - performance.now() < NOTE / 2) await this.#note();
        }
      } catch {
        // The primary is away: without news of it, the replica is not read from for long.
      }
      await pause(LOOK_EVERY, null, { ref: false, signal }).catch(() => {});
    }
  }

  /** Says on the primary that this process reads from the replica; old notes of processes that are gone are removed. */
  async #note(): Promise<void> {
    const askedAt = performance.now();
    const { read } = this.#primary;
    const until = sql<number>`${NOW_MS} + ${sql.lit(NOTE)}`;
    await this.#primary.writeAtOnce([
      read
        .insertInto("replica_readers")
        .values({ id: this.#id, until_ms: until })
        .onConflict((conflict) => conflict.column("id").doUpdateSet({ until_ms: until }))
        .compile(),
      read.deleteFrom("replica_readers").where("until_ms", "<", sql<number>`${NOW_MS} - 60000`).compile(),
    ]);
    const now = performance.now();
    if (now > this.#notedUntil) this.#notedFrom = now;
    this.#notedUntil = askedAt + NOTE;
  }

  /** The position up to which the primary has made commits durable, and how many processes read from the replica. */
  async #askPrimary(): Promise<{ position: number; readers: number }> {
    const row = (await this.#whereabouts.run([])) as [position: number, readers: number];
    this.#position = row[0];
    return { position: row[0], readers: row[1] };
  }
}

const NOW_MS = postgresDialect.nowMs;

/** With synchronous_commit off, a commit is written to memory before it is flushed. */
const POSITION = sql`select
  pg_wal_lsn_diff(case current_setting('synchronous_commit')
    when 'off' then pg_current_wal_insert_lsn() else pg_current_wal_flush_lsn() end, '0/0')::bigint as position,
  (select count(*) from replica_readers where until_ms > ${NOW_MS})::bigint as readers`;
