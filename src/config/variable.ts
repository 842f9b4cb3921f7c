import type { Read } from "./setting.ts";

/** One setting. */
export interface Variable<T> {
  readonly read: Read<T>;
  /** The text that stands for an absent variable; null where the program finds a value itself. */
  readonly default: string | null;
  readonly help: string;
}

export function variable<T, Default extends string | null>(read: Read<T>, fallback: Default, help: string) {
  return { read, default: fallback, help };
}
