import assert from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
import { describe, type TestContext, test } from "node:test";
import { setImmediate as nextTurn, setTimeout as pause } from "node:timers/promises";
import { openPostgres } from "../postgres.ts";
import { count } from "./counts.ts";
import { type Installation, install } from "./installation.ts";

const CREATE = "mutation ($input: CreatePostInput!) { createPost(input: $input) { id title createdAt } }";
/** Requests under way at each kill. */
const AT_ONCE = 4;

const postgres = await openPostgres();

describe("the program is killed between a commit and its answer", () => {
  test("F02 SQLite: sent again with the same Idempotency-Key, each change is there once", async (t) => {
    const installation = await install(t);
    await killAndRetry(t, installation, async (changes) => {
      const database = new DatabaseSync(installation.file, { readOnly: true, timeout: 5_000 });
      try {
        const committed = database.prepare("select count(*) as n from idempotency");
        const isThere = () => Number(committed.get()?.n) >= changes;
        for (const deadline = performance.now() + 10_000; !isThere() && performance.now() < deadline; )
          await nextTurn();
      } finally {
        database.close();
      }
    });
  });

  test("F02 PostgreSQL: sent again with the same Idempotency-Key, each change is there once", async (t) => {
    const installation = await install(t, { url: await postgres.createDatabase() });
    await killAndRetry(t, installation, () => pause(20 + Math.random() * 120));
  });
});

/** @param untilWritten resolves when that many changes have been committed in all, or about then */
async function killAndRetry(
  t: TestContext,
  installation: Installation,
  untilWritten: (changes: number) => Promise<void>,
): Promise<void> {
  const times = count(100, 5);
  const titles: string[] = [];
  const outcomes = { "answered before the kill": 0, "done before the kill": 0, "done by the retry": 0 };
  let server = await installation.start();
  for (let kill = 0; kill < times; kill++) {
    const mine = Array.from({ length: AT_ONCE }, (_, i) => `post ${kill}.${i}`);
    const firsts = mine.map((title) => create(installation, title).catch(() => null));
    await untilWritten(titles.length + 1);
    await server.stop("SIGKILL");
    const answers = await Promise.all(firsts);
    const before = await installation.read();
    server = await installation.start();
    for (const [index, title] of mine.entries()) {
      const { status, text } = await create(installation, title);
      assert.equal(status, 200, text);
      const first = answers[index];
      if (first?.status === 200) assert.equal(text, first.text);
      const { id } = JSON.parse(text).data.createPost;
      const known = before.posts.find((post) => post.title === title);
      if (known !== undefined) assert.equal(id, known.id);
      if (first?.status === 200) outcomes["answered before the kill"]++;
      else outcomes[known === undefined ? "done by the retry" : "done before the kill"]++;
    }
    titles.push(...mine);
    const { integrity, posts, events } = await installation.read();
    assert.equal(integrity, "ok");
    assert.deepEqual(posts.map(({ title }) => title).sort(), titles.toSorted());
    assert.deepEqual(events.toSorted(), posts.map(({ id }) => id).sort());
  }
  assert.equal(await server.stop(), 0);
  t.diagnostic(`F02 ${times} kills: ${JSON.stringify(outcomes)}`);
}

async function create({ url, token }: Installation, title: string): Promise<{ status: number; text: string }> {
  const response = await fetch(`${url}/graphql`, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      accept: "application/graphql-response+json",
      authorization: `Bearer ${token}`,
      "idempotency-key": `"${title}"`,
    },
    body: JSON.stringify({ query: CREATE, variables: { input: { title, body: "" } } }),
  });
  return { status: response.status, text: await response.text() };
}
