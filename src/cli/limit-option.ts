import { InvalidArgumentError, Option } from "commander";

/** The option `--limit` of a list that may be long. */
export function limitOption(most: number): Option {
  return new Option("--limit <count>", `how many, ${most} at most`).default(50).argParser((text) => {
    const count = /^\d{1,9}$/.test(text) ? Number(text) : 0;
    if (count < 1 || count > most) throw new InvalidArgumentError(`It must be a whole number from 1 to ${most}.`);
    return count;
  });
}
