/** Points that one process took from buckets of rate limits between two of its batches. */
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
 * Processes share their buckets here: `src/app/rate-sharing.ts`. The clock is the database's, and nothing waits
 * long: it throws UNAVAILABLE instead.
 */
export interface RateLimitStore {
  /** Tells one batch. When there is one of this number already, nothing is done. */
  tell(process: string, number: number, taken: TakenPoints["taken"]): Promise<void>;
  /**
   * Batches of other processes within these milliseconds, oldest first; at most the newest 10,000.
   * @param heard the number of the last batch that is known, by process
   */
  hear(process: string, heard: ReadonlyMap<string, number>, milliseconds: number): Promise<TakenPoints[]>;
  /** Destroys what is older. */
  sweep(milliseconds: number): Promise<void>;
}
