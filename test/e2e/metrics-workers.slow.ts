import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { Agent, request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, type TestContext, test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { childrenOf } from "../faults/machine.ts";
import { freePort } from "../port.ts";
import { type ServerProcess, serverEnvironment, startServer } from "../server-process.ts";

const WORKERS = 4;
const REQUESTS = 10_000;
const SERIES = 'http_request_duration_seconds_count{method="POST",route="/graphql",status="200"}';

async function openWorkers(t: TestContext, settings: Record<string, string> = {}): Promise<ServerProcess> {
  const folder = await mkdtemp(join(tmpdir(), "content-api-"));
  const environment = await serverEnvironment(`sqlite:${join(folder, "content.db")}`, {
    ...{ WORKERS: String(WORKERS), PUBLIC_READ: "true", HOST: "127.0.0.1", BASE_URL: "http://127.0.0.1:4000" },
    ...{ RATE_LIMIT_ADDRESS: "off", RATE_LIMIT_TOKEN: "off", ...settings },
  });
  const server = await startServer({ ...environment, HOST: "127.0.0.1" });
  t.after(async () => {
    await server.stop("SIGTERM");
    await rm(folder, { recursive: true });
  });
  for (let i = 0; i < 1_000 && childrenOf(server.child.pid ?? 0).length < WORKERS; i++) await pause(50);
  return server;
}

/** Sends requests on several connections, so that each worker gets some. @returns how many were answered with 200 */
async function ask(url: string, count: number): Promise<number> {
  const agent = new Agent({ keepAlive: true, maxSockets: 16 });
  const body = JSON.stringify({ query: "{ posts { id } }" });
  const one = () =>
    new Promise<number>((resolve, reject) => {
      const headers = { "content-type": "application/json", "content-length": body.length };
      const sent = request(`${url}/graphql`, { agent, method: "POST", headers }, (answer) => {
        answer.resume().on("end", () => resolve(answer.statusCode ?? 0));
      });
      sent.on("error", reject).end(body);
    });
  let good = 0;
  for (let left = count; left > 0; left -= 100)
    for (const status of await Promise.all(Array.from({ length: Math.min(100, left) }, one)))
      if (status === 200) good++;
  agent.destroy();
  return good;
}

const page = async (url: string) => (await fetch(`${url}/metrics`, { headers: { connection: "close" } })).text();
const sampleIn = (text: string, series: string) => Number(text.split(`\n${series} `)[1]?.split("\n", 1)[0] ?? 0);

describe("O20 four workers", () => {
  test("10,000 requests, two workers killed: exactly 10,000, and never fewer", async (t) => {
    const { baseUrl, child } = await openWorkers(t);
    const url = baseUrl.replace("localhost", "127.0.0.1");
    let last = 0;
    let readings = 0;
    let isOver = false;
    t.after(() => {
      isOver = true; // or a failure would never end
    });
    const watching = (async () => {
      while (!isOver) {
        const text = await page(url).catch(() => null); // a connection to a worker that is just killed
        if (text !== null) {
          const value = sampleIn(text, SERIES);
          assert.ok(value >= last, `${value} after ${last}`);
          last = value;
          readings++;
        }
        await pause(20);
      }
    })();
    assert.equal(await ask(url, REQUESTS), REQUESTS);
    assert.equal(sampleIn(await page(url), SERIES), REQUESTS, "each worker reports when it is asked");
    const workers = childrenOf(child.pid ?? 0);
    assert.equal(workers.length, WORKERS);
    for (const pid of workers.slice(0, 2)) process.kill(pid, "SIGKILL");
    for (let i = 0; i < 1_000; i++) {
      const alive = childrenOf(child.pid ?? 0).filter((pid) => !workers.slice(0, 2).includes(pid));
      if (alive.length === WORKERS) break;
      await pause(20);
    }
    // Those in their places have begun to report once their gauges are there.
    let text = await page(url);
    const numbers = () => [...text.matchAll(/^process_resident_memory_bytes\{worker="(\d)"\}/gm)].map(([, one]) => one);
    for (let i = 0; i < 500 && numbers().length < WORKERS; i++) {
      await pause(20);
      text = await page(url);
    }
    assert.deepEqual(numbers(), ["1", "2", "3", "4"]);
    assert.equal(sampleIn(text, SERIES), REQUESTS);
    isOver = true;
    await watching;
    assert.ok(readings > 10);
    assert.equal(await ask(url, 100), 100);
    assert.equal(sampleIn(await page(url), SERIES), REQUESTS + 100);
  });

  test("O27 OPERATIONS_PORT is one port for all of them, and /metrics is there alone", async (t) => {
    const port = await freePort();
    const { baseUrl } = await openWorkers(t, { OPERATIONS_PORT: String(port) });
    const operations = `http://127.0.0.1:${port}`;
    assert.equal((await fetch(`${baseUrl.replace("localhost", "127.0.0.1")}/metrics`)).status, 404);
    assert.equal((await fetch(`${operations}/readyz`)).status, 200);
    const workersOf = (text: string) => text.match(/^graphql_subscriptions\{worker="\d"\} 0$/gm)?.length;
    // A page waits for the database for 100 ms only, and for each worker too, which a busy machine may need at the first.
    const isWhole = (text: string) => /^migration_version \d+$/m.test(text) && workersOf(text) === WORKERS;
    const read = () => Promise.all(Array.from({ length: 8 }, () => page(operations)));
    let pages = await read();
    for (let i = 0; i < 100 && !pages.every(isWhole); i++) pages = await read();
    for (const text of pages) {
      assert.equal(workersOf(text), WORKERS);
      assert.equal(text.match(/^migration_version \d+$/gm)?.length, 1);
    }
  });
});
