/** One log entry as pino writes it: pino's own fields, and those of the caller. */
interface Entry {
  readonly level: number;
  readonly time: string;
  readonly msg?: string;
  readonly err?: { readonly stack?: string };
  readonly [field: string]: unknown;
}

const LEVELS: Readonly<Record<number, { readonly name: string; readonly color: number }>> = {
  20: { name: "debug", color: 2 },
  30: { name: "info", color: 36 },
  40: { name: "warn", color: 33 },
  50: { name: "error", color: 31 },
};
const OWN = new Set(["level", "time", "msg", "err"]);
/** Control characters but tab and line feed: in a request's text they could rewrite what the terminal shows. */
const UNSAFE = /[^\P{Cc}\t\n]|[\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu;

/**
 * A log entry for a person at a terminal: `12:00:00 warn  message  field=value`, with the stack of an error below.
 *
 * @param entry one line of JSON
 */
export function terminalLine(entry: string, hasColor: boolean): string {
  const { time, level, msg = "", err, ...rest } = JSON.parse(entry) as Entry;
  const { name, color } = LEVELS[level] ?? { name: String(level), color: 0 };
  const fields = Object.entries(rest).filter(([field]) => !OWN.has(field));
  const text = [
    painted(time.slice(11, 19), 2, hasColor),
    painted(name.padEnd(5), color, hasColor),
    safe(msg),
    ...fields.map(([field, value]) => painted(`${safe(field)}=${shown(value)}`, 2, hasColor)),
  ].join(" ");
  return `${text}\n${err?.stack === undefined ? "" : safe(err.stack).replaceAll(/^/gm, "  ")}${err?.stack ? "\n" : ""}`;
}

/** A plain word as it is, everything else as JSON. */
function shown(value: unknown): string {
  if (typeof value === "string" && /^[\w./:@%+-]+$/.test(value)) return value;
  return safe(JSON.stringify(value) ?? "");
}

function safe(text: string): string {
  return text.replace(UNSAFE, "\ufffd");
}

function painted(text: string, color: number, hasColor: boolean): string {
  return hasColor ? `\u001b[${color}m${text}\u001b[0m` : text;
}
