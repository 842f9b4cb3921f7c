import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe, test } from "node:test";
import { type CompiledQuery, type RootOperationNode, sql } from "kysely";
import type { AuditFilter } from "../../src/domain/audit.ts";
import type { Id } from "../../src/domain/id.ts";
import type { AccountFilter, AccountPlace } from "../../src/domain/people/account-search.ts";
import type { Database } from "../../src/storage/database/database.ts";
import { IdSource } from "../../src/storage/database/ids.ts";
import { openStore } from "../../src/storage/open.ts";
import { openPostgres as openPostgresDatabase } from "../../src/storage/postgres/postgres.ts";
import { openSqlite } from "../../src/storage/sqlite/sqlite.ts";
import { openAccountSearch } from "../../src/storage/tables/account-search.ts";
import { openAudit } from "../../src/storage/tables/audit.ts";
import { openPostgres } from "../postgres.ts";

const folder = await mkdtemp(join(tmpdir(), "filter-plans-"));
after(() => rm(folder, { recursive: true }));
const postgres = await openPostgres();

const ROWS = 20_000;
const LIMIT = 51;
const idOf = (i: number) => `01990000-0000-7000-8000-${String(i).padStart(12, "0")}` as Id;
const at = (i: number) => new Date(Date.UTC(2026, 0, 1) + i * 1_000).toISOString();

/** One entry of fifty is rare by each of its columns; all others are tokens of one person by one client, and went well. */
async function fillAudit(database: Database): Promise<void> {
  for (let start = 0; start < ROWS; start += 1_000)
    await database.write(async (tx) => {
      const rows = Array.from({ length: 1_000 }, (_, i) => start + i).map((i) => {
        const isRare = i % 50 === 0;
        return {
          ...{ id: idOf(i), at: at(i), event: isRare ? ("keys" as const) : ("token" as const) },
          result: i % 100 === 0 ? ("refused" as const) : ("ok" as const),
          ...{ user_id: idOf(isRare ? 1 : 0), client_id: isRare ? "rare" : "usual", actor_id: null, detail: null },
          ...{ address: isRare ? "10.0.0.1" : "10.0.0.2", request_id: `request-${i}` },
        };
      });
      await tx.insertInto("audit").values(rows).execute();
    });
}

/** Everybody has a name and an address of their own; one in a hundred is an administrator, or disabled, or will be deleted. */
async function fillPeople(database: Database): Promise<void> {
  for (let start = 0; start < ROWS; start += 1_000)
    await database.write(async (tx) => {
      const rows = Array.from({ length: 1_000 }, (_, i) => start + i).map((i) => ({
        ...{ id: idOf(i), name: `Ada ${i}`, name_key: `ada ${i}`, email: `p${i}@example.com` },
        ...{ email_key: `p${i}@example.com`, email_verified: 1, password_hash: null, created_at: at(i) },
        role: i % 100 === 1 ? ("admin" as const) : ("member" as const),
        disabled_at: i % 100 === 2 ? at(i) : null,
        deletes_at: i % 100 === 3 ? at(i) : null,
      }));
      await tx.insertInto("users").values(rows).execute();
    });
}

/** The database, and what it is asked. */
function recording(database: Database) {
  const asked: CompiledQuery[] = [];
  const executor = database.read.getExecutor();
  const read = database.read.withPlugin({
    transformQuery({ node, queryId }) {
      asked.push(executor.compileQuery(node as RootOperationNode, queryId));
      return node;
    },
    transformResult: async ({ result }) => result,
  });
  const recorded: Database = Object.assign(Object.create(database) as Database, { read, dialect: database.dialect });
  return { asked, recorded };
}

interface Step {
  readonly "Node Type": string;
  readonly "Actual Rows": number;
  readonly "Actual Loops": number;
  readonly "Rows Removed by Filter"?: number;
  readonly Plans?: readonly Step[];
}

/** Rows that PostgreSQL reads, those that it throws away included. */
function rowsOf(step: Step): number {
  const own = (step["Actual Rows"] + (step["Rows Removed by Filter"] ?? 0)) * step["Actual Loops"];
  return Math.max(own, ...(step.Plans ?? []).map(rowsOf));
}

/** Asserts that none of the statements reads a table from end to end, or sorts it. */
async function assertIndexed(
  database: Database,
  asked: readonly CompiledQuery[],
  about: string,
  isAll: boolean,
): Promise<void> {
  assert.ok(asked.length > 0);
  const isSqlite = database.dialect.writesOneByOne;
  for (const query of asked) {
    const explain = isSqlite ? "explain query plan" : "explain (analyze, format json)";
    const { rows } = await database.read.executeQuery<Record<string, unknown>>({
      ...query,
      sql: `${explain} ${query.sql}`,
    });
    if (isSqlite) {
      const steps = rows.map(({ detail }) => String(detail));
      assert.match(steps[0] ?? "", isAll ? /^S/ : /^SEARCH|^SCAN users USING INDEX users_(disabled|delete)/, about);
      assert.ok(!steps.some((step) => step.includes("TEMP B-TREE")), `${about}: ${steps.join("; ")}`);
    } else {
      const text = rows[0]?.["QUERY PLAN"];
      const [{ Plan: plan }] = (typeof text === "string" ? JSON.parse(text) : text) as [{ Plan: Step }];
      assert.ok(rowsOf(plan) <= LIMIT * 4, `${about} reads ${rowsOf(plan)} rows: ${JSON.stringify(plan)}`);
    }
  }
}

