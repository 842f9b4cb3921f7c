import { type Kysely, type SqlBool, sql } from "kysely";
import type { Id } from "../../domain/id.ts";
import type { Schema } from "../database/schema.ts";
import { ACTIVE } from "./user-row.ts";

type Tx = Kysely<Schema>;

/** Neither accepted nor withdrawn, in the words of the index; it may have expired. */
export const OPEN = sql<SqlBool>`accepted_at is null and withdrawn_at is null`;

/** A statement that withdraws open invitations; its caller says which. */
export function withdrawing(db: Tx, at: string) {
  return db.updateTable("invitations").set({ withdrawn_at: at }).where(OPEN);
}

/**
 * The invitation of a token, accepted now; undefined where it is open no more, or its inviter is no administrator any more: the
 * invitation may have been made while that ended.
 */
export async function accept(tx: Tx, id: Id, nowSeconds: number) {
  const at = new Date(nowSeconds * 1_000).toISOString();
  return tx
    .updateTable("invitations")
    .set({ accepted_at: at })
    .where("id", "=", id)
    .where(OPEN)
    .where("expires_at", ">", at)
    .where((eb) =>
      eb.or([
        eb("invited_by", "is", null),
        eb.exists(
          eb
            .selectFrom("users")
            .select("users.id")
            .whereRef("users.id", "=", "invitations.invited_by")
            .where("users.role", "=", "admin")
            .where(ACTIVE),
        ),
      ]),
    )
    .returning("role")
    .executeTakeFirst();
}

/** Accepts the open invitation of a person who has signed up without its link. */
export async function acceptOf(tx: Tx, key: string, nowSeconds: number): Promise<void> {
  await tx
    .updateTable("invitations")
    .set({ accepted_at: new Date(nowSeconds * 1_000).toISOString() })
    .where("email_key", "=", key)
    .where(OPEN)
    .execute();
}
