import { type CompiledQuery, type RawBuilder, sql } from "kysely";
import type { SlotValues } from "../../domain/reading/selection.ts";
import type { Database, RowQuery } from "./database.ts";

/** Stands among the parameters of a compiled query for a value that each run brings. */
class Placeholder {
  readonly slot: number;

  constructor(slot: number) {
    this.slot = slot;
  }
}

/** A parameter whose value comes with each run, so that a query is built and compiled once: see `bind`. */
export function param<T>(slot: number): RawBuilder<T> {
  return sql<T>`${new Placeholder(slot)}`;
}

/**
 * LIMIT by a parameter. SQLite plans a statement anew on every run when LIMIT is a bare parameter (measured: 8 to
 * 17 microseconds); behind a cast it does not look.
 */
export function limitParam(slot: number): RawBuilder<number> {
  return sql<number>`cast(${param(slot)} as integer)`;
}

/** The parameters in the order in which the statement wants them. Numbers and texts stand for themselves. */
export function bindParameters(query: RowQuery, values: SlotValues): unknown[] {
  const bound = new Array<unknown>(query.parameters.length);
  for (let i = 0; i < bound.length; i++) {
    const parameter = query.parameters[i];
    const value = parameter instanceof Placeholder ? values[parameter.slot] : parameter;
    bound[i] = typeof value === "boolean" ? Number(value) : value;
  }
  return bound;
}

/** Makes it at the first call, and gives the same at all others. */
export function whenNeeded<T>(make: () => T): () => T {
  let made: T | undefined;
  return () => {
    made ??= make();
    return made;
  };
}

/** A query that is built when it is first run: a start and its first answer need few of those that there are. */
export type Statement<T = unknown> = () => CompiledQuery<T>;

export function statement<T>(build: () => { compile(): CompiledQuery<T> }): Statement<T> {
  return whenNeeded(() => build().compile());
}

/** The query with its values, to be given to `executeQuery`. */
export function bind<T>(statement: Statement<T>, ...values: SlotValues): CompiledQuery<T> {
  const query = statement();
  return { ...query, parameters: bindParameters(query, values) };
}

/** As `Database.prepareRow`, for a query that selects these columns in this order. @returns the row with their names */
export function prepareNamed<T extends object>(
  database: Database,
  columns: readonly (keyof T)[],
  statement: Statement<T>,
): (...values: SlotValues) => Promise<T | undefined> {
  const prepared = whenNeeded(() => database.prepareRow(statement()));
  return async (...values) => {
    const row = await prepared().run(values);
    if (row === undefined) return undefined;
    const named: Partial<Record<keyof T, unknown>> = {};
    for (let i = 0; i < columns.length; i++) named[columns[i] as keyof T] = row[i];
    return named as T;
  };
}
