import type { Writing } from "../ports.ts";
import { atMost } from "./device/keeper.ts";
import { asideOf, isUnsent, type LocalDraft } from "./device/local-draft.ts";
import { isSame } from "./device/texts.ts";
import { isDone, isGuest } from "./guest.ts";
import type { Engine } from "./sending/engine.ts";
import { situationOf } from "./sending/open.ts";
import { writingOf } from "./sending/writing.ts";
import { mirror, Showing } from "./showing.ts";
import { type Channel, lockName, type TabMessage, type Tabs } from "./tabs.ts";

/** A tab that is asked to hand the text over has this long; then it is taken. */
const PATIENCE = 1_500;
/** A page that is left sends for this long at most before another may write. */
const FAREWELL = 5_000;

/** Lets one tab of a browser write a post, and shows its text in the others (S37). */
export class SharedWriting {
  readonly writing: Writing;
  readonly #engine: Engine;
  readonly #tabs: Tabs;
  readonly #showing: Showing;
  readonly #release = new Map<string, () => void>();
  #channel: Channel;
  #given: ((draft: LocalDraft | null) => void) | null = null;
  #queue: AbortController | null = null;
  #closing: Promise<void> | null = null;
  /** Another tab writes the post that this text became, or left an unsent text of it. */
  #isLate = false;
  #isTaking = false;
  #isYielding = false;
  readonly #watcher = () => this.#watch();

  /** @param release gives the lock of the engine's key back; null if another tab has it */
  constructor(engine: Engine, tabs: Tabs, release: (() => void) | null) {
    this.#engine = engine;
    this.#tabs = tabs;
    this.#channel = this.#open(engine.situation.key);
    this.#showing = new Showing(engine, (message) => this.#channel.post(message));
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
    if (!situation.isWriter || situation.isClosed || key !== situation.key) return;
    this.#stopWriting();
    // A text that this tab could not hand over stays in the storage, besides the text that goes on.
    if (!this.#engine.isKept) ports.device.write(asideOf(this.#engine.draft(), ports.newKey())).catch(() => undefined);
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
    if (!situation.isWriter) {
      // A text that is handed over is shown to all: the device may have refused it, and the tab that asked may be gone.
      if ("draft" in message) mirror(this.#engine, message.draft);
    } else if (message.kind === "hello") this.#showing.start();
    // A page that nobody looks at does not hear of it from the server.
    else if (message.kind === "sent") this.#engine.refresh();
    else if (message.kind === "give") await this.#give();
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
    while (situation.isWriter && !situation.isClosed && keeper.error === null && !this.#engine.isKept);
  }

  #stopWriting(): void {
    this.#engine.turn();
    this.#engine.keeper.stop();
    this.#engine.situation.isWriter = false;
    this.#showing.stop();
  }

  /** Waits in line: when the tab that writes is closed, the next one goes on. */
  async #wait(): Promise<void> {
    const queue = new AbortController();
    this.#queue = queue;
    const { situation } = this.#engine;
    const key = situation.id ?? situation.key;
    const ask = (how: "if-free" | "wait") =>
      this.#tabs.lock(this.#name(key), how, () => this.lost(key), queue.signal).catch(() => null);
    const free = situation.isWriter ? await ask("if-free") : null;
    this.#isLate = free === null;
    if (isGuest(this.#engine)) void this.#yield(key);
    const release = free ?? (await ask("wait"));
    if (this.#queue === queue) this.#queue = null;
    if (release === null) return;
    if (queue.signal.aborted || situation.isClosed) release();
    else if (situation.isWriter) await this.#move(key, release);
    else await this.#begin(key, release, null);
  }

  /** A text that became a post is held under the post's id from now on. */
  async #move(id: string, release: () => void): Promise<void> {
    const { situation, ports, keeper } = this.#engine;
    this.#release.set(id, release);
    const left = await keeper.read(ports.person.id, id);
    // An unsent text of another tab goes on as soon as the server has all of this text.
    this.#isLate = left !== null && isUnsent(left);
    if (situation.isClosed || !isGuest(this.#engine) || this.#isLate) return this.#engine.step();
    keeper.replace(situation.key);
    this.#rename(id);
    this.#showing.start();
    keeper.touch();
    this.#engine.step();
  }

  /** Goes over to the post that this text became, which another tab writes or left unsent, once the server has all of this text. */
  async #yield(id: string): Promise<void> {
    if (!this.#isLate || this.#isYielding || !isDone(this.#engine)) return;
    this.#isYielding = true;
    const { situation, ports, keeper } = this.#engine;
    await keeper.flush();
    this.#isYielding = false;
    if (!isDone(this.#engine)) return;
    const { key } = situation;
    this.#stopWriting();
    // A text that another tab keeps or shows goes before the one that ends here.
    situation.changedAt = 0;
    this.#rename(id);
    this.#channel.post({ kind: "sent" });
    this.#channel.post({ kind: "hello" });
    await keeper.remove(ports.person.id, key);
    if (situation.isClosed) return;
    this.#release.get(key)?.();
    this.#release.delete(key);
    const release = this.#release.get(id);
    if (release !== undefined) return this.#begin(id, release, null);
    if (this.#queue === null) void this.#wait();
    this.#engine.step();
  }

  #rename(id: string): void {
    this.#engine.situation.key = id;
    this.#channel.close();
    this.#channel = this.#open(id);
  }

  async #take(): Promise<void> {
    const { situation, ports } = this.#engine;
    if (situation.isWriter || situation.isClosed || this.#isTaking) return;
    this.#isTaking = true;
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
    this.#isTaking = false;
  }

  async #begin(key: string, release: () => void, given: LocalDraft | null): Promise<void> {
    const { situation, ports, keeper } = this.#engine;
    if (situation.isClosed) return release();
    this.#release.set(key, release);
    const draft = given ?? (await keeper.read(ports.person.id, key));
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
    if (!isSame(situation.texts, texts)) this.#engine.tell("taken");
    keeper.touch();
    this.#engine.step();
    // The tab that wrote before shows the text now.
    this.#showing.start();
  }

  #watch(): void {
    const { situation } = this.#engine;
    if (situation.id !== null && isGuest(this.#engine)) {
      if (this.#queue === null && !this.#release.has(situation.id)) void this.#wait();
      void this.#yield(situation.id);
    }
    this.#showing.show();
  }

  async #close(): Promise<void> {
    const { situation, keeper, ports } = this.#engine;
    this.#queue?.abort();
    situation.isComposing = false;
    if (situation.isWriter) {
      await keeper.flush();
      const sent = this.writing.settle().catch(() => undefined);
      if (situation.inFlight !== null) await atMost(FAREWELL, ports.clock, sent);
      await keeper.flush();
      if (isDone(this.#engine)) await keeper.remove(ports.person.id, situation.key);
    }
    situation.isClosed = true;
    keeper.stop();
    this.#engine.step();
    for (const release of this.#release.values()) release();
    this.#engine.watchers.delete(this.#watcher);
    this.#showing.stop();
    this.#channel.close();
  }
}
