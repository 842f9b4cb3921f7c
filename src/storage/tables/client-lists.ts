import { sql } from "kysely";
import { nameKey } from "../../domain/clients/client.ts";
import type { ClientFilter, ClientStore } from "../../domain/clients/client-store.ts";
import type { Database } from "../database/database.ts";
import { canBeStored, selectClients, toClient } from "./client-row.ts";

/** Follows every text that begins with another one, in the order of code points. */
const LAST = "\u{10ffff}";

/** Lists of clients. Each filter reads an index from the place of the page on. */
export function openClientLists({ read }: Database): Pick<ClientStore, "list" | "page"> {
  return {
    async list() {
      const rows = await selectClients(read).orderBy("clients.created_at").orderBy("clients.id").execute();
      return rows.map(toClient);
    },

    async page(filter, after, limit) {
      const { search } = filter;
      if (!canBeStored(`${search ?? ""}${after ?? ""}`)) return [];
      if (search !== undefined) {
        const known = await filtered(read, filter).where("clients.id", "=", search).executeTakeFirst();
        if (known !== undefined) return after === null ? [toClient(known)].slice(0, limit) : [];
      }
      const place = after === null ? null : await placeOf(read, after);
      if (place === undefined) return [];
      const query = filtered(read, filter).limit(limit);
      const rows = await (search === undefined
        ? byTime(query, place)
        : byName(query, nameKey(search), place)
      ).execute();
      return rows.map(toClient);
    },
  };
}

type Read = Database["read"];
type Query = ReturnType<typeof filtered>;
type Place = { readonly id: string; readonly created_at: string; readonly name_key: string | null } | null;

function placeOf(read: Read, id: string) {
  return read.selectFrom("clients").select(["id", "created_at", "name_key"]).where("id", "=", id).executeTakeFirst();
}

/** Conditions as the partial indexes have them. */
function filtered(read: Read, { origin, ownerId, isDisabled }: ClientFilter) {
  let query = selectClients(read);
  if (origin === "person") query = query.where(sql<boolean>`clients.owner_id is not null`);
  else if (origin !== undefined)
    query = query.where(sql<boolean>`clients.owner_id is null`).where("clients.origin", "=", origin);
  if (ownerId !== undefined) query = query.where("clients.owner_id", "=", ownerId);
  if (isDisabled !== undefined) query = query.where("clients.disabled_at", isDisabled ? "is not" : "is", null);
  return query;
}

function byTime(query: Query, place: Place): Query {
  const ordered = query.orderBy("clients.created_at", "desc").orderBy("clients.id", "desc");
  if (place === null) return ordered;
  const { created_at: at, id } = place;
  return ordered
    .where("clients.created_at", "<=", at)
    .where((eb) => eb.or([eb("clients.created_at", "<", at), eb("clients.id", "<", id)]));
}

function byName(query: Query, key: string, place: Place): Query {
  // One lower bound: of two, the database would use the wrong one.
  const from = place?.name_key != null && place.name_key > key ? place.name_key : key;
  const ordered = query
    .where("clients.name_key", ">=", from)
    .where("clients.name_key", "<", key + LAST)
    .orderBy("clients.name_key")
    .orderBy("clients.id");
  if (place === null) return ordered;
  const { name_key: name, id } = place;
  return ordered.where((eb) => eb.or([eb("clients.name_key", ">", name), eb("clients.id", ">", id)]));
}
