import type { RequestRecord } from "./request-record.ts";

/** The fields by which a log line tells whose it is. */
export function fieldsOf(record: RequestRecord | null | undefined): Record<string, string> {
  if (record == null) return {};
  const fields: Record<string, string> = { request_id: record.requestId };
  if (record.operationName !== null) fields.operation = record.operationName;
  if (record.sampling !== null) {
    fields.trace_id = record.traceId;
    fields.span_id = record.openId;
  }
  return fields;
}
