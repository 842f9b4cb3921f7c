import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { Agent, request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, type TestContext, test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { type CollectedPoint, Collector } from "../collector.ts";
import { childrenOf } from "../faults/machine.ts";
import { comparePage } from "../observe/otlp-page.ts";
import { serverEnvironment, startServer } from "../server-process.ts";

const WORKERS = 2;
const REQUESTS = 1_000;

/** Sends requests on several connections, so that each worker gets some. */
async function ask(url: string, count: number): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: 8 });
  const body = JSON.stringify({ query: "{ posts(first: 1) { id } }" });
  const headers = { "content-type": "application/json", "content-length": body.length };
  const one = () =>
    new Promise<number>((resolve, reject) => {
      const sent = request(`${url}/graphql`, { agent, method: "POST", headers }, (answer) => {
        answer.resume().on("end", () => resolve(answer.statusCode ?? 0));
      });
      sent.on("error", reject).end(body);
    });
  for (let left = count; left > 0; left -= 100)
    for (const status of await Promise.all(Array.from({ length: Math.min(100, left) }, one))) assert.equal(status, 200);
  agent.destroy();
}

/** Two workers that send their metrics to a collector. */
async function open(t: TestContext, settings: Record<string, string> = {}) {
  const collector = await Collector.open();
  const folder = await mkdtemp(join(tmpdir(), "content-api-"));
  t.after(async () => {
    await collector.close();
    await rm(folder, { recursive: true });
  });
  const environment = await serverEnvironment(`sqlite:${join(folder, "content.db")}`, {
    ...{ WORKERS: `${WORKERS}`, PUBLIC_READ: "true", HOST: "127.0.0.1", BASE_URL: "http://127.0.0.1:4000" },
    ...{ RATE_LIMIT_ADDRESS: "off", OTEL_METRICS_EXPORTER: "otlp", OTEL_EXPORTER_OTLP_METRICS_ENDPOINT: collector.url },
    ...settings,
  });
  const server = await startServer(environment);
  t.after(() => server.stop("SIGKILL"));
  for (let i = 0; i < 600 && childrenOf(server.child.pid ?? 0).length < WORKERS; i++) await pause(50);
  const points = (name: string) => collector.metrics.get(name)?.dataPoints ?? [];
  const isAnswered = ({ attributes: { route, status } }: CollectedPoint) => `${route} ${status}` === "/graphql 200";
  return {
    ...{ collector, server, url: server.baseUrl.replace("localhost", "127.0.0.1") },
    /** Requests that the collector knows of. */
    answered: () => Number(points("http_request_duration_seconds").find(isAnswered)?.count),
    workersOf: (name: string) => points(name).map(({ attributes }) => attributes.worker),
  };
}

describe("O28 two workers", { timeout: 60_000 }, () => {
  test("send one set of sums, those of /metrics, and again at the end", async (t) => {
    const { collector, server, url, answered, workersOf } = await open(t, { OTEL_METRIC_EXPORT_INTERVAL: "100" });
    await ask(url, REQUESTS);
    await collector.until(() => answered() === REQUESTS && collector.metrics.has("migration_version"));
    comparePage(await (await fetch(`${url}/metrics`)).text(), collector.metrics);
    assert.deepEqual(workersOf("process_resident_memory_bytes"), ["1", "2"]);
    assert.deepEqual(workersOf("migration_version"), [undefined], "once, and of no worker");
    assert.equal(new Set(collector.bodies.map((body) => /"service.instance.id"[^}]*/.exec(body)?.[0])).size, 1);
    await ask(url, 50);
    assert.equal(await server.stop("SIGTERM"), 0);
    assert.equal(answered(), REQUESTS + 50);
  });

  test("what was counted since the last sending is sent when they have ended", async (t) => {
    const { collector, server, url, answered } = await open(t);
    await ask(url, 300);
    assert.equal(collector.metrics.size, 0, "the interval is a minute");
    assert.equal(await server.stop("SIGTERM"), 0);
    assert.equal(answered(), 300);
  });
});
