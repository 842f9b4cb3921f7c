import type { AuditEvent, AuditEventName } from "../../domain/audit.ts";
import type { Id } from "../../domain/id.ts";
import type { Value } from "../plan/object-shape.ts";
import { parseTime } from "../plan/time.ts";
import { enumName, enumValue, newestFirst, type Query } from "./field.ts";

interface Filter {
  readonly since?: string | null;
  readonly personId?: string | null;
  readonly clientId?: string | null;
  readonly event?: string | null;
}

export const AUDIT_QUERIES: Readonly<Record<string, Query>> = {
  auditEntries: ({ store, first }, { after, filter }) => {
    const { since, personId, clientId, event } = (filter ?? {}) as Filter;
    return newestFirst(
      "auditEntries",
      { first, after },
      (place, limit) =>
        store.audit.list({
          limit,
          ...(place === undefined ? {} : { before: { at: place.key, id: place.id } }),
          ...(since == null ? {} : { since: parseTime("filter.since", since) }),
          ...(personId == null ? {} : { userId: personId }),
          ...(clientId == null ? {} : { clientId }),
          ...(event == null ? {} : { event: enumValue(event).replaceAll("_", "-") as AuditEventName }),
        }),
      entryValue,
      ({ at }) => at,
    );
  },
};

function entryValue({ userId, ...entry }: AuditEvent & { readonly id: Id }): Value {
  return { ...entry, event: enumName(entry.event), result: enumName(entry.result), personId: userId };
}
