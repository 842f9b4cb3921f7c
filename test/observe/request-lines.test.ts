import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { after, before, describe, test } from "node:test";
import { CompiledQuery } from "kysely";
import { openLog } from "../../src/observe/log.ts";
import { openStatementWatch } from "../../src/observe/statement-watch.ts";
import { openSqlite } from "../../src/storage/sqlite/sqlite.ts";
import { openTestApp, type TestApp } from "../app.ts";
import { runJson } from "../command.ts";
import { addClient, addPerson, createToken, postTo } from "../subscriber.ts";

type Line = Readonly<Record<string, unknown>>;

/** A log that is kept as the lines that it has written. */
function kept() {
  let text = "";
  const write = (part: string | Uint8Array) => {
    text += part;
    return true;
  };
  const log = openLog({ LOG_LEVEL: "info" }, { isTTY: false, write });
  return {
    log,
    lines: (): Line[] =>
      text
        .split("\n")
        .filter(Boolean)
        .map((line) => JSON.parse(line)),
  };
}

async function until<T>(find: () => T | undefined): Promise<T> {
  for (const deadline = performance.now() + 10_000; ; ) {
    const found = find();
    if (found !== undefined) return found;
    if (performance.now() > deadline) throw new Error("It did not come within 10 seconds.");
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

describe("lines and headers of requests", { timeout: 120_000 }, () => {
  let app: TestApp;
  let admin: string;
  let member: string;
  const { log, lines } = kept();

  before(async () => {
    const settings = {
      ...{ DATABASE_URL: "", ACCESS_LOG: "all", SLOW_REQUEST: "150ms", SLOW_QUERY: "off", SERVER_TIMING: "on" },
      ...{
        TRUST_PROXY: "127.0.0.1,::1",
        OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:9",
        OTEL_TRACES_SAMPLER: "always_off",
      },
    };
    const { DATABASE_URL: _, ...others } = settings;
    app = await openTestApp({ ...others, LOG_LEVEL: "info" }, { log });
    await addPerson(app.environment, "ada@example.com", "admin");
    await addPerson(app.environment, "grace@example.com");
    const client = await addClient(app.environment);
    member = await createToken(app.environment, { user: "grace@example.com", client });
    const command = ["token", "create", "--user", "ada@example.com", "--scope", "posts:read admin"];
    admin = (await runJson<{ access_token: string }>(command, app.environment)).access_token;
  });
  after(() => app.close());

  const ask = async (token: string, headers: Record<string, string> = {}) => {
    const response = await fetch(`${app.url}/graphql`, {
      method: "POST",
      headers: { "content-type": "application/json", authorization: `Bearer ${token}`, ...headers },
      body: JSON.stringify({ query: "query Who { viewer { id } }" }),
    });
    await response.text();
    return response.headers;
  };
  const through = { "x-forwarded-for": "192.0.2.1" };

  test("O32 Server-Timing is for tokens with the scope admin and for callers on this machine; others never get it", async () => {
    const form = /^auth;dur=[\d.]+, plan;dur=[\d.]+, db;dur=[\d.]+, total;dur=[\d.]+, trace;desc="[\da-f]{32}"$/;
    assert.match((await ask(admin, through)).get("server-timing") ?? "", form);
    assert.match((await ask(member)).get("server-timing") ?? "", form, "from this machine");
    assert.equal((await ask(member, through)).get("server-timing"), null);
    assert.equal((await ask("unknown", through)).get("server-timing"), null);
  });

  test("O30 each line says whose it is: request, operation and trace", async () => {
    const id = "of-the-proxy-1";
    const headers = await ask(member, { ...through, "x-request-id": id });
    assert.equal(headers.get("x-request-id"), id, "O03 the id of a trusted proxy is taken over");
    const line = await until(() => lines().find((one) => one.request_id === id));
    const { level, time, trace_id, span_id, ms, document, ...rest } = line;
    assert.deepEqual(rest, {
      ...{ request_id: id, operation: "Who", method: "POST", route: "/graphql", status: 200 },
      ...{ type: "query", cost: 1, msg: "request" },
    });
    assert.equal(level, 30);
    assert.match(String(time), /^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
    assert.match(String(trace_id), /^[\da-f]{32}$/);
    assert.match(String(span_id), /^[\da-f]{16}$/);
    assert.equal(typeof ms, "number");
    assert.match(String(document), /^sha256:/);
  });

  test("O30 routes beside GraphQL have lines too, by their pattern; probes have none", async () => {
    await fetch(`${app.url}/interaction/some-secret-of-a-visit`);
    await fetch(`${app.url}/livez`);
    const line = await until(() => lines().find(({ route }) => String(route).startsWith("/interaction/")));
    assert.equal(line.route, "/interaction/:uid");
    assert.ok(!lines().some(({ route }) => route === "/livez"));
    assert.ok(!JSON.stringify(lines()).includes("some-secret-of-a-visit"));
  });

  test("O31 a write that waits for another process is told as slow, by the time that it waited", async (t) => {
    if (!app.config.DATABASE_URL.startsWith("sqlite:")) return t.skip("another process locks the file of SQLite only");
    const write = () =>
      postTo(app.url, member, 'mutation Slow { createPost(input: { title: "T", body: "B" }) { id } }');
    await write(); // which loads what the first one needs
    const other = new DatabaseSync(app.config.DATABASE_URL.slice("sqlite:".length));
    other.exec("BEGIN IMMEDIATE");
    const writing = write();
    await new Promise((resolve) => setTimeout(resolve, 500)); // the delay that is to be found
    other.exec("COMMIT");
    other.close();
    assert.equal((await writing).errors, undefined);
    const line = await until(() =>
      lines().findLast(({ msg, ms }) => msg === "a request was slow" && Number(ms) >= 400),
    );
    assert.ok(Number(line.wait_ms) >= 200, JSON.stringify(line));
    assert.ok(Number(line.ms) >= Number(line.wait_ms));
    assert.ok(Number(line.statements) >= 3);
    assert.equal(line.type, "mutation");
  });
});

test("O31 a statement that takes long is logged with the plan of the database", async (t) => {
  const folder = await mkdtemp(join(tmpdir(), "content-api-"));
  const { log, lines } = kept();
  const statements = openStatementWatch({
    ...{ system: "sqlite", namespace: "content.db", SLOW_QUERY: 1, SQL_TRACE_COMMENT: false, log },
  });
  const database = await openSqlite(join(folder, "content.db"), { mustExist: false, statements });
  t.after(async () => {
    await database.close();
    await rm(folder, { recursive: true });
  });
  const text = "with recursive n(i) as (select 1 union all select i + 1 from n where i < ?) select count(*) from n";
  for (let i = 0; i < 2; i++) await database.read.executeQuery(CompiledQuery.raw(text, [1_000_000]));
  const [first, second] = await until(() =>
    lines().length >= 2 ? lines().toSorted((a) => (a.plan ? -1 : 1)) : undefined,
  );
  assert.equal(first?.statement, text);
  assert.match(JSON.stringify(first?.plan), /SCAN n/);
  assert.ok(!JSON.stringify(lines()).includes("1000000"), "values are not in it");
  assert.equal(second?.plan, undefined, "the plan once a minute");
});
