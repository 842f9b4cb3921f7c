import type { SlotValues } from "../../domain/reading/selection.ts";
import type { Row } from "../database/database.ts";

/** Bytes that an entry takes beside its texts, about. */
const ENTRY = 200;
/** People of whom it is known when something of theirs was written last. */
const MANY = 10_000;

/** Person whose content a write changes, by id; nobody; or anybody if that is not known. */
export type Owner = string | typeof NOBODY | typeof ANYBODY;
export const NOBODY = Symbol("nobody");
export const ANYBODY = Symbol("anybody");

/** A row that was looked for; there may be none. */
interface Known {
  readonly row: Row | undefined;
  /** How many writes there had been. */
  readonly writes: number;
}

/**
 * Rows that have been read, by statement and values. Any write outdates the rows that were not read of one person alone: it
 * may bring posts of others into the search index. A write of one person's content outdates that person's rows too, and a
 * write that may be of anybody's content outdates everything. Holds about `limit` bytes: half of them for rows that were
 * read lately, half for those read before.
 */
export class RowCache {
  readonly #half: number;
  #late = new Map<string, Known>();
  #early = new Map<string, Known>();
  /** Bytes in `#late`. */
  #size = 0;
  #writes = 0;
  /** The number of the latest write of each person's content; where there is none, everything was forgotten since. */
  readonly #writesOf = new Map<string, number>();

  constructor(limit: number) {
    this.#half = limit / 2;
  }

  /** @param of the id of the person of whom alone the row was read, with their posts; null for another row */
  find(key: string, of: string | null): Known | undefined {
    const late = this.#late.get(key);
    const known = late ?? this.#early.get(key);
    if (known === undefined) return undefined;
    const latest = of === null ? this.#writes : (this.#writesOf.get(of) ?? 0);
    if (known.writes < latest) return undefined;
    if (late === undefined) this.#add(key, known);
    return known;
  }

  keep(key: string, row: Row | undefined): void {
    this.#add(key, { row, writes: this.#writes });
  }

  /** To be called after each write: forgets the rows that may be outdated now. */
  forget(owner: Owner): void {
    if (owner === ANYBODY || this.#writesOf.size === MANY) this.clear();
    this.#writes++;
    if (typeof owner === "string") this.#writesOf.set(owner, this.#writes);
  }

  clear(): void {
    if (this.#late.size > 0) this.#late = new Map();
    if (this.#early.size > 0) this.#early = new Map();
    this.#size = 0;
    this.#writesOf.clear();
  }

  #add(key: string, known: Known): void {
    const size = sizeOf(key, known);
    if (size > this.#half) return;
    if (this.#size + size > this.#half) {
      this.#early = this.#late;
      this.#late = new Map();
      this.#size = 0;
    }
    const before = this.#late.get(key);
    if (before !== undefined) this.#size -= sizeOf(key, before);
    this.#late.set(key, known);
    this.#size += size;
  }
}

function sizeOf(key: string, { row }: Known): number {
  let size = ENTRY + key.length;
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
