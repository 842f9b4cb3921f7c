import type { SlotValues } from "../../domain/reading/selection.ts";
import type { Row, RowQuery, RowStatement } from "../database/database.ts";
import { bindParameters } from "../database/statement.ts";
import type { Connections } from "./connections.ts";
import { postgresError } from "./errors.ts";
import { hasNul, newStatement, type Statement, type Step, toValues } from "./statement.ts";

/** A reading statement that is kept, on whatever connections run it. */
export class PostgresRow implements RowStatement {
  readonly #connections: Connections;
  readonly query: RowQuery;
  readonly #statement: Statement;

  constructor(connections: Connections, query: RowQuery) {
    this.#connections = connections;
    this.query = query;
    this.#statement = newStatement(query.sql, "kept");
  }

  run(values: SlotValues): Promise<Row | undefined> {
    return this.#connections.hold(async () => {
      const step = this.step(values);
      if (step.values.some(hasNul)) return undefined; // no stored text has it
      try {
        const { columns, rows } = await this.#connections.read(step);
        return rows[0] === undefined ? undefined : toValues(columns, rows[0]);
      } catch (error) {
        throw postgresError(error);
      }
    });
  }

  /** For a transaction, which reads with it what it has written. */
  step(values: SlotValues): Step {
    return { statement: this.#statement, values: bindParameters(this.query, values) };
  }
}
