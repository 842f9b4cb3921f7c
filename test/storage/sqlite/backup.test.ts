import assert from "node:assert/strict";
import { copyFileSync, existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, test } from "node:test";
import { AppError } from "../../../src/domain/errors.ts";
import type { Id } from "../../../src/domain/id.ts";
import { backupStore, restoreStore } from "../../../src/storage/copies.ts";
import { openStore } from "../../../src/storage/open.ts";
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

  test("U09 P22 mailed links and mails are in no backup, not even in its free pages, and old copies bring none back", () =>
    inFolder(async (folder, url) => {
      const store = await openStore(url);
      const { id } = await store.users.create(ADA);
      const nowSeconds = Math.floor(Date.now() / 1_000);
      const token = {
        ...({
          purpose: "recovery",
          email: "ada@example.com",
          provesEmail: true,
          userId: id,
          credentialVersion: 0,
        } as const),
        ...{ invitationId: null, codeMac: null, browserHash: null, interaction: null },
        ...{ createdAtSeconds: nowSeconds, expiresAtSeconds: nowSeconds + 3_600 },
      } as const;
      const mail = {
        ...({ kind: "sign-up", userId: null, language: "en", params: {} } as const),
        expiresAt: new Date(Date.now() + 3_600_000).toISOString(),
      } as const;
      // Enough of them that whole pages become free.
      for (let i = 0; i < 300; i++) {
        await store.accountTokens.put({ ...token, hash: `hash-of-a-link-${i}` });
        await store.mails.add({ ...mail, address: `stranger-${i}@example.com` });
      }
      const invitation = {
        email: "bob@example.com",
        role: "member",
        invitedBy: null,
        expiresAt: mail.expiresAt,
      } as const;
      await store.invitations.create(invitation);
      const file = join(folder, "copy.db");
      await backupStore(url, file, nothing);
      assert.deepEqual(
        readdirSync(folder).filter((name) => name.startsWith("copy")),
        ["copy.db"],
      );
      const bytes = readFileSync(file, "latin1");
      assert.ok(bytes.includes("ada@example.com") && bytes.includes("bob@example.com"));
      for (const text of ["hash-of-a-link", "stranger-"]) assert.ok(!bytes.includes(text), text);
      assert.equal((await store.accountTokens.find("hash-of-a-link-7"))?.userId, id, "the database keeps its own");
      assert.equal((await store.mails.list({ limit: 1_000 })).length, 300);
      await store.close();

      // A copy of the file that another program made still holds them.
      const other = join(folder, "other.db");
      copyFileSync(join(folder, "content.db"), other);
      const path = join(folder, "restored.db");
      await restoreStore(`sqlite:${path}`, other, { replace: false }, nothing);
      const restored = await openStore(`sqlite:${path}`);
      assert.equal(await restored.accountTokens.find("hash-of-a-link-7"), null);
      assert.deepEqual(await restored.mails.list({ limit: 1 }), []);
      assert.equal((await restored.invitations.list(undefined, 10)).length, 1);
      await restored.close();
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
