/**
 * Idempotency-Key of a change: the same for a retry with the same values, so that nothing is made twice, and another one for
 * other values.
 */
export class RetryKey {
  #values = "";
  #key = "";

  for(values: unknown): string {
    const text = JSON.stringify(values);
    if (this.#key === "" || text !== this.#values) this.#key = crypto.randomUUID();
    this.#values = text;
    return this.#key;
  }

  /** After a change that was made: the same values are another change. */
  forget(): void {
    this.#key = "";
  }
}
