import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { programName } from "../../src/config/command-line.ts";
import { ADVICE } from "../../src/diagnosis/advice.ts";
import { openChecks } from "../../src/diagnosis/health.ts";
import { checkMigrations, checkNodes, checkReplicaLag } from "../../src/diagnosis/running.ts";
import type { Log } from "../../src/observe/log.ts";

const NOW = Date.parse("2026-11-28T12:00:00.000Z");

function options() {
  const lines: object[] = [];
  const note = (fields: object) => void lines.push(fields);
  const log: Log = { debug: note, info: note, warn: note, error: note };
  return { lines, log, now: () => NOW, patience: 50 };
}

describe("S92 the health of an installation", () => {
  test("S92 the worst come first, each in a sentence with what to do; what cannot be seen from here is left out", async () => {
    const health = openChecks(
      [
        ["version", () => ({ check: "version", result: "good", detail: "1.0" })],
        ["disk", () => [{ check: "disk", result: "warning", detail: "little is free" }]],
        ["backup", () => ({ check: "backup", result: "unchecked", detail: "of PostgreSQL" })],
        ["replica", () => []],
        ["keys", async () => ({ check: "keys", result: "wrong", detail: "the secret is gone" })],
      ],
      options(),
    );
    assert.deepEqual(await health(), {
      state: "failing",
      checkedAt: "2026-11-28T12:00:00.000Z",
      checks: [
        {
          ...{ name: "keys", state: "failing", detail: "The secret is gone." },
          advice: "Put back SECRET_KEY, or the file secret.key, that the keys were made with.",
        },
        {
          ...{ name: "disk", state: "warning", detail: "Little is free." },
          advice: "Free space on this disk, or move the database to a larger one.",
        },
        { name: "version", state: "ok", detail: "1.0.", advice: null },
      ],
    });
    assert.deepEqual(await openChecks([], options())(), {
      ...{ state: "ok", checkedAt: "2026-11-28T12:00:00.000Z", checks: [] },
    });
  });

  test("S92 URLs, paths and commands of a finding stay as they are, and can be copied", async () => {
    const sentences = {
      "http://localhost:4000": "http://localhost:4000",
      "http://localhost:4000 works on this machine only": "http://localhost:4000 works on this machine only.",
      "/srv/secret.key can be read by others: chmod 600": "/srv/secret.key can be read by others: chmod 600.",
      "data/secret.key, readable by its owner only": "data/secret.key, readable by its owner only.",
      "12 GB free at /srv/data": "12 GB free at /srv/data",
      [`mails failed this week: ${programName()} mail list --state FAILED`]: `Mails failed this week: ${programName()} mail list --state FAILED`,
    };
    for (const [detail, sentence] of Object.entries(sentences)) {
      const health = openChecks([["x", () => ({ check: "x", result: "good", detail })]], options());
      assert.equal((await health()).checks[0]?.detail, sentence);
    }
  });

  test("S92 advice about what a page of the studio does names that page", () => {
    for (const [check, page] of [
      ["mail outbox", "Mails"],
      ["webhooks", "Webhooks"],
      ["events", "Webhooks"],
    ] as const)
      assert.match(ADVICE[check] ?? "", new RegExp(`on the page ${page} of the studio, or`), check);
  });

  test("S92 a check that hangs ends and says so, and is not begun again while it hangs", async () => {
    let begun = 0;
    let release = () => {};
    const { log, now, patience } = options();
    const health = openChecks(
      [
        ["clock", () => ({ check: "clock", result: "good", detail: "fine" })],
        [
          "database",
          () =>
            new Promise((resolve) => {
              begun++;
              release = () => resolve({ check: "database", result: "good", detail: "answers" });
            }),
        ],
      ],
      { log, now, patience },
    );
    const began = performance.now();
    const { checks } = await health();
    assert.ok(performance.now() - began < 1_000);
    assert.deepEqual(
      [checks[0]?.name, checks[0]?.state, checks[0]?.detail],
      ["database", "failing", "No answer within 0.05 s."],
    );
    assert.equal(checks[1]?.state, "ok");
    await later();
    assert.equal((await health()).state, "failing");
    assert.equal(begun, 1);
    release();
    await later();
    const answered = health();
    await new Promise((resolve) => setTimeout(resolve, 5));
    release();
    assert.equal((await answered).state, "ok");
    assert.equal(begun, 2);
  });

  test("S92 a check that fails says so without the reason, which is in the log", async () => {
    const { lines, ...rest } = options();
    const failing = async () => Promise.reject(new Error("password=hunter2"));
    const { checks } = await openChecks([["events", failing]], rest)();
    assert.deepEqual(checks[0]?.detail, "The check itself failed, and the log says why.");
    assert.ok(!JSON.stringify(checks).includes("hunter2"));
    assert.equal(lines.length, 1);
  });

  test("S92 checks run once a second for all callers together", async () => {
    let runs = 0;
    const count = () => ({ check: "clock", result: "good" as const, detail: `${++runs}` });
    const health = openChecks([["clock", count]], options());
    const answers = await Promise.all(Array.from({ length: 50 }, () => health()));
    assert.equal(runs, 1);
    assert.equal(new Set(answers).size, 1);
    assert.equal(await health(), answers[0]);
    await later();
    await health();
    assert.equal(runs, 2);
  });

  test("S92 a newer schema, a replica that is away and the number of processes are told", async () => {
    const facts = {
      bytes: 1,
      schema: { current: 41, known: 40, waiting: [] as string[] },
      processes: 3,
      replica: null,
    };
    const of = (change: object) => ({ facts: async () => ({ ...facts, ...change }) });
    assert.equal((await checkMigrations(of({}))).result, "warning");
    assert.equal((await checkMigrations(of({ schema: { current: 40, known: 40, waiting: [] } }))).result, "good");
    const waiting = await checkMigrations(of({ schema: { current: 40, known: 40, waiting: ["0043-less"] } }));
    assert.deepEqual(waiting, {
      ...{ check: "migrations", result: "warning" },
      detail: "the upgrade is not finished: 0043-less waits until no older node serves",
    });
    const serving = (versions: readonly string[], processes: number | null = null) => {
      const nodes = versions.map((version) => ({ ...NODE, version }));
      return checkNodes({ ...of({ processes }), nodes: { renew: async () => {}, list: async () => nodes } });
    };
    assert.equal((await serving([])).detail, "no process serves this database");
    assert.equal((await serving(["0.2.0"])).detail, "1 process serves this database: 1 of version 0.2.0");
    assert.deepEqual(await serving(["0.2.0", "0.3.0", "0.2.0"], 4), {
      ...{ check: "nodes", result: "warning" },
      detail: "4 processes serve this database: 2 of version 0.2.0, 1 of version 0.3.0, 1 of a version before 0.2.0",
    });
    assert.deepEqual(await checkReplicaLag(of({})), []);
    const [away] = await checkReplicaLag(of({ replica: { isUsed: false, problem: "it is starting up" } }));
    assert.equal(away?.result, "warning");
    assert.match(away?.detail ?? "", /it is starting up$/);
    const [used] = await checkReplicaLag(of({ replica: { isUsed: true, problem: null } }));
    assert.equal(used?.result, "good");
    const old = { isUsed: false, isStale: true, problem: null };
    const [stale] = await checkReplicaLag(of({ replica: old }));
    assert.deepEqual([stale?.result, stale?.detail.includes("READ_STALENESS")], ["warning", true]);
  });
});

const NODE = {
  ...{ id: "n", schema: 42, host: "here", pid: 1 },
  ...{ startedAt: "2026-11-30T12:00:00.000Z", seenAt: "2026-11-30T12:00:00.000Z" },
};

/** As long as an answer is kept. */
function later(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 1_010));
}
