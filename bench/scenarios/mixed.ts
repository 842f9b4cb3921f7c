import { createBodies } from "../create-bodies.ts";
import { type Contender, interleave, type Measured, ratio } from "../measure.ts";
import { READ, requestBody } from "../queries.ts";
import { CONNECTIONS, type Scenario, type Target } from "../scenario.ts";
import { startServer } from "../servers.ts";

/** One request in so many writes. */
const EVERY = 20;

export const mixed: Scenario = {
  name: "mixed",
  about: `Ours: the read of the first section alone, and with one request in ${EVERY} a durable \`createPost\` instead. Latencies are those of the reads.`,
  async run(bench) {
    const measured: Measured[] = [];
    const targets: Target[] = [];
    const notes: string[] = [];
    for (const engine of ["sqlite", "postgres"] as const) {
      const database = await bench.database({ engine, people: 1_000, postsEach: 20 });
      const server = await startServer("ours", database);
      try {
        const bodies = database.userIds.map((id) => requestBody(READ, { id }));
        const contenders: Contender[] = [
          { label: `reads alone, ${engine}`, server, bodies },
          {
            label: `${100 - 100 / EVERY} % reads, ${engine}`,
            server,
            bodies,
            between: { every: EVERY, bodies: createBodies() },
          },
        ];
        const [alone, among] = await interleave(contenders, bench.pace, CONNECTIONS);
        if (alone === undefined || among === undefined) throw new Error("Two were to be measured.");
        measured.push(alone, among);
        targets.push({
          what: `p99 of reads among writes / alone, ${engine}`,
          value: ratio(among, alone, ({ p99Ms }) => p99Ms),
          unit: "×",
          atMost: 2,
        });
        const writes = among.rounds.map(({ between }) => between?.p99Ms.toFixed(1));
        notes.push(`p99 of the writes in each round, ${engine}: ${writes.join(", ")} ms.`);
      } finally {
        await server.stop();
      }
    }
    return { measured, targets, notes };
  },
};
