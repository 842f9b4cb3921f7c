/** Characters that are written together, and milliseconds that a line waits. */
const MOST = 16_384;
const LONGEST = 100;

/** pino's number for `info`. */
const INFO = 30;

/** Log lines that are written together: a write for each would cost as much as a small read. */
export class LineBuffer {
  readonly #write: (text: string) => void;
  #text = "";
  #timer: NodeJS.Timeout | null = null;
  #isUsed = false;
  #second = 0;
  /** The time of `#second` up to its milliseconds. */
  #clock = "";

  constructor(write: (text: string) => void) {
    this.#write = write;
  }

  add(fields: object, message: string): void {
    if (!this.#isUsed) process.once("exit", () => this.flush());
    this.#isUsed = true;
    this.#text += `{"level":${INFO},"time":"${this.#now()}",${JSON.stringify({ ...fields, msg: message }).slice(1)}\n`;
    if (this.#text.length >= MOST) this.flush();
    else this.#timer ??= setTimeout(() => this.flush(), LONGEST).unref();
  }

  flush(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    const text = this.#text;
    this.#text = "";
    if (text !== "") this.#write(text);
  }

  #now(): string {
    const now = Date.now();
    const second = Math.floor(now / 1_000);
    if (second !== this.#second) {
      this.#second = second;
      this.#clock = new Date(second * 1_000).toISOString().slice(0, -4);
    }
    return `${this.#clock}${String(now % 1_000).padStart(3, "0")}Z`;
  }
}
