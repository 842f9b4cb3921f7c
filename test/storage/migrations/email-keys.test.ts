import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { sql } from "kysely";
import { createUser } from "../../../src/domain/people/user.ts";
import type { Database } from "../../../src/storage/database/database.ts";
import { emailKeys } from "../../../src/storage/migrations/0018-email-keys.ts";
import { openStore } from "../../../src/storage/open.ts";
import { openPostgres as openPostgresDatabase } from "../../../src/storage/postgres/postgres.ts";
import { openSqlite } from "../../../src/storage/sqlite/sqlite.ts";
import { runCommand } from "../../command.ts";
import { aPerson, hasCode } from "../../conformance/samples.ts";
import { openPostgres } from "../../postgres.ts";

const folder = await mkdtemp(join(tmpdir(), "email-keys-"));
after(() => rm(folder, { recursive: true }));
const postgres = await openPostgres();

/** Addresses of people, oldest first, with the keys that they had. */
const BEFORE: readonly (readonly [email: string, key: string])[] = [
  ["Ada@Example.com", "ada@example.com"],
  ["ada\u200b@example.com", "ada\u200b@example.com"],
  ["ada@exam\u200bple.com", "ada@exam\u200bple.com"],
  ["J\u00f6rg@B\u00fccher.example", "j\u00f6rg@b\u00fccher.example"],
  ["eva@\uff42\u00fccher.example", "eva@\uff42\u00fccher.example"],
  ["eva@b\u00fccher.example", "eva@b\u00fccher.example"],
  ["bob@b\u00fccher.example", "bob@b\u00fccher.example"],
  ["bob@xn--bcher-kva.example", "bob@xn--bcher-kva.example"],
  ['"q u"@example.com', '"q u"@example.com'],
  ["two@at@example.com", "two@at@example.com"],
];

function migrates(name: string, open: () => Promise<{ url: string; database: Database; more?: object }>): void {
  test(`U31 everybody from before is found by the own address after keys have changed, on ${name}`, async () => {
    const { url, database, more = {} } = await open();
    await (await openStore(url)).close();
    await database.write(async (tx) => {
      for (const [index, [email, key]] of BEFORE.entries()) {
        await sql`insert into users (id, name, email, email_key, email_verified, role, created_at, updated_at, version) values
          (${idOf(index)}, 'N', ${email}, ${key}, 1, 'member', '2026-01-31T12:00:00.000Z', '2026-01-31T12:00:00.000Z', 1)`.execute(
          tx,
        );
      }
      await emailKeys(tx);
    });
    await database.close();

    const store = await openStore(url);
    try {
      assert.equal((await store.users.list()).length, BEFORE.length);
      for (const [index, [email]] of BEFORE.entries()) {
        assert.equal((await store.users.findByEmail(email))?.id, idOf(index), email);
        assert.equal((await store.users.findByEmail(email.normalize("NFD").toUpperCase()))?.id, idOf(index), email);
      }
      // Another spelling of the domain leads to the same person.
      assert.equal((await store.users.findByEmail("j\u00f6rg@xn--bcher-kva.example"))?.id, idOf(3));
      for (const email of ["j\u00f6rg@XN--BCHER-KVA.example", "bob@B\u00dcCHER.example", "eva@b\u00fccher.example"]) {
        await assert.rejects(createUser(store.users, aPerson({ email })), hasCode("CONFLICT", "email"), email);
      }
      await assert.rejects(
        createUser(store.users, aPerson({ email: "eve\u200b@example.com" })),
        hasCode("BAD_USER_INPUT", "email"),
      );
    } finally {
      await store.close();
    }

    const doctor = await runCommand(["doctor", "--json"], { DATABASE_URL: url, ...more });
    const findings = JSON.parse(doctor.stdout) as { check: string; result: string; detail: string }[];
    const { result, detail = "" } = findings.find(({ check }) => check === "e-mail") ?? {};
    assert.equal(result, "warning", doctor.stdout);
    for (const index of [1, 2, 8, 9]) assert.ok(detail.includes(idOf(index)), `${index}: ${detail}`);
    for (const [one, other] of [
      [4, 5],
      [6, 7],
    ] as const) {
      assert.ok(detail.includes(idOf(one)) !== detail.includes(idOf(other)), detail);
    }
    assert.ok(!detail.includes(idOf(0)) && !detail.includes(idOf(3)), detail);
  });
}

function idOf(index: number): string {
  return `01990000-0000-7000-8000-${String(index).padStart(12, "0")}`;
}

migrates("SQLite", async () => {
  const path = join(folder, "content.db");
  await (await openStore(`sqlite:${path}`)).close();
  return { url: `sqlite:${path}`, database: await openSqlite(path, { mustExist: true }) };
});

migrates("PostgreSQL", async () => {
  const url = await postgres.createDatabase();
  await (await openStore(url)).close();
  return {
    url,
    database: await openPostgresDatabase(url),
    more: { SECRET_KEY: Buffer.alloc(32, 7).toString("base64url") },
  };
});
