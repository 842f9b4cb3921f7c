import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Load, LoadReply, LoadResult } from "./load.ts";
import { spawnPinned } from "./processes.ts";
import { SERVER_CORE, type Server } from "./servers.ts";

const LOAD_CORE = SERVER_CORE + 1;

let generator: ChildProcess | undefined;

/** Sends one load; every server is measured by this same process. */
async function measure(load: Load): Promise<LoadResult> {
  generator ??= spawnPinned({
    core: LOAD_CORE,
    args: [join(import.meta.dirname, "load.ts")],
    env: {},
    stdio: "inherit",
    ipc: true,
  });
  generator.send(load);
  const signal = AbortSignal.timeout(Math.ceil(load.warmUpSeconds + load.seconds + 15) * 1_000);
  const [reply] = (await once(generator, "message", { signal })) as [LoadReply];
  if ("error" in reply) throw new Error(reply.error);
  return reply.result;
}

/** Ends the load generator, without which this process would not end. */
export function stopLoadGenerator(): void {
  generator?.disconnect();
  generator = undefined;
}

export interface Pace {
  readonly rounds: number;
  /** Length of one measurement. */
  readonly seconds: number;
}

export interface Contender {
  readonly label: string;
  readonly server: Server;
  readonly bodies: readonly string[];
}

export interface Round extends LoadResult {
  /** Processor time that the server's process used per request, whatever else the machine was doing. */
  readonly cpuMicroseconds: number;
}

/** All rounds of one contender; the rounds of all contenders correspond by index. */
export interface Measured {
  readonly label: string;
  readonly rounds: readonly Round[];
}

/** `measure`, and what it cost the server. */
export async function measureServer(server: Server, load: Omit<Load, "port" | "headers">): Promise<Round> {
  const before = cpuSeconds(server.child.pid);
  const result = await measure({ ...load, port: server.port, headers: server.headers });
  return { ...result, cpuMicroseconds: (1e6 * (cpuSeconds(server.child.pid) - before)) / result.requests };
}

/** User and system time of a process, in clock ticks of 10 ms (proc_pid_stat(5), fields 14 and 15). */
function cpuSeconds(pid: number | undefined): number {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ") ?? [];
  return (Number(fields[11]) + Number(fields[12])) / 100;
}

/**
 * Measures in turn, A B C A B C …, so that whatever slows the machine for a while slows all alike. Each is warmed up
 * once for long, so that its code is compiled, and shortly before each measurement.
 */
export async function interleave(
  contenders: readonly Contender[],
  pace: Pace,
  connections: number,
): Promise<readonly Measured[]> {
  const measured = contenders.map(({ label }) => ({ label, rounds: [] as Round[] }));
  for (const { server, bodies } of contenders) {
    await measureServer(server, { bodies, connections, warmUpSeconds: 1.5, seconds: 0.5 });
  }
  for (let round = 0; round < pace.rounds; round++) {
    for (const [index, { server, bodies }] of contenders.entries()) {
      const load = { bodies, connections, warmUpSeconds: 0.3, seconds: pace.seconds };
      measured[index]?.rounds.push(await measureServer(server, load));
    }
  }
  return measured;
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1
    ? (sorted[middle] ?? Number.NaN)
    : ((sorted[middle - 1] ?? Number.NaN) + (sorted[middle] ?? Number.NaN)) / 2;
}

/** Median over the rounds of how many times as many requests `a` answered as `b` in the same round. */
export function ratio(a: Measured, b: Measured): number {
  return median(a.rounds.map((result, round) => result.perSecond / (b.rounds[round]?.perSecond ?? Number.NaN)));
}
