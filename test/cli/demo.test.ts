import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { fillDemo } from "../../src/cli/demo.ts";
import { ConfigError, readConfig } from "../../src/config/config.ts";
import { createUser } from "../../src/domain/people/user.ts";
import { verifyPassword } from "../../src/secrets/passwords.ts";
import { openStore } from "../../src/storage/open.ts";

describe("serve --demo", () => {
  let folder: string;
  const config = (name: string, settings: Record<string, string> = {}) =>
    readConfig({ DATABASE_URL: `sqlite:${join(folder, name)}`, ...settings }, join(folder, ".env"));

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), "content-api-"));
  });
  after(() => rm(folder, { recursive: true }));

  test("fills an empty database once, with people who can sign in", async () => {
    for (let time = 0; time < 2; time++) {
      assert.match((await fillDemo(config("demo.db"))).join("\n"), /DEMONSTRATION[\s\S]*ada@example\.com/);
    }
    const store = await openStore(config("demo.db").DATABASE_URL);
    try {
      assert.equal((await store.users.list()).length, 3);
      const ada = await store.users.findByEmail("ada@example.com");
      assert.ok(await verifyPassword(ada?.passwordHash ?? null, "for demonstration only"));
      assert.equal((await store.clients.find("demo"))?.type, "public");
    } finally {
      await store.close();
    }
  });

  test("refuses where others could come in with passwords that everybody knows", async () => {
    for (const settings of [{ BASE_URL: "https://api.example.com" }, { HOST: "0.0.0.0" }, { HOST: "::" }])
      await assert.rejects(fillDemo(config("none.db", settings)), ConfigError, JSON.stringify(settings));
  });

  test("does not pass somebody's database off as a demonstration", async () => {
    const store = await openStore(config("real.db").DATABASE_URL);
    const person = { name: "Real", email: "real@example.com", role: "admin", emailVerified: true } as const;
    await createUser(store.users, { ...person, passwordHash: null });
    await store.close();
    await assert.rejects(fillDemo(config("real.db")), /has people already/);
  });
});
