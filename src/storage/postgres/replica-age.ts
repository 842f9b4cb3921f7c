/** How exactly an age is known that is near the longest: to a part of it. */
const PARTS = 32;

interface Heard {
  readonly at: number;
  readonly position: number;
}

/**
 * The age of a replica, as far as a process knows it: it notes where the WAL of the primary ended and when, and looks up which
 * of these ends the replica has reached. Times are those of `performance.now()`, positions are bytes of WAL.
 */
export class ReplicaAge {
  #heard: Heard[] = [];
  #knownFrom = Number.NEGATIVE_INFINITY;
  #replayed = 0;
  readonly #longest: number;

  /** @param longest milliseconds. A replica that is older need not be known any better. */
  constructor(longest: number) {
    this.#longest = longest;
  }

  /** Everything that was committed before then is on the replica. */
  get knownFrom(): number {
    return this.#knownFrom;
  }

  /** @param at when the primary was asked, not when it answered */
  heard(at: number, position: number): void {
    this.#heard = this.#heard.filter((heard) => at - heard.at < this.#longest);
    const [before, latest] = this.#heard.slice(-2);
    if (before !== undefined && latest !== undefined && latest.at - before.at < this.#longest / PARTS)
      this.#heard.pop();
    this.#heard.push({ at, position });
  }

  /** Forgets the positions: those of another primary are no measure of what a replica has. */
  restart(): void {
    this.#heard = [];
  }

  /** @param position up to which the replica has replayed the WAL. A smaller one than before is that of another replica. */
  replayed(position: number): void {
    if (position < this.#replayed) this.#knownFrom = Number.NEGATIVE_INFINITY;
    this.#replayed = position;
    const reached = this.#heard.findLastIndex((heard) => heard.position <= position);
    const heard = this.#heard[reached];
    if (heard === undefined) return;
    this.#knownFrom = heard.at;
    this.#heard.splice(0, reached + 1);
  }
}
