/* The forms of settings for traces and logs. OpenTelemetry defines those of `OTEL_…`. */

import { type Read, Rule } from "./setting.ts";
import { variable } from "./variable.ts";

const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000 };

/** `250ms`, `1s`, `2m` → milliseconds; `off` → null. */
export const threshold: Read<number | null> = (text) => {
  if (text === "off") return null;
  const [, number, unit = ""] = /^([1-9]\d{0,5})(ms|s|m)$/.exec(text) ?? [];
  if (number !== undefined) return Number(number) * (UNITS[unit] ?? 0);
  throw new Rule("must be a time such as 250ms, 1s or 1m, or off");
};

/** `off`, `errors`, `all`, or the share of all requests as a number above 0 and up to 1. */
export const accessLog: Read<"off" | "errors" | number> = (text) => {
  if (text === "off" || text === "errors") return text;
  if (text === "all") return 1;
  const share = /^[01](\.\d{1,6})?$/.test(text) ? Number(text) : 0;
  if (share > 0 && share <= 1) return share;
  throw new Rule("must be off, errors, all, or a share of all requests such as 0.01");
};

/** A part from 0 to 1. */
export const ratio: Read<number> = (text) => {
  const value = /^(0|1|0?\.\d{1,9}|[01]\.\d{1,9})$/.test(text) ? Number(text) : 2;
  if (value <= 1) return value;
  throw new Rule("must be a number from 0 to 1, such as 0.05");
};

/** An http or https URL, possibly with a path and a query. */
export const endpointUrl: Read<string> = (text) => {
  const url = URL.parse(text);
  if (url === null || !["http:", "https:"].includes(url.protocol) || url.hash !== "")
    throw new Rule("must be an http or https URL such as http://localhost:4318");
  return text;
};

/** `name=value,name=value`; both may have percent signs (W3C Baggage, as OpenTelemetry uses it). */
export const pairs: Read<Readonly<Record<string, string>>> = (text) => {
  const found: Record<string, string> = Object.create(null);
  for (const entry of text.split(",")) {
    if (entry.trim() === "") continue;
    const [, name = "", value = ""] = /^\s*([^\s=,]+)\s*=\s*(.*?)\s*$/.exec(entry) ?? [];
    const [key, decoded] = [decode(name), decode(value)];
    if (key === null || decoded === null || !/^[^\s"\\\p{Cc}]{1,255}$/u.test(key))
      throw new Rule("must be a list such as name=value,other=value");
    found[key] = decoded;
  }
  return found;
};

/** As `pairs`, for the head of a request. */
export const headerPairs: Read<Readonly<Record<string, string>>> = (text) => {
  const found = pairs(text);
  const isField = ([name, value]: [string, string]) =>
    /^[!#$%&'*+.^`|~\w-]+$/.test(name) && /^[\x20-\x7e]*$/.test(value);
  if (Object.entries(found).every(isField)) return found;
  throw new Rule("must be a list of header fields such as authorization=Bearer%20TOKEN,x-tenant=blog");
};

/** OpenTelemetry takes an empty variable for one that is not set. */
export function standard<T, Default extends string | null>(read: Read<T>, fallback: Default, help: string) {
  const readUnlessEmpty = (text: string): T | (Default extends null ? null : never) =>
    text !== "" ? read(text) : ((fallback === null ? null : read(fallback)) as T);
  return variable(readUnlessEmpty, fallback, help);
}

function decode(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}
