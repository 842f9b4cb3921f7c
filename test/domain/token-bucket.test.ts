import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { TokenBucket } from "../../src/domain/token-bucket.ts";

const QUOTA = { points: 100, seconds: 10 };

describe("a token bucket", () => {
  test("fills up evenly, and holds no more than it holds", () => {
    const bucket = new TokenBucket(QUOTA, 0);
    assert.equal(bucket.has(100), true);
    assert.equal(bucket.has(101), false);
    bucket.take(100);
    assert.equal(bucket.has(1), false);
    assert.equal(bucket.secondsUntil(100), 10);
    assert.equal(bucket.fullAt, 10_000);
    bucket.fill(2_500);
    assert.equal(bucket.points, 25);
    assert.equal(bucket.secondsUntil(26), 1);
    assert.ok(bucket.secondsUntil(25) <= 0);
    bucket.fill(60_000);
    assert.equal(bucket.points, 100);
  });

  test("ten thousand parts of a second are whole again, whatever is lost in fractions", () => {
    const bucket = new TokenBucket({ points: 3, seconds: 7 }, 0);
    bucket.take(3);
    for (let time = 0; time <= 7_000; time += 0.7) bucket.fill(time);
    bucket.fill(7_000);
    assert.equal(bucket.has(3), true);
    assert.ok(bucket.secondsUntil(3) <= 0);
  });

  test("what others took beyond what was there comes back first", () => {
    const bucket = new TokenBucket(QUOTA, 0);
    bucket.take(100);
    bucket.owe(150);
    assert.equal(bucket.points, -150);
    assert.equal(bucket.secondsUntil(1), 16);
    assert.equal(bucket.secondsUntil(100), 25);
    bucket.fill(15_000);
    assert.equal(bucket.has(1), false);
    bucket.fill(15_100);
    assert.equal(bucket.has(1), true);
  });

  test("F14 requests that overtake one another gain nothing, a clock that is set back stops nothing", () => {
    const bucket = new TokenBucket(QUOTA, 100_000);
    bucket.take(100);
    bucket.fill(105_000);
    bucket.fill(101_000);
    bucket.fill(105_000);
    assert.equal(bucket.points, 50);
    bucket.fill(1_000);
    assert.equal(bucket.points, 50);
    bucket.fill(3_000);
    assert.equal(bucket.points, 70);
  });
});
