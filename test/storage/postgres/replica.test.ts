import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { after, before, describe, test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { hashToken } from "../../../src/secrets/token-hash.ts";
import { openStore } from "../../../src/storage/open.ts";
import { openTestApp } from "../../app.ts";
import { runCommand } from "../../command.ts";
import { aClient, anArtifact } from "../../conformance/samples.ts";
import { sqlOn, startPostgres } from "../../postgres.ts";
import { startReplica } from "../../postgres-replica.ts";
import { createReplicated, openReplicaNode, openReplicaNodes, type ReplicaNodes, until } from "../../replica-nodes.ts";

const primary = await startPostgres();
const replica = await startReplica(primary);
after(async () => {
  await replica.stop();
  await primary.stop();
});

describe("PostgreSQL with a read replica", () => {
  let all: ReplicaNodes;

  before(async () => {
    all = await openReplicaNodes(primary, replica);
  });
  after(() => all.close());

  /** Connections on the replica whose last statement was a read of posts. */
  const readers = async () => {
    const reading = "query like '%from posts as%' and pid <> pg_backend_pid() and datname = current_database()";
    return (await sqlOn(replica.addressOf(all.url), `select from pg_stat_activity where ${reading}`)).length;
  };
  const pauseReplay = () => sqlOn(replica.addressOf(primary.url), "select pg_wal_replay_pause()");
  const resumeReplay = () => sqlOn(replica.addressOf(primary.url), "select pg_wal_replay_resume()");

  test("reads of content go to the replica, and each node sees at once what the other has just written", async () => {
    assert.equal(await readers(), 0);
    for (let turn = 0; turn < 30; turn++) await all.writeAndRead(turn);
    assert.ok(all.nodes.every((node) => node.isUsing()));
    assert.ok((await readers()) >= 2);
  });

  test("the program: each node answers at once with what the other has just created", async (t) => {
    const [{ store }] = all.nodes;
    const { id: clientId } = await store.clients.put(aClient({ scopes: ["posts:read", "posts:write"] }));
    const scope = "posts:read posts:write";
    const expiresAtSeconds = Math.floor(Date.now() / 1_000) + 600;
    await store.artifacts.put(
      anArtifact({ idHash: hashToken("t"), userId: all.ada, clientId, scope, expiresAtSeconds }),
    );
    const settings = {
      DATABASE_URL: all.url,
      DATABASE_READ_URL: replica.addressOf(all.url),
      SECRET_KEY: randomBytes(32).toString("base64url"),
    };
    const apps = [await openTestApp(settings), await openTestApp({ ...settings, LOG_LEVEL: "silent" })] as const;
    t.after(() => Promise.all(apps.map((app) => app.close())));
    const ask = async (url: string, query: string) => {
      const headers = { "content-type": "application/json", authorization: "Bearer t" };
      const response = await fetch(`${url}/graphql`, { method: "POST", headers, body: JSON.stringify({ query }) });
      return (await response.json()) as unknown;
    };
    for (let turn = 0; turn < 10; turn++) {
      const [writer, reader] = turn % 2 === 0 ? apps : [apps[1], apps[0]];
      const title = `by the program ${turn}`;
      const created = await ask(
        writer.url,
        `mutation { createPost(input: { title: "${title}", body: "" }) { title } }`,
      );
      assert.deepEqual(created, { data: { createPost: { title } } });
      assert.deepEqual(await ask(reader.url, "{ posts(first: 1) { title } }"), { data: { posts: [{ title }] } });
    }
  });

  test("A30 replaying is paused: own writes and all that decides about security are seen, and writes soon wait no more", async () => {
    await all.untilUsed();
    await pauseReplay();
    try {
      const first = await all.writeAndRead(0);
      assert.ok(first < 2_500, `the first write took ${first} ms`);
      await all.untilUnused();
      const [here, there] = all.nodes;
      await here.store.artifacts.put(anArtifact({ idHash: "new", userId: all.ada, clientId: aClient().id }));
      assert.notEqual(await there.store.artifacts.findAccessToken("new", 1), null);
      await here.store.artifacts.destroy("AccessToken", "new");
      assert.equal(await there.store.artifacts.findAccessToken("new", 1), null);
      await pause(2_500); // until nobody is noted as a reader
      const took: number[] = [];
      for (let turn = 0; turn < 5; turn++) took.push(await all.writeAndRead(turn));
      const usual = took.toSorted((a, b) => a - b)[2] ?? Number.NaN;
      assert.ok(usual < 500, `writes that nobody has to wait for took ${took.join(", ")} ms`);
    } finally {
      await resumeReplay();
    }
    await all.untilUsed();
    await all.writeAndRead(0);
  });

  test("O23 the lag of the replica is in the metrics, and its reads are told from those of the primary", async () => {
    const [{ metrics }] = all.nodes;
    const sampleOf = (series: string) =>
      Number(metrics.print().split(`\n${series} `)[1]?.split("\n", 1)[0] ?? Number.NaN);
    await all.untilUsed();
    await all.writeAndRead(0);
    await all.writeAndRead(1);
    assert.ok(sampleOf('db_operation_duration_seconds_count{operation="read",role="replica"}') > 0);
    assert.ok(sampleOf('db_operation_duration_seconds_count{operation="read",role="primary"}') > 0);
    await until(() => sampleOf("replica_lag_bytes") === 0, "no lag");
    await pauseReplay();
    try {
      await all.writeAndRead(0);
      await until(() => sampleOf("replica_lag_bytes") > 0, "a lag");
    } finally {
      await resumeReplay();
    }
    await all.untilUsed();
    await until(() => sampleOf("replica_lag_bytes") === 0, "no lag");
  });

  test("what a mutation answers is read on the primary, whatever the replica has", async () => {
    const [{ store }] = all.nodes;
    const selection = { type: "User", fields: [{ kind: "column", key: "name", column: "name" }] } as const;
    const name = store.prepareRead({ kind: "user", id: { slot: 0 }, selection });
    await pauseReplay();
    try {
      await sqlOn(all.url, "update users set name = 'Changed past the program'");
      assert.equal(await name.run([all.ada], true), '{"name":"Changed past the program"}');
    } finally {
      await resumeReplay();
    }
  });
});

describe("PostgreSQL: opening with a read replica", () => {
  test("one that refuses us, and one of another database, stop the start, and the message names the setting", async () => {
    const url = await createReplicated(primary, replica);
    const bad = new URL(replica.addressOf(url));
    bad.password = "hush";
    const refusal = (message: RegExp) => (error: Error) => message.test(error.message) && !/hush/.test(error.message);
    await assert.rejects(openReplicaNode(url, bad.href), refusal(/DATABASE_READ_URL.*user name or the password/));
    const missing = new URL(replica.addressOf(url));
    missing.pathname = "missing";
    await assert.rejects(openReplicaNode(url, missing.href), refusal(/DATABASE_READ_URL.*no such database/));
    await assert.rejects(
      openReplicaNode(url, replica.addressOf(primary.url)),
      refusal(/DATABASE_READ_URL.*another database/),
    );
    await assert.rejects(
      openReplicaNode(url, `${replica.addressOf(url)}?pool_size=1`),
      refusal(/pool_size in DATABASE_READ_URL/),
    );
  });

  test("one that is away, and the primary itself, are no reason not to start", async () => {
    const url = await createReplicated(primary, replica);
    for (const readUrl of ["postgres://u:hush@127.0.0.1:1/d", url]) {
      const { store, titles, said } = await openReplicaNode(url, readUrl);
      assert.deepEqual(said, ["the read replica is away: reads go to the primary"]);
      assert.equal(await titles.run([1]), "[]");
      await store.close();
    }
  });

  test("the doctor tells of it", async () => {
    const url = await createReplicated(primary, replica);
    await (await openStore(url)).close();
    const environment = { DATABASE_URL: url, SECRET_KEY: "A".repeat(43), LOG_LEVEL: "silent" };
    const examine = async (DATABASE_READ_URL: string) => {
      const { stdout } = await runCommand(["doctor", "--json"], { ...environment, DATABASE_READ_URL });
      return (JSON.parse(stdout) as { check: string; result: string; detail: string }[]).flatMap(
        ({ check, result, detail }) =>
          check === "replica" || result === "wrong" ? [`${check} ${result}: ${detail}`] : [],
      );
    };
    const address = replica.addressOf(url);
    assert.deepEqual(await examine(address), [`replica good: ${address.replace("secret", "***")} answers`]);
    assert.match((await examine("postgres://u@127.0.0.1:1/d")).join(), /^replica warning: the read replica is away/);
  });

  test("a user who is nobody special can use it", async () => {
    await sqlOn(primary.url, "create role plain login password 'secret'");
    const url = new URL(await createReplicated(primary, replica));
    await sqlOn(primary.url, `alter database ${url.pathname.slice(1)} owner to plain`);
    url.username = "plain";
    const { store, said } = await openReplicaNode(url.href, replica.addressOf(url.href));
    await until(() => said.includes("reads go to the replica"), "the replica is used");
    await store.close();
  });
});
