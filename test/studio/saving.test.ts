import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { ApiFailure, type SaveState } from "../../src/studio/browser/ports.ts";
import { type Tab, texts, World } from "./saving-world.ts";

/** A world with one post whose text is `body`. */
function withPost(body: string): { world: World; id: string } {
  const world = new World();
  return { world, id: world.server.create(texts(body), "seed").id };
}

function stateOf(tab: Tab): SaveState {
  return tab.writing.state.value;
}

const LINES = "one\ntwo\nthree\nfour\nfive\n";

describe("saving a text", () => {
  test("S32: a new text becomes one draft 2 s after the last key, without a title first", async () => {
    const world = new World();
    const tab = await world.open(null);
    world.type(tab, { body: " " });
    await world.time.pass(5_000);
    assert.deepEqual(tab.network.calls, [], "a blank text is no post");
    world.type(tab, { body: "Hello" });
    await world.time.pass(1_900);
    assert.deepEqual(tab.network.calls, []);
    await world.time.pass(5_000);
    assert.deepEqual(tab.network.calls, ["create", "save 0 title"]);
    assert.equal(world.server.posts.get("post-1")?.applied.title, "Untitled");
    assert.deepEqual(world.server.textOf("post-1"), texts("Hello", ""));
    assert.deepEqual(tab.writing.state.value, { kind: "saved" });
    assert.equal(tab.writing.id.value, "post-1");
  });

  test("S32: a lost answer to the first save makes no second post, also after a crash", async () => {
    const world = new World();
    const tab = await world.open(null, { key: "new:a" });
    tab.network.fates = ["unanswered"];
    world.type(tab, { body: "Hello" });
    await world.time.pass(2_100);
    assert.equal(world.server.posts.size, 1);
    assert.equal(tab.writing.id.value, null);
    world.type(tab, { body: "Hello again" });
    await world.time.pass(400);
    world.crash(tab);
    const next = await world.open(null, { key: "new:a" });
    assert.equal(next.writing.texts.value.body, "Hello again");
    await world.time.pass(10_000);
    assert.equal(world.server.posts.size, 1);
    assert.equal(world.server.textOf("post-1")?.body, "Hello again");
    assert.deepEqual([...world.device.drafts.keys()], ["ada post-1"], "the draft is kept under the post's id");
  });

  test("S30: each change is on the device within 300 ms, within 1 s while somebody types", async () => {
    const { world, id } = withPost("");
    const tab = await world.open(id);
    world.type(tab, { body: "a" });
    await world.time.pass(310);
    assert.equal(world.device.drafts.get(`ada ${id}`)?.texts.body, "a");
    for (let count = 0; count < 12; count += 1) {
      world.type(tab, { body: `a${count}` });
      await world.time.pass(100);
    }
    assert.match(world.device.drafts.get(`ada ${id}`)?.texts.body ?? "", /^a(8|9|1.)$/);
    assert.equal(world.device.drafts.get(`ada ${id}`)?.base?.texts.body, "");
  });

  test("S32: while somebody types, the text goes out every 10 s, one request in flight, the newest next", async () => {
    const { world, id } = withPost("");
    const tab = await world.open(id);
    tab.network.latency = 1_500;
    for (let count = 0; count < 250; count += 1) {
      world.type(tab, { body: `${count}` });
      await world.time.pass(100);
    }
    const saves = tab.network.calls.filter((call) => call.startsWith("save"));
    assert.equal(saves.length, 2);
    assert.equal(tab.network.most, 1);
    await world.time.pass(6_000);
    assert.equal(world.server.textOf(id)?.body, "249");
  });

  test("S20: parts that were not edited are never sent, and typing back to the saved text sends nothing", async () => {
    const { world, id } = withPost(LINES);
    const tab = await world.open(id);
    world.type(tab, { body: "x" });
    world.type(tab, { body: LINES });
    await world.time.pass(20_000);
    assert.deepEqual(tab.network.calls, ["find"]);
    assert.deepEqual(tab.writing.state.value, { kind: "saved" });
    world.type(tab, { title: "New" });
    await world.time.pass(3_000);
    assert.deepEqual(tab.network.calls, ["find", "save 0 title"]);
  });

  test("S33: a lost answer is recognized as one's own, also when more was typed or the tab crashed meanwhile", async () => {
    const { world, id } = withPost(LINES);
    const tab = await world.open(id);
    tab.network.fates = ["unanswered"];
    world.type(tab, { body: "first" });
    await world.time.pass(2_050);
    world.type(tab, { body: "first second" });
    await world.time.pass(20_000);
    assert.equal(world.server.textOf(id)?.body, "first second");
    assert.deepEqual(tab.writing.state.value, { kind: "saved" });
    tab.network.fates = ["unanswered"];
    world.type(tab, { body: "first second third" });
    await world.time.pass(2_050);
    world.type(tab, { body: "first second third fourth" });
    await world.time.pass(310);
    world.crash(tab);
    const next = await world.open(id);
    assert.equal(next.writing.texts.value.body, "first second third fourth");
    await world.time.pass(5_000);
    assert.deepEqual(next.writing.state.value, { kind: "saved" });
    assert.equal(world.server.textOf(id)?.body, "first second third fourth");
  });

  test("S33: different lines of two people are merged, as one replacement, and said", async () => {
    const { world, id } = withPost(LINES);
    const tab = await world.open(id);
    let replacements = 0;
    tab.writing.onReplaced(() => (replacements += 1));
    world.server.save({ id, parts: { body: LINES.replace("five", "FIVE") }, workingVersion: 0, baseVersion: 1 }, "Ben");
    world.type(tab, { body: LINES.replace("one", "ONE") });
    await world.time.pass(5_000);
    assert.equal(world.server.textOf(id)?.body, "ONE\ntwo\nthree\nfour\nFIVE\n");
    assert.equal(tab.editor.body, "ONE\ntwo\nthree\nfour\nFIVE\n");
    assert.equal(replacements, 1);
    assert.deepEqual(tab.notices, ["Ben's changes were merged."]);
    tab.show[0]?.();
    const { title, before, after } = tab.writing.merged.value ?? assert.fail("nothing is shown");
    assert.equal(title, "Ben's changes");
    assert.deepEqual(
      [before.body, after.body],
      [LINES.replace("one", "ONE"), LINES.replace("one", "ONE").replace("five", "FIVE")],
    );
  });

  test("S33: what one person goes on changing is told once and shown together, until somebody writes here or a minute passes", async () => {
    const { world, id } = withPost(LINES);
    const tab = await world.open(id);
    let version = 0;
    const saveAs = async (by: string, body: string) => {
      version = world.server.save({ id, parts: { body }, workingVersion: version, baseVersion: 1 }, by).copies;
      tab.engine.refresh();
      await world.time.pass(1_000);
    };
    await saveAs("Ben", LINES.replace("one", "ONE"));
    await saveAs("Ben", LINES.replace("one", "ONE").replace("two", "TWO"));
    assert.deepEqual(tab.notices, ["Ben's changes were merged."]);
    tab.show[0]?.();
    assert.equal(tab.writing.merged.value?.before.body, LINES);
    assert.equal(tab.writing.merged.value?.after.body, LINES.replace("one", "ONE").replace("two", "TWO"));
    await saveAs("Cara", `${tab.editor.body}six\n`);
    assert.deepEqual(tab.notices.slice(1), ["Cara's changes were merged."]);
    world.type(tab, { body: `mine\n${tab.editor.body}` });
    await saveAs("Cara", `${world.server.textOf(id)?.body}seven\n`);
    assert.equal(tab.notices.length, 3);
    tab.show[2]?.();
    assert.doesNotMatch(tab.writing.merged.value?.before.body ?? "", /seven/);
    assert.match(tab.writing.merged.value?.before.body ?? "", /^mine\n/);
    await world.time.pass(5_000);
    version = world.server.posts.get(id)?.copies ?? 0;
    await world.time.pass(61_000);
    await saveAs("Cara", `${world.server.textOf(id)?.body}eight\n`);
    assert.equal(tab.notices.length, 4);
  });

  test("S33: the same line of two people stops saving and nothing else; each choice keeps the loser in the history", async () => {
    for (const choice of ["mine", "theirs", "both"] as const) {
      const { world, id } = withPost(LINES);
      const tab = await world.open(id);
      const bens = LINES.replace("one", "Ben's");
      world.server.save({ id, parts: { body: bens }, workingVersion: 0, baseVersion: 1 }, "Ben");
      world.type(tab, { body: LINES.replace("one", "Ada's") });
      await world.time.pass(5_000);
      const state = tab.writing.state.value;
      assert.ok(state.kind === "conflict");
      assert.equal(state.conflict.by, "Ben");
      assert.equal(world.server.textOf(id)?.body, bens, "nobody's text is replaced silently");
      const mine = LINES.replace("one", "Ada's own");
      world.type(tab, { body: mine });
      await world.time.pass(20_000);
      assert.equal(world.server.textOf(id)?.body, bens);
      assert.equal(world.device.drafts.get(`ada ${id}`)?.texts.body, mine, "writing goes on");
      const both = texts(LINES.replace("one", "Ada's and Ben's"));
      const { value } = tab.writing.state;
      assert.ok(value.kind === "conflict");
      tab.writing.resolve(value.conflict, choice === "both" ? both : choice);
      await world.time.pass(10_000);
      assert.deepEqual(tab.writing.state.value, { kind: "saved" });
      const won = { mine, theirs: bens, both: both.body }[choice];
      assert.equal(world.server.textOf(id)?.body, won);
      assert.equal(tab.editor.body, won);
      const history = world.server.posts.get(id)?.history.map((revision) => revision.texts.body) ?? [];
      for (const body of [mine, bens]) assert.ok(body === won || history.includes(body), `${choice}: ${body}`);
      assert.deepEqual(
        [...world.device.drafts.values()].filter((draft) => draft.isAside),
        [],
        "nothing stays aside",
      );
    }
  });

  test("S33: a change of the post itself is merged into the copy, and versions for publishing name what was merged", async () => {
    const { world, id } = withPost(LINES);
    const tab = await world.open(id);
    world.type(tab, { body: LINES.replace("one", "ONE") });
    await world.time.pass(3_000);
    world.server.update(id, { body: LINES.replace("five", "FIVE") });
    world.type(tab, { body: LINES.replace("one", "ONE!") });
    const settled = tab.writing.settle();
    await world.time.pass(3_000);
    const { version, workingVersion } = await settled;
    assert.equal(version, 2);
    assert.equal(world.server.posts.get(id)?.copy?.version, workingVersion);
    assert.equal(world.server.textOf(id)?.body, "ONE!\ntwo\nthree\nfour\nFIVE\n");
    assert.equal(world.server.posts.get(id)?.copy?.baseVersion, 2);
  });

  test("S34: the state line says where the text is while offline, signed out, busy, refused and deleted", async () => {
    const { world, id } = withPost(LINES);
    const tab = await world.open(id);
    const { situation } = tab.engine;
    situation.isOnline = false;
    world.type(tab, { body: "offline" });
    assert.deepEqual(tab.writing.state.value, { kind: "saving" }, "not kept yet");
    await world.time.pass(400);
    assert.deepEqual(tab.writing.state.value, { kind: "on-device", reason: "offline" });
    await assert.rejects(tab.writing.settle(), (error: ApiFailure) => error.kind === "offline");
    situation.isOnline = true;
    situation.isSignedIn = false;
    tab.engine.step();
    assert.deepEqual(tab.writing.state.value, { kind: "on-device", reason: "signed-out" });
    situation.isSignedIn = true;
    tab.network.fates = ["busy"];
    tab.engine.step();
    await world.time.pass(3_000);
    assert.deepEqual(tab.writing.state.value, { kind: "on-device", reason: "busy" });
    await world.time.pass(6_000);
    assert.deepEqual(tab.writing.state.value, { kind: "saved" });
    world.type(tab, { title: "t".repeat(301) });
    await world.time.pass(3_000);
    const refused = stateOf(tab);
    assert.ok(refused.kind === "failed" && refused.isOnDevice);
    assert.equal(refused.message, "The title is 1 character too long.");
    world.type(tab, { title: "t" });
    await world.time.pass(3_000);
    assert.deepEqual(tab.writing.state.value, { kind: "saved" });
    world.server.posts.delete(id);
    world.type(tab, { title: "u" });
    await world.time.pass(3_000);
    assert.deepEqual(tab.writing.state.value, { kind: "lost", reason: "deleted" });
    const again = tab.writing.saveAsNewDraft();
    await world.time.pass(1_000);
    assert.equal(world.server.textOf(await again)?.title, "u");
  });

  test("S34: after a reload without a network, the line says that the text is on this device", async () => {
    const { world, id } = withPost(LINES);
    const tab = await world.open(id);
    world.type(tab, { body: "offline" });
    await world.time.pass(400);
    world.crash(tab);
    const next = await world.open(id, {
      isOnline: false,
      network: (network) => {
        network.isCut = true;
      },
    });
    assert.equal(next.writing.texts.value.body, "offline");
    assert.deepEqual(next.writing.state.value, { kind: "on-device", reason: "offline" });
  });

  test("S34: a browser that keeps nothing is said when the server cannot be reached either", async () => {
    const { world, id } = withPost(LINES);
    const tab = await world.open(id);
    world.device.isRefusing = true;
    world.type(tab, { body: "x" });
    await world.time.pass(3_000);
    assert.deepEqual(tab.writing.state.value, { kind: "saved" }, "the server has it");
    tab.engine.situation.isOnline = false;
    world.type(tab, { body: "xy" });
    await world.time.pass(3_000);
    const { value } = tab.writing.state;
    assert.ok(value.kind === "failed" && !value.isOnDevice);
    world.device.isRefusing = false;
    await world.time.pass(10_000);
    assert.deepEqual(tab.writing.state.value, { kind: "on-device", reason: "offline" });
  });

  test("S34: a browser that keeps nothing is said where a decision is needed, too", async () => {
    const { world, id } = withPost(LINES);
    const tab = await world.open(id);
    world.device.isRefusing = true;
    world.server.save({ id, parts: { body: LINES.replace("two", "Ben's") }, workingVersion: 0, baseVersion: 1 }, "Ben");
    world.type(tab, { body: LINES.replace("two", "Ada's") });
    await world.time.pass(5_000);
    const state = stateOf(tab);
    assert.ok(state.kind === "conflict" && state.isOnlyHere === true);
    world.device.isRefusing = false;
    await world.time.pass(10_000);
    const kept = stateOf(tab);
    assert.ok(kept.kind === "conflict" && kept.isOnlyHere === undefined, "the text is kept now");
    tab.writing.resolve(kept.conflict, "mine");
    await world.time.pass(5_000);
    assert.deepEqual(stateOf(tab), { kind: "saved" });
    world.device.isRefusing = true;
    world.server.posts.delete(id);
    world.type(tab, { body: "more" });
    await world.time.pass(5_000);
    assert.deepEqual(stateOf(tab), { kind: "lost", reason: "deleted", isOnlyHere: true });
  });

  test("S27: nothing is sent or replaced while an input method composes", async () => {
    const { world, id } = withPost(LINES);
    const tab = await world.open(id);
    tab.writing.isComposing.value = true;
    world.type(tab, { body: LINES.replace("one", "하") });
    world.server.save({ id, parts: { body: LINES.replace("five", "FIVE") }, workingVersion: 0, baseVersion: 1 }, "Ben");
    tab.engine.refresh();
    await world.time.pass(30_000);
    assert.deepEqual(tab.network.calls, ["find"]);
    assert.equal(tab.editor.body, LINES.replace("one", "하"));
    tab.writing.isComposing.value = false;
    await world.time.pass(5_000);
    assert.equal(world.server.textOf(id)?.body, "하\ntwo\nthree\nfour\nFIVE\n");
  });

  test("S36: a local draft is shown, said and undone; a newer server text is merged with it", async () => {
    const { world, id } = withPost(LINES);
    const tab = await world.open(id);
    world.type(tab, { body: LINES.replace("one", "ONE") });
    await world.time.pass(400);
    world.crash(tab);
    world.server.update(id, { body: LINES.replace("five", "FIVE") });
    const next = await world.open(id);
    assert.equal(next.writing.texts.value.body, "ONE\ntwo\nthree\nfour\nFIVE\n");
    assert.match(next.notices.join(), /^Changes from elsewhere were merged\.,Kept on this device, \d/);
    next.undo[0]?.();
    await world.time.pass(3_000);
    assert.equal(next.editor.body, LINES.replace("five", "FIVE"));
    assert.deepEqual(next.writing.state.value, { kind: "saved" });
    const aside = [...world.device.drafts.values()].filter((draft) => draft.isAside);
    assert.deepEqual(
      aside.map((draft) => draft.texts.body),
      ["ONE\ntwo\nthree\nfour\nFIVE\n"],
    );
  });

  test("S37: one tab writes, the other shows its text live, and takes over with everything that was typed", async () => {
    const { world, id } = withPost(LINES);
    const first = await world.open(id);
    const second = await world.open(id);
    assert.deepEqual(second.writing.state.value, { kind: "elsewhere" });
    assert.equal(second.writing.isReadOnly.value, true);
    world.type(first, { body: "live" });
    await world.time.pass(250);
    assert.equal(second.editor.body, "live");
    second.writing.change({ body: "not mine to write" });
    world.type(first, { body: "live, and more" });
    second.writing.editHere();
    await world.time.pass(100);
    assert.equal(second.editor.body, "live, and more");
    assert.equal(second.writing.isReadOnly.value, false);
    assert.equal(first.writing.isReadOnly.value, true);
    world.type(second, { body: "live, and more, here" });
    await world.time.pass(5_000);
    assert.equal(world.server.textOf(id)?.body, "live, and more, here");
    assert.equal(first.editor.body, "live, and more, here");
    world.crash(second);
    await world.time.pass(100);
    assert.equal(first.writing.isReadOnly.value, false, "the tab that is left goes on");
  });

  test("S37: what is typed while a tab hands its text over is not lost with the tab that asked, whenever it dies", async () => {
    for (let moment = 0; moment < 20; moment++) {
      const { world, id } = withPost(LINES);
      const first = await world.open(id);
      const second = await world.open(id);
      const third = await world.open(id);
      world.type(first, { body: "one" });
      third.writing.editHere();
      await world.time.pass(1);
      world.type(first, { body: "one, two" });
      await world.time.pass(moment);
      world.crash(third);
      await world.time.pass(6_000);
      const writer = [first, second].find((tab) => !tab.writing.isReadOnly.value);
      assert.equal(writer?.editor.body, "one, two", `${moment} ms`);
      assert.equal(world.device.drafts.get(`ada ${id}`)?.texts.body, "one, two", `${moment} ms`);
    }
  });

  test("S37: a text that is closed tells other tabs nothing more, and the next tab goes on with all of it", async () => {
    const { world, id } = withPost(LINES);
    const first = await world.open(id);
    const second = await world.open(id);
    const third = await world.open(id);
    world.type(first, { body: "one" });
    await world.time.pass(100);
    world.type(first, { body: "one, two" });
    const closing = first.writing.close();
    await world.time.pass(6_000);
    await closing;
    assert.equal(second.writing.isReadOnly.value, false);
    assert.equal(second.editor.body, "one, two");
    world.type(second, { body: "one, two, three" });
    const both = [second.writing.close(), third.writing.close()];
    await world.time.pass(6_000);
    await Promise.all(both);
    assert.equal(world.device.drafts.get(`ada ${id}`)?.texts.body, "one, two, three");
    assert.equal((await world.open(id)).editor.body, "one, two, three");
  });

  test("S37: a tab that is asked for its text while it is being closed, whenever that is, tells nothing after its end", async () => {
    for (let moment = 0; moment < 400; moment += 2) {
      const { world, id } = withPost(LINES);
      const first = await world.open(id);
      const second = await world.open(id);
      world.type(first, { body: "one, two" });
      const closing = first.writing.close();
      await world.time.pass(moment);
      second.writing.editHere();
      await world.time.pass(6_000);
      await closing;
      assert.equal(second.writing.isReadOnly.value, false, `after ${moment} ms`);
      assert.equal(second.editor.body, "one, two", `after ${moment} ms`);
    }
  });

  /** A tab with a new text of which the server made a post, and that does not know it yet. */
  async function withLateAnswer() {
    const world = new World();
    const first = await world.open(null);
    first.network.fates = ["unanswered", "lost"];
    world.type(first, { body: "one\n\ntwo\n" });
    await world.time.pass(2_500);
    const id = world.server.posts.keys().next().value ?? assert.fail();
    return { world, first, id, keys: () => [...world.device.drafts.values()].map(({ key }) => key) };
  }

  test("S37: a text becomes a post that another tab writes already: it is sent, and shown from then on", async () => {
    const { world, first, id, keys } = await withLateAnswer();
    const second = await world.open(id);
    assert.equal(second.writing.isReadOnly.value, false);
    world.type(first, { body: "one, first\n\ntwo\n" });
    world.type(second, { body: "one\n\ntwo, second\n" });
    await world.time.pass(15_000);
    assert.equal(world.server.posts.size, 1);
    assert.equal(world.server.textOf(id)?.body, "one, first\n\ntwo, second\n");
    assert.deepEqual(first.writing.state.value, { kind: "elsewhere" });
    assert.equal(first.editor.body, second.editor.body);
    assert.deepEqual(keys(), [id]);
    first.writing.editHere();
    await world.time.pass(100);
    assert.deepEqual(second.writing.state.value, { kind: "elsewhere" });
    world.type(first, { body: `${first.editor.body}\nthree\n` });
    await world.time.pass(5_000);
    assert.equal(second.editor.body, "one, first\n\ntwo, second\n\nthree\n");
    assert.equal(world.server.textOf(id)?.body, second.editor.body);
  });

  test("S37: a text of a page that died before it was held as its post goes out beside the tab that writes the post", async () => {
    const { world, first, id, keys } = await withLateAnswer();
    const second = await world.open(id);
    first.network.fates = ["good", "lost"];
    world.type(first, { body: "one, first\n\ntwo\n" });
    await world.time.pass(2_800);
    assert.equal(first.writing.id.value, id);
    const { key } = first.engine.situation;
    world.crash(first);
    assert.deepEqual(keys().sort(), [key, id]);
    const stored = await world.open(id, { key });
    const settled = stored.writing.settle();
    await world.time.pass(1_000);
    await settled;
    const closed = stored.writing.close();
    await world.time.pass(1_000);
    await closed;
    assert.equal(world.server.textOf(id)?.body, "one, first\n\ntwo\n");
    assert.equal(second.writing.isReadOnly.value, false);
    assert.deepEqual(keys(), [id]);
  });

  test("S37: a text becomes a post of which another tab left an unsent text on the device: both are sent", async () => {
    const { world, first, id, keys } = await withLateAnswer();
    const second = await world.open(id);
    second.network.isCut = true;
    world.type(second, { body: "one\n\ntwo, second\n" });
    await world.time.pass(400);
    world.crash(second);
    world.type(first, { body: "one, first\n\ntwo\n" });
    await world.time.pass(20_000);
    assert.equal(world.server.textOf(id)?.body, "one, first\n\ntwo, second\n");
    assert.equal(first.editor.body, "one, first\n\ntwo, second\n");
    assert.deepEqual(first.writing.state.value, { kind: "saved" });
    assert.deepEqual(keys(), [id]);
  });

  test("S37: a tab that goes on while the browser does not read what it keeps writes nothing over", async () => {
    const { world, id } = withPost(LINES);
    const first = await world.open(id);
    const second = await world.open(id);
    await world.time.pass(250);
    first.network.isCut = true;
    world.type(first, { body: "one" });
    await world.time.pass(100);
    // The second tab was not shown this: the first one showed another a moment ago.
    world.type(first, { body: "one, two" });
    const flushed = first.engine.keeper.flush();
    await world.time.pass(10);
    await flushed;
    world.device.isRefusing = true;
    world.crash(first);
    await world.time.pass(100);
    world.type(second, { body: `${second.editor.body}, three` });
    await world.time.pass(1_000);
    world.device.isRefusing = false;
    await world.time.pass(20_000);
    const kept = [...world.device.drafts.values()].map(({ texts: { body }, isAside }) => [isAside, body]);
    assert.deepEqual(kept.sort(), [
      [false, "one, three"],
      [true, "one, two"],
    ]);
  });

  test("S37: what a tab merged as it opened is not taken for newer than what was typed in the tab that it waits for", async () => {
    const { world, id } = withPost(LINES);
    const first = await world.open(id);
    world.type(first, { body: "zero\n\none\n" });
    await world.time.pass(3_000);
    world.server.update(id, { title: "Another title" });
    const second = await world.open(id);
    world.type(first, { body: "zero, typed\n\none\n" });
    world.crash(second);
    const third = await world.open(id);
    assert.equal(third.editor.title, "Another title");
    first.network.fates = ["busy"];
    const closed = first.writing.close();
    await world.time.pass(100);
    await closed;
    await world.time.pass(100);
    assert.equal(third.writing.isReadOnly.value, false);
    assert.equal(third.editor.body, "zero, typed\n\none\n");
  });

  test("S37: asked twice, a tab takes the text once", async () => {
    const { world, id } = withPost(LINES);
    const first = await world.open(id);
    const second = await world.open(id);
    world.type(first, { body: "typed" });
    second.writing.editHere();
    second.writing.editHere();
    await world.time.pass(1_400);
    world.type(second, { body: "typed, and more" });
    await world.time.pass(10_000);
    assert.equal(second.editor.body, "typed, and more");
    assert.equal(world.server.textOf(id)?.body, "typed, and more");
    assert.deepEqual(
      [...world.device.drafts.values()].map(({ key }) => key),
      [id],
    );
  });

  test("S37: a reader goes on with a text that the browser does not keep, when the tab that asked for it is gone", async () => {
    const { world, id } = withPost(LINES);
    const first = await world.open(id);
    const second = await world.open(id);
    const third = await world.open(id);
    world.device.isRefusing = true;
    await world.time.pass(1_000);
    world.type(first, { body: "one" });
    world.type(first, { body: "one, two" });
    third.writing.editHere();
    world.crash(third);
    await world.time.pass(2_000);
    assert.equal(second.writing.isReadOnly.value, false);
    assert.equal(second.editor.body, "one, two");
  });

  test("S52: a text that became a post is settled while the browser has not granted its lock yet", async () => {
    const world = new World();
    const tab = await world.open(null);
    world.tabs.delay = 100;
    world.type(tab, { body: "one" });
    const settled = tab.writing.settle();
    const states = new Set<string>();
    for (let step = 0; step < 60; step += 1) {
      await world.time.pass(10);
      states.add(tab.writing.state.value.kind);
    }
    const { id } = await settled;
    assert.deepEqual([...states], ["saving", "saved"]);
    await world.time.pass(1_000);
    assert.deepEqual(
      [...world.device.drafts.values()].map(({ key }) => key),
      [id],
    );
  });

  test("S52: settle sends everything, and the version stands still until the publication is adopted", async () => {
    const { world, id } = withPost(LINES);
    const tab = await world.open(id);
    world.type(tab, { body: "to publish" });
    const settled = tab.writing.settle();
    await world.time.pass(100);
    const { workingVersion } = await settled;
    world.type(tab, { body: "to publish, and later" });
    await world.time.pass(2_500);
    assert.equal(world.server.posts.get(id)?.copy?.version, workingVersion);
    world.server.apply(id);
    const { facts, applied } = world.server.snapshot(id) ?? assert.fail();
    tab.writing.adopt({ post: facts, applied, copy: null });
    await world.time.pass(3_000);
    assert.equal(world.server.textOf(id)?.body, "to publish, and later");
    assert.equal(world.server.posts.get(id)?.applied.body, "to publish");
    await assert.rejects((await world.open(null)).writing.settle(), ApiFailure);
  });
});
