import type { AuditFilter } from "../documents/inputs.ts";
import { AUDIT_EVENT_NAMES, AUDIT_RESULT_NAMES, plainName } from "./words/audit-words.ts";

/** Path of the page, without filters. */
export const AUDIT_PATH = "/audit";

/** Filters by their names in the query of the URL. */
type FilterName = "event" | "result" | "person" | "client" | "from" | "until" | "ip" | "request";

/** Path of the audit with these filters, for links. */
export function auditPath(filters: Readonly<Partial<Record<FilterName, string>>>): string {
  return `${AUDIT_PATH}?${new URLSearchParams(filters)}`;
}

/** The filter that the URL names; null while its person is an e-mail address, whose id must be asked for first. */
export function filterOf(query: URLSearchParams): AuditFilter | null {
  const text = (name: FilterName) => query.get(name)?.trim() || null;
  const person = text("person");
  if (person?.includes("@") === true) return null;
  const since = momentOf(text("from"));
  const until = momentOf(text("until"));
  const event = AUDIT_EVENT_NAMES.find((one) => one === enumName(text("event")));
  const result = AUDIT_RESULT_NAMES.find((one) => one === enumName(text("result")));
  const [client, address, request] = [text("client"), text("ip"), text("request")];
  return {
    ...(since !== null && { since }),
    ...(until !== null && { until }),
    ...(event !== undefined && { event }),
    ...(result !== undefined && { result }),
    ...(person !== null && { personId: person }),
    ...(client !== null && { clientId: client }),
    ...(address !== null && { address }),
    ...(request !== null && { requestId: request }),
  };
}

/**
 * The command that lists the same entries at the terminal.
 *
 * @param until RFC 3339: only older ones
 */
export function auditCommand(
  { since, event, result, personId, clientId, address, requestId }: AuditFilter,
  until: string,
): string {
  const options = Object.entries({
    since,
    until,
    event: event && plainName(event),
    result: result && plainName(result),
    person: personId,
    client: clientId,
    address,
    request: requestId,
  }).flatMap(([name, value]) => (value == null ? [] : [`--${name} ${quoted(value)}`]));
  return ["content-api audit", ...options, "--limit 10000 --json"].join(" ");
}

function enumName(text: string | null): string | null {
  return text === null ? null : text.toUpperCase().replaceAll("-", "_");
}

/** A time of the person's own zone, as fields for times have it, or RFC 3339. */
function momentOf(text: string | null): string | null {
  const at = Date.parse(text ?? "");
  return Number.isNaN(at) ? null : new Date(at).toISOString();
}

function quoted(value: string): string {
  return /^[\w.:@-]+$/.test(value) ? value : `'${value.replaceAll("'", `'\\''`)}'`;
}
