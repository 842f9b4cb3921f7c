import type { Kysely, Selectable } from "kysely";
import { AppError } from "../../domain/errors.ts";
import type { Id } from "../../domain/id.ts";
import type { Dialect } from "../database/database.ts";
import type { Schema, UserTable } from "../database/schema.ts";
import { ACTIVE } from "./user-row.ts";

type Tx = Kysely<Schema>;

/** An active person, for this transaction alone: until it ends, no other one that asks gives or takes a way in. */
export async function holdActive(tx: Tx, dialect: Dialect, id: Id): Promise<Selectable<UserTable> | undefined> {
  const query = tx.selectFrom("users").selectAll().where("id", "=", id).where(ACTIVE);
  return (dialect.writesOneByOne ? query : query.forUpdate()).executeTakeFirst();
}

/**
 * To be called after a way in was removed, in the transaction that holds the person.
 *
 * @throws AppError CONFLICT where the person has no other (U29)
 */
export async function assertWayIn(tx: Tx, id: Id): Promise<void> {
  for (const has of WAYS_IN) if (await has(tx, id)) return;
  throw new AppError("CONFLICT", "This is your only way to sign in. Add another first.");
}

/**
 * Every way in, each as the question whether a person has it.
 *
 * HOOK: passkeys (migration 0024) join here, with a function of their own. Removing one then calls `holdActive` and `assertWayIn`.
 */
const WAYS_IN: readonly ((tx: Tx, id: Id) => Promise<boolean>)[] = [hasPassword, hasUpstreamIdentity];

async function hasPassword(tx: Tx, id: Id): Promise<boolean> {
  const query = tx.selectFrom("users").select("id").where("id", "=", id).where("password_hash", "is not", null);
  return (await query.executeTakeFirst()) !== undefined;
}

async function hasUpstreamIdentity(tx: Tx, id: Id): Promise<boolean> {
  const query = tx.selectFrom("upstream_identities").select("user_id").where("user_id", "=", id).limit(1);
  return (await query.executeTakeFirst()) !== undefined;
}
