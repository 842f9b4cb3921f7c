import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { RemoteKeys } from "../../../src/domain/clients/remote-keys.ts";

const MINUTE = 60_000;

function openKeys() {
  const state = { now: Date.parse("2026-11-28T12:00:00Z"), isAway: false, reads: 0 };
  const keys = new RemoteKeys(
    async () => {
      state.reads++;
      if (state.isAway) throw new Error("away");
      return { keys: `set ${state.reads}`, lifetime: 5 * MINUTE };
    },
    () => state.now,
  );
  return { state, keys };
}

describe("keys of another server", () => {
  test("there are none before the first attempt, and nothing to wait for", () => {
    const { keys } = openKeys();
    assert.deepEqual([keys.fresh(), keys.stale(), keys.latest, keys.isPaused], [null, null, null, false]);
  });

  test("callers at the same time share an attempt, and the next one may come after five seconds", async () => {
    const { state, keys } = openKeys();
    const attempts = [keys.refresh(), keys.refresh()];
    assert.equal(keys.isPaused, false, "callers may wait for the attempt");
    await Promise.all(attempts);
    assert.equal(state.reads, 1);
    assert.equal(keys.isPaused, true);
    state.now += 5_000;
    assert.equal(keys.isPaused, false);
  });

  test("keys are fresh for their lifetime, and usable for an hour", async () => {
    const { state, keys } = openKeys();
    await keys.refresh();
    state.now += 5 * MINUTE - 1;
    assert.equal(keys.fresh(), "set 1");
    state.now += 1;
    assert.equal(keys.fresh(), null);
    assert.equal(keys.stale(), "set 1");
    state.now += 55 * MINUTE;
    assert.equal(keys.stale(), null);
    assert.equal(keys.latest, "set 1");
  });

  test("a failed attempt rejects, keeps the keys as old as they are, and pauses", async () => {
    const { state, keys } = openKeys();
    await keys.refresh();
    state.now += 5 * MINUTE;
    state.isAway = true;
    await assert.rejects(keys.refresh(), /away/);
    assert.equal(keys.fresh(), null);
    assert.equal(keys.stale(), "set 1");
    assert.equal(keys.isPaused, true);
  });

  test("F14 a clock that is set back does not extend a lifetime", async () => {
    const { state, keys } = openKeys();
    await keys.refresh();
    state.now -= 60 * MINUTE;
    assert.deepEqual([keys.fresh(), keys.stale(), keys.isPaused], [null, null, false]);
  });
});
