import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Target } from "./targets.ts";

const folder = join(import.meta.dirname, "corpus");

export interface CorpusInput {
  /** Of its file. */
  readonly name: string;
  /** A character for each byte. */
  readonly text: string;
}

/** In the order of their names. */
export function readCorpus({ name }: Pick<Target, "name">): CorpusInput[] {
  const names = readdirSync(join(folder, name)).sort();
  return names.map((file) => ({ name: `${name}/${file}`, text: readFileSync(join(folder, name, file), "latin1") }));
}

/** Bytes of all files. */
export function corpusSize(): number {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((size, entry) => size + readFileSync(join(entry.parentPath, entry.name)).length, 0);
}
