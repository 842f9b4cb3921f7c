import type { AuditRow } from "../../documents/audit.ts";
import { plainName } from "../words/audit-words.ts";
import { BYTE_ORDER_MARK, csvLine } from "./csv.ts";

/** A form of the file. */
export interface ExportFormat {
  /** In words, for a choice. */
  readonly words: string;
  readonly ending: string;
  readonly type: string;
  /** Stands before the first entry. */
  readonly head: string;
  line(row: AuditRow): string;
}

const COLUMNS: Readonly<Record<string, (row: AuditRow) => string | null>> = {
  at: ({ at }) => at,
  event: ({ event }) => plainName(event),
  result: ({ result }) => plainName(result),
  detail: ({ detail }) => detail,
  actor_id: ({ actorId }) => actorId,
  actor_name: ({ actor }) => actor?.name ?? null,
  actor_email: ({ actor }) => actor?.email ?? null,
  person_id: ({ personId }) => personId,
  person_name: ({ person }) => person?.name ?? null,
  person_email: ({ person }) => person?.email ?? null,
  client_id: ({ clientId }) => clientId,
  client_name: ({ client }) => client?.name ?? null,
  ip_address: ({ address }) => address,
  request_id: ({ requestId }) => requestId,
  id: ({ id }) => id,
};

export const FORMATS = {
  csv: {
    words: "CSV, for spreadsheets",
    ending: "csv",
    type: "text/csv;charset=utf-8",
    head: BYTE_ORDER_MARK + csvLine(Object.keys(COLUMNS)),
    line: (row) => csvLine(Object.values(COLUMNS).map((read) => read(row))),
  },
  jsonl: {
    words: "JSON lines, for programs",
    ending: "jsonl",
    type: "application/jsonl;charset=utf-8",
    head: "",
    line: (row) =>
      `${JSON.stringify(Object.fromEntries(Object.entries(COLUMNS).map(([name, read]) => [name, read(row)])))}\n`,
  },
} as const satisfies Record<string, ExportFormat>;
