/** What one process took from buckets of rate limits between two of its batches. */
export interface TakenPoints {
  readonly process: string;
  /** Ascends with each batch of the process. */
  readonly number: number;
  /** By bucket, which is named by a hash. */
  readonly taken: Readonly<Record<string, number>>;
  /** Milliseconds since it was told. */
  readonly age: number;
}

/**
 * What processes tell one another of their buckets: `src/app/rate-sharing.ts`. Time is that of the database, and nothing waits for
 * long: rather than that, it is UNAVAILABLE.
 */
export interface RateLimitStore {
  /** Tells one batch. When there is one of this number already, nothing is done. */
  tell(process: string, number: number, taken: TakenPoints["taken"]): Promise<void>;
  /**
   * What others than this process told within these milliseconds, oldest first; the newest 10,000 batches at the most.
   * @param heard the number of the last batch that is known, by process
   */
  hear(process: string, heard: ReadonlyMap<string, number>, milliseconds: number): Promise<TakenPoints[]>;
  /** Destroys what is older. */
  sweep(milliseconds: number): Promise<void>;
}
