import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import type { Texts } from "../../src/studio/browser/ports.ts";
import { isUnsent } from "../../src/studio/browser/saving/device/local-draft.ts";
import { lockName } from "../../src/studio/browser/saving/tabs.ts";
import { runs } from "../scale.ts";
import type { Fate } from "./saving-server.ts";
import { drain, type Tab, texts, World } from "./saving-world.ts";

const RUNS = Number(process.env.SAVING_RUNS ?? runs(100, 2_000));

type Action =
  | { readonly do: "type"; readonly tab: number; readonly line: number; readonly inTitle: boolean }
  | { readonly do: "erase"; readonly tab: number }
  | { readonly do: "wait"; readonly milliseconds: number }
  | { readonly do: "fates"; readonly tab: number; readonly fates: readonly Fate[] }
  | { readonly do: "latency"; readonly tab: number; readonly milliseconds: number }
  | { readonly do: "cut"; readonly tab: number; readonly isCut: boolean }
  | { readonly do: "online"; readonly tab: number; readonly isOnline: boolean }
  | { readonly do: "compose"; readonly tab: number; readonly isComposing: boolean }
  | { readonly do: "refresh"; readonly tab: number }
  | { readonly do: "crash" | "close" | "editHere" | "open" | "openFromList" | "settle"; readonly tab: number }
  | { readonly do: "resolve"; readonly tab: number; readonly choice: "mine" | "theirs" }
  | { readonly do: "refuseDevice"; readonly isRefusing: boolean }
  | { readonly do: "otherSaves"; readonly line: number }
  | { readonly do: "otherUpdates"; readonly line: number }
  | { readonly do: "otherApplies" | "otherSetsAside" | "sendUnsent" };

const tab = fc.nat({ max: 2 });
const line = fc.nat({ max: 6 });
const fate = fc.constantFrom<Fate>("good", "lost", "unanswered", "late", "busy", "signed-out", "broken");
const waits = fc.constantFrom(1, 50, 310, 1_100, 2_100, 6_000, 31_000);

const action: fc.Arbitrary<Action> = fc.oneof(
  { weight: 12, arbitrary: fc.record({ do: fc.constant("type" as const), tab, line, inTitle: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("erase" as const), tab }) },
  { weight: 10, arbitrary: fc.record({ do: fc.constant("wait" as const), milliseconds: waits }) },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant("fates" as const),
      tab,
      fates: fc.array(fate, { minLength: 1, maxLength: 4 }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant("latency" as const), tab, milliseconds: fc.constantFrom(1, 20, 3_000) }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("cut" as const), tab, isCut: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("online" as const), tab, isOnline: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("compose" as const), tab, isComposing: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("refresh" as const), tab }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constantFrom("crash", "close", "editHere", "open", "settle"), tab }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("openFromList" as const), tab }) },
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constant("resolve" as const), tab, choice: fc.constantFrom("mine", "theirs") }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("refuseDevice" as const), isRefusing: fc.boolean() }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("otherSaves" as const), line }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("otherUpdates" as const), line }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constantFrom("otherApplies", "otherSetsAside") }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("sendUnsent" as const) }) },
);

/** One browser with up to three tabs on one post, another writer, a bad network, and everything that was ever typed. */
class Story {
  readonly world = new World();
  readonly tabs: (Tab | undefined)[] = [];
  readonly #isNew: boolean;
  readonly #startId: string | null;
  #words = 0;
  /** Words that the person typed or another writer wrote, and when. */
  readonly typed = new Map<string, { readonly at: number; readonly tab: Tab | null }>();
  readonly #leaving = new Set<Tab>();
  #closings: Promise<void>[] = [];
  #settlings: Promise<unknown>[] = [];
  #wasRefusing = false;

  constructor(isNew: boolean) {
    this.#isNew = isNew;
    this.#startId = isNew ? null : this.world.server.create(texts("a\n\nb\n\nc\n\nd\n"), "seed").id;
  }

