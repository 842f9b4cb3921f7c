import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { after, describe, test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import type { Change } from "../../src/domain/change.ts";
import { openStore } from "../../src/storage/open.ts";
import { USUAL_ENGINE } from "../../src/storage/postgres/engine.ts";
import { runCommand } from "../command.ts";
import { aPerson } from "../conformance/samples.ts";
import { isFull } from "../faults/counts.ts";
import { openPostgres, sqlOn } from "../postgres.ts";
import { livedTime } from "../timing.ts";
import { lacksPgbouncer, type Pgbouncer, startPgbouncer } from "./pgbouncer.ts";

/** All of them, as `npm run test:postgres` and the tests of the store, take many minutes. */
const WHOLE = [
  ...["test/conformance/*.test.ts", "test/security/*.test.ts", "test/conformance/openid/*.test.ts"],
  ...["test/app/app.test.ts", "test/e2e/*.test.ts", "test/events/webhooks.test.ts"],
  "test/graphql/administration/administration.test.ts",
];
const SOME = ["test/conformance/postgres.test.ts", "test/security/agents.test.ts"];

describe("E08 PgBouncer in transaction mode", { skip: lacksPgbouncer }, async () => {
  const server = await openPostgres();
  const pgbouncer: Pgbouncer | null = lacksPgbouncer === false ? await startPgbouncer(server.url) : null;
  after(() => pgbouncer?.stop());
  const through = (url: string) => pgbouncer?.through(url) ?? "";

  test("E08 DATABASE_POOLER=transaction: nothing is prepared by name, nothing is listened for, and sessions are shared", async () => {
    const url = await server.createDatabase();
    const engine = { ...USUAL_ENGINE, DATABASE_POOLER: "transaction" } as const;
    const stores = await Promise.all([1, 2, 3].map(() => openStore(through(url), { engine })));
    const [store] = stores;
    await Promise.all(
      Array.from({ length: 300 }, async (_, i) => {
        const user = await stores[i % 3]?.users.create(aPerson({ email: `${i}@example.com` }));
        assert.deepEqual(await store?.users.find(user?.id as never), user);
      }),
    );
    assert.equal((await store?.users.list())?.length, 300);
    const names = "select from pg_prepared_statements";
    assert.equal((await sqlOn(through(url), names)).length, 0);
    const mine = "from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()";
    assert.equal((await sqlOn(url, `select ${mine} and application_name = 'content-api changes'`)).length, 0);
    await Promise.all(stores.map((one) => one.close()));
  });

  test("E08 DATABASE_LISTEN_URL: changes are told by their ids all the same", async () => {
    const url = await server.createDatabase();
    const engine = { ...USUAL_ENGINE, DATABASE_POOLER: "transaction", DATABASE_LISTEN_URL: url } as const;
    const [here, there] = [await openStore(through(url), { engine }), await openStore(through(url), { engine })];
    const told: Change[] = [];
    here.watch(["user"], (change) => void told.push(change));
    for (const began = livedTime(); !told.some(({ id }) => id === "somebody"); await pause(50)) {
      assert.ok(livedTime() - began < 10_000, "nothing is told by its id");
      await there.artifacts.revokeUser("somebody" as never);
    }
    await Promise.all([here.close(), there.close()]);
  });

  test("E09 the doctor notices the pooler, and that the setting is missing", async () => {
    const url = through(await server.createDatabase());
    const examine = async (settings: Record<string, string>) => {
      const { code, stdout } = await runCommand(["doctor", "--database"], { DATABASE_URL: url, ...settings });
      return { code, pooler: stdout.split("\n").find((line) => line.startsWith("pooler")) ?? "" };
    };
    const without = await examine({});
    assert.match(without.pooler, /wrong .*set DATABASE_POOLER=transaction/);
    assert.equal(without.code, 1);
    assert.match((await examine({ DATABASE_POOLER: "transaction" })).pooler, /good/);
  });

  test("E08 the suite for PostgreSQL passes through it", async (t) => {
    const env = {
      ...process.env,
      ...{ TEST_STORE: "postgres", TEST_DATABASE_URL: server.url, TEST_POOLER: `127.0.0.1:${pgbouncer?.port}` },
      NODE_TEST_CONTEXT: undefined,
    };
    const files = isFull ? WHOLE : SOME;
    const options = [
      "--test",
      "--test-force-exit",
      "--test-concurrency=2",
      "--test-timeout=600000",
      "--test-reporter=spec",
    ];
    const child = spawn(process.execPath, [...options, ...files], { env, stdio: ["ignore", "pipe", "inherit"] });
    let said = "";
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      said += text;
    });
    const [code] = await once(child, "exit");
    const [failures = ""] = said.split("✖ failing tests:").slice(1);
    assert.equal(code, 0, failures.slice(0, 20_000));
    t.diagnostic(`E08 ${/ℹ tests (\d+)/.exec(said)?.[1]} tests of ${files.join(" ")} through PgBouncer`);
  });
});
