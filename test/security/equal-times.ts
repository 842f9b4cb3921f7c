import assert from "node:assert/strict";

/** Standard deviations of Mann and Whitney's U that chance exceeds once in 128 times; three times in a row, once in two million. */
const MOST = 2.66;

/** Makes ready what a request needs. @returns the request, which is measured */
type Preparation = () => Promise<() => Promise<unknown>>;

/**
 * Asserts in one of three tries that requests of each kind take as long as those of the first. They come in turn, so that a slow moment of
 * the machine falls on all of them.
 *
 * @param rounds requests of each kind
 */
export async function assertEqualTimes(rounds: number, kinds: Readonly<Record<string, Preparation>>): Promise<void> {
  const names = Object.keys(kinds);
  const tries: string[] = [];
  while (tries.length < 3) {
    const times = names.map((): number[] => []);
    for (let round = 0; round < rounds; round++) {
      for (let turn = 0; turn < names.length; turn++) {
        const index = (round + turn) % names.length;
        const request = await kinds[names[index] ?? ""]?.();
        assert.ok(request);
        const start = performance.now();
        await request();
        times[index]?.push(performance.now() - start);
      }
    }
    const [first = [], ...others] = times;
    const deviations = others.map((other) => deviationOf(first, other));
    if (deviations.every((deviation) => Math.abs(deviation) <= MOST)) return;
    tries.push(deviations.map((deviation, index) => `${names[index + 1]} ${deviation.toFixed(1)}`).join(", "));
  }
  assert.fail(`differ from ${names[0]} by so many standard deviations: ${tries.join("; ")}`);
}

/** How far the number of pairs in which the first is larger is from what it is where both are alike. */
function deviationOf(ones: readonly number[], others: readonly number[]): number {
  let larger = 0;
  for (const one of ones) for (const other of others) larger += one > other ? 1 : one === other ? 0.5 : 0;
  const pairs = ones.length * others.length;
  return (larger - pairs / 2) / Math.sqrt((pairs * (ones.length + others.length + 1)) / 12);
}
