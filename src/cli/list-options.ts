import { InvalidArgumentError, Option } from "commander";
import { type Id, parseId } from "../domain/id.ts";

/** The option `--limit` of a list that may be long. */
export function limitOption(most: number): Option {
  return new Option("--limit <count>", `how many, ${most} at most`).default(50).argParser((text) => {
    const count = /^\d{1,9}$/.test(text) ? Number(text) : 0;
    if (count < 1 || count > most) throw new InvalidArgumentError(`It must be a whole number from 1 to ${most}.`);
    return count;
  });
}

/** The option `--after` of a list with the newest first. Nothing is older than an invalid id. */
export function afterOption(entry: string, entries: string): Option {
  return new Option(`--after <${entry}-id>`, `continue with ${entries} older than this one`).argParser(
    (text) => parseId(text) ?? ("" as Id),
  );
}
