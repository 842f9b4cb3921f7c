import { type Kysely, type Selectable, sql } from "kysely";
import { AppError } from "../../domain/errors.ts";
import type { Id } from "../../domain/id.ts";
import { nameKey } from "../../domain/people/account-search.ts";
import { type DeletionStore, FORMER_MEMBER } from "../../domain/people/deletion.ts";
import type { Changes } from "../database/changes.ts";
import type { Database } from "../database/database.ts";
import type { IdSource } from "../database/ids.ts";
import type { Schema, UserTable } from "../database/schema.ts";
import { voiding } from "./account-token-row.ts";
import { leavingAdministrator } from "./administrators.ts";
import { forgetSecrets } from "./client-secrets.ts";
import { remember } from "./idempotency.ts";
import { withdrawing } from "./invitation-row.ts";
import { mailRow } from "./mails.ts";
import { EventWriter, OUTBOX_GATE } from "./outbox.ts";
import { untilNoRace } from "./races.ts";
import { revokeWithin } from "./revocations.ts";
import { forgetSecondStep } from "./second-step-row.ts";
import { NEXT_CREDENTIALS, noUser, toUser } from "./user-row.ts";

type Tx = Kysely<Schema>;

/** @param now Unix time in milliseconds */
export function openDeletions(database: Database, changes: Changes, ids: IdSource, now: () => number): DeletionStore {
  const { read, dialect } = database;
  const events = new EventWriter(database, ids);

  /** One transaction about a person, told as a change of the person, as an event and as a mail. */
  function about<T>(id: Id, job: (tx: Tx, at: string) => Promise<T>): Promise<T> {
    const announcing = changes.telling({ kind: "mail", id: null }, changes.telling({ kind: "user", id }, database));
    const telling = changes.telling({ kind: "event", id: null }, announcing);
    return untilNoRace(() => telling.write((tx) => job(tx, new Date(now()).toISOString())));
  }

  /** Until the transaction ends, nobody else changes the row. */
  async function hold(tx: Tx, id: Id): Promise<Selectable<UserTable> | undefined> {
    const query = tx.selectFrom("users").selectAll().where("id", "=", id);
    return (dialect.writesOneByOne ? query : query.forUpdate()).executeTakeFirst();
  }

  /** Changes what others see of the person, and tells it. */
  async function rename(tx: Tx, id: Id, name: string, at: string, deletesAt: string | null) {
    const row = await tx
      .updateTable("users")
      .set({
        name,
        name_key: nameKey(name),
        deletes_at: deletesAt,
        updated_at: at,
        version: dialect.entering(sql.lit(OUTBOX_GATE), sql<number>`users.version + 1`),
        credential_version: NEXT_CREDENTIALS,
      })
      .where("id", "=", id)
      .returningAll()
      .executeTakeFirstOrThrow();
    const data = JSON.stringify({ id, name, updatedAt: at, version: Number(row.version) });
    await events.add(tx, { type: "user.updated", subjectId: id, occurredAt: at, data });
    return toUser(row);
  }

  return {
    ask: (id, { deletesAt, posts }, once) =>
      about(id, async (tx, at) => {
        if (once !== undefined) await remember(tx, once, id, now);
        return leavingAdministrator(tx, dialect, id, async () => {
          const row = await hold(tx, id);
          if (row === undefined || row.deleted_at !== null) throw noUser(id);
          if (row.deletes_at !== null)
            throw new AppError("CONFLICT", "The deletion of this account was asked for already.");
          await keepForUndo(tx, { user_id: id, kept_name: row.name, deletion_posts: posts });
          await endLinksOf(tx, id, at);
          await revokeWithin(tx, dialect, id);
          return rename(tx, id, FORMER_MEMBER, at, deletesAt);
        });
      }),

    undo: (id, once) =>
      about(id, async (tx, at) => {
        if (once !== undefined) await remember(tx, once, id, now);
        const row = await hold(tx, id);
        if (row === undefined || row.deleted_at !== null) throw noUser(id);
        if (row.deletes_at === null) throw new AppError("CONFLICT", "This account is not going to be deleted.");
        const state = await tx
          .updateTable("account_states")
          .set({ deletion_posts: null })
          .where("user_id", "=", id)
          .where("deletion_began_at", "is", null)
          .returning("kept_name")
          .executeTakeFirst();
        if (state === undefined) throw new AppError("CONFLICT", "The deletion of this account has begun.");
        await tx.updateTable("account_states").set({ kept_name: null }).where("user_id", "=", id).execute();
        return rename(tx, id, state.kept_name ?? FORMER_MEMBER, at, null);
      }),

    async listDue(moment, limit) {
      const rows = await read
        .selectFrom("users")
        .innerJoin("account_states", "account_states.user_id", "users.id")
        .select(["users.id", "account_states.deletion_posts"])
        .where(sql<boolean>`users.deletes_at is not null`) // as the index has it
        .where("users.deletes_at", "<=", moment)
        .orderBy("users.deletes_at")
        .limit(limit)
        .execute();
      return rows.map(({ id, deletion_posts }) => ({ id, posts: deletion_posts ?? "keep" }));
    },

    begin: (id, moment) =>
      database.write(async (tx) => {
        const row = await hold(tx, id);
        if (row === undefined || !isDue(row, moment)) return false;
        await tx
          .updateTable("account_states")
          .set((eb) => ({ deletion_began_at: eb.fn.coalesce("deletion_began_at", eb.val(moment)) }))
          .where("user_id", "=", id)
          .execute();
        return true;
      }),

    finish: (id, at, farewell) =>
      about(id, async (tx) => {
        const row = await hold(tx, id);
        if (row === undefined || !isDue(row, at)) return false;
        const state = await tx
          .deleteFrom("account_states")
          .where("user_id", "=", id)
          .where("deletion_began_at", "is not", null)
          .returning("user_id")
          .executeTakeFirst();
        if (state === undefined) return false;
        await tx
          .updateTable("users")
          .set({
            name: FORMER_MEMBER,
            name_key: nameKey(FORMER_MEMBER),
            email: "",
            email_key: `deleted:${id}`,
            email_verified: 0,
            role: "member",
            password_hash: null,
            second_step: 0,
            local_sign_in: 0,
            disabled_at: null,
            deletes_at: null,
            deleted_at: at,
            credential_version: dialect.entering(sql.lit(OUTBOX_GATE), NEXT_CREDENTIALS),
          })
          .where("id", "=", id)
          .execute();
        await forget(tx, row);
        await revokeWithin(tx, dialect, id);
        if (farewell !== null && row.email_verified === 1)
          await tx
            .insertInto("mails")
            .values(mailRow(ids.next(), { ...farewell, userId: null, address: row.email }, at))
            .execute();
        await events.add(tx, { type: "user.deleted", subjectId: id, occurredAt: at, data: JSON.stringify({ id }) });
        return true;
      }),
  };
}

