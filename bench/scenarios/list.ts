import { LIST, requestBody } from "../queries.ts";
import { compare, type Scenario } from "../scenario.ts";

export const list: Scenario = {
  name: "list",
  about: "The newest 50 posts with their authors, `posts(first: 50){ id title createdAt author { name } }`.",
  async run(bench) {
    const database = await bench.database({ people: 10_000, postsEach: 20 });
    return compare(
      bench,
      database,
      [requestBody(LIST)],
      [
        { name: "hand-written", atLeast: 0.9 },
        { name: "mercurius", atLeast: 1.7 },
        { name: "apollo", atLeast: 3.5 },
        { name: "yoga", atLeast: 3.5 },
        { name: "static" },
      ],
    );
  },
};
