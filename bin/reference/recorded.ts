import { readFileSync } from "node:fs";
import type { AuditEvent, AuditEventName } from "../../src/domain/audit.ts";
import { ERROR_CODES } from "../../src/domain/error-codes.ts";
import type { ErrorCode } from "../../src/domain/errors.ts";
import type { Fact } from "../../test/recorder.ts";
import { EVERYWHERE, type FieldErrors } from "./schema/errors.ts";

/** Contents of the rows of one kind: results, columns that every row has, and columns that some have. */
interface RowFacts {
  readonly results: readonly string[];
  readonly always: readonly string[];
  readonly sometimes: readonly string[];
}

export type AuditFacts = Readonly<Partial<Record<AuditEventName, RowFacts>>>;

/** Facts that no table of the program has: the suites see them, and `npm run docs:recorded` writes them down. */
interface Recorded {
  readonly fieldErrors: FieldErrors;
  readonly audit: AuditFacts;
}

/** Columns that some rows leave empty. */
const COLUMNS: readonly (keyof AuditEvent)[] = ["userId", "clientId", "actorId", "address", "requestId", "detail"];

export const RECORDED = new URL("recorded.json", import.meta.url);

export function readRecorded(): Recorded {
  return JSON.parse(readFileSync(RECORDED, "utf8")) as Recorded;
}

/** Facts of a file that suites have written with RECORD_FACTS. */
export function readFacts(path: string): Fact[] {
  const lines = new Set(readFileSync(path, "utf8").split("\n"));
  return [...lines].filter((line) => line !== "").map((line) => JSON.parse(line) as Fact);
}

/** Known facts with more facts added. A part of the suites takes nothing away. */
export function withFacts({ fieldErrors, audit }: Recorded, facts: readonly Fact[]): Recorded {
  const codes = new Map(Object.entries(fieldErrors).map(([field, known]) => [field, new Set<string>(known)]));
  const rows = new Map<string, RowFacts>(Object.entries(audit));
  for (const fact of facts) {
    if ("event" in fact) rows.set(fact.event, withRow(rows.get(fact.event), fact));
    else if (!EVERYWHERE.includes(fact.code as ErrorCode) && !fact.field.endsWith(".__typename"))
      codes.set(fact.field, (codes.get(fact.field) ?? new Set()).add(fact.code));
  }
  const order = Object.keys(ERROR_CODES) as ErrorCode[];
  return {
    fieldErrors: Object.fromEntries(
      [...codes].sort(byName).map(([field, known]) => [field, order.filter((code) => known.has(code))]),
    ),
    audit: Object.fromEntries([...rows].sort(byName)),
  };
}

function withRow(known: RowFacts | undefined, { result, columns }: Extract<Fact, { event: string }>): RowFacts {
  const { results, always, sometimes } = known ?? { results: [], always: columns, sometimes: [] };
  const seen = new Set([...always, ...sometimes, ...columns]);
  const stays = COLUMNS.filter((column) => always.includes(column) && columns.includes(column));
  return {
    results: [...new Set([...results, result])].sort(),
    always: stays,
    sometimes: COLUMNS.filter((column) => seen.has(column) && !stays.includes(column)),
  };
}

function byName([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number {
  return a < b ? -1 : 1;
}
