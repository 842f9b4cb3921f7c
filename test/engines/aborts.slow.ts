import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { test } from "node:test";
import { openPostgres } from "../postgres.ts";
import { openEngineProxy } from "./proxy.ts";

/** Share of commits that end with 40001. */
const SHARE = 0.2;
/** Suites that write. */
const SUITES = [
  "test/conformance/postgres.test.ts",
  "test/events/webhooks.test.ts",
  "test/e2e/two-nodes.test.ts",
  "test/e2e/agents.test.ts",
  "test/security/authorization-token.test.ts",
];

const server = await openPostgres();

test("E05 a fifth of all commits ends with 40001: the suites that write find no double effect", async () => {
  const counts = { commits: 0, aborts: 0 };
  const proxy = await openEngineProxy(server.url, {
    commit() {
      counts.commits++;
      if (Math.random() >= SHARE) return "pass";
      counts.aborts++;
      return "abort";
    },
  });
  const env = { ...process.env, TEST_STORE: "postgres", TEST_DATABASE_URL: proxy.through(server.url) };
  const child = spawn(
    process.execPath,
    ["--test", "--test-force-exit", "--test-concurrency=1", "--test-timeout=300000", "--test-reporter=dot", ...SUITES],
    {
      env: { ...env, NODE_TEST_CONTEXT: undefined },
      stdio: ["ignore", "pipe", "inherit"],
    },
  );
  let said = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    said += text;
  });
  const [code] = await once(child, "exit");
  await proxy.close();
  console.log(`${counts.aborts} of ${counts.commits} commits ended with 40001`);
  assert.equal(code, 0, said);
  assert.ok(counts.aborts > 500 && counts.aborts > counts.commits * SHARE * 0.8, JSON.stringify(counts));
});
