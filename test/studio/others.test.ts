import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { signal } from "@preact/signals";
import { openCopyEvents } from "../../src/studio/browser/api/copy-events.ts";
import { ApiFailure, type CopyEvent, type Studio } from "../../src/studio/browser/ports.ts";
import { followOthers } from "../../src/studio/browser/saving/others.ts";
import { othersEditing } from "../../src/studio/browser/saving/sending/state-words.ts";
import { type Tab, texts, World } from "./saving-world.ts";

type Listener = (event: CopyEvent | null) => void;

/** The part of the studio that others need, with what it was asked for. */
function openOthers({ engine }: Pick<Tab, "engine">) {
  const announced: string[] = [];
  const listeners = new Map<string, Listener>();
  const isOnline = signal(true);
  const studio: Pick<Studio, "api" | "isOnline" | "onCopyEvent"> = {
    isOnline,
    api: {
      run: (_document, variables) => {
        announced.push((variables as unknown as { id: string }).id);
        return Promise.reject(new Error("the network is not of interest"));
      },
    },
    onCopyEvent(post, listener) {
      listeners.set(post, listener);
      return () => void listeners.delete(post);
    },
  };
  const stop = followOthers(engine, studio);
  const tell = (event: CopyEvent | null) => [...listeners.values()].at(-1)?.(event);
  return { announced, listeners, isOnline, stop, tell };
}

async function withPost(body: string) {
  const world = new World();
  const { id } = world.server.create(texts(body), "seed");
  const tab = await world.open(id);
  return { world, id, tab, others: openOthers(tab) };
}

describe("S38 people who write one post", () => {
  test("S38 a person is announced with the first key, and every 15 s while the text changes", async () => {
    const { world, id, tab, others } = await withPost("");
    await world.time.pass(60_000);
    assert.deepEqual(others.announced, [], "reading is not writing");
    for (let second = 0; second < 31; second += 1) {
      world.type(tab, { body: `${second}` });
      await world.time.pass(1_000);
    }
    assert.deepEqual(others.announced, [id, id, id]);
    await world.time.pass(120_000);
    assert.equal(others.announced.length, 3);
  });

  test("S38 a new text is announced once it is a post, and a text from elsewhere is not", async () => {
    const world = new World();
    const tab = await world.open(null);
    const others = openOthers(tab);
    await world.time.pass(1_000);
    world.type(tab, { body: "Hello" });
    await world.time.pass(1_000);
    assert.deepEqual(others.announced, []);
    await world.time.pass(5_000);
    assert.deepEqual(others.announced, ["post-1"]);
    await world.time.pass(20_000);
    world.server.save({ id: "post-1", parts: { body: "Hi" }, workingVersion: 1, baseVersion: 1 }, "Ben");
    others.tell({ workingVersion: 2, names: ["Ben"] });
    await world.time.pass(20_000);
    assert.equal(tab.editor.body, "Hi");
    assert.deepEqual(others.announced, ["post-1"]);
  });

  test("S38 names are shown while the studio is online and knows them", async () => {
    const { tab, others } = await withPost("");
    const { others: names } = tab.writing;
    others.tell({ workingVersion: 0, names: ["Ben", "Cara"] });
    assert.deepEqual(names.value, ["Ben", "Cara"]);
    others.isOnline.value = false;
    assert.deepEqual(names.value, []);
    others.isOnline.value = true;
    others.tell(null);
    assert.deepEqual(names.value, []);
    others.stop();
    assert.equal(others.listeners.size, 0);
  });

  test("S38 a saved text is taken over where nothing is unsent, and one's own save is not asked for again", async () => {
    const { world, id, tab, others } = await withPost("one\ntwo\n");
    tab.network.latency = 500;
    world.type(tab, { body: "one\ntwo!\n" });
    await world.time.pass(2_300);
    assert.deepEqual(tab.network.calls.slice(-1), ["save 0 body"]);
    others.tell({ workingVersion: 1, names: [] }); // before the answer
    await world.time.pass(3_000);
    assert.deepEqual(tab.network.calls.slice(-1), ["save 0 body"]);
    world.server.save({ id, parts: { body: "ONE\ntwo!\n" }, workingVersion: 1, baseVersion: 1 }, "Ben");
    others.tell({ workingVersion: 2, names: ["Ben"] });
    await world.time.pass(3_000);
    assert.equal(tab.editor.body, "ONE\ntwo!\n");
    assert.deepEqual(tab.writing.state.value, { kind: "saved" });
    world.server.setAside(id, 2);
    others.tell({ workingVersion: 0, names: [] });
    await world.time.pass(3_000);
    assert.equal(tab.editor.body, "one\ntwo\n");
  });

  test("S38 a text that is unsent is merged with the one that was saved, and a composition is waited for", async () => {
    const { world, id, tab, others } = await withPost("one\ntwo\nthree\n");
    tab.writing.isComposing.value = true;
    world.type(tab, { body: "one!\ntwo\nthree\n" });
    world.server.save({ id, parts: { body: "one\ntwo\nTHREE\n" }, workingVersion: 0, baseVersion: 1 }, "Ben");
    others.tell({ workingVersion: 1, names: ["Ben"] });
    await world.time.pass(3_000);
    assert.equal(tab.editor.body, "one!\ntwo\nthree\n");
    tab.writing.isComposing.value = false;
    await world.time.pass(10_000);
    assert.equal(tab.editor.body, "one!\ntwo\nTHREE\n");
    assert.equal(world.server.textOf(id)?.body, "one!\ntwo\nTHREE\n");
  });

  test("S38 the sentence names up to three people", () => {
    assert.equal(othersEditing([]), "");
    assert.equal(othersEditing(["Ben"]), "Ben is editing");
    assert.equal(othersEditing(["Ben", "Cara"]), "Ben and Cara are editing");
    assert.equal(othersEditing(["Ben", "Cara", "Dan"]), "Ben, Cara, and Dan are editing");
    assert.equal(othersEditing(["Ben", "Cara", "Dan", "Eve"]), "Ben, Cara, and 2 others are editing");
  });
});

