import type { Writing } from "../ports.ts";
import type { LocalDraft } from "./device/local-draft.ts";
import { isSame } from "./device/texts.ts";
import type { Engine } from "./sending/engine.ts";
import { situationOf } from "./sending/open.ts";
import { writingOf } from "./sending/writing.ts";
import { type Channel, lockName, type TabMessage, type Tabs } from "./tabs.ts";

/** A tab that is asked to hand the text over has this long; then it is taken. */
const PATIENCE = 1_500;
/** Other tabs are shown the text this often at most. */
const SHOW_EVERY = 200;
/** A page that is left sends for this long at most before another may write. */
const FAREWELL = 5_000;

/** Lets one tab of a browser write a post, and shows its text in the others (S37). */
export class SharedWriting {
  readonly writing: Writing;
  readonly #engine: Engine;
  readonly #tabs: Tabs;
  readonly #release = new Map<string, () => void>();
  #channel: Channel;
  #channelKey: string;
  #hasReaders = false;
  #shown: { readonly texts: unknown; readonly base: unknown } | null = null;
  #cancelShow: (() => void) | null = null;
  #given: ((draft: LocalDraft | null) => void) | null = null;
  #queue: AbortController | null = null;
  #closing: Promise<void> | null = null;
  readonly #watcher = () => this.#watch();

  /** @param release gives the lock of the engine's key back; null if another tab has it */
  constructor(engine: Engine, tabs: Tabs, release: (() => void) | null) {
    this.#engine = engine;
    this.#tabs = tabs;
    this.#channelKey = engine.situation.key;
    this.#channel = this.#open(this.#channelKey);
    if (release !== null) this.#release.set(engine.situation.key, release);
    engine.watchers.add(this.#watcher);
    this.writing = {
      ...writingOf(engine),
      editHere: () => void this.#take(),
      close: () => (this.#closing ??= this.#close()),
    };
    if (release === null) {
      this.#channel.post({ kind: "hello" });
      void this.#wait();
    }
  }

  /** Called when another tab took the right to write without waiting for this one. */
  lost(key: string): void {
    this.#release.delete(key);
    const { situation, ports } = this.#engine;
    if (!situation.isWriter || situation.isClosed) return;
    this.#stopWriting();
    // A text that this tab could not hand over stays in the storage, besides the text that goes on.
    if (!this.#isKept()) {
      const aside = { ...this.#engine.draft(), key: `aside:${ports.newKey()}`, creation: null, resolution: null };
      ports.device.write({ ...aside, isAside: true }).catch(() => undefined);
    }
    this.#engine.step();
    void this.#wait();
  }

  #name(key: string): string {
    return lockName(this.#engine.ports.person.id, key);
  }

  #open(key: string): Channel {
    return this.#tabs.channel(this.#name(key), (message) => void this.#hear(message));
  }

  async #hear(message: TabMessage): Promise<void> {
    const { situation } = this.#engine;
    if (situation.isClosed) return;
    if (message.kind === "given") this.#given?.(message.draft);
    if (message.kind === "text" && !situation.isWriter) this.#mirror(message);
    if (!situation.isWriter) return;
    if (message.kind === "hello") {
      this.#hasReaders = true;
      this.#shown = null;
      this.#watch();
    }
    if (message.kind === "give") await this.#give();
  }

  #mirror({ texts, base, facts, id, changedAt }: Extract<TabMessage, { kind: "text" }>): void {
    const { situation } = this.#engine;
    situation.facts = facts ?? situation.facts;
    situation.id = id ?? situation.id;
    situation.base = base;
    situation.changedAt = changedAt;
    if (!isSame(texts, situation.texts)) {
      situation.texts = texts;
      this.#engine.tell("elsewhere");
    }
    this.#engine.step();
  }

  async #give(): Promise<void> {
    await this.#keepAll();
    // It was closed meanwhile, or another tab took the right to write: both gave the locks back.
    if (this.#engine.situation.isClosed || !this.#engine.situation.isWriter) return;
    const draft = this.#engine.draft();
    this.#stopWriting();
    this.#channel.post({ kind: "given", draft });
    this.#engine.step();
    for (const release of this.#release.values()) release();
    this.#release.clear();
    void this.#wait();
  }

  /** Keeps what is typed while it is kept too: the tab that asks may be gone before it has it. */
  async #keepAll(): Promise<void> {
    const { situation, keeper } = this.#engine;
    do await keeper.flush();
    while (situation.isWriter && !situation.isClosed && keeper.error === null && !this.#isKept());
  }

  #isKept(): boolean {
    const { situation, keeper } = this.#engine;
    return keeper.kept !== null && isSame(keeper.kept.texts, situation.texts);
  }

