import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe, test } from "node:test";
import { sql } from "kysely";
import type { Id } from "../../../src/domain/id.ts";
import { renderOldPosts } from "../../../src/domain/posts/old-posts.ts";
import type { RootSelection } from "../../../src/domain/reading/selection.ts";
import { openMarkdown } from "../../../src/markdown/markdown.ts";
import type { Database } from "../../../src/storage/database/database.ts";
import { first } from "../../../src/storage/migrations/0001-first.ts";
import { openStore } from "../../../src/storage/open.ts";
import { openPostgres as openPostgresDatabase } from "../../../src/storage/postgres/postgres.ts";
import { openSqlite } from "../../../src/storage/sqlite/sqlite.ts";
import { openPostgres } from "../../postgres.ts";

const folder = await mkdtemp(join(tmpdir(), "content-migration-"));
after(() => rm(folder, { recursive: true }));
const postgres = await openPostgres();

const AUTHOR = "01990000-0000-7000-8000-0000000000aa";
const COUNT = 120;

/** A database as the first version left it, with posts in it. */
async function fill(database: Database): Promise<void> {
  const { text, wholeNumber } = database.dialect;
  await database.write(async (tx) => {
    await tx.schema
      .createTable("schema_migrations")
      .addColumn("version", wholeNumber, (column) => column.primaryKey().notNull())
      .addColumn("name", text, (column) => column.notNull())
      .addColumn("applied_at", text, (column) => column.notNull())
      .execute();
    await first(tx, database.dialect);
    await sql`insert into schema_migrations values (1, 'first', '2026-01-31T12:00:00.000Z')`.execute(tx);
    await sql`insert into users (id, name, email, email_key, email_verified, role, created_at)
      values (${AUTHOR}, 'Ada', 'ada@example.com', 'ada@example.com', 1, 'member', '2026-01-31T12:00:00.000Z')`.execute(
      tx,
    );
    for (let i = 0; i < COUNT; i++) {
      await sql`insert into posts (id, author_id, created_at, title, body)
        values (${idOf(i)}, ${AUTHOR}, '2026-01-31T12:00:00.000Z', ${i % 2 === 0 ? "The same" : `Other ${i}`}, ${`**body** ${i}`})`.execute(
        tx,
      );
    }
  });
  await database.close();
}

function idOf(i: number): string {
  return `01990000-0000-7000-8000-${String(i).padStart(12, "0")}`;
}

const POSTS: RootSelection = {
  kind: "posts",
  first: { slot: 0 },
  selection: {
    type: "Post",
    fields: (["id", "title", "status", "publishedAt", "slug", "wordCount", "excerpt", "bodyHtml"] as const).map(
      (column) => ({ kind: "column", key: column, column }),
    ),
  },
};

function keepsOldPosts(name: string, open: () => Promise<{ url: string; database: Database }>): void {
  test(`posts from before are published, are found, and get everything that is derived from them, on ${name}`, async () => {
    const { url, database } = await open();
    await fill(database);
    const store = await openStore(url);
    const list = async () => JSON.parse(await store.prepareRead(POSTS).run([1_000])) as Record<string, string>[];
    const before = await list();
    assert.equal(before.length, COUNT);
    assert.deepEqual(before[1], {
      ...{ id: idOf(COUNT - 2), title: "The same", status: "PUBLISHED", publishedAt: "2026-01-31T12:00:00.000Z" },
      ...{ slug: idOf(COUNT - 2), wordCount: 0, excerpt: "", bodyHtml: "" },
    });

    // Two processes at the same time, one of which is broken off.
    const render = openMarkdown();
    let steps = 0;
    await Promise.all([renderOldPosts(store.posts, render), renderOldPosts(store.posts, render, () => ++steps > 1)]);
    assert.deepEqual(await store.posts.listUnrendered(10), []);
    const posts = await list();
    assert.equal(new Set(posts.map(({ slug }) => slug)).size, COUNT);
    for (const { slug, title, ...post } of posts) {
      assert.match(slug ?? "", title === "The same" ? /^the-same(-[0-9a-f]+)?$/ : /^other-\d+$/);
      assert.equal(post.bodyHtml, `<p><strong>body</strong> ${Number(post.id?.slice(-12))}</p>\n`);
      assert.equal(post.excerpt, `body ${Number(post.id?.slice(-12))}`);
    }

    const found: RootSelection = { ...POSTS, filter: { search: { slot: 1 } } } as RootSelection;
    const search = async (words: string) => JSON.parse(await store.prepareRead(found).run([1_000, words])).length;
    while ((await store.posts.reindex(7)) > 0);
    assert.equal(await search("same"), COUNT / 2);
    const id = await store.posts.create({ authorId: AUTHOR as Id, title: "The same", body: "" });
    assert.equal(await search("same"), COUNT / 2 + 1);
    assert.equal((await store.posts.listUnrendered(10))[0]?.id, id);
    await store.close();
  });
}

describe("the second migration", () => {
  const file = join(folder, "content.db");
  keepsOldPosts("SQLite", async () => ({
    url: `sqlite:${file}`,
    database: await openSqlite(file, { mustExist: false }),
  }));
  keepsOldPosts("PostgreSQL", async () => {
    const url = await postgres.createDatabase();
    return { url, database: await openPostgresDatabase(url) };
  });
});
