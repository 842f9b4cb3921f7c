import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { after, test } from "node:test";
import { sql } from "kysely";
import { IdSource } from "../../../src/storage/database/ids.ts";
import { param } from "../../../src/storage/database/statement.ts";
import { contentVersion, withoutContentVersion } from "../../../src/storage/migrations/0044-content-version.ts";
import { openStore } from "../../../src/storage/open.ts";
import { openSqlite } from "../../../src/storage/sqlite/sqlite.ts";
import { openAttempts } from "../../../src/storage/tables/attempts.ts";
import { openPosts } from "../../../src/storage/tables/posts.ts";
import { anArtifact, aPerson } from "../../conformance/samples.ts";

const folder = mkdtempSync(join(tmpdir(), "content-api-others-"));
after(() => rmSync(folder, { recursive: true }));

test("what another process writes outdates what is read only when it is content", async () => {
  const path = join(folder, "others.db");
  const store = await openStore(`sqlite:${path}`);
  const [ann, ben] = [
    await store.users.create(aPerson()),
    await store.users.create(aPerson({ email: "b@example.com" })),
  ];
  const database = await openSqlite(path, { mustExist: true, readCache: 1_000_000 });
  const byHand = new DatabaseSync(path);
  const query = sql`select ${param(0)}, hex(randomblob(8))`.compile(database.read);
  const row = database.prepareRow(query, { author: 0 });
  let before = row.run([ann.id]);
  async function isKeptAfter(write: () => unknown): Promise<boolean> {
    await write();
    await new Promise(setImmediate);
    const now = row.run([ann.id]);
    const isKept = now === before;
    before = now;
    return isKept;
  }
  const attempt = () => openAttempts(database).add("somebody", 60, 1_000);
  const post = (title: string) => () => store.posts.create({ authorId: ben.id, title, body: "" });
  const run = (text: string) => () => byHand.exec(text);
  const insert = (
    id: string,
  ) => `insert into posts (id, author_id, status, created_at, updated_at, published_at, title, body)
    values ('${id}', '${ann.id}', 'PUBLISHED', '', '', '', '', '')`;

  const harmless: [string, () => unknown][] = [
    ["a token", () => store.artifacts.put(anArtifact({ idHash: "1" }))],
    ["a failed sign-in", () => store.attempts.add("somebody", 60, 1_000)],
    ["a table of another tool", run("create table notes (number)")],
    ["a transaction that is taken back", run("begin; delete from posts; rollback")],
  ];
  const harmful: [string, () => unknown][] = [
    ["a post", post("One")],
    ["a name", () => store.users.changeProfile(ann.id, { name: "Ada" }, null)],
    ["a post by hand", run(insert("by-hand"))],
    ["a row that takes the place of another", run(insert("by-hand").replace("insert", "insert or replace"))],
    ["a slug", run("insert into post_slugs (slug, post_id) values ('old', 'by-hand')")],
    ["a deleted post, and what goes with it", run("delete from posts where id = 'by-hand'")],
    ["all posts", run("delete from posts")],
  ];
  const own: [string, () => unknown][] = [
    ["an attempt of its own", attempt],
    [
      "a post of somebody else",
      () =>
        openPosts(database, database, new IdSource(Date.now), Date.now).create({
          authorId: ben.id,
          title: "",
          body: "",
        }),
    ],
  ];
  for (const [what, write] of harmless) assert.ok(await isKeptAfter(write), what);
  for (const [what, write] of own) assert.ok(await isKeptAfter(write), what);
  for (const [what, write] of harmful) {
    assert.ok(!(await isKeptAfter(write)), what);
    await isKeptAfter(attempt); // takes into the search index what was written by hand
    for (const [what, write] of own) assert.ok(await isKeptAfter(write), what);
  }

  await isKeptAfter(run(insert("not-indexed")));
  const indexes = () => store.artifacts.put(anArtifact({ idHash: "2" }));
  assert.ok(!(await isKeptAfter(indexes)), "the search index, which takes in the post with the token");

  // A program of an older version takes the schema back, and this one has not ended yet.
  for (const step of withoutContentVersion) {
    assert.equal(step.kind, "change");
    if (step.kind === "change") await database.write((tx) => step.run(tx, database.dialect));
  }
  assert.ok(!(await isKeptAfter(post("Two"))));
  assert.ok(!(await isKeptAfter(post("Three"))));
  for (const step of contentVersion)
    if (step.kind === "change") await database.write((tx) => step.run(tx, database.dialect));
  await isKeptAfter(() => {});
  assert.ok(!(await isKeptAfter(post("Four"))));
  assert.ok(await isKeptAfter(() => store.attempts.add("somebody", 60, 1_000)));
  byHand.close();
  await store.close();
  await database.close();
});
