import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, test } from "node:test";
import { openLog } from "../../src/observe/log.ts";
import { PROGRAM } from "../command.ts";
import { freePort } from "../port.ts";

const ESCAPE = "\u001b";

function logged(isTTY: boolean, environment: NodeJS.ProcessEnv = {}): string {
  let text = "";
  const write = (chunk: string | Uint8Array) => {
    text += chunk;
    return true;
  };
  const log = openLog({ LOG_LEVEL: "info" }, { isTTY, write }, environment);
  log.debug({}, "too little to log");
  log.info({ count: 3, path: "/a/b" }, "posts are rendered");
  log.warn({ agent: `curl ${ESCAPE}[2J\u202eevil\nINFO forged` }, `odd ${ESCAPE}]0;title\u0007`);
  log.error({ err: new Error("no more room") }, "a chore failed");
  return text;
}

describe("log", () => {
  test("on a terminal: a line for people for each entry, the stack of an error below it", () => {
    const lines = logged(true, { NO_COLOR: "1" }).trimEnd().split("\n");
    assert.match(lines[0] ?? "", /^\d\d:\d\d:\d\d info {2}posts are rendered count=3 path=\/a\/b$/);
    assert.match(lines[1] ?? "", /^\d\d:\d\d:\d\d warn {2}odd /);
    assert.match(lines[2] ?? "", /^\d\d:\d\d:\d\d error a chore failed$/);
    assert.equal(lines[3], "  Error: no more room");
    assert.match(lines[4] ?? "", /^ {6}at /);
  });

  test("nothing that a request brings reaches the terminal as a command or as a line of its own", () => {
    const text = logged(true, { NO_COLOR: "1" });
    assert.doesNotMatch(text, /[^\P{Cc}\n]|\u202e/u);
    assert.doesNotMatch(text, /^INFO forged/m);
  });

  test("colour on a terminal alone, and not with NO_COLOR or TERM=dumb", () => {
    assert.ok(logged(true).includes(`${ESCAPE}[31m`));
    for (const environment of [{ NO_COLOR: "1" }, { TERM: "dumb" }])
      assert.ok(!logged(true, environment).includes(ESCAPE), JSON.stringify(environment));
    assert.ok(logged(true, { NO_COLOR: "" }).includes(ESCAPE), "an empty NO_COLOR counts for none");
    assert.ok(!logged(false).includes(ESCAPE));
  });

  test("elsewhere: one JSON object a line, with time, level and message", () => {
    const entries = logged(false)
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
    assert.deepEqual(
      entries.map(({ level, msg }) => [level, msg]),
      [
        [30, "posts are rendered"],
        [40, `odd ${ESCAPE}]0;title\u0007`],
        [50, "a chore failed"],
      ],
    );
    assert.equal(entries[0].count, 3);
    assert.match(entries[0].time, /^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
    assert.equal(entries[2].err.message, "no more room");
  });

  for (const workers of ["1", "2"])
    test(`a server with ${workers} process(es) says that it has stopped, as the last line`, async (t) => {
      const folder = await mkdtemp(join(tmpdir(), "content-api-"));
      t.after(() => rm(folder, { recursive: true }));
      const env = {
        DATABASE_URL: `sqlite:${join(folder, "content.db")}`,
        PORT: String(await freePort()),
        WORKERS: workers,
      };
      const child = spawn(PROGRAM, ["serve"], { env: { PATH: process.env.PATH, ...env } });
      let [stdout, stderr] = ["", ""];
      child.stderr.on("data", (chunk) => (stderr += chunk));
      child.stdout.on("data", (chunk) => {
        stdout += chunk;
        if (stdout.includes("/setup?token=") && !child.killed) child.kill("SIGTERM");
      });
      assert.deepEqual(await once(child, "close"), [0, null], stderr);
      assert.match(stdout, /\nStopped\.\n$/);
      assert.equal(stdout.split("Stopped.").length, 2);
      for (const line of stderr.split("\n").filter(Boolean)) JSON.parse(line);
    });

  test("on a real terminal too", { skip: spawnSync("script", ["--version"]).status !== 0 }, async (t) => {
    const folder = await mkdtemp(join(tmpdir(), "content-api-"));
    t.after(() => rm(folder, { recursive: true }));
    const env = {
      DATABASE_URL: `sqlite:${join(folder, "content.db")}`,
      PORT: String(await freePort()),
      SHUTDOWN_DELAY: "1s",
    };
    const child = spawn("script", ["-qec", `exec "${PROGRAM}" serve`, "/dev/null"], {
      env: { PATH: process.env.PATH, ...env },
    });
    let output = "";
    child.stdout.on("data", (chunk) => {
      output += chunk;
      if (output.includes("/setup?token=") && !child.stdin.writableEnded) child.stdin.end("\u0003");
    });
    const [code] = await once(child, "close");
    assert.equal(code, 0, "Ctrl-C ends a server in order");
    assert.match(output, /Stopped\.\r\n$/);
    assert.doesNotMatch(output, /^\{"level"/m);
  });
});
