import { cursorAt } from "../database.ts";
import { type Contender, interleave, type Measured, ratio } from "../measure.ts";
import { LIST, PAGE, READ, requestBody } from "../queries.ts";
import { CONNECTIONS, type Scenario, type Target } from "../scenario.ts";
import { type Server, startServer } from "../servers.ts";

const PEOPLE_ASKED = 500;
const POSTS_EACH = 20;
const PAGES_ASKED = 500;

export const scaling: Scenario = {
  name: "scaling",
  about:
    "Ours with 10,000 posts and with 1,000,000 (--large: 10,000,000 too): what the same read costs, in 500 people of each.",
  async run(bench) {
    const databases = [];
    for (const people of [500, 50_000, ...(bench.large ? [500_000] : [])]) {
      databases.push(await bench.database({ engine: "sqlite", people, postsEach: POSTS_EACH }));
    }
    const servers: Server[] = [];
    try {
      for (const database of databases) servers.push(await startServer("ours", database));
      const targets: Target[] = [];
      const measured: Measured[] = [];
      for (const [what, query] of [
        ["one person's posts", READ],
        ["first page", LIST],
      ] as const) {
        const contenders = databases.map(({ userIds }, index): Contender => {
          const step = userIds.length / PEOPLE_ASKED;
          const ids = userIds.filter((_, i) => i % step === 0);
          return {
            label: `${what}, ${size(userIds.length)} posts`,
            server: servers[index] as Server,
            bodies: query === READ ? ids.map((id) => requestBody(query, { id })) : [requestBody(query)],
          };
        });
        const [smallest, ...larger] = await interleave(contenders, bench.pace, CONNECTIONS);
        if (smallest === undefined) continue;
        measured.push(smallest, ...larger);
        for (const [index, one] of larger.entries()) {
          const name = `${what}: time at ${size(databases[index + 1]?.userIds.length ?? 0)} / at 10 k`;
          targets.push({ what: name, value: ratio(smallest, one), unit: "×", atMost: 1.2 });
        }
      }
      for (const [index, { shape, userIds }] of databases.entries()) {
        const posts = userIds.length * POSTS_EACH;
        const pages = (posts / 10).toLocaleString("en");
        const server = servers[index] as Server;
        // Pages that begin one post after another, so that no answer is asked for twice in a moment.
        const bodies = (first: (i: number) => number) =>
          Array.from({ length: PAGES_ASKED }, (_, i) => requestBody(PAGE, { after: cursorAt(shape, first(i)) }));
        const [near, far] = await interleave(
          [
            { label: `page 2, ${size(userIds.length)} posts`, server, bodies: bodies((i) => posts - 10 - i) },
            { label: `page ${pages}, ${size(userIds.length)} posts`, server, bodies: bodies((i) => 10 + i) },
          ],
          bench.pace,
          CONNECTIONS,
        );
        if (near === undefined || far === undefined) continue;
        measured.push(near, far);
        const what = `${size(userIds.length)} posts: time of page ${pages} / of page 2`;
        targets.push({ what, value: ratio(near, far), unit: "×", atMost: 1.2 });
      }
      return { measured, targets };
    } finally {
      for (const server of servers) await server.stop();
    }
  },
};

function size(people: number): string {
  const posts = people * POSTS_EACH;
  return posts >= 1_000_000 ? `${posts / 1_000_000} M` : `${posts / 1_000} k`;
}
