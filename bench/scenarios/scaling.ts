import { type Contender, interleave, ratio } from "../measure.ts";
import { LIST, READ, requestBody } from "../queries.ts";
import { CONNECTIONS, type Scenario, type Target } from "../scenario.ts";
import { startServer } from "../servers.ts";

const PEOPLE_ASKED = 500;

export const scaling: Scenario = {
  name: "scaling",
  about: "Ours with 10,000 posts and with 1,000,000: what the same read costs, in 500 people of each.",
  async run(bench) {
    const few = await bench.database({ people: 500, postsEach: 20 });
    const many = await bench.database({ people: 50_000, postsEach: 20 });
    const servers = [await startServer("ours", few), await startServer("ours", many)] as const;
    try {
      const targets: Target[] = [];
      const all = [];
      for (const [what, query] of [
        ["one person's posts", READ],
        ["first page", LIST],
      ] as const) {
        const contenders = [few, many].map((database, index): Contender => {
          const step = database.userIds.length / PEOPLE_ASKED;
          const ids = database.userIds.filter((_, i) => i % step === 0);
          return {
            label: `${what}, ${index === 0 ? "10 k" : "1 M"} posts`,
            server: servers[index === 0 ? 0 : 1],
            bodies: query === READ ? ids.map((id) => requestBody(query, { id })) : [requestBody(query)],
          };
        });
        const measured = await interleave(contenders, bench.pace, CONNECTIONS);
        all.push(...measured);
        const [small, large] = measured;
        if (small === undefined || large === undefined) continue;
        targets.push({ what: `${what}: time at 1 M / at 10 k`, value: ratio(small, large), unit: "×", atMost: 1.2 });
      }
      return { measured: all, targets };
    } finally {
      for (const server of servers) await server.stop();
    }
  },
};
