import assert from "node:assert/strict";
import { after, describe, test } from "node:test";
import { openStore } from "../../src/storage/open.ts";
import { runCommand } from "../command.ts";
import { openPostgres } from "../postgres.ts";
import * as profiles from "./profiles.ts";
import { openEngineProxy, type Rules } from "./proxy.ts";

const server = await openPostgres();
const migrated = await server.createDatabase();
await (await openStore(migrated)).close();
const proxy = await openEngineProxy(server.url, {});
after(() => proxy.close());

interface Row {
  readonly check: string;
  readonly result: string;
  readonly detail: string;
}

async function examine(rules: Rules, settings: NodeJS.ProcessEnv = {}, url = proxy.through(migrated)) {
  proxy.rules = rules;
  const { code, stdout } = await runCommand(["doctor", "--database", "--json"], { DATABASE_URL: url, ...settings });
  const rows = JSON.parse(stdout) as Row[];
  const odd = rows.filter(({ result }) => result !== "good").map(({ check, result }) => `${check} ${result}`);
  return { code, rows, odd, detail: (check: string) => rows.find((row) => row.check === check)?.detail };
}

describe("E09 doctor --database", () => {
  test("E09 PostgreSQL: every test is named, and none is wrong", async () => {
    const { code, rows, odd } = await examine({});
    const names = ["engine", "encoding", "durability", "connections", "pooler", "distance", "order", "locks"];
    const further = ["announcements", "notifications", "isolation", "migrations"];
    assert.deepEqual(
      rows.map(({ check }) => check),
      [...names, ...further],
    );
    assert.deepEqual(
      odd.filter((one) => !/^(durability|distance)/.test(one)),
      [],
    );
    assert.equal(code, 0);
  });

  for (const { name, rules, settings = {}, check, code, detail } of [
    {
      name: "locks that do nothing",
      rules: profiles.LOCKS_SILENT,
      check: "locks",
      code: 0,
      detail: /do nothing: rows/,
    },
    { name: "locks unknown", rules: profiles.LOCKS_REFUSED, check: "locks", code: 0, detail: /are unknown: rows/ },
    {
      name: "locks that do nothing and are asked for",
      rules: profiles.LOCKS_SILENT,
      settings: { DATABASE_LOCKS: "advisory" },
      ...{ check: "locks", code: 1, detail: /set DATABASE_LOCKS=rows/ },
    },
    { name: "lost notifications", rules: profiles.NOTIFY_SILENT, check: "notifications", code: 0, detail: /polls/ },
    {
      name: "no LISTEN that is asked for",
      rules: profiles.NOTIFY_REFUSED,
      settings: { DATABASE_NOTIFY: "listen" },
      ...{ check: "notifications", code: 1, detail: /DATABASE_NOTIFY=poll/ },
    },
    { name: "rollback keeps tables", rules: profiles.MIGRATIONS_SILENT, check: "migrations", code: 1, detail: /half/ },
    { name: "a snapshot", rules: profiles.ISOLATION_SILENT, check: "isolation", code: 1, detail: /READ COMMITTED/ },
    { name: "another order", rules: profiles.ORDER_SILENT, check: "order", code: 1, detail: /code point/ },
    { name: "no COLLATE", rules: profiles.ORDER_REFUSED, check: "order", code: 1, detail: /code point/ },
  ])
    test(`E09 ${name}: a sentence, and the exit code ${code}`, async () => {
      const found = await examine(rules, settings);
      assert.match(found.detail(check) ?? "", detail);
      assert.equal(found.code, code);
    });

  test("E09 no connection, a database before its migrations, and SQLite", async () => {
    const away = await examine({}, {}, "postgres://u:hush@127.0.0.1:1/d");
    assert.deepEqual([away.code, away.odd], [1, ["connection wrong"]]);
    assert.doesNotMatch(JSON.stringify(away.rows), /hush/);
    const empty = await examine({}, {}, proxy.through(await server.createDatabase()));
    assert.match(empty.detail("isolation") ?? "", /not tested/);
    assert.equal(empty.code, 0);
    const sqlite = await examine({}, {}, "sqlite:/nowhere/content.db");
    assert.match(sqlite.detail("engine") ?? "", /^SQLite 3/);
    assert.equal(sqlite.code, 0);
  });
});
