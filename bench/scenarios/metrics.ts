import { setTimeout as sleep } from "node:timers/promises";
import { openMetrics } from "../../src/observe/metrics.ts";
import { Registry } from "../../src/observe/registry.ts";
import { type Contender, cpuSecondsOf, interleave, type Measured, median } from "../measure.ts";
import { READ, requestBody, SMALL } from "../queries.ts";
import { CONNECTIONS, type Scenario, type Target } from "../scenario.ts";
import { type Server, startServer } from "../servers.ts";

/** Readings of the metrics by which the cost of one is measured. */
const READINGS = 200;
const COUNTED = 2_000_000;

/** O26: what counting costs a read, and what it costs when somebody reads the metrics each second. */
export const metrics: Scenario = {
  name: "metrics",
  about:
    "Ours, the read of the first section and that of one name: alone, and while /metrics is read each second. Counting is measured by itself, as the calls that one read makes: a hundredth of a read is less than two runs differ by.",
  async run(bench) {
    const database = await bench.database({ engine: "sqlite", people: 10_000, postsEach: 20 });
    const server = await startServer("ours", database);
    try {
      const measured: Measured[] = [];
      const targets: Target[] = [];
      const counting = countingMicroseconds(false);
      const both = countingMicroseconds(true);
      for (const [name, query] of [
        ["read", READ],
        ["one name", SMALL],
      ] as const) {
        const bodies = database.userIds.map((id) => requestBody(query, { id }));
        const runs = await withAndWithout(server, name, bodies, bench.pace);
        measured.push(...runs);
        const [alone] = runs as [Measured, Measured];
        const cpu = median(alone.rounds.map(({ cpuMicroseconds }) => cpuMicroseconds));
        for (const [how, microseconds] of [
          ["counting", counting],
          ["counting with exponential buckets (O28)", both],
        ] as const) {
          const value = (100 * microseconds) / cpu;
          targets.push({ what: `${name}: ${how}, of its processor time`, value, unit: "%", atMost: 1 });
        }
      }
      const milliseconds = await scrapeMilliseconds(server);
      targets.push(
        { what: "one scrape, processor time", value: milliseconds, unit: "ms", atMost: 5 },
        { what: "a scrape each second, of one processor", value: milliseconds / 10, unit: "%", atMost: 1 },
      );
      return { measured, targets };
    } finally {
      await server.stop();
    }
  },
};

/** The same server twice; it is scraped in every second measurement. */
async function withAndWithout(
  server: Server,
  name: string,
  bodies: readonly string[],
  pace: Parameters<typeof interleave>[1],
): Promise<readonly Measured[]> {
  let timer: NodeJS.Timeout | undefined;
  const alone: Contender = {
    ...{ label: `${name}, alone`, server, bodies },
    async check() {
      timer = setInterval(() => void scrape(server).catch(() => {}), 1_000);
    },
  };
  const scraped: Contender = {
    ...{ label: `${name}, scraped each second`, server, bodies },
    async check() {
      clearInterval(timer);
    },
  };
  try {
    return await interleave([alone, scraped], pace, CONNECTIONS);
  } finally {
    clearInterval(timer);
  }
}

async function scrape({ port }: Server): Promise<string> {
  const answer = await fetch(`http://127.0.0.1:${port}/metrics`);
  if (!answer.ok) throw new Error(`/metrics answered ${answer.status}.`);
  return answer.text();
}

/** Processor time of the server for one page, numbers from the database included. */
async function scrapeMilliseconds(server: Server): Promise<number> {
  for (let i = 0; i < READINGS; i++) await scrape(server);
  await sleep(200);
  const before = cpuSecondsOf(server);
  for (let i = 0; i < READINGS; i++) await scrape(server);
  return (1_000 * (cpuSecondsOf(server) - before)) / READINGS;
}

/** Counts of one read from SQLite: its token, plan, statement, operation and request, with the looks at the clock. */
function countingMicroseconds(isExponential: boolean): number {
  const all = openMetrics(new Registry(isExponential));
  const token = all.counter("tokens_verified_total", "hit");
  const plan = all.counter("graphql_plan_cache_total", "hit");
  const statement = all.histogram("db_operation_duration_seconds", "read", "primary");
  const operation = all.histogram("graphql_operation_duration_seconds", "query", "other");
  const answered = all.requests("POST", "/graphql");
  const count = () => {
    const began = performance.now();
    token.add();
    plan.add();
    const asked = performance.now();
    statement.observe((performance.now() - asked) / 1_000);
    operation.observe((performance.now() - began) / 1_000);
    answered(200, 0.001);
  };
  for (let i = 0; i < COUNTED / 10; i++) count();
  const rounds = Array.from({ length: 5 }, () => {
    const before = process.cpuUsage();
    for (let i = 0; i < COUNTED; i++) count();
    const { user, system } = process.cpuUsage(before);
    return (user + system) / COUNTED;
  });
  return median(rounds);
}
