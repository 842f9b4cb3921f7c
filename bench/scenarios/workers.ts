import { readFileSync } from "node:fs";
import { cpus } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import { ownDatabase } from "../database.ts";
import { type Contender, interleave, type Measured, ratio } from "../measure.ts";
import { READ, requestBody } from "../queries.ts";
import { CONNECTIONS, type Outcome, type Scenario } from "../scenario.ts";
import { type Server, startServer } from "../servers.ts";

const TARGET = 1.8;
/** Only then two workers and the load generator have a core each. */
const HAS_CORES = cpus().length > 2;

export const workers: Scenario = {
  name: "workers",
  about: "Ours, the read of the first section: WORKERS=2 on two cores against one process on one core.",
  async run(bench) {
    const database = await bench.database({ engine: "sqlite", people: 10_000, postsEach: 20 });
    const bodies = database.userIds.map((id) => requestBody(READ, { id }));
    const servers: Server[] = [];
    try {
      servers.push(await startServer("ours", ownDatabase(database)));
      const cores = HAS_CORES ? "0,2" : "0,1";
      servers.push(await startServer("ours", ownDatabase(database), { cores, settings: { WORKERS: "2" } }));
      const [one, two] = servers as [Server, Server];
      await untilReady(two);
      const contenders: Contender[] = [
        { label: "one process", server: one, bodies },
        { label: "two workers", server: two, bodies },
      ];
      const [alone, both] = await interleave(contenders, bench.pace, CONNECTIONS);
      if (alone === undefined || both === undefined) throw new Error("Two were to be measured.");
      return judge(alone, both);
    } finally {
      for (const server of servers) await server.stop();
    }
  },
};

function judge(one: Measured, two: Measured): Outcome {
  const measured = [one, two];
  const throughput = ratio(two, one);
  if (HAS_CORES) return { measured, targets: [{ what: "two / one", value: throughput, unit: "×", atLeast: TARGET }] };
  const cost = ratio(one, two, ({ cpuMicroseconds }) => cpuMicroseconds);
  return {
    measured,
    targets: [{ what: "two / one, from CPU per request", value: 2 * cost, unit: "×", atLeast: TARGET }],
    notes: [
      `This machine has two cores, so one of the two workers shares its core with the load generator, and what comes out is no measure of two workers: ${throughput.toFixed(2)} × one. What can be told here is what a request costs while both cores work: the ratio above is twice the CPU time per request of one process divided by that of two workers (with the process between them), which is what two cores of their own would give if nothing else held them up. To measure it, use a machine with three cores.`,
    ],
  };
}

/** The first worker may listen before the second. */
async function untilReady({ log }: Server): Promise<void> {
  for (let i = 0; i < 200; i++) {
    if (readFileSync(log, "utf8").includes("is ready")) return;
    await sleep(50);
  }
  throw new Error("The workers were not ready within 10 seconds.");
}
