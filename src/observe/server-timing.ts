import type { RequestRecord } from "./request-record.ts";

/** The value of `Server-Timing` (W3C Server Timing): milliseconds of the parts of a request, and the id of its trace. */
export function serverTiming(record: RequestRecord): string {
  const { authMs, planMs, databaseMs, waitMs, startedAt } = record;
  const total = performance.now() - startedAt;
  const parts = [
    ...[`auth;dur=${shown(authMs)}`, `plan;dur=${shown(planMs)}`],
    ...[`db;dur=${shown(databaseMs + waitMs)}`, `total;dur=${shown(total)}`],
  ];
  return [...parts, ...(record.sampling === null ? [] : [`trace;desc="${record.traceId}"`])].join(", ");
}

function shown(milliseconds: number): string {
  return milliseconds.toFixed(2);
}
