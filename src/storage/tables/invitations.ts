import { type Kysely, type Selectable, sql } from "kysely";
import { AppError } from "../../domain/errors.ts";
import type { Id } from "../../domain/id.ts";
import type { Once } from "../../domain/idempotency.ts";
import { emailKey } from "../../domain/people/email.ts";
import type { Invitation, InvitationStore } from "../../domain/people/invitation.ts";
import type { InvitationTable } from "../database/account-schema.ts";
import type { Database } from "../database/database.ts";
import type { IdSource } from "../database/ids.ts";
import type { Schema } from "../database/schema.ts";
import { voiding } from "./account-token-row.ts";
import { remember } from "./idempotency.ts";
import { OPEN, withdrawing } from "./invitation-row.ts";
import { isRace } from "./races.ts";
import { addressTaken } from "./user-row.ts";

/** @param now Unix time in milliseconds */
export function openInvitations(database: Database, ids: IdSource, now: () => number): InvitationStore {
  const { read } = database;

  /** Changes an invitation that is not accepted. */
  function change(
    id: Id,
    values: Partial<InvitationTable>,
    { mayBeWithdrawn, once }: { readonly mayBeWithdrawn: boolean; readonly once: Once | undefined },
    also: (tx: Kysely<Schema>) => Promise<void> = async () => {},
  ): Promise<Invitation> {
    return database.write(async (tx) => {
      if (once !== undefined) await remember(tx, once, id, now);
      let query = tx.updateTable("invitations").set(values).where("id", "=", id).where("accepted_at", "is", null);
      if (!mayBeWithdrawn) query = query.where("withdrawn_at", "is", null);
      const row = await query.returningAll().executeTakeFirst();
      if (row === undefined) throw await whyNot(tx, id);
      await also(tx);
      return toInvitation(row);
    });
  }

  return {
    async create({ email, role, invitedBy, expiresAt }, once) {
      const [id, key, at] = [ids.next(), emailKey(email), new Date(now()).toISOString()];
      try {
        return await database.write(async (tx) => {
          if (once !== undefined) await remember(tx, once, id, now);
          const taken = await tx.selectFrom("users").select("id").where("email_key", "=", key).executeTakeFirst();
          if (taken !== undefined) throw addressTaken();
          // One that has expired makes room.
          await withdrawing(tx, at).where("email_key", "=", key).where("expires_at", "<=", at).execute();
          const row = await tx
            .insertInto("invitations")
            .values({
              id,
              email,
              email_key: key,
              role,
              invited_by: invitedBy,
              created_at: at,
              expires_at: expiresAt,
              accepted_at: null,
              withdrawn_at: null,
            })
            .returningAll()
            .executeTakeFirstOrThrow();
          return toInvitation(row);
        });
      } catch (error) {
        throw isRace(error)
          ? new AppError("CONFLICT", "There is an open invitation for this e-mail address.", { field: "email" })
          : error;
      }
    },

    async find(id) {
      const row = await read.selectFrom("invitations").selectAll().where("id", "=", id).executeTakeFirst();
      return row === undefined ? null : toInvitation(row);
    },

    async findOpen(email, at) {
      const row = await read
        .selectFrom("invitations")
        .selectAll()
        .where("email_key", "=", emailKey(email))
        .where(OPEN)
        .where("expires_at", ">", at)
        .executeTakeFirst();
      return row === undefined ? null : toInvitation(row);
    },

    async list(after, limit) {
      let query = read.selectFrom("invitations").selectAll().orderBy("id", "desc").limit(limit);
      if (after !== undefined) query = query.where("id", "<", after);
      return (await query.execute()).map(toInvitation);
    },

    renew: (id, expiresAt, once) => change(id, { expires_at: expiresAt }, { mayBeWithdrawn: false, once }),

    withdraw: (id, at, once) =>
      change(
        id,
        { withdrawn_at: sql<string>`coalesce(withdrawn_at, ${at})` as unknown as string },
        { mayBeWithdrawn: true, once },
        async (tx) => {
          await voiding(tx, Math.floor(now() / 1_000))
            .where("invitation_id", "=", id)
            .execute();
        },
      ),

    async withdrawOf(invitedBy, at) {
      const query = withdrawing(read, at).where("invited_by", "=", invitedBy);
      await database.writeAtOnce([query.compile()]);
    },
  };
}

async function whyNot(tx: Kysely<Schema>, id: Id): Promise<AppError> {
  const row = await tx.selectFrom("invitations").select("accepted_at").where("id", "=", id).executeTakeFirst();
  if (row === undefined) return new AppError("NOT_FOUND", "There is no invitation with this id.");
  return new AppError(
    "CONFLICT",
    row.accepted_at === null ? "This invitation was withdrawn." : "This invitation was accepted already.",
  );
}

function toInvitation(row: Selectable<InvitationTable>): Invitation {
  return {
    id: row.id,
    email: row.email,
    role: row.role,
    invitedBy: row.invited_by,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    acceptedAt: row.accepted_at,
    withdrawnAt: row.withdrawn_at,
  };
}
