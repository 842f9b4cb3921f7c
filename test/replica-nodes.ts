import assert from "node:assert/strict";
import { after } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import type { Id } from "../src/domain/id.ts";
import type { PreparedRead } from "../src/domain/reading/prepared-read.ts";
import type { Store } from "../src/domain/store/store.ts";
import type { Log } from "../src/observe/log.ts";
import { type Metrics, openMetrics } from "../src/observe/metrics.ts";
import { openStore } from "../src/storage/open.ts";
import { aPerson } from "./conformance/samples.ts";
import { openTcpProxy } from "./faults/tcp-proxy.ts";
import { type PostgresServer, sqlOn, startPostgres } from "./postgres.ts";
import { type PostgresReplica, startReplica } from "./postgres-replica.ts";
import { livedTime } from "./timing.ts";

/** A store that may read from a replica. */
export interface ReplicaNode {
  readonly store: Store;
  /** The newest posts, as many as given. */
  readonly titles: PreparedRead;
  /** The post with the id given. */
  readonly title: PreparedRead;
  isUsing(): boolean;
  /** What it logged. */
  readonly said: readonly string[];
  readonly metrics: Metrics;
}

/** A primary, its replica, and a way of nodes to the primary that the replica does not share. They end with the tests of the file. */
export async function startFarPrimary() {
  const primary = await startPostgres();
  const replica = await startReplica(primary);
  const way = await openTcpProxy({ host: "127.0.0.1", port: Number(new URL(primary.url).port) });
  after(async () => {
    await way.close();
    await replica.stop();
    await primary.stop();
  });
  return { primary, replica, way };
}

/** @param readStaleness seconds that content may be old */
export async function openReplicaNode(url: string, readUrl: string, readStaleness = 0): Promise<ReplicaNode> {
  const said: string[] = [];
  const say = (_fields: object, message: string) => {
    said.push(message);
  };
  const log: Log = { debug: () => {}, info: say, warn: say, error: say };
  const metrics = openMetrics();
  const store = await openStore(url, { readUrl, readStaleness, log, metrics });
  const selection = { type: "Post", fields: [{ kind: "column", key: "title", column: "title" }] } as const;
  return {
    store,
    titles: store.prepareRead({ kind: "posts", first: { slot: 0 }, selection }),
    title: store.prepareRead({ kind: "post", id: { slot: 0 }, selection }),
    isUsing: () => said.at(-1) === "reads go to the replica",
    ...{ said, metrics },
  };
}

/** Two nodes on a fresh database, both reading from the replica, and a person who writes. */
export interface ReplicaNodes {
  readonly url: string;
  readonly nodes: readonly [ReplicaNode, ReplicaNode];
  readonly ada: Id;
  /**
   * Writes at one node, and reads at the other as soon as that is acknowledged.
   *
   * @param turn 0: the first one writes, 1: the second one, and so on
   * @returns milliseconds that the write took
   * @throws AssertionError when it is not there
   */
  writeAndRead(turn: number): Promise<number>;
  untilUsed(): Promise<void>;
  untilUnused(): Promise<void>;
  close(): Promise<void>;
}

export async function openReplicaNodes(primary: PostgresServer, replica: PostgresReplica): Promise<ReplicaNodes> {
  const url = await createReplicated(primary, replica);
  const open = () => openReplicaNode(url, replica.addressOf(url));
  const nodes = [await open(), await open()] as const;
  const { id: ada } = await nodes[0].store.users.create(aPerson());
  let count = 0;
  const all: ReplicaNodes = {
    url,
    nodes,
    ada,
    async writeAndRead(turn) {
      const title = `title ${count++}`;
      const [writer, reader] = turn % 2 === 0 ? nodes : [nodes[1], nodes[0]];
      const began = livedTime();
      const id = await writer.store.posts.create({ authorId: ada, title, body: "" });
      const took = livedTime() - began;
      assert.equal(await reader.title.run([id]), JSON.stringify({ title }));
      return took;
    },
    untilUsed: () => until(() => nodes.every((node) => node.isUsing()), "both nodes read from the replica"),
    untilUnused: () => until(() => !nodes.some((node) => node.isUsing()), "both nodes read from the primary"),
    async close() {
      await Promise.all(nodes.map(({ store }) => store.close()));
    },
  };
  await all.untilUsed();
  return all;
}

/** A fresh database that the replica has too. */
export async function createReplicated(primary: PostgresServer, replica: PostgresReplica): Promise<string> {
  const url = await primary.createDatabase();
  const isThere = () =>
    sqlOn(replica.addressOf(url), "select 1").then(
      () => true,
      () => false,
    );
  await until(isThere, "the replica has the database");
  return url;
}

export async function until(isIt: () => boolean | Promise<boolean>, what: string): Promise<void> {
  for (const deadline = performance.now() + 30_000; !(await isIt()); await pause(10)) {
    assert.ok(performance.now() < deadline, `not within half a minute: ${what}`);
  }
}
