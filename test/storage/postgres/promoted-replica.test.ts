import assert from "node:assert/strict";
import { describe, type TestContext, test } from "node:test";
import { aPerson } from "../../conformance/samples.ts";
import { openTcpProxy } from "../../faults/tcp-proxy.ts";
import { sqlOn, startPostgres } from "../../postgres.ts";
import { startReplica } from "../../postgres-replica.ts";
import { createReplicated, openReplicaNode, until } from "../../replica-nodes.ts";

/**
 * A primary with two replicas: nodes read from `near`, and `next` becomes the primary. Nodes reach the primary through a proxy, as
 * through that of a cluster.
 */
async function startCluster(t: TestContext) {
  const primary = await startPostgres();
  const [near, next] = [await startReplica(primary), await startReplica(primary)];
  const target = { host: "127.0.0.1", port: Number(new URL(primary.url).port) };
  const way = await openTcpProxy(target);
  const url = await createReplicated(primary, near);
  await createReplicated(primary, next);
  const through = new URL(url);
  through.port = String(way.port);
  const nodes = await Promise.all(
    [0, 30, 30].map((staleness) => openReplicaNode(through.href, near.addressOf(url), staleness)),
  );
  t.after(async () => {
    await Promise.all(nodes.map(({ store }) => store.close()));
    await way.close();
    await near.stop();
    await next.stop();
    await primary.stop();
  });
  const [first] = nodes;
  const { id: ada } = await (first ?? assert.fail()).store.users.create(aPerson());
  const untilUsed = () => until(() => nodes.every((node) => node.isUsing()), "all nodes read from the replica");
  await untilUsed();
  return {
    ...{ url, nodes, near, next, untilUsed },
    /** Kills the primary. */
    async fail() {
      way.cut();
      await primary.kill("SIGQUIT");
    },
    async promote() {
      const promoted = next.addressOf(url);
      await sqlOn(promoted, "select pg_promote()");
      target.port = Number(new URL(promoted).port);
      way.restore();
    },
    /** Each node writes, and reads what it has written. */
    async writeAndRead() {
      for (const [number, { store, title }] of nodes.entries()) {
        const written = `by ${number}`;
        const id = await store.posts.create({ authorId: ada, title: written, body: "" });
        assert.equal(await title.run([id]), JSON.stringify({ title: written }));
      }
    },
  };
}

describe("a replica becomes the primary, and another one is read from", () => {
  test("E11 a replica that has more of the old primary than the new one is not taken for one that has its writes", async (t) => {
    const cluster = await startCluster(t);
    const { url, near, next } = cluster;
    await cluster.writeAndRead();
    await next.kill();
    await sqlOn(url, "create table filler as select repeat('x', 1000) from generate_series(1, 20000)");
    const isThere = "select 1 from pg_class where relname = 'filler'";
    await until(async () => (await sqlOn(near.addressOf(url), isThere)).length === 1, "it is replayed");
    await cluster.fail();
    await next.start();
    await cluster.promote();
    await cluster.writeAndRead();
    assert.ok(!cluster.nodes.some((node) => node.isUsing()));
  });

  test("E11 a replica that follows the new primary is read from again", async (t) => {
    const cluster = await startCluster(t);
    const { url, near, next } = cluster;
    await cluster.fail();
    await cluster.promote();
    await cluster.writeAndRead();
    const { port } = new URL(next.addressOf(url));
    const [row] = await sqlOn<{ conninfo: string }>(
      near.addressOf(url),
      "select current_setting('primary_conninfo') as conninfo",
    );
    const conninfo = row?.conninfo.replace(/port=\d+/, `port=${port}`);
    await sqlOn(near.addressOf(url), `alter system set primary_conninfo = '${conninfo}'`);
    await sqlOn(near.addressOf(url), "select pg_reload_conf()");
    await cluster.untilUsed();
    await cluster.writeAndRead();
    assert.ok(cluster.nodes.every((node) => node.isUsing()));
  });
});
