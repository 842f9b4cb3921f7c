import { type Kysely, type Selectable, type SqlBool, sql } from "kysely";
import { AppError } from "../../domain/errors.ts";
import type { AccountToken, TokenPurpose } from "../../domain/people/account-token.ts";
import type { AccountTokenTable } from "../database/account-schema.ts";
import type { Schema } from "../database/schema.ts";

export type AccountTokenRow = Selectable<AccountTokenTable>;

const UNSPENT = sql<SqlBool>`used_at_seconds is null and voided_at_seconds is null`;

/** A statement that makes tokens void which could still be used; its caller says which. */
export function voiding(db: Kysely<Schema>, nowSeconds: number) {
  return db.updateTable("account_tokens").set({ voided_at_seconds: nowSeconds }).where(UNSPENT);
}

/** Takes the token, for this transaction alone: whoever comes second finds it used. */
export async function spend(
  tx: Kysely<Schema>,
  hash: string,
  purposes: readonly TokenPurpose[],
  nowSeconds: number,
): Promise<AccountTokenRow | undefined> {
  return tx
    .updateTable("account_tokens")
    .set({ used_at_seconds: nowSeconds })
    .where("hash", "=", hash)
    .where("purpose", "in", purposes)
    .where("expires_at_seconds", ">", nowSeconds)
    .where(UNSPENT)
    .returningAll()
    .executeTakeFirst();
}

/** Ends a transaction in which the token was taken, so that it is not. */
export class NotSpent extends AppError {
  constructor() {
    super("NOT_FOUND", "This link cannot be used any more.");
  }
}

export function toToken(row: AccountTokenRow): AccountToken {
  return {
    hash: row.hash,
    purpose: row.purpose,
    email: row.email,
    provesEmail: Number(row.proves_email) === 1,
    userId: row.user_id,
    credentialVersion: numberOrNull(row.credential_version),
    invitationId: row.invitation_id,
    codeMac: row.code_mac,
    browserHash: row.browser_hash,
    interaction: row.interaction,
    createdAtSeconds: Number(row.created_at_seconds),
    expiresAtSeconds: Number(row.expires_at_seconds),
    usedAtSeconds: numberOrNull(row.used_at_seconds),
    voidedAtSeconds: numberOrNull(row.voided_at_seconds),
  };
}

function numberOrNull(value: number | null): number | null {
  return value === null ? null : Number(value);
}
