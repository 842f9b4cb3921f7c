import type { GraphQLSchema } from "graphql";
import { AUDIT_EVENTS, AUDIT_RESULTS, type AuditEvent, type AuditEventName } from "../../src/domain/audit.ts";
import { code, codes, head, type Page, plain, table } from "./markdown.ts";
import type { AuditFacts } from "./recorded.ts";
import type { Since } from "./since.ts";

const INTRODUCTION = `Every kind of row in the audit. [operations.md](../operations.md#audit) explains when rows are written and
how long they are kept. "Columns" are those that rows of this kind have; those in brackets are empty in some rows.
Both come from the rows that the suites write. A kind without columns is one of which they write no row.`;

/** Columns of every row, and those that some rows have. */
const COLUMNS: Readonly<Record<keyof AuditEvent, string>> = {
  at: "time, RFC 3339 in UTC with milliseconds",
  event: "kind of the row, as below",
  result: `one of ${codes(AUDIT_RESULTS)}`,
  userId: "person concerned",
  clientId: "client that asked, or client concerned",
  actorId: "administrator who did it; empty for everybody else",
  address: "IP address of the caller; empty for commands at the terminal",
  requestId: "id of the request, which the log has too",
  detail: "a few words, never a secret, a token, a code or a password",
};

export function auditPage(schema: GraphQLSchema, since: Since, recorded: AuditFacts): Page {
  const rows = AUDIT_EVENTS.map((event) => {
    const { results = [], always = [], sometimes = [] } = recorded[event] ?? {};
    return [
      code(event),
      plain(meaningOf(schema, event)),
      codes(results),
      [...always.map(code), ...sometimes.map((column) => `(${code(column)})`)].join(", "),
      since("schema", "AuditEvent", enumName(event)),
    ];
  });
  const results = AUDIT_RESULTS.map((result) => [code(result), plain(descriptionOf(schema, "AuditResult", result))]);
  const text = [
    head("Audit events", ["src/domain/audit.ts", "schema.graphql"], INTRODUCTION),
    table(["event", "meaning", "results", "columns", "since"], rows),
    "## Columns\n",
    table(
      ["column", "holds"],
      Object.entries(COLUMNS).map(([column, holds]) => [code(column), holds]),
    ),
    "## Results\n",
    table(["result", "meaning"], results),
  ].join("\n");
  return { name: "audit", text };
}

/** The name that GraphQL has for a kind or a result. */
function enumName(name: string): string {
  return name.toUpperCase().replaceAll("-", "_");
}

function meaningOf(schema: GraphQLSchema, event: AuditEventName): string {
  return descriptionOf(schema, "AuditEvent", event);
}

function descriptionOf(schema: GraphQLSchema, type: string, name: string): string {
  const found = schema.getType(type);
  const values = found !== undefined && "getValues" in found ? found.getValues() : [];
  return (values.find((value) => value.name === enumName(name))?.description ?? "").replaceAll("\n", " ");
}
