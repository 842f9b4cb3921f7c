import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import type { Load, LoadReply, LoadResult } from "./load.ts";
import { spawnPinned } from "./processes.ts";
import { SERVER_CORE, type Server } from "./servers.ts";

const LOAD_CORE = SERVER_CORE + 1;

let generator: ChildProcess | undefined;

/** Sends one load; every server is measured by this same process. */
export async function measure(load: Load): Promise<LoadResult> {
  generator ??= spawnPinned({
    core: LOAD_CORE,
    args: [join(import.meta.dirname, "load.ts")],
    env: {},
    stdio: "inherit",
    ipc: true,
  });
  generator.send(load);
  const signal = AbortSignal.timeout((load.warmUpSeconds + load.seconds + 15) * 1_000);
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

/** All rounds of one contender; the rounds of all contenders correspond by index. */
export interface Measured {
  readonly label: string;
  readonly rounds: readonly LoadResult[];
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
  const load = ({ server, bodies }: Contender): Load => ({
    port: server.port,
    headers: server.headers,
    bodies,
    connections,
    warmUpSeconds: 0.3,
    seconds: pace.seconds,
  });
  for (const contender of contenders) await measure({ ...load(contender), warmUpSeconds: 1.5, seconds: 0.5 });
  const measured = contenders.map(({ label }) => ({ label, rounds: [] as LoadResult[] }));
  for (let round = 0; round < pace.rounds; round++) {
    for (const [index, contender] of contenders.entries()) {
      measured[index]?.rounds.push(await measure(load(contender)));
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
