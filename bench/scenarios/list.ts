import { LIST, requestBody } from "../queries.ts";
import { compare, type Scenario } from "../scenario.ts";

const ABOUT = "The newest 50 posts with their authors, `posts(first: 50){ id title createdAt author { name } }`";

export const list: Scenario = {
  name: "list",
  about: `${ABOUT}.`,
  async run(bench) {
    const database = await bench.database({ engine: "sqlite", people: 10_000, postsEach: 20 });
    return compare(
      bench,
      database,
      [requestBody(LIST)],
      [
        { name: "hand-written", atLeast: 0.9 },
        { name: "mercurius", atLeast: 1.7 },
        { name: "apollo", atLeast: 3.5 },
        { name: "yoga", atLeast: 3.5 },
        { name: "rust", atLeast: 2 },
        { name: "static" },
      ],
    );
  },
};

export const listPostgres: Scenario = {
  name: "list-postgres",
  about: `${ABOUT}, on PostgreSQL.`,
  async run(bench) {
    const database = await bench.database({ engine: "postgres", people: 10_000, postsEach: 20 });
    return compare(
      bench,
      database,
      [requestBody(LIST)],
      [
        { name: "hand-written-postgres", atLeast: 0.9 },
        { name: "postgraphile", atLeast: 2.5 },
      ],
    );
  },
};
