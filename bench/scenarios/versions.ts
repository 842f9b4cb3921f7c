import { createBodies } from "../create-bodies.ts";
import { postId } from "../database.ts";
import { type Contender, interleave, type Measured, ratio } from "../measure.ts";
import { LIST, READ, requestBody } from "../queries.ts";
import { CONNECTIONS, type Scenario, type Target } from "../scenario.ts";
import { type Server, startServer } from "../servers.ts";

const UPDATE = `mutation Update($id: ID!, $input: UpdatePostInput!) {
  updatePost(id: $id, input: $input) { post { id title updatedAt } }
}`;

const POST = `query Post($id: ID!) {
  post(id: $id) { id title status createdAt body author { id name } }
}`;

/** What the same requests cost this version of our program and another one, each on a database of its own. */
export const versions: Scenario = {
  name: "versions",
  about:
    "Ours against another version of it (--base), by the processor time of each request. An update keeps what readers had until then, in the history of the post: it may cost what one more insert costs.",
  async run(bench) {
    const { base } = bench;
    if (base === undefined) {
      return { measured: [], targets: [], notes: ["Not measured: without --base FOLDER there is no other version."] };
    }
    const measured: Measured[] = [];
    const targets: Target[] = [];
    for (const engine of ["sqlite", "postgres"] as const) {
      const shape = { engine, people: 1_000, postsEach: 20, isEditor: true } as const;
      const servers: Server[] = [];
      try {
        const [before, after] = [{ ...shape, madeBy: base }, shape];
        const [beforeDatabase, afterDatabase] = [await bench.database(before), await bench.database(after)];
        servers.push(
          await startServer("ours", beforeDatabase, { root: base }),
          await startServer("ours", afterDatabase),
        );
        const ids = Array.from({ length: 1_000 }, (_, i) => postId(shape, i));
        const kinds: readonly [name: string, bodies: readonly string[], atMost: number][] = [
          ["createPost", createBodies(), 1.05],
          [
            "updatePost",
            ids.map((id, i) =>
              requestBody(UPDATE, { id, input: { title: `Title ${i}`, body: `Body ${i}. `.repeat(20) } }),
            ),
            2,
          ],
          ["post", ids.map((id) => requestBody(POST, { id })), 1.05],
          ["list", [requestBody(LIST)], 1.05],
          ["person with posts", afterDatabase.userIds.map((id) => requestBody(READ, { id })), 1.05],
        ];
        for (const [name, bodies, atMost] of kinds) {
          const contenders = servers.map(
            (server, i): Contender => ({ label: `${name}, ${engine}, ${i === 0 ? "base" : "ours"}`, server, bodies }),
          );
          const both = await interleave(contenders, bench.pace, CONNECTIONS);
          measured.push(...both);
          const [old, ours] = both;
          if (old === undefined || ours === undefined) continue;
          const value = ratio(ours, old, ({ cpuMicroseconds }) => cpuMicroseconds);
          targets.push({ what: `${name}, ${engine}: ours / base`, value, unit: "×", atMost });
        }
      } finally {
        for (const server of servers) await server.stop();
      }
    }
    return { measured, targets };
  },
};
