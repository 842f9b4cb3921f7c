import { randomUUID } from "node:crypto";
import type { Id } from "../../domain/id.ts";

/**
 * Makes UUIDv7s (RFC 9562 section 5.7) that ascend strictly: the 12 bits after the time count within one millisecond
 * (section 6.2, method 1), where Node's own randomUUIDv7 is unordered. When the clock stands still, runs backwards or
 * 4,096 ids were made in one millisecond, the time in the ids runs ahead of it.
 */
export class IdSource {
  readonly #now: () => number;
  #time = 0;
  #count = 0;

  constructor(now: () => number) {
    this.#now = now;
  }

  /** @param after an id of any process, which the new one is to follow */
  next(after: Id | null = null): Id {
    const now = this.#now();
    if (now > this.#time) this.#restart(now);
    else this.#advance();
    if (after !== null) {
      const time = Number.parseInt(after.slice(0, 8) + after.slice(9, 13), 16);
      const count = Number.parseInt(after.slice(15, 18), 16);
      if (time > this.#time || (time === this.#time && count >= this.#count)) {
        this.#time = time;
        this.#count = count;
        this.#advance();
      }
    }
    return this.#format();
  }

  #restart(time: number): void {
    this.#time = time;
    this.#count = 0;
  }

  #advance(): void {
    if (this.#count < 0xfff) this.#count++;
    else this.#restart(this.#time + 1);
  }

  #format(): Id {
    const time = hex(this.#time, 12);
    const random = randomUUID().slice(19); // variant and random bits stand there in every version
    return `${time.slice(0, 8)}-${time.slice(8)}-7${hex(this.#count, 3)}-${random}` as Id;
  }
}

function hex(value: number, digits: number): string {
  return value.toString(16).padStart(digits, "0");
}
