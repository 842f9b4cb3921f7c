import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { median } from "../measure.ts";
import { READ, requestBody } from "../queries.ts";
import type { Scenario } from "../scenario.ts";
import { ask, spawnServer, untilListening } from "../servers.ts";

const IDLE_SECONDS = 3;

export const start: Scenario = {
  name: "start",
  about: `From starting the process to the first answer read, the database being there; memory ${IDLE_SECONDS} s after it.`,
  async run(bench) {
    const database = await bench.database({ engine: "sqlite", people: 10_000, postsEach: 20 });
    const body = requestBody(READ, { id: database.userIds[0] ?? "" });
    const milliseconds: number[] = [];
    const megabytes: number[] = [];
    for (let i = 0; i < bench.pace.rounds + 1; i++) {
      const started = performance.now();
      const ours = await spawnServer("ours", database);
      try {
        await untilListening(ours);
        await ask(ours, body);
        milliseconds.push(performance.now() - started);
        await sleep(IDLE_SECONDS * 1_000);
        megabytes.push(residentMegabytes(ours.child.pid ?? 0));
      } finally {
        await ours.stop();
      }
    }
    return {
      measured: [],
      targets: [
        // The first start reads the program from disk and warms up our own fetch.
        { what: "start to first answer", value: median(milliseconds.slice(1)), unit: "ms", atMost: 400 },
        { what: "idle memory (resident)", value: median(megabytes.slice(1)), unit: "MB", atMost: 110 },
      ],
    };
  },
};

function residentMegabytes(pid: number): number {
  const kilobytes = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1];
  return Number(kilobytes) / 1_024;
}
