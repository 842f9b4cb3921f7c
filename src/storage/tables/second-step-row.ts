import { type Kysely, type SqlBool, sql } from "kysely";
import type { Id } from "../../domain/id.ts";
import type { User } from "../../domain/people/user.ts";
import type { Schema } from "../database/schema.ts";
import { NEXT_CREDENTIALS, toUser } from "./user-row.ts";

type Tx = Kysely<Schema>;

/** Ends pending sign-ins and mailed links of a person, and may turn the second step on. */
export async function changeSecondStep(tx: Tx, userId: Id, isOn = false): Promise<User> {
  const row = await tx
    .updateTable("users")
    .set({ credential_version: NEXT_CREDENTIALS, ...(isOn ? { second_step: 1 } : {}) })
    .where("id", "=", userId)
    .returningAll()
    .executeTakeFirstOrThrow();
  return toUser(row);
}

/** SQL that says whether the person of a row of `users` has an authenticator app or a passkey. @param passkeyDomain as in `SecondStepStore` */
export function hasFactor(passkeyDomain: string | null) {
  return sql<SqlBool>`(
    exists (select 1 from totp_factors where totp_factors.user_id = users.id)
    or exists (select 1 from passkeys where passkeys.user_id = users.id and passkeys.rp_id = ${passkeyDomain})
  )`;
}

/**
 * Turns the second step off for a person who has no factor left, and removes their recovery codes. To be called in a transaction that has
 * removed a factor, and holds the person.
 */
export async function turnOffWithoutFactor(tx: Tx, userId: Id, passkeyDomain: string | null): Promise<void> {
  const ended = await tx
    .updateTable("users")
    .set({ second_step: 0 })
    .where("id", "=", userId)
    .where(sql<SqlBool>`not ${hasFactor(passkeyDomain)}`)
    .returning("id")
    .executeTakeFirst();
  if (ended !== undefined) await tx.deleteFrom("recovery_codes").where("user_id", "=", userId).execute();
}

/** Removes the authenticator app and recovery codes of a person. */
export async function forgetSecondStep(tx: Tx, userId: Id): Promise<void> {
  await tx.deleteFrom("totp_factors").where("user_id", "=", userId).execute();
  await tx.deleteFrom("recovery_codes").where("user_id", "=", userId).execute();
}

/**
 * Removes what was added at or after that time (RFC 3339), and turns the second step off if nothing is left. Passkeys that were added since
 * must be gone before.
 *
 * @returns the person as they are then
 */
export async function removeSecondStepSince(tx: Tx, userId: Id, since: string): Promise<User> {
  await tx.deleteFrom("totp_factors").where("user_id", "=", userId).where("confirmed_at", ">=", since).execute();
  await tx.deleteFrom("recovery_codes").where("user_id", "=", userId).where("created_at", ">=", since).execute();
  await tx
    .updateTable("users")
    .set({ second_step: 0 })
    .where("id", "=", userId)
    .where(
      sql<SqlBool>`not exists (select 1 from totp_factors where totp_factors.user_id = users.id)
        and not exists (select 1 from passkeys where passkeys.user_id = users.id)`,
    )
    .execute();
  return toUser(await tx.selectFrom("users").selectAll().where("id", "=", userId).executeTakeFirstOrThrow());
}
