import { appendFileSync } from "node:fs";
import { type FieldNode, Kind, type OperationDefinitionNode, parse } from "graphql";
import type { AuditEvent } from "../src/domain/audit.ts";
import { openStore } from "../src/storage/open.ts";

/**
 * Facts that no table of the program has, from every suite that runs with RECORD_FACTS=FILE: codes of each GraphQL field, and
 * the columns of each kind of audit row. `npm run docs:recorded` runs the suites and writes bin/reference/recorded.json.
 */
const file = process.env.RECORD_FACTS;

export type Fact =
  | { readonly field: string; readonly code: string }
  | { readonly event: AuditEvent["event"]; readonly result: AuditEvent["result"]; readonly columns: readonly string[] };

function write(fact: Fact): void {
  if (file !== undefined) appendFileSync(file, `${JSON.stringify(fact)}\n`);
}

/** Notes the codes of an answer, each with its root field. @param request body of the request, as JSON or text */
export function recordFieldErrors(request: unknown, answer: unknown): void {
  if (file === undefined) return;
  try {
    const { query, operationName } = asObject(request) as { query?: string; operationName?: string };
    if (typeof query === "string")
      for (const fact of fieldErrors(query, operationName ?? null, asObject(answer))) write(fact);
  } catch {
    // A test that sends something else than GraphQL, which has no field.
  }
}

/** Notes every row of the audit in this database. */
export async function recordAuditRows(databaseUrl: string): Promise<void> {
  if (file === undefined) return;
  const store = await openStore(databaseUrl, { migrate: false });
  try {
    for (const row of await store.audit.list({ limit: 100_000 })) {
      const filled = Object.entries(row).filter(([name, value]) => value !== null && name !== "id");
      write({ event: row.event, result: row.result, columns: filled.map(([name]) => name) });
    }
  } finally {
    await store.close();
  }
}

function asObject(value: unknown): Record<string, unknown> {
  return (typeof value === "string" || Buffer.isBuffer(value) ? JSON.parse(String(value)) : value) as Record<
    string,
    unknown
  >;
}

interface ErrorLike {
  readonly path?: readonly (string | number)[];
  readonly extensions?: { readonly code?: string };
}

function fieldErrors(query: string, operationName: string | null, answer: Record<string, unknown>): Fact[] {
  const operations = parse(query).definitions.filter((one) => one.kind === Kind.OPERATION_DEFINITION);
  const operation = operations.find(({ name }) => operationName === null || name?.value === operationName);
  if (operation === undefined) return [];
  const roots = rootFields(operation);
  const facts = ((answer.errors ?? []) as ErrorLike[]).flatMap(({ path, extensions }) => {
    const key = path === undefined && roots.size === 1 ? [...roots.keys()][0] : String(path?.[0]);
    return factOf(roots.get(key ?? ""), extensions?.code);
  });
  const payloads = Object.entries((answer.data ?? {}) as Record<string, { errors?: { code?: string }[] } | null>);
  return [
    ...facts,
    ...payloads.flatMap(([key, payload]) =>
      Array.isArray(payload?.errors) ? payload.errors.flatMap(({ code }) => factOf(roots.get(key), code)) : [],
    ),
  ];
}

function factOf(field: string | undefined, code: string | undefined): Fact[] {
  return field === undefined || code === undefined ? [] : [{ field, code }];
}

/** Root fields such as `Mutation.createPost`, by their keys in the answer. */
function rootFields({ operation, selectionSet }: OperationDefinitionNode): Map<string, string> {
  const type = `${operation.charAt(0).toUpperCase()}${operation.slice(1)}`;
  const fields = selectionSet.selections.filter((one): one is FieldNode => one.kind === Kind.FIELD);
  return new Map(fields.map(({ alias, name }) => [alias?.value ?? name.value, `${type}.${name.value}`]));
}
