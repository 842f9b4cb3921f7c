import { type Selectable, type SelectQueryBuilder, type SqlBool, sql } from "kysely";
import {
  type AccountFilter,
  type AccountPlace,
  type AccountStanding,
  addressKey,
  nameKey,
} from "../../domain/people/account-search.ts";
import type { UserStore } from "../../domain/people/user.ts";
import type { Database } from "../database/database.ts";
import type { Schema, UserTable } from "../database/schema.ts";
import { ACTIVE, toUser } from "./user-row.ts";

type Query = SelectQueryBuilder<Schema, "users", Selectable<UserTable>>;

/** As the partial indexes have them, letter by letter. */
const STATES: Readonly<Record<AccountStanding, ReturnType<typeof sql<SqlBool>>>> = {
  active: ACTIVE,
  disabled: sql<SqlBool>`disabled_at is not null and deletes_at is null and deleted_at is null`,
  deleting: sql<SqlBool>`deletes_at is not null and deleted_at is null`,
  deleted: sql<SqlBool>`deleted_at is not null`,
};

/** Follows every text that begins with the same letters. */
const LAST = "\u{10FFFF}";

/** People by a filter. Each page is read along an index, however many people there are. */
export function openAccountSearch({ read, dialect }: Database): UserStore["listAccounts"] {
  const filtered = ({ role, state }: AccountFilter, limit: number): Query => {
    let query: Query = read.selectFrom("users").selectAll().limit(limit);
    if (state !== undefined) query = query.where(STATES[state]);
    // Few are in a rare state, so those are read by it, and the role is only compared.
    if (role !== undefined)
      query =
        state === undefined || state === "active"
          ? query.where("role", "=", role)
          : query.where(sql<SqlBool>`${dialect.notByIndex("role")} = ${role}`);
    return query;
  };

  async function newest(filter: AccountFilter, after: AccountPlace | undefined, limit: number) {
    let query = filtered(filter, limit).orderBy("id", "desc");
    if (after !== undefined) query = query.where("id", "<", after.id);
    return (await query.execute()).map((row) => ({
      user: toUser(row),
      place: { by: "id", key: "", id: row.id } as const,
    }));
  }

  async function beginning(
    by: "name" | "email",
    { filter, search, after }: { filter: AccountFilter; search: string; after: AccountPlace | undefined },
    limit: number,
  ) {
    if (limit <= 0) return [];
    const column = by === "name" ? "name_key" : "email_key";
    const [key, name] = [by === "name" ? nameKey(search) : addressKey(search), nameKey(search)];
    let query = filtered(filter, limit)
      .where(column, ">=", after?.by === by ? after.key : key)
      .where(column, "<", key + LAST)
      .orderBy(column)
      .orderBy("id");
    if (after?.by === by) query = query.where((eb) => eb.or([eb(column, ">", after.key), eb("id", ">", after.id)]));
    // Those found by name came already. The address of a deleted account is empty, and its key is its id.
    if (by === "email")
      query = query
        .where("email", "<>", "")
        .where((eb) => eb.or([eb("name_key", "<", name), eb("name_key", ">=", name + LAST)]));
    return (await query.execute()).map((row) => ({
      user: toUser(row),
      place: { by, key: row[column], id: row.id },
    }));
  }

  return async (filter, after, limit) => {
    const { search = "" } = filter;
    if (search === "") return newest(filter, after, limit);
    const given = { filter, search, after };
    const named = after?.by === "email" ? [] : await beginning("name", given, limit);
    return [...named, ...(await beginning("email", given, limit - named.length))];
  };
}
