import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import type { Id } from "../../../src/domain/id.ts";
import { aPerson, hasCode } from "../../conformance/samples.ts";
import { sqlOn } from "../../postgres.ts";
import { createReplicated, openReplicaNode, type ReplicaNode, startFarPrimary, until } from "../../replica-nodes.ts";
import { livedTime } from "../../timing.ts";

const STALE = "the read replica is behind, or the primary is away: content that is read may be old";
/** Milliseconds that a read takes at most while the primary is away. */
const PROMPT = 1_000;

const { primary, replica, way } = await startFarPrimary();

describe("READ_STALENESS", () => {
  let url: string;
  let here: ReplicaNode;
  let there: ReplicaNode;
  /** One with READ_STALENESS=2s, and one with 0. */
  let brief: ReplicaNode;
  let exact: ReplicaNode;
  let ada: Id;
  const nodes = () => [here, there, brief, exact];

  before(async () => {
    url = await createReplicated(primary, replica);
    const through = new URL(url);
    through.port = String(way.port);
    const open = (staleness: number) => openReplicaNode(through.href, replica.addressOf(url), staleness);
    here = await open(30);
    there = await open(30);
    brief = await open(2);
    exact = await open(0);
    ada = (await here.store.users.create(aPerson())).id;
    await untilUsed();
  });
  after(() => Promise.all(nodes().map(({ store }) => store.close())));

  const untilUsed = () => until(() => nodes().every((node) => node.isUsing()), "all nodes read from the replica");
  const pauseReplay = () => sqlOn(replica.addressOf(primary.url), "select pg_wal_replay_pause()");
  const resumeReplay = () => sqlOn(replica.addressOf(primary.url), "select pg_wal_replay_resume()");
  const write = (node: ReplicaNode, title: string) => node.store.posts.create({ authorId: ada, title, body: "" });
  /** Reads one post again and again. @returns milliseconds of the slowest read */
  async function readFor(milliseconds: number, node: ReplicaNode, id: Id, expected: string): Promise<number> {
    let slowest = 0;
    for (const began = livedTime(); livedTime() - began < milliseconds; await pause(10)) {
      const asked = livedTime();
      assert.equal(await node.title.run([id]), expected);
      slowest = Math.max(slowest, livedTime() - asked);
    }
    return slowest;
  }

  test("E12 replaying is paused: a node sees its own writes at once, those of others later, and people always as they are", async () => {
    await untilUsed();
    await pauseReplay();
    try {
      const id = await write(here, "mine");
      assert.equal(await here.title.run([id]), '{"title":"mine"}');
      assert.equal(await exact.title.run([id]), '{"title":"mine"}', "without staleness every node sees it");
      assert.equal(await there.title.run([id]), "null", "the replica, which lacks it, goes on answering");
      assert.ok(there.said.includes(STALE));
      assert.equal((await there.store.facts()).replica?.isStale, true);
      const { id: eve } = await here.store.users.create(aPerson({ email: "eve@example.com" }));
      assert.notEqual(await there.store.users.find(eve), null, "accounts are read on the primary");
      const own = await write(there, "theirs");
      assert.equal(await there.title.run([own]), '{"title":"theirs"}');
      assert.equal(
        await there.title.run([id]),
        '{"title":"mine"}',
        "on the primary, as long as its own write needs it",
      );
      assert.equal(await there.title.run([id], true), '{"title":"mine"}');
    } finally {
      await resumeReplay();
    }
    await untilUsed();
  });

  test("E12 a replica that is known to be older than READ_STALENESS is not read from", async () => {
    await untilUsed();
    await pauseReplay();
    try {
      const began = livedTime();
      const id = await write(here, "late");
      assert.equal(await brief.title.run([id]), "null");
      await until(async () => (await brief.title.run([id])) !== "null", "the primary answers");
      const took = livedTime() - began;
      assert.ok(took < 2_500, `${took} ms`);
      assert.equal(await there.title.run([id]), "null", "which may be older");
    } finally {
      await resumeReplay();
    }
    await untilUsed();
  });

  for (const how of ["cut", "stall"] as const) {
    test(`E11 the primary is away (${how}): reads are answered within a second with all that was acknowledged, and nothing else is read`, async (t) => {
      await untilUsed();
      const id = await write(here, how);
      way[how]();
      try {
        const expected = JSON.stringify({ title: how });
        const slowest = await Promise.all([here, there].map((node) => readFor(3_500, node, id, expected)));
        assert.ok(Math.max(...slowest) < PROMPT, `a read took ${slowest.join(", ")} ms`);
        t.diagnostic(`E11 ${how}: slowest read ${Math.max(...slowest).toFixed(0)} ms`);
        assert.deepEqual(
          nodes().map(({ store }) => store.readsAlone()),
          [true, true, false, false],
        );
        if (how === "cut") {
          await assert.rejects(async () => here.store.users.find(ada), hasCode("UNAVAILABLE"));
          for (const node of [brief, exact]) {
            await assert.rejects(async () => node.title.run([id]), hasCode("UNAVAILABLE"), "too old for it");
          }
        }
      } finally {
        way.restore();
      }
      await untilUsed();
      const later = await write(there, "later");
      assert.equal(await there.title.run([later]), '{"title":"later"}');
    });
  }

  test("E11 a write that is committed when the primary goes away is acknowledged when the replica has it, and reads go on", async () => {
    await untilUsed();
    const before = await write(here, "before");
    await pauseReplay();
    try {
      let isAcknowledged = false;
      const writing = write(here, "committed").then((id) => {
        isAcknowledged = true;
        return id;
      });
      const committed = "select from posts where title = 'committed'";
      await until(async () => (await sqlOn(url, committed)).length === 1, "the commit");
      await pause(100); // until its position is known
      way.cut();
      const slowest = await readFor(2_000, here, before, '{"title":"before"}');
      assert.ok(slowest < PROMPT, `a read took ${slowest} ms`);
      assert.ok(!isAcknowledged, "the node would have to show it now");
      await resumeReplay();
      assert.equal(await here.title.run([await writing]), '{"title":"committed"}');
    } finally {
      await resumeReplay();
      way.restore();
    }
    await untilUsed();
  });
});
