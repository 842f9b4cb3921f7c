import { type Kysely, sql } from "kysely";
import { AppError } from "../../domain/errors.ts";
import type { Id } from "../../domain/id.ts";
import type { User } from "../../domain/people/user.ts";
import type { Dialect } from "../database/database.ts";
import type { Schema } from "../database/schema.ts";
import { ACTIVE } from "./user-row.ts";

/** Holds the person's row until the transaction ends, so that of two changes of how they sign in one waits for the other. */
export async function holdPerson(tx: Kysely<Schema>, dialect: Dialect, userId: Id): Promise<void> {
  const query = tx.selectFrom("users").select("id").where("id", "=", userId);
  await (dialect.writesOneByOne ? query : query.forUpdate()).executeTakeFirst();
}

/** Holds the row of an active person. @returns null for any other person */
export async function holdActive(
  tx: Kysely<Schema>,
  dialect: Dialect,
  userId: Id,
): Promise<Pick<User, "emailVerified" | "credentialVersion"> | null> {
  await holdPerson(tx, dialect, userId);
  const row = await tx
    .selectFrom("users")
    .select(["email_verified", "credential_version"])
    .where("id", "=", userId)
    .where(ACTIVE)
    .executeTakeFirst();
  if (row === undefined) return null;
  return { emailVerified: row.email_verified === 1, credentialVersion: Number(row.credential_version) };
}

/**
 * Refuses a change after which the person could not sign in any more (U29). To be called after the change, in its transaction.
 *
 * @param rpId the domain of passkeys that can be used now
 * @throws AppError CONFLICT; the transaction must then end without effect
 */
export async function assertWayIn(tx: Kysely<Schema>, userId: Id, rpId: string): Promise<void> {
  const way = await tx
    .selectFrom("users")
    .select(sql<number>`1`.as("one"))
    .where("id", "=", userId)
    .where((eb) =>
      eb.or([
        eb("password_hash", "is not", null),
        eb.exists(
          eb
            .selectFrom("passkeys")
            .select("credential_id")
            .whereRef("passkeys.user_id", "=", "users.id")
            .where("rp_id", "=", rpId),
        ),
        eb.exists(
          eb
            .selectFrom("upstream_identities")
            .select("subject")
            .whereRef("upstream_identities.user_id", "=", "users.id"),
        ),
      ]),
    )
    .executeTakeFirst();
  if (way === undefined) throw new AppError("CONFLICT", "This is your only way to sign in. Add another first.");
}
