import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { after, describe, test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { MIGRATIONS } from "../../src/storage/migrations/contents.ts";
import { openStore } from "../../src/storage/open.ts";
import { migrationStatus } from "../../src/storage/upgrade.ts";
import { isSlow, runs } from "../scale.ts";

const VERSIONS = MIGRATIONS.map(({ version }) => version);

const folder = mkdtempSync(join(tmpdir(), "content-api-crash-"));
after(() => rmSync(folder, { recursive: true }));

const KILLS = runs(4, 10);

interface Run {
  readonly child: ChildProcess;
  readonly firstLine: Promise<unknown>;
  /** Resolves with all complete lines once the process is gone. */
  readonly ended: Promise<{ lines: string[]; code: number | null; errors: string }>;
}

function run(script: string, ...args: string[]): Run {
  const file = fileURLToPath(new URL(script, import.meta.url));
  const child = spawn(process.execPath, [file, ...args], { stdio: ["ignore", "pipe", "pipe"] });
  let text = "";
  let errors = "";
  child.stdout.setEncoding("utf8").on("data", (chunk: string) => {
    text += chunk;
  });
  child.stderr.setEncoding("utf8").on("data", (chunk: string) => {
    errors += chunk;
  });
  const firstLine = Promise.race([once(child.stdout, "data"), once(child, "close")]);
  const ended = once(child, "close").then(([code]) => ({
    lines: text.split("\n").slice(0, -1),
    code: code as number | null,
    errors,
  }));
  return { child, firstLine, ended };
}

/** Everything in the file that a lost or a half write would show in. */
function inspect(path: string) {
  const connection = new DatabaseSync(path);
  const column = (statement: string) =>
    connection
      .prepare(statement)
      .all()
      .map((row) => Object.values(row)[0]);
  const found = {
    integrity: column("PRAGMA integrity_check"),
    brokenKeys: column("PRAGMA foreign_key_check"),
    posts: new Set(column("SELECT id FROM posts") as string[]),
    events: column("SELECT subject_id FROM outbox WHERE type = 'post.created' ORDER BY id") as string[],
    migrations: column("SELECT version FROM schema_migrations"),
  };
  connection.close();
  return found;
}

describe("crashes", () => {
  test(`F01 kill -9 in the middle of writes, ${KILLS} times: every acknowledged post is there, with its event`, async () => {
    const path = join(folder, "f01.db");
    const acknowledged: string[] = [];
    for (let kill = 0; kill < KILLS; kill++) {
      const { child, firstLine, ended } = run("writer-process.ts", `sqlite:${path}`, "ada@example.com", "1000000");
      await firstLine;
      await pause(Math.random() * 120);
      child.kill("SIGKILL");
      const { lines, errors } = await ended;
      assert.equal(errors, "");
      assert.ok(lines.length > 0);
      acknowledged.push(...lines);

      const { integrity, brokenKeys, posts, events } = inspect(path);
      assert.deepEqual(integrity, ["ok"]);
      assert.deepEqual(brokenKeys, []);
      const lost = acknowledged.filter((id) => !posts.has(id));
      assert.deepEqual(lost, []);
      assert.equal(events.length, posts.size);
      assert.deepEqual(new Set(events), posts);
    }
  });

  test("A43 kill -9 in the middle of writes by an agent: each change has its row and its audit entry, and no row is without its change", async () => {
    const path = join(folder, "a43.db");
    const acknowledged: string[] = [];
    for (let kill = 0; kill < KILLS / 2; kill++) {
      const { child, firstLine, ended } = run(
        "writer-process.ts",
        `sqlite:${path}`,
        "a@example.com",
        "1000000",
        "agent",
      );
      await firstLine;
      await pause(Math.random() * 120);
      child.kill("SIGKILL");
      const { lines, errors } = await ended;
      assert.equal(errors, "");
      acknowledged.push(...lines);

      const connection = new DatabaseSync(path);
      const posts = connection.prepare("SELECT id, version FROM posts ORDER BY id").all();
      const changes = connection
        .prepare(
          "SELECT post_id AS id, max(version_after) AS version, count(*) AS n FROM agent_changes GROUP BY 1 ORDER BY 1",
        )
        .all();
      const audited = connection.prepare("SELECT count(*) AS n FROM audit WHERE event = 'agent'").get();
      connection.close();
      assert.deepEqual(
        changes.map(({ id, version, n }) => [id, version, n]),
        posts.map(({ id, version }) => [id, version, version]),
      );
      assert.equal(
        audited?.n,
        changes.reduce((sum, { n }) => sum + Number(n), 0),
      );
      const whole = new Set(posts.filter(({ version }) => version === 2).map(({ id }) => id));
      assert.deepEqual(
        acknowledged.filter((id) => !whole.has(id)),
        [],
      );
    }
  });

  test("F07 two processes write to one file: no error, nothing lost, and a reader of the outbox misses nothing", async () => {
    const path = join(folder, "f07.db");
    const reader = await openStore(`sqlite:${path}`);
    const writers = ["ada", "grace"].map((name) =>
      run("writer-process.ts", `sqlite:${path}`, `${name}@example.com`, "300"),
    );
    const seen: string[] = [];
    let running = true;
    const following = (async () => {
      let last: Parameters<typeof reader.outbox.list>[0] = null;
      for (;;) {
        const wasRunning = running;
        const events = await reader.outbox.list(last, 50);
        seen.push(...events.filter(({ type }) => type === "post.created").map(({ subjectId }) => subjectId));
        last = events.at(-1)?.id ?? last;
        if (events.length === 0 && !wasRunning) return;
        await pause(2);
      }
    })();
    const results = await Promise.all(writers.map(({ ended }) => ended));
    running = false;
    await following;
    await reader.close();
    for (const { code, errors, lines } of results) {
      assert.equal(errors, "");
      assert.equal(code, 0);
      assert.equal(lines.length, 300);
    }
    const { integrity, posts, events } = inspect(path);
    assert.deepEqual(integrity, ["ok"]);
    assert.deepEqual(posts, new Set(results.flatMap(({ lines }) => lines)));
    assert.deepEqual(seen, events);
  });

  test("F08 a migration killed at any call into SQLite is done whole by the next run", async () => {
    const whole = await run("migrator-process.ts", `sqlite:${join(folder, "whole.db")}`, "0").ended;
    const calls = Number(whole.lines[0]);
    assert.ok(calls > 20, whole.errors);
    const path = join(folder, "f08.db");
    const step = isSlow ? 1 : Math.ceil(calls / 8);
    for (let fatal = 1; fatal <= calls; fatal += step) {
      const { child, ended } = run("migrator-process.ts", `sqlite:${path}`, `${fatal}`);
      await ended;
      assert.equal(child.signalCode, "SIGKILL", `call ${fatal}`);
      const { current } = await migrationStatus(`sqlite:${path}`);
      if (current !== 0) break; // killed after the commit
    }
    const store = await openStore(`sqlite:${path}`);
    await store.check();
    await store.close();
    const { integrity, migrations } = inspect(path);
    assert.deepEqual(integrity, ["ok"]);
    assert.deepEqual(migrations, VERSIONS);
    assert.deepEqual(schemaOf(path), schemaOf(join(folder, "whole.db")));
  });

  test("F08 three processes open and migrate one new file at once: all succeed, one migrates", async () => {
    for (let round = 0; round < 2; round++) {
      const path = join(folder, `together-${round}.db`);
      const runs = Array.from({ length: 3 }, () => run("migrator-process.ts", `sqlite:${path}`, "0").ended);
      for (const { code, errors } of await Promise.all(runs)) {
        assert.equal(errors, "");
        assert.equal(code, 0);
      }
      const { integrity, migrations } = inspect(path);
      assert.deepEqual(integrity, ["ok"]);
      assert.deepEqual(migrations, VERSIONS);
    }
  });
});

function schemaOf(path: string): unknown[] {
  const connection = new DatabaseSync(path);
  const schema = connection.prepare("SELECT type, name, sql FROM sqlite_schema ORDER BY name").all();
  connection.close();
  return schema;
}
