import { ClockCache, type ClockEntry } from "../../domain/clock-cache.ts";
import type { SlotValues } from "../../domain/reading/selection.ts";
import type { Row } from "../database/database.ts";

/** Bytes that an entry takes beside its texts, about. */
const ENTRY = 200;
/** People of whom it is known when something of theirs was written last. */
const MANY = 10_000;

/** Person whose content a write changes, by id; nobody where the search index alone changes; or anybody if that is not known. */
export type Owner = string | typeof NOBODY | typeof ANYBODY;
export const NOBODY = Symbol("nobody");
export const ANYBODY = Symbol("anybody");

/** A row that was looked for. */
export interface Known extends ClockEntry {
  /** undefined: there is none. Taken away when the cache drops it, so that nobody keeps it in memory. */
  row: Row | undefined | typeof DROPPED;
  /** How many writes there had been. */
  readonly writes: number;
}
const DROPPED = Symbol("dropped");

/**
 * Rows that have been read, by statement and values. Any write of content outdates the rows that were not read of one person
 * alone: it may bring posts of others into the search index. A write of one person's content outdates that person's rows too,
 * and a write that may be of anybody's content outdates everything. Holds about `limit` bytes.
 */
export class RowCache {
  readonly #rows: ClockCache<Known>;
  #writes = 0;
  /** The number of the latest write of each person's content; where there is none, everything was forgotten since. */
  readonly #writesOf = new Map<string, number>();

  constructor(limit: number) {
    this.#rows = new ClockCache(limit, sizeOf, (known) => {
      known.row = DROPPED;
    });
  }

  /** @param of the id of the person of whom alone the row was read, with their posts; null for another row */
  find(key: string, of: string | null): Known | undefined {
    const known = this.#rows.find(key);
    return known !== undefined && this.isCurrent(known, of) ? known : undefined;
  }

  /** Whether what `find` gave is still right. @param of as for `find` */
  isCurrent(known: Known, of: string | null): boolean {
    if (known.row === DROPPED) return false;
    const latest = of === null ? this.#writes : (this.#writesOf.get(of) ?? 0);
    return known.writes >= latest;
  }

  keep(key: string, row: Row | undefined): void {
    this.#rows.keep(key, { row, writes: this.#writes, isUsed: false });
  }

  /** Stays while every row that was current is so. */
  get version(): number {
    return this.#writes;
  }

  /** To be called after each write of content: forgets the rows that may be outdated now. */
  forget(owner: Owner): void {
    if (owner === ANYBODY || this.#writesOf.size === MANY) this.clear();
    this.#writes++;
    if (typeof owner === "string") this.#writesOf.set(owner, this.#writes);
  }

  clear(): void {
    this.#writes++;
    this.#rows.clear();
    this.#writesOf.clear();
  }
}

function sizeOf(key: string, { row }: Known): number {
  let size = ENTRY + key.length;
  if (row !== undefined && row !== DROPPED)
    for (const value of row) if (typeof value === "string") size += value.length;
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
