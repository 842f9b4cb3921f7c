/** Cuts a stream of bytes into lines, none longer than a bound: the rest of a longer one is thrown away. */
export class Lines {
  readonly #longest: number;
  readonly #line: (line: string) => void;
  readonly #tooLong: () => void;
  #parts: Buffer[] = [];
  #length = 0;
  #isSkipping = false;

  /** @param longest bytes */
  constructor(longest: number, line: (line: string) => void, tooLong: () => void) {
    this.#longest = longest;
    this.#line = line;
    this.#tooLong = tooLong;
  }

  add(chunk: Buffer): void {
    let start = 0;
    for (let end = chunk.indexOf(0x0a); end !== -1; end = chunk.indexOf(0x0a, start)) {
      this.#collect(chunk.subarray(start, end));
      this.#finish();
      start = end + 1;
    }
    this.#collect(chunk.subarray(start));
  }

  #collect(part: Buffer): void {
    if (this.#isSkipping || part.length === 0) return;
    this.#length += part.length;
    this.#parts.push(part);
    if (this.#length <= this.#longest) return;
    this.#isSkipping = true;
    this.#parts = [];
    this.#tooLong();
  }

  #finish(): void {
    const line = Buffer.concat(this.#parts).toString().trim();
    const isWhole = !this.#isSkipping;
    this.#parts = [];
    this.#length = 0;
    this.#isSkipping = false;
    if (isWhole && line !== "") this.#line(line);
  }
}