describe("S38 the stream of a post", () => {
  const event = (workingVersion: number, ...names: string[]) => {
    const data = { workingCopyEvents: { workingVersion, editing: names.map((name) => ({ name })) } };
    return `event: next\ndata: ${JSON.stringify({ data })}\n\n`;
  };

  test("S38 it connects again, forgets who writes after 40 s without a connection, and ends with its tab's turn", async () => {
    const heard: (CopyEvent | null)[] = [];
    const asked: unknown[] = [];
    const waits: number[] = [];
    let now = 0;
    const turn = new AbortController();
    const answers = [new Response(event(1, "Ben") + event(2)), null, null, null, new Response(event(3, "Cara"))];
    const events = openCopyEvents({
      api: {
        async stream(_document, variables) {
          asked.push(variables);
          const answer = answers.shift();
          if (answer === undefined) turn.abort();
          if (answer == null) throw new ApiFailure({ kind: "offline", message: "away" });
          return answer;
        },
      },
      lead: (work) => void work(turn.signal),
      async wait(time) {
        waits.push(time);
        now += 15_000;
      },
      now: () => now,
    });
    events.follow("a", (told) => heard.push(told));
    while (!turn.signal.aborted) await pause(5);
    await pause(5);
    assert.deepEqual(
      asked,
      Array.from({ length: 6 }, () => ({ post: "a" })),
    );
    assert.deepEqual(heard, [
      { workingVersion: 1, names: ["Ben"] },
      { workingVersion: 2, names: [] },
      null,
      { workingVersion: 3, names: ["Cara"] },
      null,
    ]);
    for (const [index, wait] of waits.slice(0, 4).entries()) {
      const longest = 1_000 * 2 ** Math.max(0, index);
      assert.ok(wait <= longest && wait >= longest / 2, `${index}: ${wait}`);
    }
  });

  test("S38 nobody is told anything after they stopped to follow", async () => {
    const told = Promise.withResolvers<void>();
    const heard: unknown[] = [];
    const events = openCopyEvents({
      api: {
        stream: async () => {
          await told.promise;
          return new Response(event(1, "Ben"));
        },
      },
      lead: (work, end) => void work(end),
      wait: async () => undefined,
      now: () => 0,
    });
    events.follow("a", (told) => heard.push(told))();
    told.resolve();
    await pause(10);
    assert.deepEqual(heard, []);
  });
});
