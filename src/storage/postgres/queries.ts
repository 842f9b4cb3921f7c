import type { CompiledQuery, QueryResult } from "kysely";
import { AppError } from "../../domain/errors.ts";
import { postgresError } from "./errors.ts";
import {
  type Column,
  changedRows,
  hasNul,
  newStatement,
  type Outcome,
  type Statement,
  type Step,
  toValues,
} from "./statement.ts";

/** Texts whose statements are remembered. */
const STATEMENTS = 256;

/** Kinds of queries whose texts repeat. */
const REPEATED: ReadonlySet<string> = new Set([
  "SelectQueryNode",
  "InsertQueryNode",
  "UpdateQueryNode",
  "DeleteQueryNode",
]);

/** Sends one step on some connection. */
export type Run = (step: Step) => Promise<Outcome>;

/** Runs queries of Kysely as steps on the wire, with the same statement for the same text. */
export class Queries {
  readonly #statements = new Map<string, Statement>();

  step({ sql: text, parameters }: CompiledQuery): Step {
    return { statement: this.#statement(text), values: parameters };
  }

  /** @throws AppError BAD_USER_INPUT for an insertion of U+0000, else as `postgresError` */
  async execute(query: CompiledQuery, run: Run): Promise<QueryResult<unknown>> {
    const { sql: text, parameters } = query;
    const kind = query.query.kind;
    if (hasNulIn(query)) {
      if (kind === "InsertQueryNode") throw nulRejected();
      return { rows: [], numAffectedRows: 0n }; // no stored text has it
    }
    try {
      const statement = REPEATED.has(kind) ? this.#statement(text) : newStatement(text, "once");
      const { columns, rows, tags } = await run({ statement, values: parameters });
      const changed = changedRows(tags.at(-1));
      return {
        rows: rows.map((row) => toObject(columns, row)),
        ...(changed === undefined ? {} : { numAffectedRows: BigInt(changed) }),
      };
    } catch (error) {
      throw postgresError(error);
    }
  }

  #statement(text: string): Statement {
    const known = this.#statements.get(text);
    if (known !== undefined) {
      // Moves it to the end of the map, so that the first entry is always the least recently used.
      this.#statements.delete(text);
      this.#statements.set(text, known);
      return known;
    }
    const [oldest] = this.#statements.keys();
    if (oldest !== undefined && this.#statements.size >= STATEMENTS) this.#statements.delete(oldest);
    const made = newStatement(text, "kept");
    this.#statements.set(text, made);
    return made;
  }
}

/** Whether a parameter has U+0000 in it, which PostgreSQL takes in no text. */
export function hasNulIn({ parameters }: CompiledQuery): boolean {
  return parameters.some(hasNul);
}

export function nulRejected(): AppError {
  return new AppError("BAD_USER_INPUT", "Text must not have U+0000 in it.");
}

function toObject(columns: readonly Column[], row: readonly (string | null)[]): Record<string, unknown> {
  const object: Record<string, unknown> = {};
  const values = toValues(columns, row);
  for (let i = 0; i < values.length; i++) object[columns[i]?.name ?? ""] = values[i];
  return object;
}
