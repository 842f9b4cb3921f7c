import assert from "node:assert/strict";
import type { TestContext } from "node:test";
import { describe, test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { openPostgres } from "../postgres.ts";
import type { ServerProcess } from "../server-process.ts";
import { count } from "./counts.ts";
import { History } from "./history.ts";
import { type Installation, install, untilReady } from "./installation.ts";
import { judge } from "./judge.ts";
import { openTcpProxy, type TcpProxy } from "./tcp-proxy.ts";
import { startWriters, type Writers } from "./writers.ts";

/** Milliseconds in which the program is ready again. */
const READY = 10_000;
/** Milliseconds in which every request has its answer. */
const PATIENCE = 12_000;

const postgres = await openPostgres();

describe("the way to PostgreSQL", () => {
  test("F10 cut: a clear 503 meanwhile, ready within 10 s after, nothing lost", async (t) => {
    const seconds = count(60, 5);
    await between(t, `cut for ${seconds} s`, async ({ proxy, writers, installation }) => {
      await writers.acknowledge(50, READY);
      proxy.cut();
      await pause(500);
      const ready = await fetch(`${installation.url}/readyz`);
      assert.equal(ready.status, 503);
      await pause(seconds * 1_000 - 500);
      assert.ok(writers.history.count("failed") > 0, "nobody was told");
      proxy.restore();
    });
  });

  test("F10 silent: every request has its answer in time, ready within 10 s after, nothing lost", async (t) => {
    const seconds = count(60, 5);
    await between(t, `silent for ${seconds} s`, async ({ proxy, writers }) => {
      await writers.acknowledge(50, READY);
      proxy.stall();
      await pause(seconds * 1_000);
      proxy.restore();
    });
  });

  test("F10 200 ms either way: slow, and right", async (t) => {
    await between(t, "200 ms of latency", async ({ proxy, writers }) => {
      proxy.setLatency(200);
      await pause(count(20, 3) * 1_000);
      await writers.acknowledge(20, READY);
      proxy.setLatency(0);
    });
  });

  test("F10 five of a hundred pieces lost and sent again: right", async (t) => {
    await between(t, "5 % loss", async ({ proxy, writers }) => {
      proxy.setLoss(0.05);
      await pause(count(20, 3) * 1_000);
      await writers.acknowledge(20, READY);
      proxy.setLoss(0);
    });
  });

  test("F10 short cuts and stalls, one after the other: right", async (t) => {
    await between(t, "short cuts and stalls", async ({ proxy, writers }) => {
      for (let i = 0; i < count(30, 3); i++) {
        await writers.acknowledge(10, READY);
        if (i % 2 === 0) proxy.cut();
        else proxy.stall();
        await pause(Math.random() * 1_000);
        proxy.restore();
      }
    });
  });
});

interface Scene {
  readonly proxy: TcpProxy;
  readonly installation: Installation;
  readonly writers: Writers;
  readonly server: ServerProcess;
}

/** The program under writes with the proxy before its database, and the judgement after. */
async function between(t: TestContext, name: string, fault: (scene: Scene) => Promise<void>): Promise<void> {
  const url = await postgres.createDatabase();
  const through = new URL(url);
  const proxy = await openTcpProxy({ host: through.hostname, port: Number(through.port) });
  t.after(() => proxy.close());
  through.hostname = "127.0.0.1";
  through.port = String(proxy.port);
  const installation = await install(t, { url });
  const server = await installation.start({ DATABASE_URL: through.href });
  const history = new History();
  const writers = startWriters(history, () => installation, { writers: 24 });
  try {
    await fault({ proxy, installation, writers, server });
    const ready = await untilReady(installation.url, READY);
    await writers.acknowledge(50, READY);
    t.diagnostic(`F10 ${name}: ready after ${Math.round(ready)} ms`);
  } finally {
    await writers.stop();
  }
  assert.ok(writers.slowest() < PATIENCE, `an answer took ${writers.slowest()} ms`);
  const summary = await judge(history, installation);
  assert.equal(await server.stop(), 0);
  t.diagnostic(`F10 ${name}: ${summary}; slowest answer ${Math.round(writers.slowest())} ms`);
}
