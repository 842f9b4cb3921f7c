import type { AuditEvent, AuditEventName, AuditResult } from "../../domain/audit.ts";
import { type Id, parseId } from "../../domain/id.ts";
import type { Value } from "../plan/object-shape.ts";
import { parseTime } from "../plan/time.ts";
import { type AdministrationContext, enumName, enumValue, newestFirst, type Query } from "./field.ts";

type Entry = AuditEvent & { readonly id: Id };

type FilterField = "since" | "until" | "personId" | "clientId" | "event" | "result" | "address" | "requestId";

export const AUDIT_QUERIES: Readonly<Record<string, Query>> = {
  auditEntries: async (context, { after, filter }) => {
    const { store, first } = context;
    const given = (filter ?? {}) as { readonly [Field in FilterField]?: string | null };
    const { since, until, personId, clientId, event, result, address, requestId } = given;
    let names = NO_NAMES;
    return newestFirst(
      "auditEntries",
      { first, after },
      async (place, limit) => {
        const entries = await store.audit.list({
          limit,
          ...(place === undefined ? {} : { before: { at: place.key, id: place.id } }),
          ...(since == null ? {} : { since: parseTime("filter.since", since) }),
          ...(until == null ? {} : { until: parseTime("filter.until", until) }),
          ...(personId == null ? {} : { userId: personId }),
          ...(clientId == null ? {} : { clientId }),
          ...(event == null ? {} : { event: enumValue(event).replaceAll("_", "-") as AuditEventName }),
          ...(result == null ? {} : { result: enumValue(result) as AuditResult }),
          ...(address == null ? {} : { address }),
          ...(requestId == null ? {} : { requestId }),
        });
        names = await namesOf(context, entries);
        return entries;
      },
      (entry) => entryValue(entry, names),
      ({ at }) => at,
    );
  },
};

interface Names {
  readonly people: ReadonlyMap<string, Value>;
  readonly clients: ReadonlyMap<string, Value>;
}

const NO_NAMES: Names = { people: new Map(), clients: new Map() };

/** The names of a whole page, by one statement for people and one for clients. */
async function namesOf({ store, selectsAny }: AdministrationContext, entries: readonly Entry[]): Promise<Names> {
  const wanted = (part: string, idOf: (entry: Entry) => string | null) =>
    selectsAny([`AuditEntry.${part}`]) ? entries.map(idOf) : [];
  const personIds = [...wanted("person", ({ userId }) => userId), ...wanted("actor", ({ actorId }) => actorId)];
  const clientIds = wanted("client", ({ clientId }) => clientId);
  const [people, clients] = await Promise.all([
    store.users.findAll(differing(personIds).flatMap((id) => parseId(id) ?? [])),
    store.clients.namesOf(differing(clientIds)),
  ]);
  return {
    people: new Map(people.map(({ id, name, email }) => [id, { id, name, email }])),
    clients: new Map([...clients].map(([id, name]) => [id, { id, name }])),
  };
}

function differing(ids: readonly (string | null)[]): string[] {
  return [...new Set(ids.filter((id) => id !== null))];
}

function entryValue({ userId, ...entry }: Entry, { people, clients }: Names): Value {
  return {
    ...entry,
    event: enumName(entry.event),
    result: enumName(entry.result),
    personId: userId,
    person: people.get(userId ?? ""),
    actor: people.get(entry.actorId ?? ""),
    client: clients.get(entry.clientId ?? ""),
  };
}
