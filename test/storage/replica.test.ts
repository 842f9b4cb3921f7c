import assert from "node:assert/strict";
import { after, before, beforeEach, describe, test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import type { Id } from "../../src/domain/id.ts";
import type { PreparedRead, Store } from "../../src/domain/store.ts";
import type { Log } from "../../src/observe/log.ts";
import { openStore } from "../../src/storage/open.ts";
import { aPerson } from "../conformance/samples.ts";
import { sqlOn, startPostgres } from "../postgres.ts";
import { startReplica } from "../postgres-replica.ts";

const primary = await startPostgres();
const replica = await startReplica(primary);
after(async () => {
  await replica.stop();
  await primary.stop();
});

interface Node {
  readonly store: Store;
  readonly titles: PreparedRead;
  readonly title: PreparedRead;
  /** What was logged, such as `reads go to the replica`. */
  readonly said: string[];
}

async function openNode(url: string, readUrl = replica.addressOf(url)): Promise<Node> {
  const said: string[] = [];
  const log: Log = {
    debug() {},
    info: (_fields, message) => void said.push(message),
    warn: (_fields, message) => void said.push(message),
    error: (_fields, message) => void said.push(message),
  };
  const store = await openStore(url, { readUrl, log });
  const selection = { type: "Post", fields: [{ kind: "column", key: "title", column: "title" }] } as const;
  const titles = store.prepareRead({ kind: "posts", first: { slot: 0 }, selection });
  const title = store.prepareRead({ kind: "post", id: { slot: 0 }, selection });
  return { store, said, titles, title };
}

async function until(isIt: () => boolean | Promise<boolean>, what: string): Promise<void> {
  for (const deadline = performance.now() + 8_000; !(await isIt()); await pause(10)) {
    assert.ok(performance.now() < deadline, `not within eight seconds: ${what}`);
  }
}

describe("PostgreSQL with a read replica", () => {
  let url: string;
  let nodes: [Node, Node];
  let ada: Id;
  let count = 0;

  before(async () => {
    url = await primary.createDatabase();
    nodes = [await openNode(url), await openNode(url)];
    ada = (await nodes[0].store.users.create(aPerson())).id;
  });
  after(() => Promise.all(nodes.map(({ store }) => store.close())));
  beforeEach(() => until(areUsed, "both nodes read from the replica"));

  const areUsed = () => nodes.every(({ said }) => said.at(-1) === "reads go to the replica");
  const areUnused = () => nodes.every(({ said }) => said.at(-1)?.endsWith("reads go to the primary"));

  /** Connections on the replica whose last statement was a read of posts. */
  async function readsOnReplica(): Promise<number> {
    const rows = await sqlOn(
      replica.addressOf(url),
      "select from pg_stat_activity where datname = current_database() and query like '%from posts as%' and pid <> pg_backend_pid()",
    );
    return rows.length;
  }

  /** Writes at one node, and reads at the other as soon as that is acknowledged. @returns milliseconds of the write */
  async function writeAndRead(writer: Node, reader: Node): Promise<number> {
    const title = `title ${count++}`;
    const began = performance.now();
    const id = await writer.store.posts.create({ authorId: ada, title, body: "" });
    const took = performance.now() - began;
    assert.equal(await reader.title.run([id]), JSON.stringify({ title }));
    return took;
  }

  test("reads of content go to the replica, and each node sees at once what the other has just written", async () => {
    assert.equal(await readsOnReplica(), 0);
    for (let i = 0; i < 30; i++) await writeAndRead(nodes[i % 2] as Node, nodes[(i + 1) % 2] as Node);
    assert.ok(areUsed());
    assert.ok((await readsOnReplica()) >= 2);
  });

  test("what decides about security, and what a mutation answers, is read on the primary", async () => {
    await sqlOn(replica.addressOf(primary.url), "select pg_wal_replay_pause()");
    try {
      const { store } = nodes[0];
      const expiresAtSeconds = 2_000_000_000;
      const { id: clientId } = await store.clients.put({
        id: "c",
        name: "C",
        type: "public",
        secretHash: null,
        redirectUris: ["https://app.example.com/"],
        postLogoutRedirectUris: [],
        grantTypes: ["authorization_code"],
        scopes: [],
        firstParty: false,
      });
      const token = { kind: "AccessToken", idHash: "t", grantId: null, userId: ada, clientId, scope: null };
      const rest = { uidHash: null, userCodeHash: null, payload: "", expiresAtSeconds, consumedAtSeconds: null };
      await store.artifacts.put({ ...token, ...rest });
      assert.notEqual(await nodes[1].store.artifacts.findAccessToken("t", 1), null);
      await store.users.update(ada, { disabledAt: "2026-01-31T12:00:00.000Z" });
      assert.equal(await nodes[1].store.artifacts.findAccessToken("t", 1), null);
      await store.users.update(ada, { disabledAt: null });
      const selection = { type: "User", fields: [{ kind: "column", key: "name", column: "name" }] } as const;
      const name = store.prepareRead({ kind: "user", id: { slot: 0 }, selection });
      await sqlOn(url, `update users set name = 'Changed' where id = '${ada}'`);
      assert.equal(await name.run([ada], true), '{"name":"Changed"}');
    } finally {
      await sqlOn(replica.addressOf(primary.url), "select pg_wal_replay_resume()");
    }
  });

  test("replaying is paused: own writes are seen, reads go to the primary, and writes soon wait no more", async () => {
    await sqlOn(replica.addressOf(primary.url), "select pg_wal_replay_pause()");
    try {
      const first = await writeAndRead(nodes[0], nodes[1]);
      assert.ok(first < 1_500, `the first write took ${first} ms`);
      await until(areUnused, "both nodes read from the primary");
      await pause(1_500); // until nobody is noted as a reader
      for (let i = 0; i < 5; i++) {
        const took = await writeAndRead(nodes[i % 2] as Node, nodes[(i + 1) % 2] as Node);
        assert.ok(took < 500, `a write that nobody has to wait for took ${took} ms`);
      }
    } finally {
      await sqlOn(replica.addressOf(primary.url), "select pg_wal_replay_resume()");
    }
    await until(areUsed, "the replica is read from again");
    await writeAndRead(nodes[0], nodes[1]);
  });

  test("the replica is paused and goes on in turns under writes: no read misses what was acknowledged", async () => {
    const turns = (async () => {
      for (let i = 0; i < 4; i++) {
        await sqlOn(replica.addressOf(primary.url), "select pg_wal_replay_pause()");
        await pause(150 + i * 300);
        await sqlOn(replica.addressOf(primary.url), "select pg_wal_replay_resume()");
        await pause(300);
      }
      return true;
    })();
    let isOver = false;
    const over = () => {
      isOver = true;
    };
    turns.then(over, over);
    for (let i = 0; !isOver; i++) await writeAndRead(nodes[i % 2] as Node, nodes[(i + 1) % 2] as Node);
    await turns;
  });

  test("F09 the replica is frozen: what waits for it is answered by the primary within two seconds", async () => {
    replica.signal("SIGSTOP");
    try {
      const began = performance.now();
      const answers = await Promise.all(Array.from({ length: 20 }, (_, i) => (nodes[i % 2] as Node).titles.run([1])));
      assert.ok(answers.every((answer) => answer.startsWith('[{"title":')));
      assert.ok(performance.now() - began < 2_000);
      await writeAndRead(nodes[0], nodes[1]);
    } finally {
      replica.signal("SIGCONT");
    }
  });

  test("F09 the replica ends: answers go on without an error, and it is read from when it is back", async () => {
    const reading = { isOver: false };
    const readers = nodes.map(async ({ titles }) => {
      while (!reading.isOver) {
        assert.match(await titles.run([1]), /^\[\{"title":/);
        await pause(1);
      }
    });
    await replica.kill();
    await writeAndRead(nodes[0], nodes[1]);
    await until(areUnused, "both nodes read from the primary");
    await replica.start();
    await until(areUsed, "the replica is read from again");
    reading.isOver = true;
    await Promise.all(readers);
  });
});

describe("PostgreSQL: opening with a read replica", () => {
  test("one that refuses us, and one of another database, stop the start, and the message names the setting", async () => {
    const url = await primary.createDatabase();
    const bad = new URL(replica.addressOf(url));
    bad.password = "hush";
    const refusal = (message: RegExp) => (error: Error) => message.test(error.message) && !/hush/.test(error.message);
    await assert.rejects(openNode(url, bad.href), refusal(/DATABASE_READ_URL.*user name or the password/));
    const missing = new URL(replica.addressOf(url));
    missing.pathname = "missing";
    await assert.rejects(openNode(url, missing.href), refusal(/DATABASE_READ_URL.*no such database/));
    await assert.rejects(openNode(url, replica.addressOf(primary.url)), refusal(/DATABASE_READ_URL.*another database/));
    await assert.rejects(
      openNode(url, `${replica.addressOf(url)}?pool_size=1`),
      refusal(/pool_size in DATABASE_READ_URL/),
    );
  });

  test("one that is away, and the primary itself, are no reason not to start", async () => {
    const url = await primary.createDatabase();
    for (const readUrl of ["postgres://u:hush@127.0.0.1:1/d", url]) {
      const { store, titles, said } = await openNode(url, readUrl);
      assert.deepEqual(said, ["the read replica is away: reads go to the primary"]);
      assert.equal(await titles.run([1]), "[]");
      await store.close();
    }
  });

  test("a user who is nobody special can use it", async () => {
    await sqlOn(primary.url, "create role plain login password 'secret'");
    const url = new URL(await primary.createDatabase());
    await sqlOn(primary.url, `alter database ${url.pathname.slice(1)} owner to plain`);
    url.username = "plain";
    const { store, said } = await openNode(url.href);
    await until(() => said.includes("reads go to the replica"), "the replica is used");
    await store.close();
  });
});

test("F09 the replica is promoted: reads go to the primary, and nothing is lost", async () => {
  const url = await primary.createDatabase();
  const { store, titles, said } = await openNode(url);
  const { id: authorId } = await store.users.create(aPerson());
  await until(() => said.includes("reads go to the replica"), "the replica is used");
  await sqlOn(replica.addressOf(primary.url), "select pg_promote()");
  for (let i = 0; i < 3; i++) {
    await store.posts.create({ authorId, title: `after ${i}`, body: "" });
    assert.equal(await titles.run([1]), `[{"title":"after ${i}"}]`);
  }
  await until(() => said.at(-1)?.endsWith("reads go to the primary") === true, "the replica is not used");
  await store.close();
});
