import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Load, LoadReply, LoadResult } from "./load.ts";
import { spawnPinned } from "./processes.ts";
import { SERVER_CORE, type Server } from "./servers.ts";

const LOAD_CORE = SERVER_CORE + 1;

let generator: ChildProcess | undefined;

/** Sends one load; every server is measured by this same process. */
async function measure(load: Load): Promise<LoadResult> {
  generator ??= spawnPinned({
    cores: String(LOAD_CORE),
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
  /** Seconds of the first load, which compiles what is run often; WARM_UP unless given. */
  readonly warmUp?: number;
}

const WARM_UP = 2;

/** The first load of a server, of which nothing is counted. */
export function firstLoad({ warmUp = WARM_UP }: Pace): { readonly warmUpSeconds: number; readonly seconds: number } {
  return { warmUpSeconds: 0.75 * warmUp, seconds: 0.25 * warmUp };
}

export interface Contender {
  readonly label: string;
  readonly server: Server;
  readonly bodies: readonly string[];
  /** Where they go, if not as those of the others do. */
  readonly request?: Pick<Load, "to" | "answerStart" | "headersOfEach">;
  /** Requests of another kind among them. */
  readonly between?: Load["between"];
  /** Called after each measurement, the warm-up too. @throws Error where something is not as it must be */
  check?(result: LoadResult): Promise<void>;
}

export interface Round extends LoadResult {
  /** Processor time that the server's processes used per request, whatever else the machine was doing. */
  readonly cpuMicroseconds: number;
}

/** All rounds of one contender; the rounds of all contenders correspond by index. */
export interface Measured {
  readonly label: string;
  readonly rounds: readonly Round[];
}

/** `measure`, and what it cost the server. */
export async function measureServer(server: Server, load: Omit<Load, "port" | "headers">): Promise<Round> {
  const before = cpuSecondsOf(server);
  const result = await measure({ ...load, port: server.port, headers: server.headers }).catch((error: Error) => {
    throw new Error(`${server.name}, ${load.to?.path ?? "/graphql"}: ${error.message}`);
  });
  return { ...result, cpuMicroseconds: (1e6 * (cpuSecondsOf(server) - before)) / result.requests };
}

/** Processor time that the server and its workers have used. */
export function cpuSecondsOf(server: Server): number {
  return processesOf(server).reduce((sum, pid) => sum + cpuSeconds(pid), 0);
}

/** The process and those that it has started, its workers. */
function processesOf({ child: { pid = 0 } }: Server): readonly number[] {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").trim();
  return [pid, ...(children === "" ? [] : children.split(" ").map(Number))];
}

/** Time that the threads of a process were on a processor: nanoseconds in the first field (Documentation/scheduler/sched-stats.rst). */
function cpuSeconds(pid: number): number {
  let nanoseconds = 0;
  for (const thread of readdirSync(`/proc/${pid}/task`)) nanoseconds += Number(scheduled(pid, thread).split(" ")[0]);
  return nanoseconds / 1e9;
}

function scheduled(pid: number, thread: string): string {
  try {
    return readFileSync(`/proc/${pid}/task/${thread}/schedstat`, "utf8");
  } catch {
    return "0"; // it has just ended
  }
}

/**
 * Measures in turn, A B C A B C …, so that whatever slows the machine for a while slows all alike. Each is warmed up
 * once for long, so that its code is compiled, and shortly before each measurement.
 */
export async function interleave(
  contenders: readonly Contender[],
  pace: Pace,
  connections: number,
  request: Pick<Load, "to" | "answerStart"> = {},
): Promise<readonly Measured[]> {
  const measured = contenders.map(({ label }) => ({ label, rounds: [] as Round[] }));
  const send = async (contender: Contender, time: { warmUpSeconds: number; seconds: number }) => {
    const { server, bodies, between } = contender;
    const mixed = between === undefined ? {} : { between };
    const result = await measureServer(server, {
      ...request,
      ...contender.request,
      bodies,
      ...mixed,
      connections,
      ...time,
    });
    await contender.check?.(result);
    return result;
  };
  for (const contender of contenders) await send(contender, firstLoad(pace));
  for (let round = 0; round < pace.rounds; round++) {
    for (const [index, contender] of contenders.entries()) {
      measured[index]?.rounds.push(await send(contender, { warmUpSeconds: 0.3, seconds: pace.seconds }));
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

/**
 * Median over the rounds of how many times as many requests `a` answered as `b` in the same round, or how many times as
 * large another value of it was.
 */
export function ratio(a: Measured, b: Measured, value = (round: Round) => round.perSecond): number {
  return median(
    a.rounds.map((result, index) => {
      const other = b.rounds[index];
      return other === undefined ? Number.NaN : value(result) / value(other);
    }),
  );
}
