import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { constants, DatabaseSync } from "node:sqlite";
import { after, test } from "node:test";
import fc from "fast-check";
import type { Store } from "../../src/domain/store/store.ts";
import type { Database } from "../../src/storage/database/database.ts";
import { CONTENT_TABLES } from "../../src/storage/database/schema.ts";
import { openStore } from "../../src/storage/open.ts";
import { prepareRead } from "../../src/storage/reading/read.ts";
import { openSqlite } from "../../src/storage/sqlite/sqlite.ts";
import { generatedRequests } from "./documents.ts";
import { openTestServer } from "./server.ts";

const folder = mkdtempSync(join(tmpdir(), "content-api-tables-"));
after(() => rmSync(folder, { recursive: true }));

/** The search index, of which each commit says whether it has changed, and the elements of a parameter. */
const OTHERS = /^(?:posts_search(?:_\w+)?|json_each)$/;

/** Documents that the generator does not make. */
const BESIDE = ['{ postBySlug(slug: "one") { title author { name } } }', "{ posts(first: 9) { previewLinks { id } } }"];

test("what is kept in memory is read from tables alone whose writes are noted, whatever is asked for", async () => {
  const path = join(folder, "content.db");
  await (await openStore(`sqlite:${path}`)).close();
  const database = await openSqlite(path, { mustExist: true, readCache: 1_000_000 });
  const reader = new DatabaseSync(path);
  const tables = new Set<string>();
  reader.setAuthorizer((action, table) => {
    if (action === constants.SQLITE_READ && table !== null && table !== "") tables.add(table);
    return constants.SQLITE_OK;
  });
  let kept = 0;
  let notKept = 0;
  const watched: Database = Object.assign(Object.create(database), {
    prepareRow(...[query, content]: Parameters<Database["prepareRow"]>) {
      if (content === undefined) notKept++;
      else {
        kept++;
        reader.prepare(query.sql);
      }
      return database.prepareRow(query, content);
    },
  });
  const store = { prepareRead: (root) => prepareRead(watched, root, Date.now) } as Pick<Store, "prepareRead">;
  const server = openTestServer({ store: store as Store });
  const names = { people: [], posts: [], cursors: [], own: [], times: [] };
  await fc.assert(
    fc.asyncProperty(generatedRequests, async (generate) => {
      const { query, variables } = generate(names);
      await server.query(query, variables);
    }),
    { numRuns: 300 },
  );
  for (const query of BESIDE) assert.doesNotMatch((await server.query(query)).body, /"errors"/);
  const content: readonly string[] = CONTENT_TABLES;
  const others = [...tables].filter((table) => !content.includes(table) && !OTHERS.test(table));
  assert.deepEqual(others, []);
  assert.deepEqual(
    content.filter((table) => !tables.has(table)),
    [],
  );
  assert.ok(kept > 50 && notKept > 10, `${kept} reads are kept, ${notKept} are not`);
  reader.close();
  await database.close();
});

test("each write to a table of which something is kept is counted", async () => {
  const path = join(folder, "counted.db");
  await (await openStore(`sqlite:${path}`)).close();
  const connection = new DatabaseSync(path);
  const counted = connection
    .prepare(
      `select tbl_name || ' ' || substr(sql, instr(sql, ' after ') + 7, 6) as write from sqlite_schema
        where type = 'trigger' and sql like '%update content_version%'`,
    )
    .all()
    .map(({ write }) => write);
  connection.close();
  const expected = CONTENT_TABLES.flatMap((table) =>
    ["insert", "update", "delete"].map((event) => `${table} ${event}`),
  );
  assert.deepEqual(counted.toSorted(), expected.toSorted());
});
