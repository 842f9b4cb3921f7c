import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { Agent } from "node:http";
import { describe, test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { count } from "./counts.ts";
import { History } from "./history.ts";
import { install, untilReady } from "./installation.ts";
import { childrenOf } from "./machine.ts";
import { send, startWriters } from "./writers.ts";

const MEGABYTES = 256;

/** A command that becomes another with bounded memory, or the reason why there is none here. */
function memoryLimit(): readonly string[] | string {
  const scope = ["systemd-run", "--scope", "--quiet", "-p", `MemoryMax=${MEGABYTES}M`, "-p", "MemorySwapMax=0"];
  try {
    execFileSync("systemd-run", [...scope.slice(1), "true"], { stdio: "pipe" });
    return scope;
  } catch (error) {
    return (error as Error).message.split("\n").slice(0, 2).join(": ");
  }
}

describe("memory", () => {
  test("F18 a limit of 256 MiB: sheds load with 503 or is started again, and loses nothing", async (t) => {
    const limit = memoryLimit();
    const isBounded = typeof limit !== "string";
    if (!isBounded) t.diagnostic(`F18 only the heap is bounded, no cgroup could be made: ${limit}`);
    const installation = await install(t, {}, { WORKERS: "2" });
    // Two workers share the limit; a cgroup would end whichever is the greater.
    const heap: Record<string, string> = isBounded ? {} : { NODE_OPTIONS: `--max-old-space-size=${MEGABYTES / 4}` };
    const server = await installation.start(heap, isBounded ? limit : []);
    const history = new History();
    const writers = startWriters(history, () => installation, { writers: 64, size: 900_000 });
    const agent = new Agent({ keepAlive: true });
    const statuses: Record<string, number> = {};
    let isOver = false;
    const readers = Array.from({ length: 16 }, async () => {
      while (!isOver) {
        const reply = await send(agent, installation, { query: "{ posts(first: 40) { id title body } }" });
        const status = "status" in reply ? reply.status : reply.error;
        statuses[status] = (statuses[status] ?? 0) + 1;
        await pause(20);
      }
    });
    let peak = 0;
    for (const deadline = performance.now() + count(30, 6) * 1_000; performance.now() < deadline; ) {
      peak = Math.max(peak, residentMegabytes(server.child.pid ?? 0));
      await pause(250);
    }
    isOver = true;
    await writers.stop();
    await Promise.all(readers);
    agent.destroy();
    assert.equal(server.child.exitCode, null, `the program has ended: ${server.output().slice(-2_000)}`);
    const ready = await untilReady(installation.url, 10_000);
    const after = startWriters(history, () => installation, { writers: 4 });
    await after.acknowledge(20, 10_000);
    await after.stop();
    history.assertExplains(await installation.read());
    const restarts = server.output().match(/another one takes its place/g)?.length ?? 0;
    assert.equal(await server.stop(), 0);
    t.diagnostic(
      `F18 ${history.summary()} ${JSON.stringify(history.reasons())}; reads ${JSON.stringify(statuses)}; ${restarts} workers replaced; ${peak} MiB at the most; ready after ${Math.round(ready)} ms`,
    );
  });
});

/** What a process and those it has started hold in memory. */
function residentMegabytes(pid: number): number {
  const kilobytes = [pid, ...childrenOf(pid)].map((id) => {
    try {
      return Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${id}/status`, "utf8"))?.[1] ?? 0);
    } catch {
      return 0; // it has ended
    }
  });
  return Math.round(kilobytes.reduce((sum, size) => sum + size, 0) / 1_024);
}
