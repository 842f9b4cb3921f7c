import assert from "node:assert/strict";
import { mkdtempSync, rmSync, stat } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { after, describe, test } from "node:test";
import fc from "fast-check";
import { sql } from "kysely";
import type { Id } from "../../../src/domain/id.ts";
import type { HeldRead } from "../../../src/domain/reading/prepared-read.ts";
import type { RootSelection, SlotValues } from "../../../src/domain/reading/selection.ts";
import type { Store } from "../../../src/domain/store/store.ts";
import { Changes } from "../../../src/storage/database/changes.ts";
import { IdSource } from "../../../src/storage/database/ids.ts";
import { param } from "../../../src/storage/database/statement.ts";
import { openStore } from "../../../src/storage/open.ts";
import { openSqlite } from "../../../src/storage/sqlite/sqlite.ts";
import { openArtifacts } from "../../../src/storage/tables/artifacts.ts";
import { openAttempts } from "../../../src/storage/tables/attempts.ts";
import { openPosts } from "../../../src/storage/tables/posts.ts";
import { anArtifact, aPerson } from "../../conformance/samples.ts";

const folder = mkdtempSync(join(tmpdir(), "content-api-kept-"));
after(() => rmSync(folder, { recursive: true }));

const PEOPLE = [0, 1, 2];
const first = { slot: 1 };
const name = { kind: "column", key: "name", column: "name" } as const;
const titles = { type: "Post", fields: [{ kind: "column", key: "title", column: "title" }] } as const;
const withAuthors = {
  type: "Post",
  fields: [...titles.fields, { kind: "author", key: "author", selection: { type: "User", fields: [name] } }],
} as const;

/** Of one person alone, of one person and what has certain words, and of everybody. Each takes an id and a limit. */
const ROOTS: readonly RootSelection[] = [
  {
    kind: "user",
    id: { slot: 0 },
    selection: { type: "User", fields: [name, { kind: "posts", key: "posts", first, selection: withAuthors }] },
  },
  {
    kind: "user",
    id: { slot: 0 },
    selection: {
      type: "User",
      fields: [{ kind: "posts", key: "found", first, filter: { search: { slot: 2 } }, selection: titles }],
    },
  },
  { kind: "posts", first, selection: withAuthors },
];

type Kind =
  | ("create" | "createElsewhere" | "createByHand")
  | ("rename" | "renameElsewhere")
  | ("putToken" | "putTokenElsewhere");
/** Content that others write has everything forgotten, and so it is not to come all the time. */
const kinds = fc.oneof(
  { weight: 6, arbitrary: fc.constant<Kind>("create") },
  { weight: 2, arbitrary: fc.constantFrom<Kind>("rename", "putToken", "putTokenElsewhere") },
  { weight: 1, arbitrary: fc.constantFrom<Kind>("createElsewhere", "createByHand", "renameElsewhere") },
);
const steps = fc.array(fc.tuple(kinds, fc.constantFrom(...PEOPLE)), { maxLength: 20 });

