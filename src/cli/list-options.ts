import { InvalidArgumentError, Option } from "commander";
import { parseDuration } from "../config/setting.ts";
import { badInput } from "../domain/errors.ts";
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

/** The help for an option that takes a moment. */
export const MOMENT = "a time such as 2026-01-31T12:00:00Z, or how long ago, such as 15m, 12h or 30d";

/** @param now Unix time in milliseconds. @returns RFC 3339, UTC, milliseconds. @throws AppError BAD_USER_INPUT */
export function readMoment(option: string, text: string, now: number): string {
  const ago = parseDuration(text);
  const at = ago === null ? Date.parse(text) : now - ago * 1_000;
  if (Number.isNaN(at))
    throw badInput(option, `--${option} must be a time such as 2026-01-31T12:00:00Z, or 15m, 12h or 30d.`);
  return new Date(at).toISOString();
}
