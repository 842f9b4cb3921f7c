import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { after, before, describe, test } from "node:test";
import { METRICS, mostSamples } from "../../src/observe/metric-table.ts";
import { openTestApp, type TestApp } from "../app.ts";
import { runJson } from "../command.ts";
import { lacks, pathOf } from "../faults/machine.ts";

const TOKEN = "a-token-for-metrics-of-32-characters-at-least";

describe("the metrics of the program", () => {
  let app: TestApp;
  let client: { client_id: string; client_secret: string };
  let token: string;

  before(async () => {
    app = await openTestApp({ HOST: "127.0.0.1", METRICS_TOKEN: TOKEN });
    await runJson(
      ["user", "create", "--email", "ada@example.com", "--name", "Ada", "--role", "admin"],
      app.environment,
    );
    client = await runJson(
      ["client", "create", "--name", "C", "--grant", "client_credentials", "--scope", "posts:read"],
      app.environment,
    );
    token = await tokenFor("posts:read users:read admin");
  });
  after(() => app.close());

  async function tokenFor(scope: string): Promise<string> {
    const { access_token } = await runJson<{ access_token: string }>(
      ["token", "create", "--user", "ada@example.com", "--scope", scope],
      app.environment,
    );
    return access_token;
  }

  async function page(accept = ""): Promise<string> {
    const answer = await fetch(`${app.url}/metrics`, { headers: { authorization: `Bearer ${TOKEN}`, accept } });
    assert.equal(answer.status, 200);
    return answer.text();
  }

  const sampleOf = async (series: string) => Number((await page()).split(`\n${series} `)[1]?.split("\n", 1)[0] ?? 0);

  const post = (path: string, body: object, headers: Record<string, string>) =>
    fetch(app.url + path, {
      method: "POST",
      headers: { "content-type": "application/json", authorization: `Bearer ${token}`, ...headers },
      body: JSON.stringify(body),
    });

  test("O24 tokens are counted as found in the cache or looked up", async () => {
    const [hit, miss] = ["hit", "miss"].map((cache) => `tokens_verified_total{cache="${cache}"}`) as [string, string];
    const before = [await sampleOf(hit), await sampleOf(miss)] as const;
    for (let i = 0; i < 5; i++) assert.equal((await post("/graphql", { query: "{ posts { id } }" }, {})).status, 200);
    const [hits, misses] = [(await sampleOf(hit)) - before[0], (await sampleOf(miss)) - before[1]];
    assert.equal(hits + misses, 5);
    assert.ok(misses >= 1);
  });

  test("O24 decisions of the authorization server, tokens by grant, never a person or client", async () => {
    const ask = (secret: string) =>
      fetch(`${app.url}/token`, {
        method: "POST",
        headers: {
          authorization: `Basic ${Buffer.from(`${client.client_id}:${secret}`).toString("base64")}`,
          "content-type": "application/x-www-form-urlencoded",
        },
        body: "grant_type=client_credentials&scope=posts:read",
      });
    assert.equal((await ask(client.client_secret)).status, 200);
    for (let i = 0; i < 12; i++) assert.equal((await ask("wrong")).status, 401);
    const text = await page();
    assert.match(text, /^auth_events_total\{event="token\.client_credentials",result="ok"\} 1$/m);
    assert.match(
      text,
      /^auth_events_total\{event="token",result="refused"\} 12$/m,
      "also those that the audit sums up",
    );
    assert.ok(!text.includes(client.client_id) && !text.includes("ada@"));
  });

  test("O24 calls of agents, by tool and outcome; a name that no tool has is other", async () => {
    const call = (name: string, args: object) => {
      const params = { name, arguments: args };
      const accept = "application/json, text/event-stream";
      return post(
        "/mcp",
        { jsonrpc: "2.0", id: 1, method: "tools/call", params },
        { accept, "mcp-protocol-version": "2025-06-18" },
      );
    };
    token = await tokenFor("posts:read users:read");
    await call("whoami", {});
    await call("get_post", { id: "01990000-0000-7000-8000-999999999999" });
    await call("no_such_tool", {});
    const calls = [...(await page()).matchAll(/^mcp_calls_total\{tool="(\w+)",outcome="(\w+)"\} (\d+)$/gm)];
    assert.deepEqual(
      calls.map(([, tool, outcome, count]) => `${tool} ${outcome} ${count}`),
      ["whoami ok 1", "get_post failed 1", "other rejected 1"],
    );
  });

  test("O25 facts about the installation", async () => {
    const text = await page();
    assert.match(text, /^build_info\{version="\d+\.\d+\.\d+",node="\d+\.\d+\.\d+",schema="(\d+)"\} 1$/m);
    assert.equal(/^migration_version (\d+)$/m.exec(text)?.[1], /^build_info\{.*schema="(\d+)"/m.exec(text)?.[1]);
    for (const check of ["store", "migrations", "keys"]) assert.ok(text.includes(`\nreadiness{check="${check}"} 1\n`));
    for (const name of [
      "outbox_pending",
      "outbox_oldest_seconds",
      "clock_jumps_total",
      "metrics_workers_missing_total",
    ])
      assert.match(text, new RegExp(`^${name} 0$`, "m"));
    const age = Number(/^keys_age_seconds (.+)$/m.exec(text)?.[1]);
    assert.ok(age >= 0 && age < 3_600, `${age}`);
  });

  test("O23 the process: event loop, collections, processor, memory", async () => {
    const text = await page();
    for (const stat of ["p50", "p99", "max"])
      assert.match(text, new RegExp(`^nodejs_eventloop_delay_seconds\\{stat="${stat}"\\} \\d`, "m"));
    assert.match(text, /^nodejs_gc_seconds_total\{kind="minor"\} \d/m);
    assert.ok(Number(/^process_cpu_seconds_total (.+)$/m.exec(text)?.[1]) > 0);
    assert.ok(Number(/^process_resident_memory_bytes (.+)$/m.exec(text)?.[1]) > 10_000_000);
  });

  test("O21 the whole page has every metric of the table, and at most 3,000 samples", async () => {
    const lines = (await page()).split("\n");
    assert.deepEqual(
      lines.filter((line) => line.startsWith("# TYPE ")).map((line) => line.split(" ").slice(2)),
      Object.entries(METRICS).map(([name, { type }]) => [name, type]),
    );
    const samples = lines.filter((line) => line !== "" && !line.startsWith("#")).length;
    assert.ok(samples < mostSamples(1) && samples < 3_000, `${samples}`);
  });

  test("O40 an administrator's token shows the reasons of readiness; one without the scope does not", async () => {
    const ask = async (bearer: string) => {
      const answer = await fetch(`${app.url}/readyz?verbose=1`, { headers: { authorization: `Bearer ${bearer}` } });
      return answer.status;
    };
    assert.equal(await ask(await tokenFor("admin")), 200);
    assert.equal(await ask(await tokenFor("posts:read")), 401);
    assert.equal(await ask("a token, and none"), 401);
  });

  test("O22 promtool finds nothing wrong with the page", { skip: lacks(["promtool"]) }, async () => {
    const { status, stderr } = spawnSync(pathOf("promtool") ?? "", ["check", "metrics"], {
      input: await page(),
      encoding: "utf8",
    });
    assert.deepEqual([stderr, status], ["", 0]);
  });
});
