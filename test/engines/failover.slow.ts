import assert from "node:assert/strict";
import { Agent } from "node:http";
import { test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { count } from "../faults/counts.ts";
import { History } from "../faults/history.ts";
import { install, untilReady } from "../faults/installation.ts";
import { send, startWriters } from "../faults/writers.ts";
import { createDatabase } from "../postgres.ts";
import { livedTime } from "../timing.ts";
import { lacksPatroni, startCluster } from "./patroni.ts";

/** Milliseconds after a kill in which writes are acknowledged again. */
const BACK = 30_000;
/** Milliseconds until the member that was killed has what the others have. */
const WHOLE = 120_000;

test("E11 the primary of a Patroni cluster is killed under load, again and again: writes are back within 30 s, none is lost", {
  skip: lacksPatroni,
}, async (t) => {
  const kills = count(20, 2);
  const cluster = await startCluster();
  t.after(() => cluster.stop());
  const url = await createDatabase(cluster.url);
  const reader = new URL(url);
  reader.host = new URL(cluster.members[2]?.url ?? "").host;
  const installation = await install(t, { url }, { DATABASE_READ_URL: reader.href });
  await installation.start();
  const history = new History();
  const writers = startWriters(history, () => installation, { writers: 8, idle: 10 });
  const reads = startReader(installation);
  t.after(async () => {
    reads.stop();
    await writers.stop();
  });
  await writers.acknowledge(100, BACK);
  const back: number[] = [];
  const unread: number[] = [];
  for (let kill = 0; kill < kills; kill++) {
    await cluster.untilWhole(WHOLE);
    await writers.acknowledge(50, BACK);
    const primary = await cluster.primary();
    assert.ok(primary !== undefined, "no primary");
    reads.reset();
    const began = livedTime();
    await primary.kill();
    await writers.acknowledge(20, 2 * BACK); // those under way may have been acknowledged before
    back.push(livedTime() - began);
    await untilReady(installation.url, BACK);
    unread.push(reads.longest());
    primary.start();
  }
  await cluster.untilWhole(WHOLE);
  reads.stop();
  await writers.stop();
  history.assertExplains(await installation.read());
  const seconds = (times: number[]) => times.map((time) => (time / 1_000).toFixed(1)).join(", ");
  t.diagnostic(`E11 ${kills} kills: ${history.summary()}; writes back after ${seconds(back)} s`);
  t.diagnostic(`E11 longest time without a read that was answered: ${seconds(unread)} s`);
  t.diagnostic(`E11 ${JSON.stringify(history.reasons())}`);
  assert.ok(Math.max(...back) <= BACK, `writes were back after ${seconds(back)} s`);
});

/** Reads all the time, and notes how long there was no answer. */
function startReader(installation: Awaited<ReturnType<typeof install>>) {
  const agent = new Agent({ keepAlive: true });
  let longest = 0;
  let last = livedTime();
  let isOver = false;
  void (async () => {
    while (!isOver) {
      const reply = await send(agent, installation, { query: "{ posts(first: 1) { id } }" });
      if ("status" in reply && reply.status === 200) {
        longest = Math.max(longest, livedTime() - last);
        last = livedTime();
      }
      await pause(20);
    }
    agent.destroy();
  })();
  return {
    reset() {
      longest = 0;
      last = livedTime();
    },
    longest: () => Math.max(longest, livedTime() - last),
    stop() {
      isOver = true;
    },
  };
}
