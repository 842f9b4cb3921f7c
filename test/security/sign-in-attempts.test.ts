import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe, test } from "node:test";
import { openAttemptLimit, unlockAccount } from "../../src/authorization-server/sign-in/attempts.ts";
import { openStore } from "../../src/storage/open.ts";
import { createTestDatabase } from "../database.ts";

const folder = await mkdtemp(join(tmpdir(), "content-api-"));
const database = await createTestDatabase(folder);
const stores = [await openStore(database.url), await openStore(database.url)] as const;
after(async () => {
  for (const store of stores) await store.close();
  await database.drop();
  await rm(folder, { recursive: true });
});
const at = (email: string, address: string, budget: string | null = null) => ({ email, address, budget });
/** Two nodes. */
const [here, there] = stores.map((store) => openAttemptLimit(store.attempts, Date.now)) as [Limit, Limit];
type Limit = ReturnType<typeof openAttemptLimit>;

describe("sign-in attempts", () => {
  test("A39 whoever has no attempt left cannot use up somebody else's", async () => {
    for (let i = 0; i < 100; i++) assert.equal(await here.begin(at(`${i}@example.com`, "192.0.2.1")), true);
    for (let i = 0; i < 20; i++) assert.equal(await here.begin(at("victim@example.com", "192.0.2.1")), false);
    for (let i = 0; i < 10; i++) assert.equal(await here.begin(at("victim@example.com", `198.51.100.${i}`)), true);
    assert.equal(await here.begin(at("victim@example.com", "198.51.100.99")), false);
  });

  test("A39 nodes count together, many at once too", async () => {
    const tries = Array.from({ length: 30 }, (_, i) =>
      (i % 2 ? here : there).begin(at("nodes@example.com", `203.0.113.${i}`)),
    );
    assert.equal((await Promise.all(tries)).filter((mayTry) => mayTry).length, 10);
    await there.succeed(at("NODES@example.com", "203.0.113.1"));
    assert.equal(await here.begin(at("nodes@example.com", "203.0.113.1")), true);
  });

  test("A39 an address counts once, however it is written, and one of IPv6 by its /64", async () => {
    for (let i = 0; i < 100; i++) await here.begin(at(`${i}@example.net`, i % 2 ? "192.0.2.2" : "::ffff:192.0.2.2"));
    assert.equal(await here.begin(at("a@example.com", "192.0.2.2")), false);
    for (let i = 0; i < 100; i++) await here.begin(at(`${i}@example.org`, `2001:db8::${i.toString(16)}`));
    assert.equal(await there.begin(at("a@example.org", "2001:DB8:0:0:1:2:3:4")), false);
    assert.equal(await there.begin(at("a@example.org", "2001:db8:0:1::1")), true);
  });

  test("A39 what is typed for an address takes no room", async () => {
    await here.begin(at("x".repeat(60_000), "10.0.0.1"));
    assert.doesNotMatch(await database.readAll(), /x{1000}/);
  });

  test("A48 a budget of one's own is used up by nobody else, and uses up nothing of others", async () => {
    const own = at("owner@example.com", "192.0.2.50", "browser b1 p1");
    for (let i = 0; i < 200; i++) await here.begin(at("owner@example.com", `10.1.${i}.1`));
    assert.equal(await here.begin(at("owner@example.com", "10.2.0.1")), false);
    for (let i = 0; i < 10; i++) assert.equal(await there.begin(own), true, `${i}`);
    assert.equal(await here.begin(own), false, "ten in all, on both nodes");
    assert.equal(await here.begin(at("owner@example.com", "192.0.2.50", "session s1")), true);
    await here.succeed(at("owner@example.com", "192.0.2.50", "session s1"));
    assert.equal(await here.begin(at("owner@example.com", "10.2.0.1")), true, "the owner's success frees the account");
  });

  test("user unlock frees an account", async () => {
    for (let i = 0; i < 20; i++) await here.begin(at("locked@example.com", `10.3.${i}.1`));
    assert.equal(await here.begin(at("locked@example.com", "10.4.0.1")), false);
    await unlockAccount(stores[1].attempts, "LOCKED@example.com");
    assert.equal(await here.begin(at("locked@example.com", "10.4.0.1")), true);
  });
});
