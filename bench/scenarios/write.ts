import { createBodies } from "../create-bodies.ts";
import { type Bench, compare, type Outcome, type Scenario } from "../scenario.ts";
import type { Peer } from "../servers.ts";

const CONNECTIONS = 64;

export const write: Scenario = {
  name: "write",
  about: `\`createPost\`, ${CONNECTIONS} at once. Each is on the disk before it is acknowledged, the post and its event together. The hand-written servers write the same rows: on SQLite with one commit for each request, on PostgreSQL in one statement that is its own transaction.`,
  async run(bench) {
    const outcomes = [
      await measureWrites(bench, "sqlite", { name: "hand-written", atLeast: 5 }),
      await measureWrites(bench, "postgres", { name: "hand-written-postgres", atLeast: 0.85 }),
    ];
    return {
      measured: outcomes.flatMap(({ measured }) => measured),
      targets: outcomes.flatMap(({ targets }) => targets),
      notes: ["After each measurement there were as many more posts in the database as had been acknowledged."],
    };
  },
};

async function measureWrites(
  bench: Bench,
  engine: "sqlite" | "postgres",
  peer: { name: Peer; atLeast: number },
): Promise<Outcome> {
  const database = await bench.database({ engine, people: 1_000, postsEach: 20 });
  let expected: number | null = null;
  const { measured, targets } = await compare(bench, database, createBodies(), [peer], {
    connections: CONNECTIONS,
    normalize: withoutIdentity,
    async check({ requests }) {
      const count = await database.countPosts();
      // What was written before, to compare answers, is not known here: the first count is only noted.
      if (expected !== null && count !== expected + requests) {
        throw new Error(`${requests} posts were acknowledged on ${engine}, ${count - expected} are there.`);
      }
      expected = count;
    },
  });
  return { measured: measured.map((one) => ({ ...one, label: `${one.label}, ${engine}` })), targets };
}

/** The id and the time differ from post to post. */
function withoutIdentity(answer: string): string {
  return answer
    .replace(/"id":"[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}"/, '"id":"…"')
    .replace(/"createdAt":"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z"/, '"createdAt":"…"');
}
