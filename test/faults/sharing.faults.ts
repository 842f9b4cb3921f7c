import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { describe, test } from "node:test";
import { openStore } from "../../src/storage/open.ts";
import { migrationStatus } from "../../src/storage/upgrade.ts";
import { runCommand } from "../command.ts";
import { freePort } from "../port.ts";
import { openPostgres, sqlOn } from "../postgres.ts";
import { count, isFull } from "./counts.ts";
import { History } from "./history.ts";
import { install, readSqlite } from "./installation.ts";
import { startWriters } from "./writers.ts";

const MIGRATOR = join(import.meta.dirname, "../storage/migrator-process.ts");
const postgres = await openPostgres();

describe("several processes at one database", () => {
  test("F07 two servers on one SQLite file and fifty writers while backups run: no error, every copy of one moment", async (t) => {
    const backups = count(20, 3);
    const installation = await install(t);
    const port = await freePort();
    const servers = [await installation.start(), await installation.start({ PORT: String(port) })];
    const addresses = [installation.url, `http://localhost:${port}`];
    const history = new History();
    let turn = 0;
    const target = () => ({ url: addresses[turn++ % 2] ?? "", token: installation.token });
    const writers = startWriters(history, target, { writers: 50, size: 2_000 });
    await writers.acknowledge(100, 60_000);
    for (let i = 0; i < backups; i++) {
      const before = history.operations.flatMap(({ outcome }) => (outcome.kind === "ok" ? [outcome.id] : []));
      const copy = `${installation.file}.${i}`;
      const { code, stderr } = await runCommand(["backup", copy], installation.environment);
      assert.equal(code, 0, stderr);
      const { integrity, posts, events } = readSqlite(copy);
      assert.equal(integrity, "ok");
      const ids = new Set(posts.map(({ id }) => id));
      assert.deepEqual(
        before.filter((id) => !ids.has(id)),
        [],
        "acknowledged before the backup began",
      );
      assert.deepEqual(events.toSorted(), [...ids].toSorted());
    }
    await writers.stop();
    assert.deepEqual(history.reasons(), {});
    history.assertExplains(await installation.read());
    for (const server of servers) assert.equal(await server.stop(), 0);
    t.diagnostic(`F07 ${backups} backups, two servers, fifty writers: ${history.summary()}`);
  });

  test("F08 PostgreSQL: migrations killed at any message are done whole by the next run", async (t) => {
    const done = await postgres.createDatabase();
    const whole = await migrate(done, 0);
    const messages = Number(whole.output);
    assert.ok(messages > 10, whole.output);
    const step = isFull ? 1 : Math.ceil(messages / 7);
    /** What the schema looks like after each migration: always the same, or one was left in the middle. */
    const shapes = new Map<number, string>([[(await migrationStatus(done)).current, await shapeOf(done)]]);
    let url = await postgres.createDatabase();
    let kills = 0;
    for (let fatal = 1; fatal <= messages; fatal += step) {
      const { signal } = await migrate(url, fatal);
      assert.equal(signal, "SIGKILL", `message ${fatal}`);
      kills++;
      const [{ current }, shape] = await Promise.all([migrationStatus(url), shapeOf(url)]);
      if (current === 0) assert.equal(shape, "[]", `message ${fatal} left half of the first migration`);
      else if (current < WHOLE_UNTIL)
        assert.equal(shape, shapes.get(current) ?? shape, `message ${fatal} left half of what follows ${current}`);
      shapes.set(current, shape);
      if (shape === "[]") continue; // as good as new
      await (await openStore(url)).close();
      assert.equal(await shapeOf(url), await shapeOf(done), `after message ${fatal}`);
      url = await postgres.createDatabase();
    }
    t.diagnostic(`F08 PostgreSQL: ${kills} kills of ${messages} messages, none left half a migration`);
  });
});

/** From this version on, migrations have steps, and one that was killed may leave some of them. */
const WHOLE_UNTIL = 41;

/** Tables, columns and indexes as one text. */
async function shapeOf(url: string): Promise<string> {
  const rows = await sqlOn<{ row: string }>(
    url,
    `select table_name || '.' || column_name || ' ' || data_type || ' ' || is_nullable as row
       from information_schema.columns where table_schema = 'public'
     union all select indexdef from pg_indexes where schemaname = 'public' order by 1`,
  );
  return JSON.stringify(rows.map(({ row }) => row));
}

async function migrate(url: string, fatal: number): Promise<{ output: string; signal: NodeJS.Signals | null }> {
  const child = spawn(process.execPath, [MIGRATOR, url, String(fatal)], { stdio: ["ignore", "pipe", "inherit"] });
  const [output] = await Promise.all([text(child.stdout), once(child, "exit")]);
  return { output, signal: child.signalCode };
}
