import { type LevelWithSilent, pino } from "pino";
import { terminalLine } from "./log-lines.ts";

/** Structured log lines. Fields never carry a password, code, verifier, secret or token. */
export interface Log {
  debug(fields: object, message: string): void;
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

/** Stream that log lines are written to. */
type Stream = Pick<NodeJS.WriteStream, "isTTY" | "write">;

/**
 * Opens the log: lines for people on a terminal, in colour unless NO_COLOR is set (no-color.org); JSON lines elsewhere. It writes
 * to standard error by default, so that standard output stays for results.
 */
export function openLog(
  level: LevelWithSilent,
  stream: Stream = process.stderr,
  environment: NodeJS.ProcessEnv = process.env,
): Log {
  const hasColor = !environment.NO_COLOR && environment.TERM !== "dumb";
  const forPeople = { write: (entry: string) => void stream.write(terminalLine(entry, hasColor)) };
  const destination = stream.isTTY
    ? forPeople
    : stream === process.stderr
      ? pino.destination({ fd: 2, sync: true })
      : stream;
  return pino({ level, base: null, timestamp: pino.stdTimeFunctions.isoTime }, destination);
}
