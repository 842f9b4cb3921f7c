import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { openApp } from "../../src/app/app.ts";
import { warnOfLostPasskeys } from "../../src/app/lost-passkeys.ts";
import { readConfig } from "../../src/config/config.ts";
import { openStore } from "../../src/storage/open.ts";
import { aPasskey, aPerson } from "../conformance/samples.ts";
import { createTestDatabase, type TestDatabase } from "../database.ts";
import { freePort } from "../port.ts";

type Line = readonly [fields: object, message: string];

function logTo(warnings: Line[]) {
  const warn = (fields: object, message: string) => void warnings.push([fields, message]);
  return { debug() {}, info() {}, warn, error() {} };
}

describe("passkeys of another domain", () => {
  let folder: string;
  let database: TestDatabase;
  /** All starts share the signing keys. */
  const SECRET_KEY = randomBytes(32).toString("base64url");

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), "content-api-"));
    database = await createTestDatabase(folder);
    const store = await openStore(database.url);
    const { id: userId } = await store.users.create(aPerson());
    for (const [credentialId, rpId] of [
      ["one", "localhost"],
      ["two", "localhost"],
      ["three", "old.example"],
    ] as const)
      await store.passkeys.create(aPasskey({ userId, credentialId, rpId }), 0);
    await store.close();
  });
  after(async () => {
    await database.drop();
    await rm(folder, { recursive: true });
  });

  /** Starts the program, and stops it as soon as it has warned `count` times. @returns all warnings about passkeys */
  async function start(settings: Record<string, string>, count: number): Promise<Line[]> {
    const warnings: Line[] = [];
    const about = () => warnings.filter(([, message]) => message.includes("passkeys"));
    const environment = { PORT: String(await freePort()), DATABASE_URL: database.url, SECRET_KEY, ...settings };
    const app = await openApp(readConfig(environment, join(folder, ".env")), { log: logTo(warnings) });
    try {
      assert.equal((await fetch(`${app.url}/readyz`)).status, 200);
      for (const deadline = Date.now() + 10_000; about().length < count && Date.now() < deadline; ) await pause(10);
    } finally {
      await app.close(); // waits for the count
    }
    return about();
  }

  test("U07 the start goes on, and one line says how many cannot be used", async () => {
    assert.deepEqual(await start({}, 1), [
      [{ count: 1, domain: "localhost" }, "passkeys of another domain cannot be used"],
    ]);
    assert.deepEqual(await start({ AUTH_URL: "https://login.new.example" }, 1), [
      [{ count: 3, domain: "login.new.example" }, "passkeys of another domain cannot be used"],
    ]);
    assert.deepEqual(await start({ PASSKEYS: "off" }, 1), [[{ count: 3 }, "passkeys are off: these cannot be used"]]);
    const store = await openStore(database.url);
    const [person] = await store.users.list();
    assert.ok(person);
    await store.passkeys.remove(person.id, "three", "localhost");
    await store.close();
    assert.deepEqual(await start({}, 0), []);
  });

  test("U07 a database that is away is a line in the log, and no end of the server", async () => {
    const warnings: Line[] = [];
    const err = new Error("away");
    const passkeys = { countElsewhere: () => Promise.reject(err) };
    await warnOfLostPasskeys({ config: { PASSKEY_ID: "localhost" }, store: { passkeys }, log: logTo(warnings) });
    assert.deepEqual(warnings, [[{ err }, "passkeys of other domains could not be counted"]]);
  });
});
