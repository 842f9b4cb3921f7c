import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe, test } from "node:test";
import { type CompiledQuery, type Kysely, type RootOperationNode, sql } from "kysely";
import type { DeliveryFilter } from "../../src/domain/events/webhook-delivery.ts";
import type { Id } from "../../src/domain/id.ts";
import type { Database } from "../../src/storage/database/database.ts";
import type { Schema } from "../../src/storage/database/schema.ts";
import { openStore } from "../../src/storage/open.ts";
import { openPostgres as openPostgresDatabase } from "../../src/storage/postgres/postgres.ts";
import { openSqlite } from "../../src/storage/sqlite/sqlite.ts";
import { readAttempts } from "../../src/storage/tables/webhook-attempts.ts";
import { openWebhookLists } from "../../src/storage/tables/webhook-lists.ts";
import { openPostgres } from "../postgres.ts";

const folder = mkdtempSync(join(tmpdir(), "content-api-webhook-lists-"));
after(() => rmSync(folder, { recursive: true }));
const postgres = await openPostgres();

/** Deliveries: of two webhooks, nearly all delivered, and all of one event but a few of the oldest. */
const COUNT = 60_000;
const FEW = 30;
const AT = "2026-11-01T12:00:00.000Z";

function idOf(number: number): Id {
  return `019a4000-0000-7000-8000-${String(number).padStart(12, "0")}` as Id;
}

const [BUSY, QUIET, POST] = [idOf(1), idOf(2), idOf(3)];

const FILTERS: readonly Omit<DeliveryFilter, "limit">[] = [
  {},
  { webhookId: BUSY },
  { webhookId: BUSY, state: "DELIVERED" },
  { webhookId: BUSY, state: "FAILED" },
  { webhookId: QUIET, state: "PENDING" },
  { webhookId: QUIET },
  { state: "FAILED" },
  { state: "PENDING" },
  { eventType: "post.deleted" },
  { eventType: "post.archived" },
  { webhookId: BUSY, eventType: "post.deleted" },
  { webhookId: BUSY, state: "DELIVERED", eventType: "post.deleted" },
  { state: "FAILED", eventType: "post.updated" },
  { postId: POST },
  { postId: POST, webhookId: BUSY, state: "FAILED" },
  { webhookId: BUSY, since: "2026-01-31T12:00:00.000Z", until: "2026-12-31T12:00:00.000Z" },
  { webhookId: BUSY, after: idOf(2_000 + COUNT / 2) },
];

async function fill(database: Database): Promise<void> {
  const numbers = sql`(with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < ${COUNT}) select n from numbers)`;
  const padded = database.dialect.writesOneByOne
    ? sql`printf('%012d', 2000 + n)`
    : sql`lpad(cast(2000 + n as text), 12, '0')`;
  const isOld = sql`n <= ${FEW}`;
  await database.write(async (tx) => {
    for (const id of [BUSY, QUIET])
      await sql`insert into webhooks (id, url, event_types, includes_unpublished, secret, cursor, created_at)
        values (${id}, 'https://receiver.example/', '[]', 0, 'sealed', '', ${AT})`.execute(tx);
    await sql`insert into webhook_deliveries
      (id, webhook_id, event_id, event_type, payload, state, created_at, attempts, failures, post_id)
      select '019a4000-0000-7000-8000-' || ${padded}, ${BUSY}, '019a4000-0000-7000-8000-' || ${padded},
        case when ${isOld} then 'post.deleted' else 'post.updated' end, '{}',
        case when ${isOld} then 'FAILED' else 'DELIVERED' end, ${AT}, 1, 0,
        case when ${isOld} then ${POST} end
      from ${numbers} as numbers`.execute(tx);
  });
}

/** The queries that work makes, as they are sent. */
async function queriesOf(
  database: Database,
  work: (read: Kysely<Schema>) => Promise<unknown>,
): Promise<CompiledQuery[]> {
  const made: CompiledQuery[] = [];
  const read = database.read.withPlugin({
    transformQuery({ node, queryId }) {
      made.push(database.read.getExecutor().compileQuery(node as RootOperationNode, queryId));
      return node;
    },
    transformResult: async ({ result }) => result,
  });
  await work(read);
  return made;
}

/** Everything that a page or the list of webhooks reads. */
function works(): [string, (read: Kysely<Schema>) => Promise<unknown>][] {
  const lists = FILTERS.map((filter): ReturnType<typeof works>[number] => [
    JSON.stringify(filter),
    (read) => openWebhookLists(read).listDeliveries({ ...filter, limit: 51 }),
  ]);
  return [
    ...lists,
    ["numbers", (read) => openWebhookLists(read).numbers([BUSY, QUIET], "2026-01-31T12:00:00.000Z")],
    ["attempts", (read) => readAttempts(read, [idOf(2_001), idOf(2_002)])],
  ];
}

/** Those that have what is asked for, in the order of the list; the last one is the key. */
const INDEXES = /INDEX (webhook_deliveries_by_(state|event_type|post)|sqlite_autoindex_webhook_deliveries_1) /;

describe("S86 lists of deliveries cost the same however many there are", () => {
  test("SQLite finds each of them by an index in the order of the list", async () => {
    const path = join(folder, "content.db");
    await (await openStore(`sqlite:${path}`)).close();
    const database = await openSqlite(path, { mustExist: true });
    try {
      await fill(database);
      for (const [name, work] of works()) {
        for (const query of await queriesOf(database, work)) {
          const { rows } = await database.read.executeQuery<{ detail: string }>({
            ...query,
            sql: `explain query plan ${query.sql}`,
          });
          for (const { detail } of rows) {
            // Without a filter the table is read in the order of its key, as far as the page goes.
            if (name !== "{}") assert.doesNotMatch(detail, /^SCAN (webhook_deliveries|webhook_attempts|d)\b/, name);
            if (/^SEARCH (webhook_deliveries|d)\b/.test(detail)) assert.match(detail, INDEXES, name);
          }
        }
      }
    } finally {
      await database.close();
    }
  });

  test("PostgreSQL reads few pages and rows of the tables and indexes for each of them", async () => {
    const url = await postgres.createDatabase();
    await (await openStore(url)).close();
    const database = await openPostgresDatabase(url);
    try {
      await fill(database);
      await sql`vacuum analyze webhook_deliveries`.execute(database.read);
      const pages = await sql<{
        pages: number;
      }>`select relpages as pages from pg_class where relname = 'webhook_deliveries'`.execute(database.read);
      assert.ok(Number(pages.rows[0]?.pages) > 500, "a whole reading would be seen");
      for (const [name, work] of works()) {
        for (const query of await queriesOf(database, work)) {
          const { rows } = await database.read.executeQuery<Record<string, string>>({
            ...query,
            sql: `explain (analyze, buffers, timing off, costs off) ${query.sql}`,
          });
          const plan = rows.flatMap((row) => Object.values(row)).join("\n");
          const touched = /Buffers: shared (?:hit=(\d+))?(?: read=(\d+))?/.exec(plan);
          const sum = Number(touched?.[1] ?? 0) + Number(touched?.[2] ?? 0);
          assert.ok(sum < 300, `${name} touches ${sum} pages:\n${plan}`);
          for (const [, removed] of plan.matchAll(/Rows Removed by Filter: (\d+)/g))
            assert.ok(Number(removed) < 200, `${name} reads and drops ${removed} rows:\n${plan}`);
        }
      }
    } finally {
      await database.close();
    }
  });
});
