import { READ, requestBody } from "../queries.ts";
import { compare, type Scenario } from "../scenario.ts";

const ABOUT =
  "One person with 20 posts, `user(id){ id name email posts { title createdAt } }`, cycling through 10,000 people";

export const read: Scenario = {
  name: "read",
  about: `${ABOUT}.`,
  async run(bench) {
    const database = await bench.database({ engine: "sqlite", people: 10_000, postsEach: 20 });
    const bodies = database.userIds.map((id) => requestBody(READ, { id }));
    return compare(bench, database, bodies, [
      { name: "hand-written", atLeast: 1.3 },
      { name: "mercurius", atLeast: 1.7 },
      { name: "apollo", atLeast: 3.5 },
      { name: "yoga", atLeast: 3.5 },
      { name: "rust", atLeast: 2 },
      { name: "static" },
    ]);
  },
};

export const readPostgres: Scenario = {
  name: "read-postgres",
  about: `${ABOUT}, on PostgreSQL.`,
  async run(bench) {
    const database = await bench.database({ engine: "postgres", people: 10_000, postsEach: 20 });
    const bodies = database.userIds.map((id) => requestBody(READ, { id }));
    return compare(bench, database, bodies, [
      { name: "hand-written-postgres", atLeast: 0.9 },
      { name: "postgraphile", atLeast: 2.5 },
    ]);
  },
};
