import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { setImmediate as turn } from "node:timers/promises";
import type { ChangeListener } from "../../src/domain/change.ts";
import type { ContentEvent } from "../../src/domain/events/event.ts";
import type { Id } from "../../src/domain/id.ts";
import { Bus } from "../../src/events/bus.ts";

const id = (number: number) => `01990000-0000-7000-8000-${String(number).padStart(12, "0")}` as Id;
const SILENT = { debug() {}, info() {}, warn() {}, error() {} };

/** An outbox in memory, which says when there is something new. */
class Outbox {
  readonly events: ContentEvent[] = [];
  readonly lists: (Id | null)[] = [];
  isAway = false;
  readonly #listeners = new Set<ChangeListener>();

  add(count = 1): void {
    for (let added = 0; added < count; added++) {
      const number = this.events.length + 1;
      this.events.push({ id: id(number), type: "post.created", subjectId: id(0), occurredAt: "", data: "{}" });
    }
    for (const listener of this.#listeners) listener({ kind: "event", id: null });
  }

  readonly store = {
    outbox: {
      last: async () => this.#here().at(-1)?.id ?? null,
      list: async (after: Id | null, limit: number) => {
        this.lists.push(after);
        return this.#here()
          .filter((event) => event.id > (after ?? ""))
          .slice(0, limit);
      },
    },
    watch: (_kinds: readonly string[], listener: ChangeListener) => {
      this.#listeners.add(listener);
      return () => void this.#listeners.delete(listener);
    },
  };

  get watchers(): number {
    return this.#listeners.size;
  }

  #here(): readonly ContentEvent[] {
    if (this.isAway) throw new Error("away");
    return this.events;
  }
}

function follower(hasRoom = true) {
  const seen: Id[] = [];
  let room = Promise.withResolvers<void>();
  return {
    seen,
    take: (event: ContentEvent) => void seen.push(event.id),
    hasRoom: () => hasRoom,
    untilRoom: () => (hasRoom ? Promise.resolve() : room.promise),
    give() {
      hasRoom = true;
      room.resolve();
    },
    fill() {
      hasRoom = false;
      room = Promise.withResolvers();
    },
    async until(count: number) {
      while (seen.length < count) await turn();
    },
  };
}

const ids = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => id(from + index));

describe("the bus", () => {
  test("a follower gets what comes after it, or all after an id, each once and in order", async () => {
    const outbox = new Outbox();
    outbox.add(250);
    const bus = new Bus({ store: outbox.store, log: SILENT });
    const release = await bus.hold();
    const [now, old, older] = [follower(), follower(), follower()];
    bus.follow(null, now);
    bus.follow(id(248), old);
    bus.follow(id(10), older);
    outbox.add(3);
    await Promise.all([now.until(3), old.until(5), older.until(243)]);
    outbox.add();
    await Promise.all([now.until(4), old.until(6), older.until(244)]);
    assert.deepEqual(now.seen, ids(251, 254));
    assert.deepEqual(old.seen, ids(249, 254));
    assert.deepEqual(older.seen, ids(11, 254));
    release();
    assert.equal(outbox.watchers, 0);
  });

  test("who was away for a moment is served from memory", async () => {
    const outbox = new Outbox();
    outbox.add();
    const bus = new Bus({ store: outbox.store, log: SILENT });
    await bus.hold();
    const first = follower();
    bus.follow(null, first);
    outbox.add(20);
    await first.until(20);
    const asked = outbox.lists.length;
    const again = follower();
    bus.follow(id(5), again);
    await again.until(16);
    assert.deepEqual(again.seen, ids(6, 21));
    assert.equal(outbox.lists.length, asked);
  });

  test("who has no room is left behind, holds nobody up, and misses nothing", async () => {
    const outbox = new Outbox();
    const bus = new Bus({ store: outbox.store, log: SILENT });
    await bus.hold();
    const [slow, quick] = [follower(), follower()];
    bus.follow(null, slow);
    bus.follow(null, quick);
    outbox.add();
    await slow.until(1);
    slow.fill();
    outbox.add(1_500);
    await quick.until(1_501);
    assert.equal(slow.seen.length, 1);
    slow.give();
    await slow.until(1_501);
    outbox.add();
    await slow.until(1_502);
    assert.deepEqual(slow.seen, ids(1, 1_502));
    assert.deepEqual(quick.seen.length, 1_502);
  });

  test("F12 while the outbox is away everybody waits, and misses nothing", async () => {
    const outbox = new Outbox();
    outbox.add(3);
    const bus = new Bus({ store: outbox.store, log: SILENT });
    outbox.isAway = true;
    await assert.rejects(bus.hold(), /away/);
    outbox.isAway = false;
    const release = await bus.hold();
    const [now, old] = [follower(), follower()];
    outbox.isAway = true;
    bus.follow(null, now);
    bus.follow(id(1), old);
    outbox.add(2);
    await turn();
    outbox.isAway = false;
    await Promise.all([now.until(2), old.until(4)]);
    assert.deepEqual(now.seen, ids(4, 5));
    assert.deepEqual(old.seen, ids(2, 5));
    release();
  });

  test("an end is an end", async () => {
    const outbox = new Outbox();
    const bus = new Bus({ store: outbox.store, log: SILENT });
    const release = await bus.hold();
    const [here, gone] = [follower(), follower()];
    bus.follow(null, here);
    bus.follow(null, gone)();
    outbox.add();
    await here.until(1);
    assert.deepEqual(gone.seen, []);
    release();
    outbox.add();
    await turn();
    assert.deepEqual(here.seen, ids(1, 1));
  });
});
