import {
  type CompiledQuery,
  type DatabaseConnection,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type QueryResult,
} from "kysely";
import type { Schema } from "../database/schema.ts";

type Execute = (query: CompiledQuery) => Promise<QueryResult<unknown>>;

/** Kysely that hands each query to `execute`, which sees to connections and transactions itself. */
export function kyselyOver(execute: Execute): Kysely<Schema> {
  const connection: DatabaseConnection = {
    executeQuery: <R>(query: CompiledQuery) => execute(query) as Promise<QueryResult<R>>,
    streamQuery: () => notHere(),
  };
  return new Kysely<Schema>({
    dialect: {
      createDriver: () => ({
        init: async () => {},
        acquireConnection: async () => connection,
        releaseConnection: async () => {},
        beginTransaction: notHere,
        commitTransaction: notHere,
        rollbackTransaction: notHere,
        destroy: async () => {},
      }),
      createQueryCompiler: () => new PostgresQueryCompiler(),
      createAdapter: () => new PostgresAdapter(),
      createIntrospector: (db) => new PostgresIntrospector(db),
    },
  });
}

function notHere(): never {
  throw new Error("Transactions go through Database.write, and nothing is streamed.");
}