describe("what SQLite's answers are kept for", () => {
  for (const isAlone of [true, false]) {
    test(`is always what a process without memory reads, ${isAlone ? "alone" : "among others"}`, async () => {
      const path = join(folder, `${isAlone}.db`);
      const ours = await openStore(`sqlite:${path}`, { readCache: 1_000_000, isAlone });
      const other = await openStore(`sqlite:${path}`);
      const byHand = new DatabaseSync(path);
      let count = 0;
      const people: Id[] = [];
      for (const i of PEOPLE) people.push((await ours.users.create(aPerson({ email: `${i}@example.com` }))).id);
      const [kept, fresh] = [ours, other].map((store) => ROOTS.map((root) => store.prepareRead(root)));
      const insert =
        byHand.prepare(`insert into posts (id, author_id, status, created_at, updated_at, published_at, title, body)
        values (?, ?, 'PUBLISHED', ?, ?, ?, 'by hand', 'word')`);

      async function change([kind, person]: readonly [Kind, number]): Promise<void> {
        const store: Store = kind.endsWith("Elsewhere") ? other : ours;
        const authorId = people[person] as Id;
        count++;
        if (kind === "createByHand") {
          // Unlike this program, others do not keep the index up to date.
          const now = new Date().toISOString();
          insert.run(crypto.randomUUID(), authorId, now, now, now);
        } else if (kind.startsWith("create")) {
          await store.posts.create({ authorId, title: `Post ${count}`, body: "word" });
        } else if (kind.startsWith("putToken")) {
          await store.artifacts.put(anArtifact({ idHash: `hash ${count}` }));
        } else {
          await store.users.changeProfile(authorId, { name: `Name ${count}` }, null);
        }
      }

      const held = new Map<string, HeldRead | null>();
      const versions = new Map<string, { version: number | null | undefined; answer: unknown }>();
      let heldAnswers = 0;
      let sameVersions = 0;
      async function assertFresh(): Promise<void> {
        for (const id of people) {
          const values: SlotValues = [id, 100, "word"];
          for (const [i, read] of kept?.entries() ?? []) {
            await new Promise(setImmediate);
            const version = ours.heldVersion?.();
            const ofBefore = held.get(`${i} ${id}`)?.() ?? null;
            const answers = [await read.run(values), await read.run(values), await fresh?.[i]?.run(values)];
            assert.equal(answers[0], answers[2]);
            assert.equal(answers[1], answers[2]);
            assert.ok(ofBefore === null || ofBefore === answers[2], "what is held is not what would be read");
            heldAnswers += ofBefore === null ? 0 : 1;
            const known = versions.get(`${i} ${id}`);
            if (known?.version === version) {
              sameVersions++;
              assert.equal(known?.answer, answers[2], "the version stayed, and what would be read did not");
            }
            versions.set(`${i} ${id}`, { version, answer: answers[2] });
            if (!held.has(`${i} ${id}`)) held.set(`${i} ${id}`, read.hold?.(values) ?? null);
            assert.equal(held.get(`${i} ${id}`)?.(), answers[2]);
          }
        }
      }

      await fc.assert(
        fc.asyncProperty(steps, async (all) => {
          for (const step of all) {
            await change(step);
            await assertFresh();
          }
        }),
        { numRuns: 25 },
      );
      assert.ok(heldAnswers > 0, "nothing was ever held");
      assert.ok(sameVersions > 0, "no version ever stayed");
      byHand.close();
      await other.close();
      await ours.close();
    });
  }

  test("a read in the last phase of a turn does not decide what the next turn sees", async () => {
    const path = join(folder, "turns.db");
    const store = await openStore(`sqlite:${path}`, { readCache: 1_000_000 });
    const { id } = await store.users.create(aPerson({ name: "Ann" }));
    const read = store.prepareRead({ kind: "user", id: { slot: 0 }, selection: { type: "User", fields: [name] } });
    const byHand = new DatabaseSync(path);
    const seen = await new Promise((resolve) => {
      setImmediate(() => {
        void read.run([id]);
        byHand.exec("update users set name = 'Anna'");
        stat(path, () => resolve(read.run([id])));
      });
    });
    assert.equal(seen, '{"name":"Anna"}');
    byHand.close();
    await store.close();
  });

  test("what is read of one person stays while others post and tokens are written", async () => {
    const path = join(folder, "stays.db");
    const store = await openStore(`sqlite:${path}`);
    const [ann, ben] = [
      await store.users.create(aPerson()),
      await store.users.create(aPerson({ email: "b@example.com" })),
    ];
    await store.close();
    const database = await openSqlite(path, { mustExist: true, readCache: 1_000_000 });
    const ids = new IdSource(Date.now);
    const posts = openPosts(database, database, ids, Date.now);
    const artifacts = openArtifacts(database, new Changes(database));
    // Another answer each time that it is asked for.
    const query = sql`select ${param(0)}, hex(randomblob(8))`.compile(database.read);
    const [own, any] = [database.prepareRow(query, { author: 0 }), database.prepareRow(query, { author: null })];
    const read = () => [own.run([ann.id]), any.run([ann.id])];

    let [before, beforeOfAny] = read();
    async function after(write: () => Promise<unknown>): Promise<[isOwnKept: boolean, isAnyKept: boolean]> {
      await write();
      const [now, nowOfAny] = read();
      const kept: [boolean, boolean] = [now === before, nowOfAny === beforeOfAny];
      [before, beforeOfAny] = [now, nowOfAny];
      return kept;
    }
    const post = (authorId: Id) => () => posts.create({ authorId, title: "A post", body: "" });
    assert.deepEqual(await after(async () => {}), [true, true]);
    assert.deepEqual(await after(post(ben.id)), [true, false]);
    assert.deepEqual(await after(() => artifacts.put(anArtifact())), [true, true]);
    assert.deepEqual(await after(() => artifacts.destroy("AccessToken", "hash-1")), [true, true]);
    const attempt = () => openAttempts(database).add("somebody", 60, 1_000);
    assert.deepEqual(await after(attempt), [true, true]);
    assert.deepEqual(
      await after(() => database.write(async (tx) => void (await tx.selectFrom("posts").selectAll().execute()))),
      [true, true],
    );
    assert.deepEqual(await after(post(ann.id)), [false, false]);
    assert.deepEqual(await after(() => database.writeAtOnce([sql`delete from posts`.compile(database.read)])), [
      false,
      false,
    ]);
    const rename = database.read.updateTable("users").set({ name: "Ada" }).where("id", "=", ben.id);
    assert.deepEqual(await after(() => database.writeAtOnce([rename.compile()])), [false, false]);
    const see = () => database.write((tx) => sql`insert into users_seen values (1)`.execute(tx));
    await database.write((tx) => sql`create table users_seen (number)`.execute(tx));
    await after(see);
    assert.deepEqual(await after(see), [true, true]);
    // From here on it writes content, too, and SQLite prepares the known statement again.
    const byHand = new DatabaseSync(path);
    byHand.exec("create trigger seen after insert on users_seen begin update users set name = 'Seen'; end");
    byHand.close();
    await after(async () => {});
    for (let time = 0; time < 2; time++) assert.deepEqual(await after(see), [false, false]);
    assert.deepEqual(await after(attempt), [true, true]);
    await database.close();
  });
});
