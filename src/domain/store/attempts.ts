/** Counts of what may be tried a few times only, kept for all processes together. */
export interface AttemptStore {
  /** Counts one more, within a window that begins with the first one. @returns how many there are in it now */
  add(key: string, windowSeconds: number, nowSeconds: number): Promise<number>;
  /** Counts one more of each, as `add` does, in one transaction. Callers name them in one order, so that none waits for another's end. */
  addAll(
    attempts: readonly { readonly key: string; readonly windowSeconds: number }[],
    nowSeconds: number,
  ): Promise<number[]>;
  /**
   * For what may be used once, whatever the clocks of others say.
   * @param untilSeconds for how long that is remembered: to when it would be refused anyway
   * @returns whether nobody has used it before
   */
  claimOnce(key: string, untilSeconds: number, nowSeconds: number): Promise<boolean>;
  /** Takes one back where there is one. */
  withdraw(key: string): Promise<void>;
  clear(key: string): Promise<void>;
  /** Destroys counts whose window has ended, at most `limit` of them. @returns their number */
  sweep(nowSeconds: number, limit: number): Promise<number>;
}
