import type { Id } from "../id.ts";
import type { SlotValues } from "./selection.ts";

export interface PreparedRead {
  /**
   * @returns JSON text: an object or list as selected, or `null` for a missing object. Synchronous where the
   * database is in process; callers await only what is a promise.
   * @param isNewest whether it must be what is committed now. Otherwise it may be read from a copy, which has all that any
   * write of content had left when its promise resolved.
   */
  run(values: SlotValues, isNewest?: boolean): string | Promise<string>;

  /** For values that are asked for again and again; null where nothing is kept in memory. */
  hold?(values: SlotValues): HeldRead | null;
}

/** @returns what `PreparedRead.run` would give, from memory; null where it has to be asked */
export type HeldRead = () => string | null;

/** The answer to a change. */
export interface ReadBack {
  readonly reads: readonly PreparedRead[];
  /** The values of their slots, by the id of the changed object. */
  valuesFor(id: Id): SlotValues;
  /** The result of each of `reads` within the transaction of the change, without anything later; null until then. */
  json: readonly string[] | null;
}
