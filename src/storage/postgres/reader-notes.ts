import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import type { Database } from "../database/database.ts";
import { postgresDialect } from "./dialect.ts";

/** Milliseconds for which a process notes in the database that it reads from the replica. */
const NOTE = 2_000;

/**
 * Notes on the primary that this process reads from the replica, so that writes wait for it. A new primary gets notes with another id,
 * which only it and its replicas know. Times are those of `performance.now()`.
 */
export class ReaderNotes {
  readonly #primary: Database;
  /** Id of their row. A replica that has the row follows the primary. */
  readonly id = randomUUID();
  /** From when until when there is a note without a gap. */
  #from = Number.POSITIVE_INFINITY;
  #until = Number.NEGATIVE_INFINITY;
  #markedAt = Number.NEGATIVE_INFINITY;

  constructor(primary: Database) {
    this.#primary = primary;
  }

  /** Whether every write that is not on the replica, which has everything from before `knownFrom`, waits for this process. */
  cover(knownFrom: number, now: number): boolean {
    return knownFrom >= this.#from && now < this.#until;
  }

  /** Writes the next note when the last one has half expired. Old notes of processes that are gone are removed. */
  async renew(): Promise<void> {
    const askedAt = performance.now();
    if (this.#until - askedAt >= NOTE / 2) return;
    const { read } = this.#primary;
    const until = sql<number>`${NOW_MS} + ${sql.lit(NOTE)}`;
    await this.#primary.writeAtOnce([
      read
        .insertInto("replica_readers")
        .values({ id: this.id, until_ms: until })
        .onConflict((conflict) => conflict.column("id").doUpdateSet({ until_ms: until }))
        .compile(),
      read.deleteFrom("replica_readers").where("until_ms", "<", sql<number>`${NOW_MS} - 60000`).compile(),
    ]);
    const now = performance.now();
    if (now > this.#until) this.#from = now;
    this.#until = askedAt + NOTE;
  }

  /** Writes a note for which no write waits, unless there is one: for the replica to show that it follows the primary. */
  async mark(): Promise<void> {
    const now = performance.now();
    if (now - this.#markedAt < NOTE / 2) return;
    this.#markedAt = now;
    const values = { id: this.id, until_ms: NOW_MS };
    const insert = this.#primary.read.insertInto("replica_readers").values(values);
    await this.#primary.writeAtOnce([insert.onConflict((conflict) => conflict.doNothing()).compile()]);
  }
}

const NOW_MS = postgresDialect.nowMs;
