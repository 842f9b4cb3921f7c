import type { Kysely, Selectable } from "kysely";
import { AppError } from "../../domain/errors.ts";
import type { Id } from "../../domain/id.ts";
import type { NewPasskey, Passkey } from "../../domain/people/passkey.ts";
import type { PasskeyTable } from "../database/account-schema.ts";
import type { Schema } from "../database/schema.ts";

/** @throws AppError CONFLICT where somebody has this credential already (P32) */
export async function insertPasskey(tx: Kysely<Schema>, passkey: NewPasskey): Promise<void> {
  const row = await tx
    .insertInto("passkeys")
    .values({
      credential_id: passkey.credentialId,
      user_id: passkey.userId,
      user_handle: passkey.userHandle,
      public_key: passkey.publicKey,
      rp_id: passkey.rpId,
      counter: passkey.counter,
      transports: passkey.transports.join(" "),
      aaguid: passkey.aaguid,
      backup_eligible: Number(passkey.isBackupEligible),
      backed_up: Number(passkey.isBackedUp),
      name: passkey.name,
      created_at: passkey.createdAt,
      used_at: null,
    })
    .onConflict((conflict) => conflict.column("credential_id").doNothing())
    .returning("credential_id")
    .executeTakeFirst();
  if (row === undefined) throw new AppError("CONFLICT", "This passkey is in use already.");
}

/** Removes those that were added at or after that time (RFC 3339). */
export async function removePasskeysSince(tx: Kysely<Schema>, userId: Id, since: string): Promise<void> {
  await tx.deleteFrom("passkeys").where("user_id", "=", userId).where("created_at", ">=", since).execute();
}

export function toPasskey(row: Selectable<PasskeyTable>): Passkey {
  return {
    credentialId: row.credential_id,
    userId: row.user_id,
    userHandle: row.user_handle,
    publicKey: row.public_key,
    rpId: row.rp_id,
    counter: Number(row.counter),
    transports: row.transports === "" ? [] : row.transports.split(" "),
    aaguid: row.aaguid,
    isBackupEligible: Number(row.backup_eligible) === 1,
    isBackedUp: Number(row.backed_up) === 1,
    name: row.name,
    createdAt: row.created_at,
    usedAt: row.used_at,
  };
}
