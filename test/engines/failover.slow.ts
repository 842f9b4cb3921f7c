import assert from "node:assert/strict";
import { test } from "node:test";
import { count } from "../faults/counts.ts";
import { History } from "../faults/history.ts";
import { install, untilReady } from "../faults/installation.ts";
import { startWriters } from "../faults/writers.ts";
import { freePort } from "../port.ts";
import { createDatabase } from "../postgres.ts";
import { livedTime } from "../timing.ts";
import { startReader } from "./failover-reader.ts";
import { lacksPatroni, startCluster } from "./patroni.ts";

/** Milliseconds after a kill in which writes are acknowledged again. */
const BACK = 30_000;
/** Milliseconds without an answer to reads, where they may be old. */
const UNREAD = 1_000;
/** Milliseconds until the member that was killed has what the others have. */
const WHOLE = 120_000;

test("E11 the primary of a Patroni cluster is killed under load, again and again: writes are back within 30 s, none is lost, and reads go on", {
  skip: lacksPatroni,
}, async (t) => {
  const kills = count(20, 2);
  const cluster = await startCluster();
  t.after(() => cluster.stop());
  const url = await createDatabase(cluster.url);
  const reader = new URL(url);
  reader.host = new URL(cluster.members[2]?.url ?? "").host;
  const settings = { DATABASE_READ_URL: reader.href, PUBLIC_READ: "true", READ_STALENESS: "30s" };
  const installation = await install(t, { url }, settings);
  await installation.start();
  const other = await freePort();
  await installation.start({ PORT: String(other), READ_STALENESS: "0" });
  const exact = `http://localhost:${other}`;
  const history = new History();
  const writers = startWriters(history, () => installation, { writers: 8, idle: 10 });
  const { token } = installation;
  const reads = {
    "without a token": startReader(history, { url: installation.url, token: "" }),
    "with a token": startReader(history, { url: installation.url, token }),
    "READ_STALENESS=0": startReader(history, { url: exact, token: "" }),
  };
  const readers = Object.values(reads);
  t.after(async () => {
    for (const one of readers) one.stop();
    await writers.stop();
  });
  await writers.acknowledge(100, BACK);
  const back: number[] = [];
  for (let kill = 0; kill < kills; kill++) {
    await cluster.untilWhole(WHOLE);
    await Promise.all(readers.map((one) => one.untilAnswered(BACK)));
    await writers.acknowledge(50, BACK);
    const primary = await cluster.primary();
    assert.ok(primary !== undefined, "no primary");
    for (const one of readers) one.begin();
    const began = livedTime();
    await primary.kill();
    await writers.acknowledge(20, 2 * BACK); // those under way may have been acknowledged before
    back.push(livedTime() - began);
    await untilReady(installation.url, BACK);
    await untilReady(exact, BACK);
    for (const one of readers) one.end();
    primary.start();
  }
  await cluster.untilWhole(WHOLE);
  for (const one of readers) one.stop();
  await writers.stop();
  history.assertExplains(await installation.read());
  const seconds = (times: readonly number[]) => times.map((time) => (time / 1_000).toFixed(1)).join(", ");
  t.diagnostic(`E11 ${kills} kills: ${history.summary()}; writes back after ${seconds(back)} s`);
  for (const [who, one] of Object.entries(reads))
    t.diagnostic(`E11 longest time without an answer to reads, ${who}: ${seconds(one.unread)} s; ${one.summary()}`);
  t.diagnostic(`E11 ${JSON.stringify(history.reasons())}`);
  assert.ok(Math.max(...back) <= BACK, `writes were back after ${seconds(back)} s`);
  for (const [who, { missed }] of Object.entries(reads))
    assert.deepEqual([...missed], [], `${who}: acknowledged, and not seen`);
  assert.ok(Math.max(...reads["without a token"].unread) <= UNREAD, seconds(reads["without a token"].unread));
});
