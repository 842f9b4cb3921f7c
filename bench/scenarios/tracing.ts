import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { type Database, ownDatabase, type Shape } from "../database.ts";
import { type Contender, interleave, type Measured, type Pace, ratio } from "../measure.ts";
import { READ, requestBody } from "../queries.ts";
import { type Bench, CONNECTIONS, type Outcome, type Scenario, type Target } from "../scenario.ts";
import { type Server, startServer } from "../servers.ts";

/** Servers of each kind, one after another: two of the same kind may differ by a tenth for as long as they live. */
const PROCESSES = 5;

/** Kinds of servers with the least part of the first one's throughput that each must reach. */
type Kind = readonly [name: string, settings: Readonly<Record<string, string>>, atLeast: number | null];

const kindsOf = (collector: string, atFivePercent: number): readonly Kind[] => {
  const traces = { OTEL_EXPORTER_OTLP_ENDPOINT: collector };
  return [
    ["nothing noted", {}, null],
    ["slow requests", { SLOW_REQUEST: "1s", SLOW_QUERY: "250ms" }, 0.99],
    ["traces, 5 %", traces, atFivePercent],
    ["traces, all", { ...traces, OTEL_TRACES_SAMPLER_ARG: "1" }, 0.7],
    ["access log, all", { ACCESS_LOG: "all" }, 0.92],
    ["nothing noted, again", {}, null],
  ];
};

export const tracing: Scenario = {
  name: "tracing",
  about:
    "The read of the first section with nothing noted of requests, with slow ones logged, with traces and with an access log, A B C A B C …, with five servers of each kind one after another. The collector takes every batch. CPU per request is compared, which does not depend on what else the machine does.",
  run: (bench) => compareKinds(bench, { engine: "sqlite", people: 10_000, postsEach: 20 }, 0.95),
};

export const tracingPostgres: Scenario = {
  name: "tracing-postgres",
  about: "The same on PostgreSQL.",
  run: (bench) => compareKinds(bench, { engine: "postgres", people: 10_000, postsEach: 20 }, 0.97),
};

async function compareKinds(bench: Bench, shape: Shape, atFivePercent: number): Promise<Outcome> {
  const database = await bench.database(shape);
  const bodies = database.userIds.map((id) => requestBody(READ, { id }));
  const collector = await startCollector();
  try {
    const kinds = kindsOf(collector.url, atFivePercent);
    const pace = { ...bench.pace, rounds: Math.max(1, Math.round(bench.pace.rounds / PROCESSES)) };
    const results: (readonly Measured[])[] = [];
    while (results.length < PROCESSES) results.push(await measureProcesses(kinds, database, pace, bodies));
    const measured: readonly Measured[] = kinds.map(([label], index) => ({
      label,
      rounds: results.flatMap((one) => one[index]?.rounds ?? []),
    }));
    const [first, ...others] = measured as [Measured, ...Measured[]];
    const targets = others.flatMap((one, index): Target[] => {
      const atLeast = kinds[index + 1]?.[2];
      if (atLeast == null) return [];
      const value = ratio(first, one, ({ cpuMicroseconds }) => cpuMicroseconds);
      return [{ what: `${one.label} / ${first.label}, from CPU per request`, value, unit: "×", atLeast }];
    });
    const again = ratio(first, measured.at(-1) ?? first, ({ cpuMicroseconds }) => cpuMicroseconds);
    const notes = [
      `The first and the last server are of the same kind: the ratio of their CPU per request is ${again.toFixed(2)}.`,
    ];
    return { measured, targets, notes };
  } finally {
    collector.stop();
  }
}

/** Measures one process of each kind. */
async function measureProcesses(
  kinds: readonly Kind[],
  database: Database,
  pace: Pace,
  bodies: readonly string[],
): Promise<readonly Measured[]> {
  const servers: Server[] = [];
  try {
    const contenders: Contender[] = [];
    for (const [label, settings] of kinds) {
      const server = await startServer("ours", ownDatabase(database), { settings });
      servers.push(server);
      contenders.push({ label, server, bodies });
    }
    return await interleave(contenders, pace, CONNECTIONS);
  } finally {
    for (const server of servers) await server.stop();
  }
}

/** A process of its own that takes what comes, as a collector does, and keeps nothing. */
async function startCollector(): Promise<{ readonly url: string; stop(): void }> {
  const program = `require("node:http").createServer((request, response) => request.resume().on("end", () => response.end("{}")))
    .listen(0, "127.0.0.1", function () { console.log(this.address().port); });`;
  const child: ChildProcess = spawn(process.execPath, ["-e", program], {
    cwd: join(import.meta.dirname, ".."),
    stdio: ["ignore", "pipe", "inherit"],
  });
  if (child.stdout === null) throw new Error("The collector has no output.");
  const [port] = (await once(child.stdout, "data", { signal: AbortSignal.timeout(10_000) })) as [Buffer];
  return { url: `http://127.0.0.1:${String(port).trim()}`, stop: () => child.kill() };
}
