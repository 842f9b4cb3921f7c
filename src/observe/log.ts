import { type LevelWithSilent, pino } from "pino";

/** Structured log lines. Fields never carry a password, code, verifier, secret or token. */
export interface Log {
  debug(fields: object, message: string): void;
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

/** JSON lines on standard error, so that standard output stays for results. */
export function openLog(level: LevelWithSilent): Log {
  return pino({ level, base: null, timestamp: pino.stdTimeFunctions.isoTime }, pino.destination({ fd: 2, sync: true }));
}