  #stopWriting(): void {
    this.#engine.turn();
    this.#engine.keeper.stop();
    this.#engine.situation.isWriter = false;
    this.#hasReaders = false;
  }

  /** Waits in line: when the tab that writes is closed, the next one goes on. */
  async #wait(): Promise<void> {
    const queue = new AbortController();
    this.#queue = queue;
    const { key } = this.#engine.situation;
    const release = await this.#tabs
      .lock(this.#name(key), "wait", () => this.lost(key), queue.signal)
      .catch(() => null);
    if (release === null) return;
    if (queue.signal.aborted) release();
    else await this.#begin(key, release, null);
  }

  async #take(): Promise<void> {
    const { situation, ports } = this.#engine;
    if (situation.isWriter || situation.isClosed) return;
    const { key } = situation;
    const given = new Promise<LocalDraft | null>((resolve) => {
      this.#given = resolve;
      ports.clock.after(PATIENCE, () => resolve(null));
    });
    this.#channel.post({ kind: "give" });
    const draft = await given;
    this.#given = null;
    this.#queue?.abort();
    const release = await this.#tabs.lock(this.#name(key), "steal", () => this.lost(key));
    if (release !== null) await this.#begin(key, release, draft);
  }

  async #begin(key: string, release: () => void, given: LocalDraft | null): Promise<void> {
    const { situation, ports, keeper } = this.#engine;
    if (situation.isClosed) return release();
    this.#release.set(key, release);
    const draft = given ?? (await ports.device.read(ports.person.id, key).catch(() => null));
    if (situation.isClosed) return; // which gave the lock back
    // Another tab took it meanwhile.
    if (this.#release.get(key) !== release) return void this.#wait();
    const { isOnline, isSignedIn, isComposing, inFlight, texts, changedAt, facts, id } = situation;
    if (draft !== null) {
      const start = { id, key: draft.key, isWriter: true, isOnline, isSignedIn };
      const fresh = situationOf(start, draft, ports.clock.now());
      Object.assign(situation, fresh, { isComposing, inFlight, facts: fresh.facts ?? facts });
      // A tab that died may have shown more here than it kept on the device.
      if (changedAt > draft.changedAt) Object.assign(situation, { texts, changedAt });
    }
    situation.isWriter = true;
    situation.mustFetch = situation.id !== null;
    keeper.kept = null;
    // The tab that wrote before shows the text now.
    this.#hasReaders = true;
    if (!isSame(situation.texts, texts)) this.#engine.tell("taken");
    keeper.touch();
    this.#engine.step();
  }

  #watch(): void {
    const { situation } = this.#engine;
    if (situation.key !== this.#channelKey && situation.isWriter) this.#follow(situation.key);
    if (!this.#hasReaders || !situation.isWriter || this.#cancelShow !== null) return;
    const { texts, base, facts, id, changedAt } = situation;
    if (this.#shown?.texts === texts && this.#shown.base === base) return;
    this.#cancelShow = this.#engine.ports.clock.after(SHOW_EVERY, () => {
      this.#cancelShow = null;
      this.#watch();
    });
    this.#shown = { texts, base };
    this.#channel.post({ kind: "text", texts, base, facts, id, changedAt });
  }

  /** A text that became a post is held under the post's id from now on. */
  #follow(key: string): void {
    this.#channelKey = key;
    this.#channel.close();
    this.#channel = this.#open(key);
    this.#tabs
      .lock(this.#name(key), "wait", () => this.lost(key))
      .then((release) => {
        if (release === null) return;
        if (this.#engine.situation.isClosed) release();
        else this.#release.set(key, release);
      })
      .catch(() => undefined);
  }

  async #close(): Promise<void> {
    const { situation, keeper, ports } = this.#engine;
    this.#queue?.abort();
    situation.isComposing = false;
    if (situation.isWriter) {
      await keeper.flush();
      const sent = this.writing.settle().catch(() => undefined);
      let stopWaiting = () => {};
      const enough = new Promise<void>((resolve) => {
        stopWaiting = ports.clock.after(FAREWELL, resolve);
      });
      if (situation.inFlight !== null) await Promise.race([sent, enough]);
      stopWaiting();
      await keeper.flush();
    }
    situation.isClosed = true;
    keeper.stop();
    this.#engine.step();
    for (const release of this.#release.values()) release();
    this.#engine.watchers.delete(this.#watcher);
    this.#cancelShow?.();
    this.#channel.close();
  }
}
