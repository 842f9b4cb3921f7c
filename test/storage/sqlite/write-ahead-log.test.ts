import assert from "node:assert/strict";
import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { after, describe, test } from "node:test";
import type { Id } from "../../../src/domain/id.ts";
import type { Store } from "../../../src/domain/store/store.ts";
import { openStore } from "../../../src/storage/open.ts";
import { findLogDamage } from "../../../src/storage/sqlite/log-damage.ts";
import { WriteAheadLog } from "../../../src/storage/sqlite/write-ahead-log.ts";
import { aPerson } from "../../conformance/samples.ts";

const PAGE = 4_096;
const folder = mkdtempSync(join(tmpdir(), "content-api-log-"));
after(() => rmSync(folder, { recursive: true }));
let count = 0;

describe("the write-ahead log of one process", () => {
  test("goes into the file while writes go on, and begins anew: it does not grow with what is written", () =>
    withStore(async (store, path) => {
      const { id: authorId } = await store.users.create(aPerson());
      await Promise.all(Array.from({ length: 8 }, () => writeBodies(store, authorId, 60, 200_000)));
      const written = 480 * 200_000;
      assert.ok(statSync(path).size > written / 2, "most of it is in the file");
      assert.ok(statSync(`${path}-wal`).size < written / 2, `${statSync(`${path}-wal`).size} bytes of log`);
    }));

  test("grows while somebody reads an old moment, and is short again afterwards", () =>
    withStore(async (store, path) => {
      const { id: authorId } = await store.users.create(aPerson());
      const reader = new DatabaseSync(path);
      reader.exec("BEGIN; SELECT count(*) FROM posts");
      await Promise.all(Array.from({ length: 8 }, () => writeBodies(store, authorId, 30, 100_000)));
      assert.ok(statSync(`${path}-wal`).size > 5_000 * PAGE);
      assert.equal(reader.prepare("SELECT count(*) AS posts FROM posts").get()?.posts, 0);
      reader.exec("COMMIT");
      reader.close();
      await writeBodies(store, authorId, 200, 300_000); // 60 MB more
      assert.ok(statSync(`${path}-wal`).size < 12_500 * PAGE, `${statSync(`${path}-wal`).size} bytes of log`);
    }));

  test("a write that fails touches none of those that share its commit, and closing waits for all of them", async () => {
    const path = join(folder, `${count++}.db`);
    const store = await openStore(`sqlite:${path}`, { isAlone: true });
    const email = (number: number) => `${number % 20}@example.com`; // ten of thirty are there already
    const writes = Array.from({ length: 30 }, (_, number) => store.users.create(aPerson({ email: email(number) })));
    const outcomes = Promise.allSettled(writes);
    await store.close();
    const kept = (await outcomes).filter(({ status }) => status === "fulfilled").length;
    assert.equal(kept, 20);
    const connection = new DatabaseSync(path);
    assert.equal(connection.prepare("SELECT count(*) AS people FROM users").get()?.people, 20);
    connection.close();
  });

  test("K22 during a handover, what the other program has committed is on the disk before the next commit", async (t) => {
    const path = join(folder, `${count++}.db`);
    const [own, other] = [new DatabaseSync(path), new DatabaseSync(path)];
    own.exec("PRAGMA journal_mode = WAL; CREATE TABLE rows (id INTEGER)");
    const log = new WriteAheadLog(path, own);
    const sync = t.mock.method(log, "sync");
    const commit = async () => {
      own.exec("BEGIN IMMEDIATE; INSERT INTO rows VALUES (1)");
      const before = sync.mock.callCount();
      await log.syncOthers();
      own.exec("COMMIT");
      return sync.mock.callCount() - before;
    };
    assert.equal(await commit(), 1, "the log may have commits of others from before");
    assert.equal(await commit(), 0, "its own commits it has synced itself");
    other.exec("PRAGMA synchronous = OFF; INSERT INTO rows VALUES (2)");
    assert.equal(await commit(), 1);
    assert.equal(await commit(), 0);
    await log.close();
    own.close();
    other.close();
  });

  test("K22 two programs write at the same time: every acknowledged write is there, in a log without a gap", async () => {
    await withStore(async (store, path) => {
      const successor = await openStore(`sqlite:${path}`, { isAlone: true });
      const { id: authorId } = await store.users.create(aPerson());
      await Promise.all(
        [store, successor].flatMap((one) => [1, 2, 3].map(() => writeBodies(one, authorId, 20, 5_000))),
      );
      assert.equal(findLogDamage(`${path}-wal`), null);
      await store.close(); // as the program that hands over
      await writeBodies(successor, authorId, 5, 5_000);
      assert.equal(findLogDamage(`${path}-wal`), null);
      await successor.close();
      const connection = new DatabaseSync(path);
      assert.equal(connection.prepare("SELECT count(*) AS posts FROM posts").get()?.posts, 125);
      connection.close();
    });
  });
});

async function withStore(work: (store: Store, path: string) => Promise<void>): Promise<void> {
  const path = join(folder, `${count++}.db`);
  const store = await openStore(`sqlite:${path}`, { isAlone: true });
  try {
    await work(store, path);
  } finally {
    await store.close();
  }
}

async function writeBodies(store: Store, authorId: Id, times: number, size: number): Promise<void> {
  for (let time = 0; time < times; time++) {
    await store.posts.create({ authorId, title: `${time}`, body: "x".repeat(size) });
  }
}
