import { randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { type Kysely, sql } from "kysely";
import type { LiveNode, NodeStore } from "../../domain/store/nodes.ts";
import type { Database } from "../database/database.ts";
import type { Schema } from "../database/schema.ts";

/** Milliseconds without a sign of life after which a node is dead. */
const LIFE = 60_000;
/** Milliseconds that the end of a process waits for its row to go. */
const FAREWELL = 1_000;
/** Milliseconds to wait for a lock. */
const PATIENCE = 5_000;

/** A process that serves, and what it tells about itself. */
export interface NodeFacts {
  /** Version of the program, such as `0.2.0`. */
  readonly version: string;
  readonly host: string;
  readonly pid: number;
}

interface OwnNode extends NodeStore {
  /** @throws what `assertMay` throws; then the node is not there */
  join(): Promise<void>;
  leave(): Promise<void>;
}

/** Live nodes, the oldest program first. None before the migration that makes the table. */
export async function liveNodes(db: Kysely<Schema>, { dialect }: Pick<Database, "dialect">): Promise<LiveNode[]> {
  if (!(await dialect.hasTable(db, "nodes"))) return [];
  const rows = await db
    .selectFrom("nodes")
    .selectAll()
    .where("seen_ms", ">=", sql<number>`${dialect.nowMs} - ${sql.lit(LIFE)}`)
    .orderBy("schema")
    .orderBy("started_ms")
    .orderBy("id")
    .execute();
  return rows.map(({ id, version, schema, host, pid, started_ms, seen_ms }) => ({
    ...{ id, version, host },
    ...{ schema: Number(schema), pid: Number(pid), startedAt: timeOf(started_ms), seenAt: timeOf(seen_ms) },
  }));
}

/** While it is shut, no node begins to serve. */
export async function shutNodes(tx: Kysely<Schema>, { dialect }: Pick<Database, "dialect">): Promise<void> {
  await dialect.shut(tx, "nodes");
}

/**
 * @param facts null for a process that does not serve
 * @param known the newest schema that this program knows
 * @param assertMay throws when this program may not serve the database
 */
export function openNodes(
  database: Database,
  facts: NodeFacts | null,
  known: number,
  assertMay: (tx: Kysely<Schema>) => Promise<void>,
): OwnNode {
  const { dialect } = database;
  const id = randomUUID();
  let isThere = false;

  /** With the gate shut, so that a contract migration sees this node, or this node sees the limit that it set. */
  async function join(): Promise<void> {
    if (facts === null) return;
    const { version, host, pid } = facts;
    await database.write(async (tx) => {
      await shutNodes(tx, database);
      await assertMay(tx);
      await tx
        .deleteFrom("nodes")
        .where("seen_ms", "<", sql<number>`${dialect.nowMs} - ${sql.lit(LIFE)}`)
        .execute();
      const times = { started_ms: dialect.nowMs, seen_ms: dialect.nowMs };
      await tx
        .insertInto("nodes")
        .values({ ...{ id, version, host, pid }, schema: known, ...times })
        .execute();
    }, PATIENCE);
    isThere = true;
  }

  async function renew(): Promise<void> {
    if (facts === null) return;
    isThere = false;
    const changed = await database.write(
      (tx) => tx.updateTable("nodes").set({ seen_ms: dialect.nowMs }).where("id", "=", id).executeTakeFirst(),
      PATIENCE,
    );
    if (Number(changed.numUpdatedRows) === 0) return join(); // others took this process for dead
    isThere = true;
  }

  async function leave(): Promise<void> {
    if (!isThere) return; // the database was not reached the last time, and the row goes without us
    isThere = false;
    const removed = database.write((tx) => tx.deleteFrom("nodes").where("id", "=", id).execute(), FAREWELL);
    await Promise.race([removed.catch(() => {}), pause(FAREWELL, null, { ref: false })]);
  }

  return { join, renew, leave, list: () => liveNodes(database.read, database) };
}

function timeOf(milliseconds: number): string {
  return new Date(Number(milliseconds)).toISOString();
}