const rare = { userId: idOf(1), clientId: "rare", address: "10.0.0.1", event: "keys" } as const;
const AUDIT_FILTERS: readonly Partial<AuditFilter>[] = [
  {},
  ...Object.entries(rare).map(([field, value]) => ({ [field]: value })),
  { requestId: "request-700" },
  { requestId: "no such request" },
  { userId: idOf(9) },
  { address: "192.0.2.1" },
  { event: "scim" },
  { result: "refused" },
  { result: "ok" },
  { result: "reuse" },
  { result: "refused", event: "keys" },
  { result: "refused", event: "token" },
  { event: "keys", result: "ok" },
  { userId: idOf(1), event: "keys", result: "ok" },
  { userId: idOf(1), event: "keys", clientId: "rare", address: "10.0.0.1" },
  { since: at(ROWS - 100), until: at(ROWS - 10) },
  { until: at(100) },
  { event: "keys", since: at(1_000), until: at(9_000) },
];

const ACCOUNT_FILTERS: readonly AccountFilter[] = [
  {},
  { search: "Ada 1" },
  { search: "p1" },
  { search: "nobody" },
  { role: "admin" },
  { role: "editor" },
  { role: "member", search: "ada 1" },
  { role: "admin", search: "a" },
  { role: "admin", search: "p" },
  { state: "active" },
  { state: "disabled" },
  { state: "deleting" },
  { state: "deleted" },
  { state: "disabled", search: "ada" },
  { state: "deleting", search: "p" },
  { state: "deleted", search: "a" },
  { state: "active", search: "a", role: "admin" },
];

function plansOf(name: string, open: () => Promise<Database>): void {
  describe(`S90 S65 filters on ${name}`, () => {
    test("S90 each filter of the audit is answered by an index, on its first page and far into the list", async () => {
      const database = await open();
      try {
        await fillAudit(database);
        if (!database.dialect.writesOneByOne) await sql`analyze audit`.execute(database.read);
        const { asked, recorded } = recording(database);
        const audit = openAudit(recorded, new IdSource(Date.now));
        for (const filter of AUDIT_FILTERS)
          for (const before of [undefined, { at: at(ROWS / 2), id: idOf(ROWS / 2) }]) {
            asked.length = 0;
            const entries = await audit.list({ ...filter, limit: LIMIT, ...(before && { before }) });
            for (const entry of entries) assert.partialDeepStrictEqual(entry, matching(filter));
            await assertIndexed(database, asked, `${JSON.stringify(filter)} ${before?.at ?? ""}`, isWhole(filter));
            assert.equal(asked.length, 1);
          }
      } finally {
        await database.close();
      }
    });

    test("S65 each filter of people is answered by an index, on its first page and far into the list", async () => {
      const database = await open();
      try {
        await fillPeople(database);
        if (!database.dialect.writesOneByOne) await sql`analyze users`.execute(database.read);
        const { asked, recorded } = recording(database);
        const list = openAccountSearch(recorded);
        const places: readonly (AccountPlace | undefined)[] = [
          undefined,
          { by: "id", key: "", id: idOf(ROWS / 2) },
          { by: "name", key: "ada 15000", id: idOf(15_000) },
          { by: "email", key: "p15000@example.com", id: idOf(15_000) },
        ];
        for (const filter of ACCOUNT_FILTERS)
          for (const place of places.filter((one) => one === undefined || (one.by === "id") === !filter.search)) {
            asked.length = 0;
            await list(filter, place, LIMIT);
            await assertIndexed(database, asked, `${JSON.stringify(filter)} ${JSON.stringify(place)}`, isWhole(filter));
            assert.ok(asked.length <= 2);
          }
      } finally {
        await database.close();
      }
    });
  });
}

/** Whether most of a list is asked for, which is then read in its own order. */
function isWhole(filter: object): boolean {
  return ["{}", '{"result":"ok"}', '{"state":"active"}'].includes(JSON.stringify(filter));
}

function matching({ since: _, until: __, ...filter }: Partial<AuditFilter>) {
  return filter;
}

let files = 0;
plansOf("SQLite", async () => {
  const file = join(folder, `content-${++files}.db`);
  await (await openStore(`sqlite:${file}`)).close();
  return openSqlite(file, { mustExist: true });
});
plansOf("PostgreSQL", async () => {
  const url = await postgres.createDatabase();
  await (await openStore(url)).close();
  return openPostgresDatabase(url);
});
