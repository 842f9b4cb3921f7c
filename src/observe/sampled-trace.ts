import type { RequestRecord } from "./request-record.ts";

/** The trace that is an example of a duration (OpenMetrics 1.0 section 4.6): undefined for one that nobody records. */
export function sampledTrace(record: RequestRecord | null | undefined): string | undefined {
  return record?.spans == null ? undefined : record.traceId;
}
