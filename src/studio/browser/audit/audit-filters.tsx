import { FilterBar } from "../frame/list/filter-bar.tsx";
import type { Studio } from "../ports.ts";
import { AUDIT_PATH } from "./audit-filter.ts";
import { AUDIT_EVENT_NAMES, AUDIT_RESULT_NAMES, eventWords, plainName, resultWords } from "./words/audit-words.ts";

interface AuditFiltersProps {
  readonly studio: Studio;
  readonly query: URLSearchParams;
}

const OFTEN = [
  {
    name: "event",
    label: "Event",
    options: [["", "All events"], ...AUDIT_EVENT_NAMES.map((name) => [plainName(name), eventWords(name)] as const)],
  },
  {
    name: "result",
    label: "Result",
    options: [["", "All results"], ...AUDIT_RESULT_NAMES.map((name) => [plainName(name), resultWords(name)] as const)],
  },
  { name: "person", label: "Person", placeholder: "E-mail address or id" },
  { name: "client", label: "Client", placeholder: "client_id" },
] as const;

const SELDOM = [
  { name: "from", label: "From", type: "datetime-local" },
  { name: "until", label: "Until", type: "datetime-local" },
  { name: "ip", label: "IP address" },
  { name: "request", label: "Request", placeholder: "Request id" },
] as const;

/** Filters of the audit. Those that are seldom used are folded away until one of them is set. */
export function AuditFilters({ studio, query }: AuditFiltersProps) {
  const shared = { query, path: AUDIT_PATH, go: (path: string) => studio.go(path, { replace: true }) };
  return (
    <>
      <FilterBar fields={OFTEN} {...shared} />
      <details class="more-filters" open={SELDOM.some(({ name }) => query.has(name))}>
        <summary>Time, IP address and request</summary>
        <FilterBar fields={SELDOM} {...shared} />
      </details>
    </>
  );
}
