import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from "node:fs";
import { Agent } from "node:http";
import { join } from "node:path";
import { describe, type TestContext, test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { count } from "./counts.ts";
import { History } from "./history.ts";
import { install, untilReady } from "./installation.ts";
import { send, startWriters } from "./writers.ts";

const MEGABYTES = 256;

/** A command that becomes another with bounded memory, or the reason why there is none here. */
function memoryLimit(t: TestContext): readonly string[] | string {
  const scope = ["systemd-run", "--scope", "--quiet", "-p", `MemoryMax=${MEGABYTES}M`, "-p", "MemorySwapMax=0"];
  try {
    execFileSync("systemd-run", [...scope.slice(1), "true"], { stdio: "pipe" });
    return scope;
  } catch (error) {
    try {
      return ownGroup(t);
    } catch {
      return (error as Error).message.trim().split("\n").slice(-1).join();
    }
  }
}

/** The same without systemd, where root may make a control group. @throws Error where it may not */
function ownGroup(t: TestContext): readonly string[] {
  const isFirst = existsSync("/sys/fs/cgroup/memory"); // version 1, with a tree for each resource
  const folder = join(isFirst ? "/sys/fs/cgroup/memory" : "/sys/fs/cgroup", `content-api-${process.pid}`);
  mkdirSync(folder);
  t.after(() => rmdirSync(folder));
  writeFileSync(join(folder, isFirst ? "memory.limit_in_bytes" : "memory.max"), `${MEGABYTES}M`);
  return ["sh", "-c", `echo $$ > ${folder}/cgroup.procs && exec "$@"`, "sh"];
}

describe("memory", () => {
  test("F18 a limit of 256 MiB: sheds load with 503 or is started again, and loses nothing", {
    skip: process.platform !== "linux" && "needs /proc",
  }, async (t) => {
    const limit = memoryLimit(t);
    const isBounded = typeof limit !== "string";
    if (!isBounded)
      t.diagnostic(`F18 no cgroup (${limit}): the test itself ends the program when it has grown too large`);
    const installation = await install(t, {}, { MAX_DELAY: "500" }); // as it is where nobody sets it
    let server = await installation.start({}, isBounded ? limit : []);
    const history = new History();
    const writers = startWriters(history, () => installation, { writers: 32, size: 300_000 });
    const agent = new Agent({ keepAlive: true });
    const reads: Record<string, number> = {};
    let isOver = false;
    const readers = Array.from({ length: 8 }, async () => {
      while (!isOver) {
        const reply = await send(agent, installation, { query: "{ posts(first: 40) { id title body } }" });
        const status = "status" in reply ? reply.status : reply.error;
        reads[status] = (reads[status] ?? 0) + 1;
        await pause(20);
      }
    });
    let peak = 0;
    let restarts = 0;
    const starts: number[] = [];
    /** As whatever runs it would, when it has ended. */
    const startAgain = async () => {
      if (server.child.exitCode === null && server.child.signalCode === null) return;
      restarts++;
      const began = performance.now();
      server = await installation.start({}, isBounded ? limit : []);
      starts.push(Math.round(performance.now() - began));
      history.assertExplains(await installation.read());
    };
    for (const deadline = performance.now() + count(60, 8) * 1_000; performance.now() < deadline; ) {
      const size = residentMegabytes(server.child.pid ?? 0);
      peak = Math.max(peak, size);
      if (!isBounded && size > MEGABYTES) await server.stop("SIGKILL");
      await startAgain();
      await pause(20);
    }
    isOver = true;
    await writers.stop();
    await Promise.all(readers);
    agent.destroy();
    await startAgain(); // the last of the load may have been too much
    const ready = await untilReady(installation.url, 30_000);
    history.assertExplains(await installation.read());
    const refused = Object.keys(reads).filter((status) => /^\d/.test(status) && status !== "200" && status !== "503");
    assert.deepEqual(refused, [], "answers other than 200 and 503");
    assert.ok((reads[200] ?? 0) > 0);
    starts.sort((a, b) => a - b);
    // Most of the times: its own clients, and others, have the processors.
    assert.ok((starts[starts.length >> 1] ?? 0) < 10_000, `ready after ${starts.join(", ")} ms`);
    await server.stop("SIGKILL");
    t.diagnostic(
      `F18 ${history.summary()} ${JSON.stringify(history.reasons())}; reads ${JSON.stringify(reads)}; ${peak} MiB at the most, started again ${restarts} times, each time ready under the same load within ${starts.at(-1) ?? 0} ms; ${Math.round(ready)} ms after it`,
    );
  });
});

/** What a process holds in memory; 0 when it has ended. */
function residentMegabytes(pid: number): number {
  try {
    const [, kilobytes] = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
    return Math.round(Number(kilobytes ?? 0) / 1_024);
  } catch {
    return 0;
  }
}
