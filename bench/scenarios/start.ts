import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import type { Database } from "../database.ts";
import { cpuSecondsOf, median } from "../measure.ts";
import { READ, requestBody } from "../queries.ts";
import type { Scenario } from "../scenario.ts";
import { ask, spawnServer, untilListening } from "../servers.ts";

const IDLE_SECONDS = 3;
const SHAPE = { engine: "sqlite", people: 10_000, postsEach: 20 } as const;
/** A collector that nobody runs: what is sent is dropped. */
const COLLECTOR = "http://127.0.0.1:9";

interface Start {
  /** Until the first answer was read. */
  readonly milliseconds: number;
  /** Processor time until then. */
  readonly cpuMilliseconds: number;
  readonly idleMegabytes: number;
}

export const start: Scenario = {
  name: "start",
  about: `From starting the process to the first answer read, the database being there; memory ${IDLE_SECONDS} s after it.`,
  async run(bench) {
    const database = await bench.database(SHAPE);
    const starts: Start[] = [];
    for (let i = 0; i < bench.pace.rounds + 1; i++) starts.push(await measureStart(database));
    const counted = starts.slice(1); // the first start reads the program from disk and warms up our own fetch
    return {
      measured: [],
      targets: [
        { what: "start to first answer", value: medianOf(counted, "milliseconds"), unit: "ms", atMost: 400 },
        { what: "idle memory (resident)", value: medianOf(counted, "idleMegabytes"), unit: "MB", atMost: 110 },
      ],
    };
  },
};

/** O02: what traces and metrics for a collector cost a start. */
export const startObserved: Scenario = {
  name: "start-observed",
  about:
    "The same start without and with OTEL_EXPORTER_OTLP_ENDPOINT and OTEL_METRICS_EXPORTER=otlp, in turns. The fastest starts of each are compared, because what else the machine does only adds to a start; of memory the medians.",
  async run(bench) {
    const database = await bench.database(SHAPE);
    const settings = { OTEL_EXPORTER_OTLP_ENDPOINT: COLLECTOR, OTEL_METRICS_EXPORTER: "otlp", LOG_LEVEL: "error" };
    const without: Start[] = [];
    const observed: Start[] = [];
    for (let i = 0; i < bench.pace.rounds + 1; i++) {
      without.push(await measureStart(database));
      observed.push(await measureStart(database, settings));
    }
    const more = (of: (starts: readonly Start[]) => number) => of(observed) - of(without);
    const least = (what: keyof Start) => more((starts) => Math.min(...starts.map((one) => one[what])));
    const memory = more((starts) => medianOf(starts, "idleMegabytes"));
    return {
      measured: [],
      targets: [
        { what: "start to first answer, more", value: least("milliseconds"), unit: "ms", atMost: 40 },
        { what: "processor time until then, more", value: least("cpuMilliseconds"), unit: "ms", atMost: 40 },
        { what: "idle memory (resident), more", value: memory, unit: "MB", atMost: 12 },
      ],
    };
  },
};

async function measureStart(database: Database, settings: Readonly<Record<string, string>> = {}): Promise<Start> {
  const body = requestBody(READ, { id: database.userIds[0] ?? "" });
  const started = performance.now();
  const ours = await spawnServer("ours", database, { settings });
  try {
    await untilListening(ours);
    await ask(ours, body);
    const milliseconds = performance.now() - started;
    const cpuMilliseconds = 1_000 * cpuSecondsOf(ours);
    await sleep(IDLE_SECONDS * 1_000);
    return { milliseconds, cpuMilliseconds, idleMegabytes: residentMegabytes(ours.child.pid ?? 0) };
  } finally {
    await ours.stop();
  }
}

function medianOf(starts: readonly Start[], what: keyof Start): number {
  return median(starts.map((one) => one[what]));
}

function residentMegabytes(pid: number): number {
  const kilobytes = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1];
  return Number(kilobytes) / 1_024;
}
