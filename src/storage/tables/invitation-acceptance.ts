import type { Kysely } from "kysely";
import type { Id } from "../../domain/id.ts";
import type { Schema } from "../database/schema.ts";

type Tx = Kysely<Schema>;

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
    .where("accepted_at", "is", null)
    .where("withdrawn_at", "is", null)
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
            .where("users.disabled_at", "is", null)
            .where("users.deletes_at", "is", null)
            .where("users.deleted_at", "is", null),
        ),
      ]),
    )
    .returning("role")
    .executeTakeFirst();
}

/** Whoever signs up without the link of an open invitation has no use for it any more. */
export async function acceptOf(tx: Tx, key: string, nowSeconds: number): Promise<void> {
  await tx
    .updateTable("invitations")
    .set({ accepted_at: new Date(nowSeconds * 1_000).toISOString() })
    .where("email_key", "=", key)
    .where("accepted_at", "is", null)
    .where("withdrawn_at", "is", null)
    .execute();
}
