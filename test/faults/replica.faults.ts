import assert from "node:assert/strict";
import { after, before, beforeEach, describe, test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { sqlOn, startPostgres } from "../postgres.ts";
import { startReplica } from "../postgres-replica.ts";
import { openReplicaNodes, type ReplicaNodes } from "../replica-nodes.ts";
import { livedTime } from "../timing.ts";
import { count } from "./counts.ts";

const primary = await startPostgres();
const replica = await startReplica(primary);
after(async () => {
  await replica.stop();
  await primary.stop();
});

describe("the read replica fails", () => {
  let all: ReplicaNodes;

  before(async () => {
    all = await openReplicaNodes(primary, replica);
    await all.writeAndRead(0);
  });
  after(() => all.close());
  beforeEach(() => all.untilUsed());

  const onReplica = (statement: string) => sqlOn(replica.addressOf(primary.url), statement);

  test("F09 it stops replaying and goes on, in turns, under writes: no read misses what was acknowledged", async (t) => {
    const rounds = count(60, 4);
    const turning = (async () => {
      for (let round = 0; round < rounds; round++) {
        await onReplica("select pg_wal_replay_pause()");
        await pause(Math.random() * 1_500);
        await onReplica("select pg_wal_replay_resume()");
        await pause(Math.random() * 600);
      }
    })();
    let isOver = false;
    const over = () => {
      isOver = true;
    };
    turning.then(over, over);
    let writes = 0;
    let slowest = 0;
    while (!isOver) slowest = Math.max(slowest, await all.writeAndRead(writes++));
    await turning;
    assert.ok(slowest < 2_000, `a write took ${slowest} ms`);
    t.diagnostic(
      `F09 ${rounds} pauses, ${writes} writes read at once at the other node, slowest ${Math.round(slowest)} ms`,
    );
  });

  test("F09 it is frozen: what waits for it is answered by the primary", async (t) => {
    const rounds = count(10, 1);
    let slowest = 0;
    for (let round = 0; round < rounds; round++) {
      await all.untilUsed();
      replica.signal("SIGSTOP");
      try {
        const began = livedTime();
        const answers = await Promise.all(
          Array.from({ length: 20 }, async (_, i) => all.nodes[i % 2 === 0 ? 0 : 1].titles.run([1])),
        );
        assert.ok(answers.every((answer) => answer.startsWith('[{"title":')));
        slowest = Math.max(slowest, livedTime() - began);
        await all.writeAndRead(round);
      } finally {
        replica.signal("SIGCONT");
      }
    }
    assert.ok(slowest < 3_000, `a read took ${slowest} ms`);
    t.diagnostic(`F09 frozen ${rounds} times, slowest read ${Math.round(slowest)} ms`);
  });

  test("F09 it ends and comes back: every read is answered", async (t) => {
    const rounds = count(10, 1);
    let isOver = false;
    let reads = 0;
    const reading = all.nodes.map(async ({ titles }) => {
      for (; !isOver; reads++) {
        assert.match(await titles.run([1]), /^\[\{"title":/);
        await pause(1);
      }
    });
    for (let round = 0; round < rounds; round++) {
      await all.untilUsed();
      await replica.kill();
      await all.writeAndRead(round);
      await all.untilUnused();
      await replica.start();
    }
    await all.untilUsed();
    isOver = true;
    await Promise.all(reading);
    t.diagnostic(`F09 ended ${rounds} times, ${reads} reads answered`);
  });

  test("F09 it is promoted: reads go to the primary, and see every write", async () => {
    await onReplica("select pg_promote()");
    for (let turn = 0; turn < 6; turn++) await all.writeAndRead(turn);
    await all.untilUnused();
    await all.writeAndRead(0);
  });
});
