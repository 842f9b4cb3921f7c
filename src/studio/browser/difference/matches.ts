/** A stretch of two sequences that is equal in both. */
export interface Match {
  readonly before: number;
  readonly after: number;
  readonly length: number;
}

/** Elements of both pieces together, up to which a shortest way costs nothing worth saving. */
const SHORT = 200;
/** Differences up to which the shortest way is looked for. The memory that this takes grows with the square. */
const MOST_DIFFERENCES = 1_200;

interface Range {
  readonly before: number;
  readonly beforeEnd: number;
  readonly after: number;
  readonly afterEnd: number;
}

/**
 * Equal stretches of two sequences, in order. Elements that are there once in both cut long sequences into pieces
 * ("patience"), and each piece is compared by Myers' algorithm ("An O(ND) Difference Algorithm and Its Variations", 1986).
 * A piece that is too different is taken as replaced.
 */
export function matches<Element>(before: readonly Element[], after: readonly Element[]): readonly Match[] {
  const found: Match[] = [];
  function add(a: number, b: number, length: number): void {
    const last = found.at(-1);
    if (last !== undefined && last.before + last.length === a && last.after + last.length === b)
      found[found.length - 1] = { ...last, length: last.length + length };
    else if (length > 0) found.push({ before: a, after: b, length });
  }

  function compare(range: Range): void {
    let { before: a, after: b, beforeEnd, afterEnd } = range;
    while (a < beforeEnd && b < afterEnd && before[a] === after[b]) [a, b] = [a + 1, b + 1];
    add(range.before, range.after, a - range.before);
    while (beforeEnd > a && afterEnd > b && before[beforeEnd - 1] === after[afterEnd - 1])
      [beforeEnd, afterEnd] = [beforeEnd - 1, afterEnd - 1];
    const inner = { before: a, beforeEnd, after: b, afterEnd };
    if (a < beforeEnd && b < afterEnd) {
      const isShort = beforeEnd - a + afterEnd - b <= SHORT;
      const anchors = isShort ? [] : uniqueInBoth(before, after, inner);
      if (anchors.length > 0) {
        let [start, startAfter] = [a, b];
        for (const [x, y] of anchors) {
          compare({ before: start, beforeEnd: x, after: startAfter, afterEnd: y });
          add(x, y, 1);
          [start, startAfter] = [x + 1, y + 1];
        }
        compare({ before: start, beforeEnd, after: startAfter, afterEnd });
      } else for (const [x, y] of shortest(before, after, inner)) add(x, y, 1);
    }
    add(beforeEnd, afterEnd, range.beforeEnd - beforeEnd);
  }

  compare({ before: 0, beforeEnd: before.length, after: 0, afterEnd: after.length });
  return found;
}

/** Positions of elements that are there once in both ranges: the longest run of them that is in the same order in both. */
function uniqueInBoth<Element>(
  before: readonly Element[],
  after: readonly Element[],
  range: Range,
): readonly (readonly [number, number])[] {
  const places = new Map<Element, { count: number; before: number; after: number; countAfter: number }>();
  for (let i = range.before; i < range.beforeEnd; i++) {
    const place = places.get(before[i] as Element);
    if (place === undefined) places.set(before[i] as Element, { count: 1, before: i, after: -1, countAfter: 0 });
    else place.count++;
  }
  for (let i = range.after; i < range.afterEnd; i++) {
    const place = places.get(after[i] as Element);
    if (place === undefined) continue;
    place.countAfter++;
    place.after = i;
  }
  const pairs = [...places.values()].filter(({ count, countAfter }) => count === 1 && countAfter === 1);
  return longestIncreasing(pairs.map(({ before, after }) => [before, after] as const));
}

function longestIncreasing(pairs: readonly (readonly [number, number])[]): readonly (readonly [number, number])[] {
  const ends: number[] = []; // index of the pair that ends the best run of each length
  const previous: number[] = [];
  for (const [index, [, value]] of pairs.entries()) {
    let [low, high] = [0, ends.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((pairs[ends[middle] as number] as readonly [number, number])[1] < value) low = middle + 1;
      else high = middle;
    }
    previous[index] = low > 0 ? (ends[low - 1] as number) : -1;
    ends[low] = index;
  }
  const run: (readonly [number, number])[] = [];
  for (let index = ends.at(-1) ?? -1; index >= 0; index = previous[index] as number)
    run.push(pairs[index] as readonly [number, number]);
  return run.reverse();
}

/** Pairs of equal elements on a shortest way from one range to the other; none where it is too long. */
function shortest<Element>(
  before: readonly Element[],
  after: readonly Element[],
  range: Range,
): readonly (readonly [number, number])[] {
  const [n, m] = [range.beforeEnd - range.before, range.afterEnd - range.after];
  const most = Math.min(n + m, MOST_DIFFERENCES);
  const furthest = new Int32Array(2 * most + 2);
  const steps: Int32Array[] = [];
  for (let d = 0; d <= most; d++) {
    steps.push(furthest.slice(most - d, most + d + 2));
    for (let k = -d; k <= d; k += 2) {
      const isDown = k === -d || (k !== d && at(furthest, most + k - 1) < at(furthest, most + k + 1));
      let x = isDown ? at(furthest, most + k + 1) : at(furthest, most + k - 1) + 1;
      while (x < n && x - k < m && before[range.before + x] === after[range.after + x - k]) x++;
      furthest[most + k] = x;
      if (x >= n && x - k >= m) return wayBack(steps, range, n, m);
    }
  }
  return [];
}

function wayBack(
  steps: readonly Int32Array[],
  range: Range,
  n: number,
  m: number,
): readonly (readonly [number, number])[] {
  const pairs: (readonly [number, number])[] = [];
  let [x, y] = [n, m];
  for (let d = steps.length - 1; d >= 0; d--) {
    const furthest = steps[d] as Int32Array; // of the step before, from diagonal -d on
    const k = x - y;
    const isDown = k === -d || (k !== d && at(furthest, d + k - 1) < at(furthest, d + k + 1));
    const startX = d === 0 ? 0 : isDown ? at(furthest, d + k + 1) : at(furthest, d + k - 1);
    const startY = d === 0 ? 0 : startX - (isDown ? k + 1 : k - 1);
    const [fromX, fromY] = d === 0 ? [0, 0] : isDown ? [startX, startY + 1] : [startX + 1, startY];
    while (x > fromX && y > fromY) pairs.push([range.before + --x, range.after + --y]);
    [x, y] = [startX, startY];
  }
  return pairs.reverse();
}

function at(numbers: Int32Array, index: number): number {
  return numbers[index] as number;
}
