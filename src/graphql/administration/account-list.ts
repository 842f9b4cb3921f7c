import { badInput } from "../../domain/errors.ts";
import type { AccountFilter, AccountPlace, AccountStanding } from "../../domain/people/account-search.ts";
import { assertText } from "../../domain/text.ts";
import type { Role } from "../../domain/viewer.ts";
import { enumValue, type newestFirst } from "./field.ts";

/** Characters of a search: as many as an address may have. */
const MOST_CHARACTERS = 254;

/** @param given `AccountsFilter`, as the schema coerces it. @throws AppError BAD_USER_INPUT */
export function accountFilter(given: unknown): AccountFilter {
  const { search, role, state } = (given ?? {}) as {
    search?: string | null;
    role?: string | null;
    state?: string | null;
  };
  const text = search?.trim() ?? "";
  if (text !== "") assertText("filter.search", text, { min: 1, max: MOST_CHARACTERS });
  return {
    ...(text === "" ? {} : { search: text }),
    ...(role == null ? {} : { role: enumValue(role) as Role }),
    ...(state == null ? {} : { state: enumValue(state) as AccountStanding }),
  };
}

/** A list that is searched has an order of its own, and so cursors of its own. */
export function listName({ search }: AccountFilter): string {
  return search === undefined ? "accounts" : "accounts found";
}

type Place = NonNullable<Parameters<Parameters<typeof newestFirst>[2]>[0]>;

/** The place of a cursor, whose key is `keyOfPlace`. @throws AppError BAD_USER_INPUT */
export function placeOfKey({ key, id }: Place): AccountPlace {
  const [, by, rest = ""] = /^(name|email):(.*)$/s.exec(key) ?? [];
  if (by === undefined && key !== "") throw badInput("after", "after must be a cursor of this list.");
  return by === undefined ? { by: "id", key: "", id } : { by: by as "name" | "email", key: rest, id };
}

export function keyOfPlace({ by, key }: AccountPlace): string {
  return by === "id" ? "" : `${by}:${key}`;
}
