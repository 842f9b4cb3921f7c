import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import type { Id } from "../../src/domain/id.ts";
import type { Database } from "../../src/storage/database/database.ts";
import { IdSource } from "../../src/storage/database/ids.ts";
import { openStore } from "../../src/storage/open.ts";
import { openSqlite } from "../../src/storage/sqlite/sqlite.ts";
import { openPosts } from "../../src/storage/tables/posts.ts";
import { aPerson } from "../conformance/samples.ts";

const folder = mkdtempSync(join(tmpdir(), "content-api-trail-"));
after(() => rmSync(folder, { recursive: true }));

/** The database, and how many statements its writes have made. */
function counting(database: Database): Database & { statements: number } {
  const counted = {
    ...database,
    statements: 0,
    prepareRow: database.prepareRow.bind(database),
    follow: database.follow.bind(database),
    close: database.close.bind(database),
    writeAtOnce: database.writeAtOnce.bind(database),
    writeTogether: (...[queries, ...rest]: Parameters<Database["writeTogether"]>) => {
      counted.statements += queries.length;
      return database.writeTogether(queries, ...rest);
    },
    write: <T>(job: Parameters<typeof database.write<T>>[0]) =>
      database.write<T>((tx) =>
        job(
          tx.withPlugin({
            transformQuery: ({ node }) => node,
            transformResult: async ({ result }) => {
              counted.statements++;
              return result;
            },
          }),
        ),
      ),
  };
  return counted;
}

test("A43 a change without an agent makes the statements that it made before there were agents, and no more", async () => {
  const path = join(folder, "content.db");
  const store = await openStore(`sqlite:${path}`);
  const author = (await store.users.create(aPerson())).id;
  await store.close();
  const database = counting(await openSqlite(path, { mustExist: true }));
  try {
    const posts = openPosts(database, database, new IdSource(Date.now), Date.now);
    const count = async (write: () => Promise<unknown>) => {
      database.statements = 0;
      await write();
      return database.statements;
    };
    const act = { userId: author, clientId: "robot", tool: "update_post", traceId: null };
    const post = { authorId: author, title: "T", body: "" };
    let id = "" as Id;
    const create = (by?: typeof act) => async () => {
      id = await posts.create(post, undefined, null, by);
    };
    const edit =
      (by?: typeof act, title = "U") =>
      () =>
        posts.edit(id, () => ({ event: "post.updated", title }), undefined, null, by && { act: by });
    const changed = 4; // the post, its change, the last event, the event
    const history = 2; // whether the text changes, and the text
    const firstChange = 1; // the text before
    // The order, the post, the event. The history of a post that nobody changes costs nothing.
    assert.equal(await count(create()), 3);
    assert.equal(await count(edit()), changed + history + firstChange);
    assert.equal(await count(edit(undefined, "V")), changed + history);
    // Two rows more; the texts before, too.
    assert.equal(await count(create(act)), 5);
    assert.equal(await count(edit(act)), changed + history + firstChange + 3);
  } finally {
    await database.close();
  }
});
