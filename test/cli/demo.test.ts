import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { refusePublicDemonstration } from "../../src/app/demonstration.ts";
import { demoEnvironment, fillDemo } from "../../src/cli/demo.ts";
import { ConfigError, readConfig } from "../../src/config/config.ts";
import { createUser } from "../../src/domain/people/user.ts";
import { verifyPassword } from "../../src/secrets/passwords.ts";
import { openStore } from "../../src/storage/open.ts";
import { runCommand } from "../command.ts";

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

  test("A49 its people answer on this machine alone, with the flag or without, however the database was changed", async () => {
    const before = config("public.db");
    await fillDemo(before);
    const store = await openStore(before.DATABASE_URL);
    for (const { id, email } of await store.users.list())
      if (email !== "ada@example.com") await store.users.update(id, { disabledAt: "2026-01-31T12:00:00.000Z" });
    await store.clients.update("demo", { disabledAt: "2026-01-31T12:00:00.000Z" });
    await store.close();
    for (const [name, settings] of [
      ["HOST", { HOST: "0.0.0.0" }],
      ["HOST", { HOST: "::" }],
      ["HOST", { HOST: "192.0.2.7" }],
      ["HOST", { HOST: "localhost.example.com" }],
      ["BASE_URL", { BASE_URL: "https://api.example.com" }],
      ["AUTH_URL", { AUTH_URL: "https://id.example.com" }],
    ] as const) {
      const environment: Record<string, string> = { DATABASE_URL: before.DATABASE_URL, PORT: "0", ...settings };
      for (const words of [["serve"], ["serve", "--demo"]]) {
        const { code, stdout, stderr } = await runCommand(words, environment);
        assert.deepEqual([code, stdout], [2, ""], stderr);
        assert.match(stderr, new RegExp(`${name} must be a loopback address`));
      }
      const doctor = await runCommand(["doctor"], environment);
      assert.equal(doctor.code, 1);
      assert.match(doctor.stdout, new RegExp(`^demonstration +wrong +.*${name}`, "m"));
    }
    for (const settings of [{}, { HOST: "127.0.0.2", BASE_URL: "http://demo.localhost:4000" }]) {
      const doctor = await runCommand(["doctor"], { DATABASE_URL: before.DATABASE_URL, ...settings });
      assert.match(doctor.stdout, /^demonstration +warning /m);
    }
  });

  test("A49 people who were copied into another database, with the public password, count as well", async () => {
    const from = await openStore(config("demo.db").DATABASE_URL);
    const ada = await from.users.findByEmail("ada@example.com");
    await from.close();
    assert.ok(ada);
    for (const [name, passwordHash, isRefused] of [
      ["copied.db", ada.passwordHash, true],
      ["other.db", null, false],
    ] as const) {
      const { DATABASE_URL } = config(name);
      const store = await openStore(DATABASE_URL);
      await createUser(store.users, { ...ada, passwordHash });
      const refused = refusePublicDemonstration(config(name, { HOST: "0.0.0.0" }), store);
      if (isRefused) await assert.rejects(refused, /HOST must be a loopback address/);
      else await refused;
      await refusePublicDemonstration(config(name), store);
      await store.close();
    }
  });

  test("A49 has a database of its own, so that a plain start never serves its people", async () => {
    const file = join(folder, ".env");
    assert.equal(demoEnvironment({ PORT: "4310" }, file).DATABASE_URL, "sqlite:./data/demo.db");
    assert.equal(demoEnvironment({ DATABASE_URL: "sqlite:./own.db" }, file).DATABASE_URL, "sqlite:./own.db");
    await writeFile(file, "DATABASE_URL=sqlite:./named.db\n");
    const environment = demoEnvironment({}, file);
    assert.equal(readConfig(environment, file).DATABASE_URL, "sqlite:./named.db");
    await rm(file);
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
