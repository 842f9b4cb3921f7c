import assert from "node:assert/strict";
import { test } from "node:test";
import { type Id, parseId } from "../../../src/domain/id.ts";
import { IdSource } from "../../../src/storage/database/ids.ts";

const NOON = Date.parse("2026-01-31T12:00:00Z");

test("ids are UUIDv7s that carry the time", () => {
  const id = new IdSource(() => NOON).next();
  assert.equal(parseId(id), id);
  assert.match(id, /^.{14}7.{4}[89ab]/);
  assert.equal(Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16), NOON);
});

test("ids ascend strictly: clock at rest, backwards, forwards, and beyond 4,096 in a millisecond", () => {
  let now = NOON;
  const source = new IdSource(() => now);
  let previous = source.next();
  for (let i = 0; i < 30_000; i++) {
    if (i === 10_000) now -= 60_000;
    if (i === 20_000) now += 120_000;
    const id = source.next();
    assert.ok(id > previous, `${id} after ${previous}`);
    previous = id;
  }
});

test("an id follows the one of another process that it is to follow", () => {
  const ahead = new IdSource(() => NOON + 5);
  const source = new IdSource(() => NOON);
  let last: Id = ahead.next();
  for (let i = 0; i < 5_000; i++) {
    const id = source.next(last);
    assert.ok(id > last, `${id} after ${last}`);
    last = id;
  }
  const behind = new IdSource(() => NOON - 5).next();
  assert.ok(source.next(behind) > last);
});
