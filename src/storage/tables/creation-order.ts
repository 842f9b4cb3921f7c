import { type CompiledQuery, type Expression, type RawBuilder, sql } from "kysely";
import type { Id } from "../../domain/id.ts";
import type { Database } from "../database/database.ts";
import { bind, param, type Statement, statement } from "../database/statement.ts";

/**
 * Gives new rows of a table a `created_at` that ascends, with the id, in the order of commits: a reader who has seen a row has
 * seen every row that stands before it. Whoever creates one holds the table's row in `creations` until the commit, so
 * transactions that create rows of one table commit one after the other, in all processes.
 */
export class CreationOrder {
  /** SQL for the `created_at` of the row that is created, once `next` has run in its transaction. */
  readonly at: RawBuilder<string>;
  readonly #next: Statement;

  /** @param gate that the transaction is inside before it holds the row; null for none */
  constructor({ read, dialect }: Database, table: "posts" | "users", gate: string | null) {
    this.at = sql<string>`(select created_at from creations where subject = ${sql.lit(table)})`;
    const [now, id] = [param<string>(0), param<Id>(1)];
    const entered = (value: Expression<Id>) => (gate === null ? value : dialect.entering(sql.lit(gate), value));
    this.#next = statement(() =>
      read
        .updateTable("creations")
        .set({
          // Clocks of processes differ, and so do the ids that they make in the same millisecond.
          created_at: sql<string>`case when created_at < ${now} then ${now} when id < ${id} then created_at
            else ${dialect.nextMillisecond(sql.ref("created_at"))} end`,
          id: entered(id),
        })
        .where("subject", "=", sql.lit(table)),
    );
  }

  /**
   * To be run in the transaction before the row is written. What the transaction may have to wait for longer comes before it.
   *
   * @param now RFC 3339, UTC, milliseconds
   */
  next(id: Id, now: string): CompiledQuery {
    return bind(this.#next, now, id);
  }
}
