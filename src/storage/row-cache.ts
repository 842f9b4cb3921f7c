import type { SlotValues } from "../domain/selection.ts";
import type { Row } from "./database.ts";

/** Bytes that an entry takes beside its texts, about. */
const ENTRY = 200;

/** A row that was looked for; there may be none. */
export interface Known {
  readonly row: Row | undefined;
}

/**
 * Rows that have been read, by statement and values, to be forgotten all together when anything is written. Holds about
 * `limit` bytes at the most: half of it for what was asked for lately, half for what was asked for before that.
 */
export class RowCache {
  readonly #half: number;
  #late = new Map<string, Known>();
  #early = new Map<string, Known>();
  /** Bytes in `#late`. */
  #size = 0;

  constructor(limit: number) {
    this.#half = limit / 2;
  }

  find(key: string): Known | undefined {
    const known = this.#late.get(key);
    if (known !== undefined) return known;
    const before = this.#early.get(key);
    if (before !== undefined) this.keep(key, before);
    return before;
  }

  keep(key: string, known: Known): void {
    const size = ENTRY + key.length + sizeOf(known.row);
    if (size > this.#half) return;
    if (this.#size + size > this.#half) {
      this.#early = this.#late;
      this.#late = new Map();
      this.#size = 0;
    }
    this.#late.set(key, known);
    this.#size += size;
  }

  clear(): void {
    if (this.#late.size > 0) this.#late = new Map();
    if (this.#early.size > 0) this.#early = new Map();
    this.#size = 0;
  }
}

function sizeOf(row: Row | undefined): number {
  let size = 0;
  for (const value of row ?? []) if (typeof value === "string") size += value.length;
  return size;
}

/** Different for different statements and values. */
export function rowKey(statement: string, values: SlotValues): string {
  let key = statement;
  for (const value of values) {
    // The length tells where a text ends, whatever is in it.
    key += typeof value === "string" ? ` ${value.length}:${value}` : ` ${value}`;
  }
  return key;
}
