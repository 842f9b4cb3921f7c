import { readFileSync } from "node:fs";
import type { AuditEvent, AuditEventName } from "../../src/domain/audit.ts";
import type { FieldErrors } from "./schema/errors.ts";

/** What rows of each kind hold: results, columns that every row has, and columns that some have. */
export type AuditFacts = Readonly<
  Partial<
    Record<
      AuditEventName,
      {
        readonly results: readonly string[];
        readonly always: readonly (keyof AuditEvent)[];
        readonly sometimes: readonly (keyof AuditEvent)[];
      }
    >
  >
>;

/** Facts that no table of the program has: the suites see them, and `npm run docs:recorded` writes them down. */
export interface Recorded {
  readonly fieldErrors: FieldErrors;
  readonly audit: AuditFacts;
}

const FILE = new URL("recorded.json", import.meta.url);

export function readRecorded(): Recorded {
  return JSON.parse(readFileSync(FILE, "utf8")) as Recorded;
}
