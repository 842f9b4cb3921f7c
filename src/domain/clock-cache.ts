/** An entry of a `ClockCache`, which belongs to that cache alone. */
export interface ClockEntry {
  /** Whether it was found since it was kept, or since it was last spared. */
  isUsed: boolean;
}

/** Entries that are spared for one new one, so that nobody waits for a whole round. */
const MOST_SPARED = 32;

/**
 * Holds entries of about `limit` bytes, or of whatever else they are measured in. The oldest make room, but one that was found meanwhile is spared once. So finding an entry sets
 * a mark, and changes no order: in a large cache, keeping a list of the least recently used costs more than the search.
 *
 * The clock algorithm: Corbató, A Paging Experiment with the Multics System, 1968.
 */
export class ClockCache<Entry extends ClockEntry> {
  readonly #limit: number;
  readonly #sizeOf: (key: string, entry: Entry) => number;
  readonly #dropped: (entry: Entry) => void;
  /** From the oldest to the newest. */
  #entries = new Map<string, Entry>();
  /** Goes round from the oldest on. */
  #hand = this.#entries.entries();
  #size = 0;

  /**
   * @param sizeOf size of an entry with its key; the same each time
   * @param dropped called with each entry that is dropped or replaced
   */
  constructor(
    limit: number,
    sizeOf: (key: string, entry: Entry) => number,
    dropped: (entry: Entry) => void = () => {},
  ) {
    this.#limit = limit;
    this.#sizeOf = sizeOf;
    this.#dropped = dropped;
  }

  find(key: string): Entry | undefined {
    const entry = this.#entries.get(key);
    if (entry !== undefined) entry.isUsed = true;
    return entry;
  }

  /** Nothing is kept that takes more than half of the room. */
  keep(key: string, entry: Entry): void {
    const size = this.#sizeOf(key, entry);
    if (size > this.#limit / 2) return;
    const before = this.#entries.get(key);
    if (before !== undefined) this.#leave(key, before);
    this.#entries.set(key, entry);
    this.#size += size;
    for (let spared = 0; this.#size > this.#limit; ) if (this.#makeRoom(spared < MOST_SPARED)) spared++;
  }

  clear(): void {
    if (this.#entries.size === 0) return;
    for (const entry of this.#entries.values()) this.#dropped(entry);
    this.#entries = new Map();
    this.#hand = this.#entries.entries();
    this.#size = 0;
  }

  /** Drops the oldest entry, or puts it behind the newest if it may be spared. @returns whether it was spared */
  #makeRoom(maySpare: boolean): boolean {
    const oldest = this.#hand.next();
    if (oldest.done) {
      this.#hand = this.#entries.entries();
      return false;
    }
    const [key, entry] = oldest.value;
    this.#entries.delete(key);
    const isSpared = entry.isUsed && maySpare;
    entry.isUsed = false;
    if (isSpared) this.#entries.set(key, entry);
    else this.#leave(key, entry);
    return isSpared;
  }

  #leave(key: string, entry: Entry): void {
    this.#size -= this.#sizeOf(key, entry);
    this.#dropped(entry);
  }
}
