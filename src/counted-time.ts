/** Time that counts as waiting. It stands still while the program is busy with itself, which says nothing about the load. */
export class CountedTime {
  #notCounted = 0;
  #stoodStillAt: number | null = null;

  /** Milliseconds from some moment on. */
  readonly now = (): number => (this.#stoodStillAt ?? performance.now()) - this.#notCounted;

  /** Does something for which nobody is to be refused; one at a time. */
  async without<T>(work: () => Promise<T>): Promise<T> {
    const since = performance.now();
    this.#stoodStillAt = since;
    try {
      return await work();
    } finally {
      this.#notCounted += performance.now() - since;
      this.#stoodStillAt = null;
    }
  }
}
