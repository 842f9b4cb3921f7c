import { type LevelWithSilent, pino } from "pino";
import { LineBuffer } from "./line-buffer.ts";
import { terminalLine } from "./log-lines.ts";
import { fieldsOf } from "./record-fields.ts";
import { currentRecord } from "./request-record.ts";

/** Structured log lines. Fields never carry a password, code, verifier, secret or token. */
export interface Log {
  debug(fields: object, message: string): void;
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
  /** As `info`, for very many lines: they are written together, up to a tenth of a second later. Just as `info` if missing. */
  often?(fields: object, message: string): void;
}

/** Stream that log lines are written to. */
type Stream = Pick<NodeJS.WriteStream, "isTTY" | "write">;

/** The settings of the log, under their own names. */
export interface LogSettings {
  readonly LOG_LEVEL: LevelWithSilent;
  /** Null: lines for people on a terminal, JSON elsewhere. */
  readonly LOG_FORMAT?: "json" | "text" | null;
}

/**
 * Opens the log: lines for people, in colour unless NO_COLOR is set (no-color.org), or JSON lines. It writes to standard error by
 * default, so that standard output stays for results. Lines say which request they are about: `request_id`, `operation` and, with
 * traces, `trace_id` and `span_id`.
 */
export function openLog(
  { LOG_LEVEL: level, LOG_FORMAT: format = null }: LogSettings,
  stream: Stream = process.stderr,
  environment: NodeJS.ProcessEnv = process.env,
): Log {
  const hasColor = Boolean(stream.isTTY) && !environment.NO_COLOR && environment.TERM !== "dumb";
  const forPeople = { write: (entry: string) => void stream.write(terminalLine(entry, hasColor)) };
  const isText = format === null ? stream.isTTY : format === "text";
  const destination = isText ? forPeople : stream === process.stderr ? pino.destination({ fd: 2, sync: true }) : stream;
  const log = pino(
    {
      ...{ level, base: null, timestamp: pino.stdTimeFunctions.isoTime },
      formatters: { log: withRequest },
    },
    destination,
  );
  if (!log.isLevelEnabled("info")) return log;
  const lines = new LineBuffer((text) => {
    if (isText) for (const line of text.trimEnd().split("\n")) forPeople.write(line);
    else destination.write(text);
  });
  return Object.assign(log, { often: (fields: object, message: string) => lines.add(fields, message) });
}

/** Adds whose line it is. What the caller says itself counts. */
function withRequest({ requestId, ...fields }: Record<string, unknown>): Record<string, unknown> {
  const own = requestId === undefined ? {} : { request_id: requestId };
  return { ...fieldsOf(currentRecord()), ...own, ...fields };
}
