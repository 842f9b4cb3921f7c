import { type Kysely, sql } from "kysely";
import { AppError } from "../../domain/errors.ts";
import type { Id } from "../../domain/id.ts";
import type { Dialect } from "../database/database.ts";
import type { Schema } from "../database/schema.ts";
import { ACTIVE } from "./user-row.ts";

/** Shut by a transaction that may end an administrator, so that two administrators do not end each other. */
const ADMINISTRATORS_GATE = "administrators";

/**
 * Makes a change that may end an administrator.
 *
 * @param change within the transaction
 * @throws AppError CONFLICT when no active administrator would be left; the transaction must then end without effect
 */
export async function leavingAdministrator<T>(
  tx: Kysely<Schema>,
  dialect: Dialect,
  id: Id,
  change: () => Promise<T>,
): Promise<T> {
  await dialect.shut(tx, ADMINISTRATORS_GATE);
  const wasAdministrator = await hasAdministrator(tx, id);
  const result = await change();
  if (wasAdministrator && !(await hasAdministrator(tx)))
    throw new AppError("CONFLICT", "This is the last administrator. Make somebody else an administrator first.");
  return result;
}

/** Whether anybody, or this person, is an administrator who may sign in. */
async function hasAdministrator(db: Kysely<Schema>, id?: Id): Promise<boolean> {
  let query = db.selectFrom("users").select(sql<number>`1`.as("one")).where("role", "=", "admin").where(ACTIVE);
  if (id !== undefined) query = query.where("id", "=", id);
  return (await query.limit(1).executeTakeFirst()) !== undefined;
}