function isDue({ deletes_at, deleted_at }: Selectable<UserTable>, moment: string): boolean {
  return deleted_at === null && deletes_at !== null && deletes_at <= moment;
}

async function keepForUndo(
  tx: Tx,
  kept: { user_id: Id; kept_name: string; deletion_posts: "keep" | "delete" },
): Promise<void> {
  const row = { language: null, last_sign_in_at: null, deletion_began_at: null };
  await tx
    .insertInto("account_states")
    .values({ ...row, ...kept })
    .onConflict((conflict) => conflict.column("user_id").doUpdateSet(kept))
    .execute();
}

/**
 * Mailed secrets of the person, and invitations by them. The way back to a former address stays: whoever took the account over may
 * want it gone before its owner reads that mail.
 */
async function endLinksOf(tx: Tx, id: Id, at: string): Promise<void> {
  await voiding(tx, Math.floor(Date.parse(at) / 1_000))
    .where("user_id", "=", id)
    .where("purpose", "<>", "email-undo")
    .execute();
  await withdrawing(tx, at).where("invited_by", "=", id).execute();
}

/** Every row beside the person's own that has their name or address. The audit and the events keep the id. */
async function forget(tx: Tx, { id, email_key }: Pick<Selectable<UserTable>, "id" | "email_key">): Promise<void> {
  await tx
    .deleteFrom("account_tokens")
    .where((eb) => eb.or([eb("user_id", "=", id), eb("email_key", "=", email_key)]))
    .execute();
  await tx.deleteFrom("invitations").where("email_key", "=", email_key).execute();
  await tx.deleteFrom("mails").where("user_id", "=", id).execute();
  await tx.deleteFrom("passkeys").where("user_id", "=", id).execute();
  await forgetSecondStep(tx, id);
  await tx.deleteFrom("upstream_identities").where("user_id", "=", id).execute();
  await tx.deleteFrom("scim_users").where("user_id", "=", id).execute();
  await tx.deleteFrom("agents").where("user_id", "=", id).execute();
  await tx.updateTable("post_revisions").set({ person_id: null }).where("person_id", "=", id).execute();
  await tx.updateTable("post_working_copies").set({ updated_by: null }).where("updated_by", "=", id).execute();
  await tx.updateTable("deleted_posts").set({ deleted_by: null }).where("deleted_by", "=", id).execute();
  await tx.updateTable("post_planned_updates").set({ person_id: null }).where("person_id", "=", id).execute();
  await tx.deleteFrom("preview_links").where("created_by", "=", id).execute();
  const owned = await tx.deleteFrom("clients").where("owner_id", "=", id).returning("id").execute();
  await forgetSecrets(
    tx,
    owned.map((client) => client.id),
  );
  await tx.deleteFrom("post_editing").where("user_id", "=", id).execute();
  await tx.deleteFrom("agent_changes").where("author_id", "=", id).execute(); // texts; what was done to others' posts keeps the id
  await tx
    .updateTable("outbox")
    .set({ data: JSON.stringify({ id }) })
    .where("subject_id", "=", id)
    .where(sql<boolean>`type in ('user.created', 'user.updated')`) // as the index has it
    .execute();
}
