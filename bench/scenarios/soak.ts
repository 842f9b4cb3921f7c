import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { cpuSecondsOf, median } from "../measure.ts";
import { spawnPinned, stop } from "../processes.ts";
import type { Bench, Outcome, Scenario } from "../scenario.ts";
import { SERVER_CORE, startServer } from "../servers.ts";
import type { SoakLoad, SoakResult } from "../soak-load.ts";

/** Seconds between the end of the load and the last look at the memory. */
const REST = 60;
/** Parts of the load whose memory is compared: it is flat if the last part takes no more than the one in the middle. */
const PARTS = 5;
/** Minutes before which memory may still grow: code is compiled, and caches fill. */
const WARM_UP = 10;

const ABOUT = `Ours for some minutes under mixed load: four readers, two writers, sign-ins with refreshes, and three streams. Resident memory, once a second, then ${REST} s after the load.`;

export const soak: Scenario = {
  name: "soak",
  about: ABOUT,
  run: (bench) => soakOn(bench, "sqlite"),
};

export const soakPostgres: Scenario = {
  name: "soak-postgres",
  about: `${ABOUT} On PostgreSQL.`,
  run: (bench) => soakOn(bench, "postgres"),
};

/** @param settings of the server, as in production unless given: what waits for longer than MAX_DELAY is rejected, and has failed */
export async function soakOn(
  bench: Pick<Bench, "database" | "minutes">,
  engine: "sqlite" | "postgres",
  settings: Readonly<Record<string, string>> = { MAX_DELAY: "500" },
): Promise<Outcome> {
  const database = await bench.database({ engine, people: 1_000, postsEach: 20 });
  const server = await startServer("ours", database, { settings });
  const { pid = 0 } = server.child;
  try {
    await sleep(3_000);
    const idle = residentMegabytes(pid);
    const cpuBefore = cpuSecondsOf(server);
    const { shape, userIds, token, client } = database;
    const seconds = 60 * bench.minutes;
    const running = load({ url: server.origin, token, userIds, shape, client, seconds });
    const samples: number[] = [];
    let result: SoakResult | undefined;
    running.then(
      (done) => {
        result = done;
      },
      () => {},
    );
    while (result === undefined) {
      await Promise.race([running, sleep(1_000)]);
      samples.push(residentMegabytes(pid));
    }
    const cpu = cpuSecondsOf(server) - cpuBefore;
    const rests: number[] = [];
    for (let i = 0; i < 4; i++) {
      await sleep((REST / 4) * 1_000);
      rests.push(residentMegabytes(pid));
    }
    return judge(bench.minutes, result, { idle, samples, rests, cpu });
  } finally {
    await server.stop();
  }
}

interface Watched {
  /** Megabytes before the load, in each second of it, and after it. */
  readonly idle: number;
  readonly samples: readonly number[];
  readonly rests: readonly number[];
  /** Seconds of processor time. */
  readonly cpu: number;
}

function judge(
  minutes: number,
  { requests, events, failed, firstFailure }: SoakResult,
  { idle, samples, rests, cpu }: Watched,
): Outcome {
  const count = Object.values(requests).reduce((sum, number) => sum + number, 0);
  const parts = Array.from({ length: PARTS }, (_, i) =>
    median(samples.slice((i * samples.length) / PARTS, ((i + 1) * samples.length) / PARTS)),
  );
  const whole = (numbers: readonly number[]) => numbers.map((number) => number.toFixed(0)).join(", ");
  const kinds = Object.entries(requests).map(([kind, number]) => `${number.toLocaleString("en")} ${kind}`);
  return {
    measured: [],
    targets: [
      { what: "memory under load, most", value: Math.max(...samples), unit: "MB", atMost: 350 },
      {
        what: "flat: last fifth of the load / third fifth",
        value: (parts.at(-1) ?? Number.NaN) / (parts[PARTS >> 1] ?? Number.NaN),
        unit: "×",
        atMost: minutes < WARM_UP ? 1.25 : 1.05,
      },
      { what: `memory ${REST} s after the load`, value: rests.at(-1) ?? Number.NaN, unit: "MB", atMost: 200 },
      { what: "failed requests", value: failed, unit: "requests", atMost: 0 },
    ],
    notes: [
      `${count.toLocaleString("en")} requests in ${samples.length} s (${kinds.join(", ")}), ${events.toLocaleString("en")} events, ${((1e6 * cpu) / count).toFixed(0)} µs of processor time for each request.`,
      `Resident memory in MB: ${idle.toFixed(0)} before; median of each fifth ${whole(parts)}; after the load, every ${REST / 4} s, ${whole(rests)}.`,
      ...(firstFailure === null ? [] : [`The first request that failed:\n\n${firstFailure}`]),
    ],
  };
}

/** Runs the load on its own core. */
async function load(what: SoakLoad): Promise<SoakResult> {
  const child: ChildProcess = spawnPinned({
    cores: String(SERVER_CORE + 1),
    args: [join(import.meta.dirname, "..", "soak-load.ts")],
    env: {},
    stdio: "inherit",
    ipc: true,
  });
  try {
    child.send(what);
    const signal = AbortSignal.timeout((what.seconds + 60) * 1_000);
    const [result] = (await once(child, "message", { signal })) as [SoakResult];
    return result;
  } finally {
    await stop(child);
  }
}

function residentMegabytes(pid: number): number {
  const kilobytes = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1];
  return Number(kilobytes) / 1_024;
}
