import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import pg from "pg";
import type { AppError } from "../../../src/domain/errors.ts";
import type { Id } from "../../../src/domain/id.ts";
import type { PreparedRead, ReadBack } from "../../../src/domain/reading/prepared-read.ts";
import type { Store } from "../../../src/domain/store/store.ts";
import { openStore } from "../../../src/storage/open.ts";
import { aPerson } from "../../conformance/samples.ts";
import { openTcpProxy } from "../../faults/tcp-proxy.ts";
import { sqlOn, startPostgres } from "../../postgres.ts";
import { livedTime } from "../../timing.ts";

const server = await startPostgres({ durable: true });
after(() => server.stop());

describe("PostgreSQL: posts that are created at the same time", () => {
  let url: string;
  let store: Store;
  let authorId: Id;
  let otherId: Id;
  let read: PreparedRead;

  before(async () => {
    url = await server.createDatabase();
    store = await openStore(url);
    authorId = (await store.users.create(aPerson())).id;
    otherId = (await store.users.create(aPerson({ name: "Other", email: "other@example.com" }))).id;
    read = store.prepareRead({
      kind: "post",
      id: { slot: 0 },
      selection: { type: "Post", fields: [{ kind: "column", key: "title", column: "title" }] },
    });
  });
  after(() => store.close());

  const readBack = (values: readonly string[] = []): ReadBack => ({
    reads: [read],
    valuesFor: (id) => [id, ...values],
    json: null,
  });
  const rendered = (slug: string) => ({ slug, wordCount: 0, excerpt: "", bodyHtml: "" });
  /** How many transactions have written the posts whose titles begin so; a post without its event in the same one counts for none. */
  const transactions = async (prefix: string) => {
    const rows = await sqlOn<{ posts: string; transactions: string }>(
      url,
      `select count(*) as posts, count(distinct posts.xmin::text) as transactions
        from posts join outbox on subject_id = posts.id and outbox.xmin = posts.xmin where title like '${prefix}%'`,
    );
    return { posts: Number(rows[0]?.posts), transactions: Number(rows[0]?.transactions) };
  };

  test("they share commits, the event with its post, and each is answered with what it has left", async () => {
    const answers = await Promise.all(
      Array.from({ length: 160 }, async (_, i) => {
        const answer = readBack();
        await store.posts.create({ authorId, title: `shared ${i}`, body: "" }, undefined, answer);
        return answer.json?.[0];
      }),
    );
    assert.deepEqual(
      answers,
      Array.from({ length: 160 }, (_, i) => `{"title":"shared ${i}"}`),
    );
    const { posts, transactions: count } = await transactions("shared");
    assert.equal(posts, 160);
    assert.ok(count >= 3 && count <= 10, `${count} transactions for 160 posts`);
  });

  test("one that is refused takes no other along", async () => {
    const missing = "01a21efd-4214-7000-8474-a0573e6a4ee8" as Id;
    const outcomes = await Promise.allSettled(
      Array.from({ length: 20 }, (_, i) =>
        store.posts.create({ authorId: i % 7 === 3 ? missing : authorId, title: `apart ${i}`, body: "" }),
      ),
    );
    const codes = outcomes.map((outcome) =>
      outcome.status === "rejected" ? (outcome.reason as AppError).code : "made",
    );
    assert.deepEqual(
      codes,
      Array.from({ length: 20 }, (_, i) => (i % 7 === 3 ? "NOT_FOUND" : "made")),
    );
    assert.equal((await transactions("apart")).posts, 17);
  });

  test("an answer that cannot be read with it is left for afterwards", async () => {
    const [withNul, whole] = [readBack(["\0"]), readBack()];
    const ids = await Promise.all([
      store.posts.create({ authorId, title: "nul", body: "" }, undefined, withNul),
      store.posts.create({ authorId, title: "whole", body: "" }, undefined, whole),
    ]);
    assert.equal(withNul.json, null);
    assert.equal(await read.run([ids[0]], true), '{"title":"nul"}');
    assert.deepEqual(whole.json, ['{"title":"whole"}']);
  });

  test("the same slug on two nodes at once: each post gets one of its own", async () => {
    const second = await openStore(url);
    const ids = await Promise.all(
      Array.from({ length: 60 }, (_, i) =>
        (i % 2 === 0 ? store : second).posts.create({ authorId, title: "same", body: "", rendered: rendered("same") }),
      ),
    );
    await second.close();
    const slugs = await sqlOn<{ id: string; slug: string }>(url, "select id, slug from posts where title = 'same'");
    assert.deepEqual(slugs.map(({ id }) => id).toSorted(), ids.toSorted());
    assert.equal(new Set(slugs.map(({ slug }) => slug)).size, 60);
    assert.equal((await transactions("same")).posts, 60);
  });

  /** Sessions of ours that wait for a lock. */
  const WAITING = `from pg_stat_activity where application_name = 'content-api' and datname = current_database()
    and wait_event_type = 'Lock'`;
  async function untilOneWaits(): Promise<void> {
    for (let i = 0; (await sqlOn(url, `select ${WAITING}`)).length === 0; i++) {
      assert.ok(i < 1_000, "nobody waits for the lock");
      await pause(5);
    }
  }

  test("one that waits for a lock holds up the others for a moment only, and is made when it gets it", async () => {
    const holder = new pg.Client({ connectionString: url });
    await holder.connect();
    await holder.query("begin");
    await holder.query("select from users where id = $1 for update", [otherId]);
    let isBlocked = true;
    const began = livedTime();
    const blocked = store.posts.create({ authorId: otherId, title: "locked", body: "" });
    void blocked.then(() => {
      isBlocked = false;
    });
    await Promise.all(
      Array.from({ length: 10 }, (_, i) => store.posts.create({ authorId, title: `lock ${i}`, body: "" })),
    );
    assert.ok(livedTime() - began < 3_000, "the others have waited for it");
    assert.ok(isBlocked);
    await holder.query("rollback");
    await holder.end();
    await blocked;
    assert.equal((await transactions("lock")).posts, 11);
  });

  test("F09 a session that is ended before their commit: each is made once all the same", async () => {
    const holder = new pg.Client({ connectionString: url });
    await holder.connect();
    await holder.query("begin");
    await holder.query("lock table outbox in share mode");
    const creating = Array.from({ length: 8 }, (_, i) =>
      store.posts.create({ authorId, title: `ended ${i}`, body: "" }),
    );
    await untilOneWaits();
    const ended = await sqlOn(url, `select pg_terminate_backend(pid) ${WAITING}`);
    assert.equal(ended.length, 1, "all eight wait in one transaction");
    await holder.query("rollback");
    await holder.end();
    await Promise.all(creating);
    assert.equal((await transactions("ended")).posts, 8);
    assert.equal((await sqlOn(url, "select from posts where title like 'ended%'")).length, 8);
  });

  test("F10 a connection that is lost while they are committed: each is in doubt, says so, and none is made twice", async () => {
    const { hostname, port } = new URL(url);
    const proxy = await openTcpProxy({ host: hostname, port: Number(port) });
    const behind = new URL(url);
    behind.port = String(proxy.port);
    const far = await openStore(behind.href);
    await far.posts.create({ authorId, title: "before", body: "" });
    const holder = new pg.Client({ connectionString: url });
    await holder.connect();
    await holder.query("begin");
    await holder.query("lock table outbox in share mode");
    const creating = Promise.allSettled(
      Array.from({ length: 8 }, (_, i) => far.posts.create({ authorId, title: `doubt ${i}`, body: "" })),
    );
    await untilOneWaits();
    await pause(200); // all of it is sent
    proxy.cut();
    await holder.query("rollback");
    await holder.end();
    for (const outcome of await creating) {
      assert.equal(outcome.status, "rejected");
      assert.match(String(outcome.reason), /whether the change was made is not known/);
    }
    proxy.restore();
    await far.posts.create({ authorId, title: "after", body: "" });
    const { posts } = await transactions("doubt");
    const all = await sqlOn(url, "select from posts where title like 'doubt%'");
    assert.equal(all.length, posts, "each has its event");
    assert.ok(posts === 0 || posts === 8, `${posts} of 8`);
    await far.close();
    await proxy.close();
  });
});
