import assert from "node:assert/strict";
import { existsSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, test } from "node:test";
import { AppError } from "../../../src/domain/errors.ts";
import type { Id } from "../../../src/domain/id.ts";
import { backupStore, openStore, restoreStore } from "../../../src/storage/open.ts";
import { runCommand } from "../../command.ts";

const nothing = () => {};

async function inFolder(work: (folder: string, url: string) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "content-api-backup-"));
  try {
    await work(folder, `sqlite:${join(folder, "content.db")}`);
  } finally {
    await rm(folder, { recursive: true });
  }
}

function titles(file: string): string[] {
  const database = new DatabaseSync(file, { readOnly: true });
  const rows = database.prepare("SELECT title FROM posts ORDER BY id").all();
  database.close();
  return rows.map((row) => String(row.title));
}

const ADA = { name: "Ada", email: "ada@example.com", emailVerified: true, role: "member", passwordHash: null } as const;

describe("backup and restore", () => {
  test("F07 a backup while fifty writers write is whole, of one moment, and nobody is told that it is locked", () =>
    inFolder(async (folder, url) => {
      const store = await openStore(url);
      const { id: authorId } = await store.users.create(ADA);
      const body = "x".repeat(20_000);
      for (let i = 0; i < 300; i++) await store.posts.create({ authorId, title: "before", body });

      const file = join(folder, "copy.db");
      let copying = true;
      const written: Promise<Id>[] = [];
      const shares: number[] = [];
      const backup = backupStore(url, file, (share) => shares.push(share)).finally(() => {
        copying = false;
      });
      const writers = Array.from({ length: 50 }, async () => {
        do {
          const write = store.posts.create({ authorId, title: "during", body });
          written.push(write);
          await write;
        } while (copying && written.length < 5_000);
      });
      await Promise.all([backup, ...writers]);
      await Promise.all(written);
      await store.close();

      assert.equal(shares.at(-1), 1);
      assert.ok(shares.length > 1, "progress was shown");
      assert.ok(titles(file).filter((title) => title === "before").length === 300);
      assert.equal(titles(join(folder, "content.db")).length, 300 + written.length);
      assert.equal(statSync(file).mode & 0o077, 0);
      const reopened = await openStore(`sqlite:${file}`, { migrate: false });
      await reopened.close();
    }));

  test("a restored database holds what the backup held", () =>
    inFolder(async (folder, url) => {
      const store = await openStore(url);
      const { id: authorId } = await store.users.create(ADA);
      await store.posts.create({ authorId, title: "kept", body: "" });
      const file = join(folder, "copy.db");
      await backupStore(url, file, nothing);
      await store.posts.create({ authorId, title: "later", body: "" });

      const path = join(folder, "content.db");
      await assert.rejects(restoreStore(url, file, { replace: false }, nothing), hasCode("CONFLICT"));
      await assert.rejects(restoreStore(url, file, { replace: true }, nothing), hasCode("UNAVAILABLE"), "in use");
      await store.close();
      assert.deepEqual(titles(path), ["kept", "later"], "a refused restore changes nothing");
      await restoreStore(url, file, { replace: true }, nothing);
      assert.deepEqual(titles(path), ["kept"]);

      const elsewhere = `sqlite:${join(folder, "new", "content.db")}`;
      await restoreStore(elsewhere, file, { replace: false }, nothing);
      await (await openStore(elsewhere, { migrate: false })).close();
    }));

  test("what is no backup of ours, damaged or missing is refused, and no half file is left", () =>
    inFolder(async (folder, url) => {
      await (await openStore(url)).close();
      const file = join(folder, "copy.db");
      await backupStore(url, file, nothing);
      const copies = readdirSync(folder).filter((name) => name.startsWith("copy"));
      assert.deepEqual(copies, ["copy.db"], "nothing is left beside it");
      await assert.rejects(backupStore(url, file, nothing), hasCode("CONFLICT"));

      const foreign = join(folder, "foreign.db");
      new DatabaseSync(foreign).exec("CREATE TABLE t (x)");
      const text = join(folder, "text.db");
      writeFileSync(text, "not a database at all, but long enough to be read as one".repeat(100));
      for (const wrong of [foreign, text]) {
        await assert.rejects(restoreStore(url, wrong, { replace: true }, nothing), hasCode("INTERNAL"), wrong);
      }
      await assert.rejects(restoreStore(url, join(folder, "none"), { replace: true }, nothing), hasCode("NOT_FOUND"));
      await (await openStore(url, { migrate: false })).close();
      assert.ok(!existsSync(`${join(folder, "content.db")}.part`));
    }));

  test("PostgreSQL's own tools are named instead", async () => {
    const { code, stderr } = await runCommand(["backup", "x.dump"], {
      DATABASE_URL: "postgres://somebody:secret@localhost/content",
    });
    assert.equal(code, 2);
    assert.match(stderr, /pg_dump/);
    assert.ok(!stderr.includes("secret"));
  });
});

function hasCode(code: string) {
  return (error: unknown) => error instanceof AppError && error.code === code;
}
