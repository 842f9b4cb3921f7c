// Runs suites, and writes down what they see and no table of the program has: npm run docs:recorded. Takes about ten minutes.
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { AuditEvent } from "../../src/domain/audit.ts";
import { ERROR_CODES } from "../../src/domain/error-codes.ts";
import type { Fact } from "../../test/recorder.ts";
import { readRecorded } from "./recorded.ts";

const root = join(import.meta.dirname, "../..");

/** Suites that meet errors of fields and rows of the audit. */
const SUITES = [
  "test/{app,events,graphql,mcp,security}/**/*.test.ts",
  "test/cli/{agent,audit}.test.ts",
  "test/e2e/{administration,agents,forms,main-job,openid-client,passkeys,sign-in,subscriptions,upstream}.test.ts",
];

/** Columns that some rows leave empty. */
const COLUMNS: readonly (keyof AuditEvent)[] = ["userId", "clientId", "actorId", "address", "requestId", "detail"];

const folder = mkdtempSync(join(tmpdir(), "content-api-recorded-"));
try {
  const file = join(folder, "facts");
  writeFileSync(file, "");
  const { status } = spawnSync(process.execPath, ["test/run.ts", ...SUITES], {
    cwd: root,
    env: { ...process.env, RECORD_FACTS: file },
    stdio: "inherit",
  });
  if (status !== 0) throw new Error(`The suites ended with ${status}: nothing is written.`);
  const facts = new Set(readFileSync(file, "utf8").trim().split("\n"));
  writeFileSync(
    new URL("recorded.json", import.meta.url),
    `${JSON.stringify(summary([...facts].map((line) => JSON.parse(line) as Fact)), null, 2)}\n`,
  );
} finally {
  rmSync(folder, { recursive: true });
}

/** With what earlier runs have seen: a field keeps its errors. */
function summary(facts: readonly Fact[]) {
  const before = readRecorded();
  const codes = new Map(Object.entries(before.fieldErrors).map(([field, known]) => [field, new Set<string>(known)]));
  const rows = new Map<string, { results: Set<string>; seen: Set<string>; always: Set<string> }>();
  for (const fact of facts) {
    if ("field" in fact) {
      codes.set(fact.field, (codes.get(fact.field) ?? new Set()).add(fact.code));
      continue;
    }
    const known = rows.get(fact.event) ?? { results: new Set(), seen: new Set(), always: new Set(fact.columns) };
    known.results.add(fact.result);
    for (const column of fact.columns) known.seen.add(column);
    for (const column of known.always) if (!fact.columns.includes(column)) known.always.delete(column);
    rows.set(fact.event, known);
  }
  const order = Object.keys(ERROR_CODES);
  return {
    fieldErrors: Object.fromEntries(
      [...codes].sort(byName).map(([field, known]) => [field, order.filter((code) => known.has(code))]),
    ),
    audit: Object.fromEntries(
      [...rows].sort(byName).map(([event, { results, seen, always }]) => [
        event,
        {
          results: [...results].sort(),
          always: COLUMNS.filter((column) => always.has(column)),
          sometimes: COLUMNS.filter((column) => seen.has(column) && !always.has(column)),
        },
      ]),
    ),
  };
}

function byName([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number {
  return a < b ? -1 : 1;
}
