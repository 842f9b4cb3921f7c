import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import { ExponentialCounts } from "../../src/observe/exponential-counts.ts";

/** Bounds of the bucket that the only value of a histogram is in. */
function boundsOf(value: number): readonly [above: number, upTo: number] {
  const counts = new ExponentialCounts();
  counts.add(value);
  const { scale, offset, counts: found } = counts.state;
  assert.deepEqual(found, [1]);
  const base = 2 ** (2 ** -scale);
  return [base ** offset, base ** (offset + 1)];
}

describe("O28 exponential buckets", () => {
  test("each duration from a microsecond to two hours is in the bucket whose bounds are around it", () => {
    const exponents = fc.double({ min: -19.9, max: 12.9, noNaN: true });
    fc.assert(
      fc.property(exponents, (exponent) => {
        const value = 2 ** exponent;
        const [above, upTo] = boundsOf(value);
        const rounding = 1e-12;
        assert.ok(value > above * (1 - rounding) && value <= upTo * (1 + rounding), `${value} in ${above}–${upTo}`);
        assert.ok(upTo / above < 1.091);
      }),
    );
  });

  test("a power of two is the upper bound of its bucket, as OTLP has it", () => {
    for (let exponent = -19; exponent <= 13; exponent++) {
      const counts = new ExponentialCounts();
      counts.add(2 ** exponent);
      assert.equal(counts.state.offset, exponent * 8 - 1);
    }
  });

  test("what is no more than a microsecond counts as zero, and nothing is lost at either end", () => {
    const counts = new ExponentialCounts();
    for (const value of [0, -1, Number.NaN, 2 ** -20, 1e-9, 2 ** -20 * 1.01, 1e6, Number.POSITIVE_INFINITY])
      counts.add(value);
    const { zeroCount, zeroThreshold, counts: buckets } = counts.state;
    assert.equal(zeroCount, 5);
    assert.equal(zeroThreshold, 2 ** -20);
    assert.deepEqual([buckets.length, buckets[0], buckets.at(-1)], [264, 1, 2]);
  });

  test("an amount is taken once, and gives the same counts elsewhere", () => {
    const [one, sum] = [new ExponentialCounts(), new ExponentialCounts()];
    for (const value of [0, 0.001, 0.001, 3]) one.add(value);
    sum.give(JSON.parse(JSON.stringify(one.take())));
    assert.deepEqual(sum.state, one.state);
    assert.deepEqual(one.take(), []);
    one.add(3);
    sum.give(one.take());
    assert.deepEqual(sum.state, one.state);
    assert.deepEqual(new ExponentialCounts().state.counts, []);
  });
});
