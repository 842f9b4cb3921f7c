import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import type { Database } from "../database/database.ts";
import { postgresDialect } from "./dialect.ts";

/** Milliseconds for which a process notes in the database that it reads from the replica. */
const NOTE = 2_000;

/** Notes on the primary that this process reads from the replica, so that writes wait for it. Times are those of `performance.now()`. */
export class ReaderNotes {
  readonly #primary: Database;
  readonly #id = randomUUID();
  /** From when until when there is a note without a gap. */
  #from = Number.POSITIVE_INFINITY;
  #until = Number.NEGATIVE_INFINITY;

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
        .values({ id: this.#id, until_ms: until })
        .onConflict((conflict) => conflict.column("id").doUpdateSet({ until_ms: until }))
        .compile(),
      read.deleteFrom("replica_readers").where("until_ms", "<", sql<number>`${NOW_MS} - 60000`).compile(),
    ]);
    const now = performance.now();
    if (now > this.#until) this.#from = now;
    this.#until = askedAt + NOTE;
  }
}

const NOW_MS = postgresDialect.nowMs;
