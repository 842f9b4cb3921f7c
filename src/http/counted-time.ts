/** Time that counts as waiting. It stands still while the program is busy with itself, which says nothing about the load. */
export class CountedTime {
  #notCounted = 0;
  #stoodStillAt = 0;
  #works = 0;

  /** Milliseconds from some moment on. */
  readonly now = (): number => (this.#works > 0 ? this.#stoodStillAt : performance.now()) - this.#notCounted;

  /** Does work that must not count as load. */
  async without<T>(work: () => Promise<T>): Promise<T> {
    if (this.#works++ === 0) this.#stoodStillAt = performance.now();
    try {
      return await work();
    } finally {
      if (--this.#works === 0) this.#notCounted += performance.now() - this.#stoodStillAt;
    }
  }
}
