import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, type TestContext, test } from "node:test";
import { pathToFileURL } from "node:url";

const FLAGS = pathToFileURL(join(import.meta.dirname, "../bin/server-flags.js")).href;

/** A program that prints how it runs, after it has become a server. */
function run(
  t: TestContext,
  args: readonly string[],
  environment: Record<string, string> = {},
  options: readonly string[] = [],
) {
  const folder = mkdtempSync(join(tmpdir(), "content-api-flags-"));
  t.after(() => rmSync(folder, { recursive: true }));
  const file = join(folder, "program.mjs");
  const told =
    "{ execArgv: process.execArgv, argv: process.argv.slice(2), pid: process.pid, MALLOC: process.env.MALLOC_MMAP_THRESHOLD_ }";
  writeFileSync(
    file,
    `import { startAgainAsServer } from ${JSON.stringify(FLAGS)};
     startAgainAsServer(process.argv.slice(2));
     console.log(JSON.stringify(${told}));`,
  );
  const { pid, stdout, stderr } = spawnSync(process.execPath, [...options, file, ...args], {
    encoding: "utf8",
    env: { PATH: process.env.PATH, ...environment },
    timeout: 30_000,
  });
  assert.equal(stderr, "");
  return { started: pid, ...JSON.parse(stdout) };
}

const LIMITS = ["--max-semi-space-size=32", "--initial-old-space-size=48"];

describe("the flags of a server", () => {
  test("are there, in the same process, with the arguments and the options that it had", (t) => {
    const { started, pid, argv, execArgv, MALLOC } = run(t, ["serve", "--demo"], {}, ["--no-warnings"]);
    assert.deepEqual(
      { pid, argv, execArgv, MALLOC },
      { pid: started, argv: ["serve", "--demo"], execArgv: [...LIMITS, "--no-warnings"], MALLOC: "4194304" },
    );
  });

  test("are not for other commands, which end soon", (t) => {
    const { execArgv, MALLOC } = run(t, ["user", "list"]);
    assert.deepEqual([execArgv, MALLOC], [[], undefined]);
  });

  test("give way to what the operator sets", (t) => {
    const others = LIMITS.slice(1);
    for (const own of ["--max-semi-space-size=64", "--max_semi_space_size=64"])
      assert.deepEqual(run(t, ["serve"], {}, [own]).execArgv, [...others, own]);
    const { execArgv } = run(t, ["serve"], { NODE_OPTIONS: "--no-warnings --max-semi-space-size=64" });
    assert.deepEqual(execArgv, others);
    assert.equal(run(t, ["serve"], { MALLOC_ARENA_MAX: "1" }).MALLOC, undefined);
  });

  test("are missing in a process that has inherited sockets, which would be closed", (t) => {
    assert.deepEqual(run(t, ["serve"], { LISTEN_FDS: "1" }).execArgv, []);
  });

  test("are set once: a program that has them does not start again", (t) => {
    assert.deepEqual(run(t, ["serve"], {}, LIMITS).MALLOC, undefined);
  });
});
