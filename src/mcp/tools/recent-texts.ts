/**
 * Keeps what was made of recent texts. Holds texts of about `limit` characters: half of them were used last, half before.
 * A text that would take more than a hundredth is not kept.
 */
export class RecentTexts<Value> {
  readonly #half: number;
  #late = new Map<string, Value>();
  #early = new Map<string, Value>();
  /** Characters in `#late`. */
  #size = 0;

  constructor(limit: number) {
    this.#half = limit / 2;
  }

  find(text: string): Value | undefined {
    const late = this.#late.get(text);
    if (late !== undefined) return late;
    const early = this.#early.get(text);
    if (early !== undefined) this.keep(text, early);
    return early;
  }

  keep(text: string, value: Value): void {
    if (text.length * 50 > this.#half) return;
    if (this.#size + text.length > this.#half) {
      this.#early = this.#late;
      this.#late = new Map();
      this.#size = 0;
    }
    this.#late.set(text, value);
    this.#size += text.length;
  }
}
