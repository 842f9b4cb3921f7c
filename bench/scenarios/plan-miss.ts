import { measureServer, median } from "../measure.ts";
import { firstTimeBody } from "../queries.ts";
import type { Scenario } from "../scenario.ts";
import { startServer } from "../servers.ts";

const DOCUMENTS = 2_000;

export const planMiss: Scenario = {
  name: "plan-miss",
  about: `The read above in documents never seen before, one at a time on one connection, ${DOCUMENTS.toLocaleString("en")} per round: from sending to answer.`,
  async run(bench) {
    const database = await bench.database({ engine: "sqlite", people: 10_000, postsEach: 20 });
    const ours = await startServer("ours", database);
    try {
      let number = 0;
      const round = () =>
        measureServer(ours, {
          bodies: Array.from({ length: DOCUMENTS }, () => {
            number++;
            return firstTimeBody(number, database.userIds[number % database.userIds.length] ?? "");
          }),
          connections: 1,
          warmUpSeconds: 0,
          seconds: 30,
          once: true,
        });
      for (let i = 0; i < 2; i++) await round(); // Warm-up.
      const rounds = [];
      for (let i = 0; i < bench.pace.rounds; i++) rounds.push(await round());
      const measured = [{ label: "ours", rounds }];
      const value = median(rounds.map(({ perSecond }) => 1_000 / perSecond));
      return { measured, targets: [{ what: "a first-time document, mean", value, unit: "ms", atMost: 1 }] };
    } finally {
      await ours.stop();
    }
  },
};
