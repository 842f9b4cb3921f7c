import { setTimeout as pause, setImmediate as turn } from "node:timers/promises";
import type { ContentEvent, EventFeed, EventFollower } from "../domain/events/event.ts";
import type { Id } from "../domain/id.ts";
import type { Store } from "../domain/store/store.ts";
import type { Log } from "../observe/log.ts";
import { PAGE, Relay } from "./relay.ts";

/** Events that are kept in memory for clients that reconnect soon. */
const RECENT = 1_000;
/** Followers that are told before others get a turn. */
const TOLD_AT_ONCE = 500;
/** Followers that read older events from the database at the same time. */
const READERS = 4;
/** Milliseconds after which older events are tried again when they could not be read. */
const RETRY = 250;

export interface BusOptions {
  readonly store: Pick<Store, "outbox" | "watch">;
  readonly log: Log;
  readonly taken?: (event: ContentEvent) => void;
}

interface Entry {
  readonly follower: EventFollower;
  /** The last event it was given, or after which it begins; empty: none. */
  seen: Id | "";
  isOver: boolean;
}

/**
 * Hands events to any number of followers. Those that are up to date are served together, by one reader of the outbox; who
 * comes back after a while, or cannot keep up, reads at a pace of its own until it is up to date.
 */
export class Bus implements EventFeed {
  readonly #options: BusOptions;
  readonly #live = new Set<Entry>();
  #holders = 0;
  #relay: Relay | null = null;
  #started: Promise<void> | null = null;
  /** The newest event that was read. */
  #position: Id | "" = "";
  /** All events after `#recentAfter`, up to the newest. */
  #recent: ContentEvent[] = [];
  #recentAfter: Id | "" = "";
  #readers = 0;
  #waiting: (() => void)[] = [];

  constructor(options: BusOptions) {
    this.#options = options;
  }

  async hold(): Promise<() => void> {
    this.#holders++;
    let isHeld = true;
    const release = () => {
      if (isHeld && --this.#holders === 0) this.#stop();
      isHeld = false;
    };
    try {
      this.#started ??= this.#start();
      await this.#started;
    } catch (error) {
      this.#started = null;
      release();
      throw error;
    }
    return release;
  }

  follow(after: Id | null, follower: EventFollower): () => void {
    const entry: Entry = { follower, seen: after ?? this.#position, isOver: false };
    if (entry.seen >= this.#position) this.#live.add(entry);
    else void this.#catchUp(entry);
    return () => {
      entry.isOver = true;
      this.#live.delete(entry);
    };
  }

  async #start(): Promise<void> {
    const relay = new Relay({ ...this.#options, take: (event) => this.#hand(event) });
    this.#relay = relay;
    const position = (await relay.start()) ?? "";
    if (this.#relay !== relay) return;
    this.#position = position;
    this.#recentAfter = position;
    this.#recent = [];
    relay.ask(); // what was committed before it listened
  }

  #stop(): void {
    this.#relay?.stop();
    this.#relay = null;
    this.#started = null;
    for (const entry of this.#live) entry.isOver = true;
    this.#live.clear();
  }

  async #hand(event: ContentEvent): Promise<void> {
    this.#position = event.id;
    this.#recent.push(event);
    if (this.#recent.length > RECENT) {
      const [forgotten] = this.#recent.splice(0, RECENT / 2).slice(-1);
      if (forgotten !== undefined) this.#recentAfter = forgotten.id;
    }
    const pending: Promise<void>[] = [];
    let told = 0;
    for (const entry of this.#live) {
      if (event.id <= entry.seen) continue;
      if (!entry.follower.hasRoom()) {
        this.#live.delete(entry);
        void this.#catchUp(entry);
        continue;
      }
      entry.seen = event.id;
      const taken = entry.follower.take(event);
      if (taken instanceof Promise) pending.push(taken);
      if (++told % TOLD_AT_ONCE === 0) await turn();
    }
    await Promise.all(pending);
  }

  async #catchUp(entry: Entry): Promise<void> {
    const { follower } = entry;
    while (!entry.isOver) {
      if (entry.seen >= this.#position) {
        this.#live.add(entry);
        return;
      }
      const events = await this.#after(entry.seen);
      if (events.length === 0) await pause(RETRY, undefined, { ref: false });
      for (const event of events) {
        await follower.untilRoom();
        if (entry.isOver) return;
        entry.seen = event.id;
        await follower.take(event);
      }
    }
  }

  async #after(seen: Id | ""): Promise<readonly ContentEvent[]> {
    if (seen >= this.#recentAfter) {
      const start = this.#recent.findIndex(({ id }) => id > seen);
      return start === -1 ? [] : this.#recent.slice(start, start + PAGE);
    }
    if (this.#readers === READERS) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    else this.#readers++;
    try {
      return await this.#options.store.outbox.list(seen === "" ? null : seen, PAGE);
    } catch {
      return []; // the relay tells the log of it
    } finally {
      const next = this.#waiting.shift();
      if (next === undefined) this.#readers--;
      else next();
    }
  }
}
