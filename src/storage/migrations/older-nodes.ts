import { type Kysely, sql } from "kysely";
import type { LiveNode } from "../../domain/store/nodes.ts";
import type { Database } from "../database/database.ts";
import type { Schema } from "../database/schema.ts";
import { liveNodes, shutNodes } from "../tables/nodes.ts";

/** Processes that serve, and must not while something is done. */
export interface InTheWay {
  readonly nodes: readonly LiveNode[];
  /** Processes that write no row in `nodes`: programs before schema 42. Only PostgreSQL knows them. */
  readonly unknown: number;
}

/**
 * Shuts out new nodes until the transaction ends.
 * @returns live nodes whose programs know an older schema than `demands`; null where there are none
 */
export function olderThan(tx: Kysely<Schema>, database: Database, demands: number): Promise<InTheWay | null> {
  return inTheWay(tx, database, ({ schema }) => schema < demands, true);
}

/** As `olderThan`, for nodes whose programs know a newer schema. */
export function newerThan(tx: Kysely<Schema>, database: Database, schema: number): Promise<InTheWay | null> {
  return inTheWay(tx, database, (node) => node.schema > schema, false);
}

async function inTheWay(
  tx: Kysely<Schema>,
  database: Database,
  isInTheWay: (node: LiveNode) => boolean,
  countsUnknown: boolean,
): Promise<InTheWay | null> {
  await shutNodes(tx, database);
  const live = await liveNodes(tx, database);
  const nodes = live.filter(isInTheWay);
  const unknown = countsUnknown ? await unknownProcesses(tx, database, live.length) : 0;
  return nodes.length + unknown === 0 ? null : { nodes, unknown };
}

/** Each process that serves listens for changes. Rows of nodes are there before they listen, and some seconds longer. */
export async function unknownProcesses(db: Kysely<Schema>, { dialect }: Database, known: number): Promise<number> {
  const { rows } = await sql<{ count: number | null }>`select ${dialect.processes} as count`.execute(db);
  return Math.max(0, Number(rows[0]?.count ?? known) - known);
}

/** A line for each node. */
export function listOf({ nodes, unknown }: InTheWay): string {
  const lines = nodes.map(
    ({ version, schema, host, pid }) => `  version ${version} (schema ${schema}), process ${pid} on ${host}`,
  );
  if (unknown > 0) lines.push(`  ${unknown} of a version before 0.2.0`);
  return lines.join("\n");
}
