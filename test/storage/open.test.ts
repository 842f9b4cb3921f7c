import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { after, describe, test } from "node:test";
import { AppError } from "../../src/domain/errors.ts";
import { MIGRATIONS } from "../../src/storage/migrations/contents.ts";
import { openStore } from "../../src/storage/open.ts";
import { assertSafeVersion } from "../../src/storage/sqlite/file.ts";
import { migrationStatus } from "../../src/storage/upgrade.ts";
import { aPerson, hasCode } from "../conformance/samples.ts";

const latest = MIGRATIONS.at(-1)?.version;
const pending = MIGRATIONS.map(({ version, name }) => `${String(version).padStart(4, "0")}-${name}`);
const folder = mkdtempSync(join(tmpdir(), "content-api-open-"));
after(() => rmSync(folder, { recursive: true }));
let count = 0;
const freshPath = () => join(folder, `${count++}`, "content.db");

describe("opening a database", () => {
  test("folder and file are made for their owner only, the log beside it too", async () => {
    const path = freshPath();
    const store = await openStore(`sqlite:${path}`);
    await store.users.create(aPerson());
    assert.equal(statSync(join(path, "..")).mode & 0o777, 0o700);
    for (const file of [path, `${path}-wal`, `${path}-shm`]) assert.equal(statSync(file).mode & 0o777, 0o600, file);
    await store.close();
  });

  test("what was written is there after opening again; the log is folded in by close", async () => {
    const path = freshPath();
    const first = await openStore(`sqlite://${path}`);
    const user = await first.users.create(aPerson());
    await first.close();
    assert.equal(statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0, 0);
    const second = await openStore(`sqlite:${path}`, { migrate: false });
    assert.deepEqual(await second.users.find(user.id), user);
    await second.close();
  });

  test("S43 without keepsDeleted, no text of a deleted post is written, and its history goes with the next sweep", async () => {
    const store = await openStore(`sqlite:${freshPath()}`, { keepsDeleted: false });
    const { id: authorId } = await store.users.create(aPerson());
    const by = { userId: authorId, clientId: null };
    const id = await store.posts.create({ authorId, title: "Title", body: "Text" });
    await store.posts.edit(id, () => ({ event: "post.updated", body: "Other", by }));
    await store.workingCopies.edit(id, by, () => ({ kind: "save", text: { body: "Copy" }, baseVersion: 2 }));
    await store.posts.edit(id, () => ({ event: "post.deleted", by }));
    assert.equal(await store.deletedPosts.find(id), null);
    assert.deepEqual(await store.deletedPosts.listOfAuthor(authorId, { limit: 9 }), []);
    assert.deepEqual(await store.workingCopies.listOfPerson(authorId, { limit: 9 }), []);
    const history = () => store.revisions.listOfPerson(authorId, { limit: 9, ofDeleted: true });
    assert.equal((await history()).length, 2);
    assert.equal(await store.deletedPosts.sweep("2000-01-01T00:00:00.000Z", 9), 1);
    assert.deepEqual(await history(), []);
    await store.close();
  });

  test("addresses that name no database are refused", async () => {
    for (const url of ["", "content.db", "sqlite:", "sqlite::memory:", "mysql://localhost/x", "SQLITE:x"]) {
      await assert.rejects(openStore(url), hasCode("BAD_USER_INPUT", "DATABASE_URL"), url);
      await assert.rejects(migrationStatus(url), hasCode("BAD_USER_INPUT", "DATABASE_URL"), url);
    }
  });

  test("without migrate, a database that is missing or behind is refused and not touched", async () => {
    const path = freshPath();
    await assert.rejects(
      openStore(`sqlite:${path}`, { migrate: false }),
      says("UNAVAILABLE", /There is no database at .*\.$/),
    );
    assert.equal(statSync(path, { throwIfNoEntry: false }), undefined);
    assert.deepEqual(await migrationStatus(`sqlite:${path}`), { current: 0, latest, pending });
    assert.equal(statSync(path, { throwIfNoEntry: false }), undefined);

    const store = await openStore(`sqlite:${path}`);
    await store.close();
    assert.deepEqual(await migrationStatus(`sqlite:${path}`), { current: latest, latest, pending: [] });
    change(path, "DELETE FROM schema_migrations");
    await assert.rejects(
      openStore(`sqlite:${path}`, { migrate: false }),
      says("UNAVAILABLE", /not up to date: 0001-first.* missing\.$/),
    );
  });

  test("F08 K20 a newer schema is served, until it demands a newer program", async () => {
    const path = freshPath();
    await (await openStore(`sqlite:${path}`)).close();
    change(path, "INSERT INTO schema_migrations VALUES (99, 'from-the-future', '2030-01-01T00:00:00.000Z')");
    for (const options of [{}, { migrate: false }]) {
      const store = await openStore(`sqlite:${path}`, options);
      assert.deepEqual((await store.facts()).schema, { current: 99, known: latest, waiting: [] });
      await store.close();
    }
    assert.deepEqual(await migrationStatus(`sqlite:${path}`), { current: 99, latest, pending: [] });
    change(path, "UPDATE schema_limits SET schema = 99 WHERE name = 'min_program'");
    const refused = says("UNAVAILABLE", /schema 99.*newer program/);
    await assert.rejects(openStore(`sqlite:${path}`), refused);
    await assert.rejects(openStore(`sqlite:${path}`, { migrate: false }), refused);
    await assert.rejects(migrationStatus(`sqlite:${path}`), refused);
    change(path, "DELETE FROM schema_limits"); // nothing says that this program may
    await assert.rejects(openStore(`sqlite:${path}`), refused);
  });

  test("F06 a file that is not a database is refused and left as it is", async () => {
    const path = join(folder, "text.db");
    const text = "This is a letter, not a database. ".repeat(100);
    writeFileSync(path, text);
    await assert.rejects(openStore(`sqlite:${path}`), says("INTERNAL", /text\.db.*not a SQLite database/));
    await assert.rejects(migrationStatus(`sqlite:${path}`), says("INTERNAL", /not a SQLite database/));
    assert.equal(readFileSync(path, "utf8"), text);
  });

  test("F06 damaged pages are an error, never garbage", async () => {
    const path = freshPath();
    const store = await openStore(`sqlite:${path}`);
    const { id: authorId } = await store.users.create(aPerson());
    for (let i = 0; i < 50; i++) await store.posts.create({ authorId, title: `${i}`, body: "x".repeat(2_000) });
    await store.close();
    const bytes = readFileSync(path);
    bytes.fill(0xa5, 4096); // all but the page of the header
    writeFileSync(path, bytes);
    await assert.rejects(
      async () => {
        const damaged = await openStore(`sqlite:${path}`);
        try {
          await damaged.users.list();
        } finally {
          await damaged.close();
        }
      },
      says("INTERNAL", /damaged/),
    );
  });

  test("another program's database is refused and left as it is", async () => {
    const path = join(folder, "other.db");
    change(path, "CREATE TABLE users (id INTEGER PRIMARY KEY)");
    await assert.rejects(openStore(`sqlite:${path}`), says("UNAVAILABLE", /another program/));
    change(path, "DROP TABLE users; PRAGMA application_id = 7");
    await assert.rejects(openStore(`sqlite:${path}`), says("UNAVAILABLE", /another program/));
  });

  test("a path that cannot be a file is UNAVAILABLE and named", async () => {
    await assert.rejects(openStore(`sqlite:${folder}`), says("UNAVAILABLE", new RegExp(folder)));
    writeFileSync(join(folder, "plain"), "");
    await assert.rejects(openStore(`sqlite:${join(folder, "plain", "x.db")}`), says("UNAVAILABLE", /plain/));
  });

  test("an unsafe SQLite is refused", () => {
    for (const version of ["3.51.2", "3.9.10", "3.50.9", "2.99.99", "0"]) {
      assert.throws(() => assertSafeVersion(version), says("UNAVAILABLE", /corrupt/), version);
    }
    for (const version of ["3.51.3", "3.51.10", "3.53.4", "4.0.0", process.versions.sqlite ?? ""]) {
      assertSafeVersion(version);
    }
  });
});

function says(code: AppError["code"], message: RegExp): (error: unknown) => boolean {
  return (error) => error instanceof AppError && error.code === code && message.test(error.message);
}

function change(path: string, statements: string): void {
  const connection = new DatabaseSync(path);
  connection.exec(statements);
  connection.close();
}
