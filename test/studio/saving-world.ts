import assert from "node:assert/strict";
import type { ServerInfo, Texts, Writing } from "../../src/studio/browser/ports.ts";
import type { Device, LocalDraft } from "../../src/studio/browser/saving/device/local-draft.ts";
import type { Engine } from "../../src/studio/browser/saving/sending/engine.ts";
import { openEngine } from "../../src/studio/browser/saving/sending/open.ts";
import type { Ports } from "../../src/studio/browser/saving/sending/ports.ts";
import { SharedWriting } from "../../src/studio/browser/saving/shared-writing.ts";
import { lockName, type TabMessage, type Tabs } from "../../src/studio/browser/saving/tabs.ts";
import { FakeServer, Network } from "./saving-server.ts";

export const LIMITS: ServerInfo = {
  operatorName: "Test",
  maxRequestBytes: 8_388_608,
  maxTitleLength: 300,
  maxBodyLength: 1_048_576,
  timeZone: "UTC",
  postUrl: null,
  revisionDays: 365,
  deletedDays: 30,
  build: "1",
};

export const ADA = { id: "ada", name: "Ada" };

/** Time that passes only when a test lets it. */
export class Time {
  now = 1_800_000_000_000;
  #timers: Timer[] = [];
  #count = 0;

  after = (milliseconds: number, run: () => void): (() => void) => {
    const timer = { at: this.now + milliseconds, order: this.#count++, run };
    this.#timers.push(timer);
    return () => {
      this.#timers = this.#timers.filter((other) => other !== timer);
    };
  };

  async pass(milliseconds: number): Promise<void> {
    const end = this.now + milliseconds;
    await drain();
    for (;;) {
      const next = this.#next(end);
      if (next === null) break;
      this.#timers = this.#timers.filter((timer) => timer !== next);
      this.now = Math.max(this.now, next.at);
      next.run();
      await drain();
    }
    this.now = end;
  }

  #next(end: number): Timer | null {
    let first: Timer | null = null;
    for (const timer of this.#timers)
      if (
        timer.at <= end &&
        (first === null || timer.at < first.at || (timer.at === first.at && timer.order < first.order))
      )
        first = timer;
    return first;
  }
}

interface Timer {
  readonly at: number;
  readonly order: number;
  readonly run: () => void;
}

/** Lets everything run that waits for no time. */
export function drain(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/** One browser's storage. It outlives its tabs. */
export class FakeDevice implements Device {
  readonly drafts = new Map<string, LocalDraft>();
  isRefusing = false;
  readonly #time: Time;

  constructor(time: Time) {
    this.#time = time;
  }

  async read(personId: string, key: string): Promise<LocalDraft | null> {
    this.#check();
    return structuredClone(this.drafts.get(`${personId} ${key}`)) ?? null;
  }

  async write(draft: LocalDraft, instead?: string): Promise<void> {
    const copy = structuredClone(draft);
    await new Promise<void>((resolve) => void this.#time.after(5, resolve));
    this.#check();
    this.drafts.set(`${draft.personId} ${draft.key}`, copy);
    if (instead !== undefined) this.drafts.delete(`${draft.personId} ${instead}`);
  }

  async remove(personId: string, key: string): Promise<void> {
    this.#check();
    this.drafts.delete(`${personId} ${key}`);
  }

  async list(): Promise<LocalDraft[]> {
    this.#check();
    return structuredClone([...this.drafts.values()]);
  }

  #check(): void {
    if (this.isRefusing) throw new DOMException("The quota is used up", "QuotaExceededError");
  }
}

interface Lock {
  holder: { readonly tab: number; readonly lost: () => void } | null;
  readonly line: { readonly tab: number; readonly grant: () => void }[];
}

/** Locks and channels of one browser, by the rules of Web Locks and BroadcastChannel. */
export class FakeTabs {
  readonly #locks = new Map<string, Lock>();
  readonly #channels = new Set<{ name: string; tab: number; listen: (message: TabMessage) => void }>();
  readonly #time: Time;
  /** Milliseconds before the browser looks at a request for a lock. */
  delay = 0;

  constructor(time: Time) {
    this.#time = time;
  }

  of(tab: number): Tabs {
    return {
      lock: (name, how, lost, signal) => {
        const ask = () => this.#lock(tab, name, how, lost, signal);
        // Without another turn: who gets a lock knows it before anybody takes it away.
        if (this.delay === 0) return ask();
        return new Promise<void>((resolve) => void this.#time.after(this.delay, resolve)).then(ask);
      },
      channel: (name, listen) => {
        const channel = { name, tab, listen };
        let isClosed = false;
        this.#channels.add(channel);
        return {
          post: (message) => {
            if (isClosed) throw new DOMException("Channel is closed", "InvalidStateError");
            const copy = structuredClone(message);
            for (const other of this.#channels)
              if (other !== channel && other.name === name)
                queueMicrotask(() => {
                  if (this.#channels.has(other)) other.listen(copy);
                });
          },
          close: () => {
            isClosed = true;
            this.#channels.delete(channel);
          },
        };
      },
    };
  }

  isHeld(name: string): boolean {
    return (this.#locks.get(name)?.holder ?? null) !== null;
  }

  /** A tab that dies holds nothing and hears nothing. */
  kill(tab: number): void {
    for (const channel of this.#channels) if (channel.tab === tab) this.#channels.delete(channel);
    for (const lock of this.#locks.values()) {
      const stays = lock.line.filter((waiting) => waiting.tab !== tab);
      lock.line.splice(0, lock.line.length, ...stays);
      if (lock.holder?.tab === tab) this.#next(lock);
    }
  }

  #lock(tab: number, name: string, how: string, lost: () => void, signal?: AbortSignal): Promise<(() => void) | null> {
    const lock = this.#locks.get(name) ?? { holder: null, line: [] };
    this.#locks.set(name, lock);
    const hold = () => {
      const holder = { tab, lost };
      lock.holder = holder;
      return () => {
        if (lock.holder === holder) this.#next(lock);
      };
    };
    if (how === "steal") {
      const { holder } = lock;
      const release = hold();
      if (holder !== null) queueMicrotask(holder.lost);
      return Promise.resolve(release);
    }
    if (lock.holder === null) return Promise.resolve(hold());
    if (how === "if-free") return Promise.resolve(null);
    return new Promise((resolve) => {
      const waiting = { tab, grant: () => resolve(hold()) };
      lock.line.push(waiting);
      signal?.addEventListener("abort", () => {
        const index = lock.line.indexOf(waiting);
        if (index >= 0) lock.line.splice(index, 1);
        resolve(null);
      });
    });
  }

  #next(lock: Lock): void {
    lock.holder = null;
    lock.line.shift()?.grant();
  }
}

export interface Tab {
  readonly number: number;
  readonly engine: Engine;
  readonly writing: Writing;
  readonly network: Network;
  readonly notices: string[];
  readonly undo: (() => void)[];
  readonly show: (() => void)[];
  /** The text as an editor has it, which learns of changes by `onReplaced` alone. */
  editor: Texts;
  isDead: boolean;
}

/** A server, a browser with its storage, and tabs, all under one clock. */
export class World {
  readonly time = new Time();
  readonly server = new FakeServer();
  readonly device = new FakeDevice(this.time);
  readonly tabs = new FakeTabs(this.time);
  readonly opened: Tab[] = [];
  #keys = 0;

  async open(
    id: string | null,
    options: { key?: string; network?: (network: Network) => void; isOnline?: boolean } = {},
  ): Promise<Tab> {
    const number = this.opened.length;
    let tab: Tab | null = null;
    const network = new Network(this.server, (milliseconds, run) => void this.time.after(milliseconds, run));
    options.network?.(network);
    const notices: string[] = [];
    const undo: (() => void)[] = [];
    const show: (() => void)[] = [];
    const ports: Ports = {
      clock: {
        now: () => this.time.now,
        after: (milliseconds, run) => this.time.after(milliseconds, () => tab?.isDead !== true && run()),
      },
      device: this.#deviceOf(() => tab?.isDead === true),
      server: network,
      person: ADA,
      limits: () => LIMITS,
      newKey: () => `key-${this.#keys++}`,
      notify: (message, action) => {
        notices.push(message);
        if (action !== undefined) (action.label === "Show" ? show : undo).push(action.run);
      },
    };
    const key = options.key ?? id ?? `new:${this.#keys++}`;
    const tabs = this.tabs.of(number);
    let shared: SharedWriting | null = null;
    const release = await tabs.lock(lockName(ADA.id, key), "if-free", () => shared?.lost(key));
    const isOnline = options.isOnline ?? true;
    const opening = openEngine(ports, { id, key, isWriter: release !== null, isOnline, isSignedIn: true });
    let isOpen = false;
    const done = () => {
      isOpen = true;
    };
    opening.then(done, done);
    await drain();
    while (!isOpen) await this.time.pass(10);
    const engine = await opening;
    shared = new SharedWriting(engine, tabs, release);
    const { writing } = shared;
    tab = { number, engine, writing, network, notices, undo, show, editor: writing.texts.value, isDead: false };
    const opened = tab;
    writing.onReplaced((texts) => {
      assert.equal(writing.texts.value, texts, "the signal has the text when the editor is told");
      opened.editor = texts;
    });
    this.opened.push(tab);
    await drain();
    return tab;
  }

  /** The tab ends without a word: what it asked of the device may still be done, what it hears no longer counts, and it sends nothing. */
  crash(tab: Tab): void {
    tab.isDead = true;
    tab.network.isCut = true;
    tab.engine.situation.isClosed = true;
    this.tabs.kill(tab.number);
  }

  #deviceOf(isDead: () => boolean): Device {
    const { device } = this;
    return {
      read: (personId, key) => device.read(personId, key),
      write: async (draft, instead) => {
        if (isDead()) return;
        await device.write(draft, instead);
      },
      remove: async (personId, key) => {
        if (!isDead()) await device.remove(personId, key);
      },
      list: () => device.list(),
    };
  }

  type(tab: Tab, parts: Partial<Texts>): void {
    if (tab.writing.isReadOnly.value || tab.isDead) return;
    tab.editor = { ...tab.editor, ...parts };
    tab.writing.change(parts);
  }
}

export function texts(body: string, title = "Title"): Texts {
  return { title, body, slug: null, excerpt: null };
}