  get #alive(): Tab[] {
    return this.tabs.filter((each) => each !== undefined).filter((each) => !each.isDead);
  }

  get id(): string | null {
    return this.#startId ?? this.world.server.posts.keys().next().value ?? null;
  }

  /** @param isListed the person opens what the server lists, whether a tab knows already that its text became this post */
  async open(number: number, isListed = false): Promise<void> {
    const present = this.tabs[number];
    if (present !== undefined && !present.isDead) return;
    while (this.#leaving.size > 0) await this.world.time.pass(100);
    // A new text that no post has yet is opened by its key, as the page does after a reload.
    const known = [...this.world.device.drafts.values()].some((draft) => draft.key === this.id);
    const hasAnswer = this.tabs.some((other) => other?.writing.id.value !== null) || known;
    const id = this.#isNew && !hasAnswer && !isListed ? null : this.id;
    if (id === null && this.tabs.some((other) => other?.isDead === false)) return;
    try {
      const opened = await this.world.open(id, id === null ? { key: "new:a" } : {});
      this.tabs[number] = opened;
    } catch {
      // The device refused, or the post cannot be seen: there is no tab.
    }
  }

  async run(step: Action): Promise<void> {
    const { world } = this;
    const tab = "tab" in step ? this.tabs[step.tab] : undefined;
    switch (step.do) {
      case "wait":
        return world.time.pass(step.milliseconds);
      case "open":
        return this.open(step.tab);
      case "openFromList":
        return this.open(step.tab, true);
      case "sendUnsent":
        return this.#sendUnsent();
      case "refuseDevice":
        world.device.isRefusing = step.isRefusing;
        this.#wasRefusing ||= step.isRefusing;
        return;
      case "otherSaves":
      case "otherUpdates":
      case "otherApplies":
      case "otherSetsAside":
        return this.#other(step);
      default:
        if (tab === undefined || tab.isDead) return;
        this.#act(step, tab);
    }
    await drain();
  }

  /** Sends texts that no tab has open, as the studio does without a page. */
  async #sendUnsent(): Promise<void> {
    const { world } = this;
    for (const draft of [...world.device.drafts.values()]) {
      if (draft.isAside || !isUnsent(draft) || world.tabs.isHeld(lockName(draft.personId, draft.key))) continue;
      const { writing } = await world.open(draft.postId, { key: draft.key }).catch(() => ({ writing: null }));
      if (writing === null) continue;
      const settled = writing.settle().catch(() => undefined);
      await Promise.race([settled, world.time.pass(10_000)]);
      this.#closings.push(settled.then(() => writing.close()));
      await world.time.pass(100);
    }
  }

  #act(step: Action, tab: Tab): void {
    const { writing, network, engine } = tab;
    if (step.do === "type") this.#type(tab, step.line, step.inTitle);
    if (step.do === "erase") this.#erase(tab);
    if (step.do === "fates") network.fates = [...step.fates];
    if (step.do === "latency") network.latency = step.milliseconds;
    if (step.do === "cut") network.isCut = step.isCut;
    if (step.do === "online") this.#setOnline(tab, step.isOnline);
    if (step.do === "compose") writing.isComposing.value = step.isComposing;
    if (step.do === "refresh") engine.refresh();
    if (step.do === "crash") this.#crash(tab);
    if (step.do === "editHere") writing.editHere();
    if (step.do === "settle") this.#settlings.push(writing.settle().catch(() => undefined));
    if (step.do === "close") {
      // A page being left still has its text until its close has answered.
      this.#leaving.add(tab);
      this.#closings.push(
        writing.close().then(() => {
          this.#leaving.delete(tab);
          // A page asks before it is left with a text that the browser refuses to keep.
          if (this.#wasRefusing) this.#forgive(tab, Number.POSITIVE_INFINITY);
        }),
      );
      this.tabs[this.tabs.indexOf(tab)] = undefined;
    }
    if (step.do === "resolve") {
      const { value } = writing.state;
      if (value.kind === "conflict") writing.resolve(value.conflict, step.choice);
      if (value.kind === "conflict" && this.world.device.isRefusing) this.#wasRefusing = true;
    }
  }

  #setOnline(tab: Tab, isOnline: boolean): void {
    tab.engine.situation.isOnline = isOnline;
    tab.network.isCut = !isOnline;
    tab.engine.step();
  }

  #type(tab: Tab, line: number, inTitle: boolean): void {
    if (tab.writing.isReadOnly.value) return;
    const word = `w${this.#words++}.`;
    this.typed.set(word, { at: this.world.time.now, tab });
    const parts = inTitle ? { title: `${tab.editor.title}${word}` } : { body: addTo(tab.editor.body, line, word) };
    this.world.type(tab, parts);
  }

  /** The person deletes a word of their own: nobody has to keep it. */
  #erase(tab: Tab): void {
    if (tab.writing.isReadOnly.value) return;
    const word = /w\d+\./.exec(tab.editor.body)?.[0];
    if (word === undefined) return;
    this.typed.delete(word);
    this.world.type(tab, { body: tab.editor.body.replace(word, "") });
  }

  /** What was typed within the last moment before a crash may be lost. */
  #crash(tab: Tab): void {
    this.world.crash(tab);
    // A text that lost a conflict, on its way into the history, has no other place where the browser keeps nothing.
    if (this.#wasRefusing)
      for (const { title, body } of tab.engine.situation.resolution?.losers ?? [])
        for (const [word] of `${title} ${body}`.matchAll(/w\d+\./g)) this.typed.delete(word);
    this.#forgive(tab, this.#wasRefusing ? Number.POSITIVE_INFINITY : 1_050);
  }

  /** A word that another tab only showed counts from the moment in which that tab went on with it. */
  #forgive(tab: Tab, milliseconds: number): void {
    for (const [word, { at, tab: writer }] of this.typed) {
      if (milliseconds === Number.POSITIVE_INFINITY && !this.places().includes(word)) this.typed.delete(word);
      const most = writer === tab ? milliseconds : writer?.isDead === true ? 2 * milliseconds : -1;
      if (this.world.time.now - at <= most && !this.places().includes(word)) this.typed.delete(word);
    }
  }

  #other(step: Action): void {
    const { server } = this.world;
    const post = this.id === null ? undefined : server.posts.get(this.id);
    if (post === undefined) return;
    const workingVersion = post.copy?.version ?? 0;
    if (step.do === "otherApplies") server.apply(post.id);
    if (step.do === "otherSetsAside") server.setAside(post.id, workingVersion);
    if (step.do !== "otherSaves" && step.do !== "otherUpdates") return;
    const word = `o${this.#words++}.`;
    this.typed.set(word, { at: this.world.time.now, tab: null });
    const text = step.do === "otherSaves" ? (post.copy?.texts ?? post.applied) : post.applied;
    const body = addTo(text.body, step.line, word);
    if (step.do === "otherUpdates") server.update(post.id, { body });
    else
      server.save(
        { id: post.id, parts: { body }, workingVersion, baseVersion: post.copy?.baseVersion ?? post.version },
        "Ben",
      );
  }

  /** Everything that some server, device or open page still has. */
  places(): string {
    const all: Texts[] = [];
    for (const { applied, copy, history } of this.world.server.posts.values())
      all.push(applied, ...(copy === null ? [] : [copy.texts]), ...history.map((revision) => revision.texts));
    for (const draft of this.world.device.drafts.values()) all.push(draft.texts);
    for (const open of [...this.#alive, ...this.#leaving])
      all.push(open.editor, ...(open.engine.situation.resolution?.losers ?? []));
    return all.map(({ title, body }) => `${title} ${body}`).join(" ");
  }

  check(): void {
    for (const { number, engine, writing, network, editor, isDead } of this.tabs.filter((open) => open !== undefined)) {
      if (isDead) continue;
      assert.ok(network.most <= 1, `tab ${number} had ${network.most} requests in flight`);
      const { situation } = engine;
      if (situation.isWriter) assert.deepEqual(editor, writing.texts.value, "the editor shows what is saved");
      if (writing.state.value.kind !== "saved" || situation.id === null) continue;
      const ever = this.world.server.posts.get(situation.id)?.ever ?? [];
      assert.ok(
        ever.some((text) => isSameText(text, writing.texts.value)),
        "Saved is said of a text that the server never had",
      );
    }
    // A browser that refuses to keep the key of a request cannot repeat it after a crash.
    if (!this.#wasRefusing)
      assert.ok(this.world.server.posts.size <= 1, `${this.world.server.posts.size} posts for one text`);
    const places = this.places();
    for (const word of this.typed.keys()) assert.ok(places.includes(word), `${word} is nowhere`);
  }

  /** Everything gets well again: in the end the page, the device and the server agree. */
  async recover(): Promise<void> {
    const { world } = this;
    world.device.isRefusing = false;
    for (const open of this.#alive) {
      open.network.fates = [];
      open.network.latency = 20;
      open.network.isCut = false;
      open.writing.isComposing.value = false;
      this.#setOnline(open, true);
    }
    await world.time.pass(200_000);
    await Promise.all(this.#closings);
    await this.open(0);
    // A decision of one tab reaches the others at their next look, which may be another conflict.
    for (let round = 0; round < 8; round += 1) {
      for (const { engine } of this.#alive) engine.refresh();
      await world.time.pass(100_000);
      const conflicts = this.#alive.flatMap(({ writing }) => {
        const { value } = writing.state;
        return value.kind === "conflict" ? [{ writing, value }] : [];
      });
      if (conflicts.length === 0 && round >= 2) break;
      for (const { writing, value } of conflicts) writing.resolve(value.conflict, "mine");
      await world.time.pass(100_000);
    }
    this.check();
    const writers = this.#alive.filter((each) => each.engine.situation.isWriter);
    const written = writers.map(({ writing }) => writing.id.value);
    assert.equal(new Set(written).size, written.length, `${written.join()} are written by two tabs`);
    for (const { writing } of writers) {
      assert.deepEqual(writing.state.value, { kind: "saved" });
      const id = writing.id.value;
      if (id === null) continue;
      const post = world.server.posts.get(id);
      const { title, body } = world.server.textOf(id) ?? assert.fail();
      assert.deepEqual([writing.texts.value.title, writing.texts.value.body], [title, body]);
      assert.equal(writing.versions.value.workingVersion, post?.copy?.version ?? 0);
      assert.equal(writing.versions.value.version, post?.version);
    }
    await Promise.race([Promise.all(this.#settlings), world.time.pass(100_000)]);
  }
}

function isSameText(one: Texts, other: Texts): boolean {
  return one.title === other.title && one.body === other.body;
}

function addTo(body: string, line: number, word: string): string {
  const lines = body.split("\n");
  const index = Math.min(line, lines.length - 1);
  lines[index] = `${lines[index]}${word}`;
  return lines.join("\n");
}

describe("saving, whatever happens", () => {
  for (const isNew of [true, false])
    test(`S30-S37: nothing typed is lost in ${RUNS} random days of ${isNew ? "a new text" : "a post of two writers"}`, async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(action, { minLength: 1, maxLength: 60, size: "max" }), async (actions) => {
          const story = new Story(isNew);
          await story.open(0);
          for (const step of actions) {
            await story.run(step);
            story.check();
          }
          await story.recover();
        }),
        { numRuns: RUNS, endOnFailure: process.env.SAVING_SHRINK === undefined },
      );
    });
});
