import { requestBody, SMALL } from "../queries.ts";
import { compare, type Scenario } from "../scenario.ts";

const ABOUT = "One name, `user(id){ name }`, cycling through 10,000 people: what a request costs beside its data";

export const small: Scenario = {
  name: "small",
  about: `${ABOUT}.`,
  async run(bench) {
    const database = await bench.database({ engine: "sqlite", people: 10_000, postsEach: 20 });
    const bodies = database.userIds.map((id) => requestBody(SMALL, { id }));
    return compare(bench, database, bodies, [
      { name: "hand-written", atLeast: 1 },
      { name: "rust", atLeast: 2 },
      { name: "static" },
    ]);
  },
};

export const smallPostgres: Scenario = {
  name: "small-postgres",
  about: `${ABOUT}, on PostgreSQL.`,
  async run(bench) {
    const database = await bench.database({ engine: "postgres", people: 10_000, postsEach: 20 });
    const bodies = database.userIds.map((id) => requestBody(SMALL, { id }));
    return compare(bench, database, bodies, [{ name: "hand-written-postgres", atLeast: 0.8 }]);
  },
};
