import assert from "node:assert/strict";
import { cpSync, mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { after, describe, test } from "node:test";
import { findLogDamage } from "../../../src/storage/sqlite/log-damage.ts";

const folder = mkdtempSync(join(tmpdir(), "content-api-wal-"));
after(() => rmSync(folder, { recursive: true }));

const FRAME = 24 + 4_096;

/** A log of ten commits of one frame each, as it lies there after a crash. */
const log = (() => {
  const path = join(folder, "t.db");
  const database = new DatabaseSync(path);
  database.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; CREATE TABLE t (v)");
  database.exec("PRAGMA wal_checkpoint(TRUNCATE)");
  for (let i = 0; i < 10; i++) database.exec(`INSERT INTO t VALUES (${i})`);
  cpSync(`${path}-wal`, join(folder, "log"));
  database.close();
  return readFileSync(join(folder, "log"));
})();

function isDamaged(bytes: Uint8Array): boolean {
  const path = join(folder, "bent");
  writeFileSync(path, bytes);
  return findLogDamage(path) !== null;
}

function flipped(at: number): Buffer {
  const bytes = Buffer.from(log);
  bytes[at] = (bytes[at] ?? 0) ^ 0x10;
  return bytes;
}

describe("the write-ahead log", () => {
  test("a log that is whole, missing, empty or longer than what was written is not damaged", () => {
    assert.equal(log.length, 32 + 10 * FRAME);
    assert.equal(isDamaged(log), false);
    assert.equal(findLogDamage(join(folder, "missing")), null);
    assert.equal(isDamaged(new Uint8Array()), false);
    assert.equal(isDamaged(new Uint8Array(32 + FRAME)), false);
    assert.equal(isDamaged(Buffer.concat([log, Buffer.alloc(3 * FRAME)])), false);
  });

  test("F06 one flipped bit anywhere before the last commits is damage", () => {
    for (let at = 0; at < 32 + 8 * FRAME; at += at < 32 + 24 ? 3 : 613) {
      assert.equal(isDamaged(flipped(at)), true, `byte ${at}`);
    }
  });

  test("F04 what a power cut can leave of the last commit is not damage", () => {
    const last = 32 + 9 * FRAME;
    for (let at = last; at < log.length; at += 97) assert.equal(isDamaged(flipped(at)), false, `byte ${at}`);
    const path = join(folder, "cut");
    for (const size of [1, 31, 32, 40, 32 + FRAME - 1, last, log.length - 1]) {
      writeFileSync(path, log);
      truncateSync(path, size);
      assert.equal(findLogDamage(path), null, `${size} bytes`);
    }
  });

  test("what an earlier generation of the log has left behind is not damage", () => {
    const path = join(folder, "again.db");
    const database = new DatabaseSync(path);
    database.exec("PRAGMA journal_mode = WAL; CREATE TABLE t (v)");
    for (let i = 0; i < 10; i++) database.exec(`INSERT INTO t VALUES (${i})`);
    database.exec("PRAGMA wal_checkpoint(RESTART)");
    for (let i = 0; i < 3; i++) database.exec(`INSERT INTO t VALUES (${i})`);
    assert.ok(readFileSync(`${path}-wal`).length > 32 + 8 * FRAME);
    assert.equal(findLogDamage(`${path}-wal`), null);
    database.close();
  });
});
