import type pg from "pg";
import { Execution, newStatement } from "./statement.ts";

/**
 * A plan that is kept with its statement is made once. One that was made for an empty table reads all of it, however many
 * rows it has by now, until PostgreSQL analyzes the table again: the writing of posts fell to a fifth. So tables are read
 * from end to end only where there is no other way. That counts as very dear before PostgreSQL 18, which is no reason to
 * compile it.
 *
 * Source: https://www.postgresql.org/docs/current/runtime-config-query.html
 */
const BY_INDEX = newStatement("set enable_seqscan = off; set jit = off", "simple");

/** Has a new connection plan by indexes, from its first statement on. An engine without these settings goes on without them. */
export function planByIndex(client: pg.Client): void {
  client.query(new Execution({ statement: BY_INDEX, values: [] }, false, [], () => {}));
}
