/** Default of `stale`, in milliseconds. */
const STALE = 3_600_000;
/** Milliseconds between two attempts to read, however many unknown keys and wrong signatures arrive. */
const PAUSE = 5_000;

export interface ReadKeys<Keys> {
  readonly keys: Keys;
  /** Milliseconds for which they count as fresh. */
  readonly lifetime: number;
}

/**
 * The keys that another server publishes, and the policy for asking it again. Reading and the clock are handed in.
 */
export class RemoteKeys<Keys> {
  readonly #read: () => Promise<ReadKeys<Keys>>;
  readonly #now: () => number;
  readonly #stale: number;
  #known: ReadKeys<Keys> | null = null;
  #readAt = Number.NEGATIVE_INFINITY;
  #triedAt = Number.NEGATIVE_INFINITY;
  #reading: Promise<void> | null = null;

  /**
   * @param now milliseconds of Unix time
   * @param stale milliseconds for which keys stay usable while they cannot be read again
   */
  constructor(read: () => Promise<ReadKeys<Keys>>, now: () => number, stale = STALE) {
    this.#read = read;
    this.#now = now;
    this.#stale = stale;
  }

  /** Keys within their lifetime; null without any. */
  fresh(): Keys | null {
    return this.#known !== null && this.#isWithin(this.#readAt, this.#known.lifetime) ? this.#known.keys : null;
  }

  /** Keys that are good enough while the other server cannot be reached; null without any. */
  stale(): Keys | null {
    return this.#known !== null && this.#isWithin(this.#readAt, this.#stale) ? this.#known.keys : null;
  }

  /** The keys that were read last, whatever their age; null before the first. */
  get latest(): Keys | null {
    return this.#known?.keys ?? null;
  }

  /** Whether an attempt began less than five seconds ago, and has ended. */
  get isPaused(): boolean {
    return this.#reading === null && this.#isWithin(this.#triedAt, PAUSE);
  }

  /** Reads the keys. Callers at the same time share one attempt. It rejects when the attempt fails; the keys stay then. */
  refresh(): Promise<void> {
    this.#reading ??= this.#refresh().finally(() => {
      this.#reading = null;
    });
    return this.#reading;
  }

  async #refresh(): Promise<void> {
    this.#triedAt = this.#now();
    this.#known = await this.#read();
    this.#readAt = this.#now();
  }

  /** In both directions: a clock that is set back must not extend a lifetime (F14). */
  #isWithin(time: number, milliseconds: number): boolean {
    return Math.abs(this.#now() - time) < milliseconds;
  }
}
