import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import type { Id } from "../../src/domain/id.ts";
import type { EditedPost, EditingStore } from "../../src/domain/posts/editing.ts";
import { EditingWatch } from "../../src/events/editing-watch.ts";
import type { Log } from "../../src/observe/log.ts";

const id = (number: number) => `01990000-0000-7000-8000-${String(number).padStart(12, "0")}` as Id;

/** A store of one version, which notes what it is asked for. */
function openStore() {
  const looks: (readonly Id[])[] = [];
  const warnings: unknown[] = [];
  const world = { looks, warnings, version: 1, isAway: false };
  const editing: EditingStore = {
    announce: async () => {},
    sweep: async () => 0,
    async look(postIds) {
      looks.push(postIds);
      if (world.isAway) throw new Error("away");
      return postIds.map(
        (post): EditedPost => ({
          ...{ id: post, authorId: id(0), status: "DRAFT", version: world.version, workingVersion: 0, editing: [] },
        }),
      );
    },
  };
  const log: Log = { debug() {}, info() {}, error() {}, warn: (...warning) => void warnings.push(warning) };
  return { ...{ world, watch: new EditingWatch({ store: { editing }, log }) } };
}

async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await pause(10);
}

describe("the watch over posts that are written", { timeout: 30_000 }, () => {
  test("S38 many who follow share one read, and nobody is asked while nobody follows", async () => {
    const { world, watch } = openStore();
    const seen = new Map<Id, number>();
    const ends = Array.from({ length: 1_200 }, (_, number) =>
      watch.follow(id(number % 600), ({ id: post }) => seen.set(post, (seen.get(post) ?? 0) + 1)),
    );
    await until(() => seen.size === 600);
    assert.deepEqual(
      world.looks.map(({ length }) => length),
      [500, 100],
    );
    assert.equal(seen.get(id(7)), 2);
    for (const end of ends) end();
    await pause(1_300);
    assert.equal(world.looks.length, 2);
  });

  test("S38 it goes on after the database was away, and says once that it is", async () => {
    const { world, watch } = openStore();
    const versions: number[] = [];
    const end = watch.follow(id(1), ({ version }) => void versions.push(version));
    await until(() => versions.length === 1);
    world.isAway = true;
    await until(() => world.looks.length === 3);
    world.isAway = false;
    world.version = 2;
    await until(() => versions.at(-1) === 2);
    assert.equal(world.warnings.length, 1);
    end();
    end();
    watch.follow(id(1), () => {})();
    watch.follow(id(1), ({ version }) => void versions.push(version + 1));
    await until(() => versions.at(-1) === 3);
  });
});
