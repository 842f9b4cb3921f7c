import { randomUUID } from "node:crypto";
import { type Insertable, type Selectable, sql } from "kysely";
import { AppError } from "../../domain/errors.ts";
import type { Id } from "../../domain/id.ts";
import type { ClaimedMail, Mail, MailStore, NewMail } from "../../domain/people/mail.ts";
import type { MailTable } from "../database/account-schema.ts";
import type { Changes } from "../database/changes.ts";
import type { Database } from "../database/database.ts";
import type { IdSource } from "../database/ids.ts";
import { remember } from "./idempotency.ts";

/** @param now Unix time in milliseconds */
export function openMails(database: Database, changes: Changes, ids: IdSource, now: () => number): MailStore {
  const { read, dialect } = database;
  const announcing = changes.telling({ kind: "mail", id: null }, database);

  return {
    async add(mail, once) {
      const id = ids.next();
      const query = read.insertInto("mails").values(mailRow(id, mail, new Date(now()).toISOString()));
      if (once === undefined) await announcing.writeAtOnce([query.compile()]);
      else
        await announcing.write(async (tx) => {
          await remember(tx, once, id, now);
          await tx.executeQuery(query.compile());
        });
      return id;
    },

    async claim({ now: at, until, limit }) {
      // Most looks find nothing, and that is no write.
      const due = () =>
        read
          .selectFrom("mails")
          .select("id")
          .where("due_at", "is not", null) // as the index has it
          .where("due_at", "<=", at)
          .orderBy("due_at")
          .orderBy("id")
          .limit(limit);
      if ((await due().execute()).length === 0) return [];
      return database.write(async (tx) => {
        const rows = await tx
          .updateTable("mails")
          .set({ claim: randomUUID(), due_at: until })
          .where("id", "in", () => (dialect.writesOneByOne ? due() : due().forUpdate().skipLocked()))
          .where("due_at", "<=", at) // still, for whoever had to wait for the row
          .returningAll()
          .execute();
        return rows
          .map((row): ClaimedMail => ({ ...toMail(row), claim: row.claim ?? "" }))
          .sort((a, b) => (a.id < b.id ? -1 : 1));
      });
    },

    async settle(id, claim, outcome, at) {
      const isPending = outcome.state === "PENDING";
      const counts = !isPending || outcome.counts;
      const query = read
        .updateTable("mails")
        .set((eb) => ({
          state: outcome.state,
          due_at: isPending ? outcome.dueAt : null,
          claim: null,
          ...(counts ? { attempts: eb("attempts", "+", 1) } : {}),
          error: "error" in outcome ? outcome.error.slice(0, 200) : null,
          sent_at: outcome.state === "SENT" ? at : null,
          ended_at: isPending ? null : at,
        }))
        .where("id", "=", id)
        .where("claim", "=", claim);
      await database.writeAtOnce([query.compile()]);
    },

    async find(id) {
      const row = await read.selectFrom("mails").selectAll().where("id", "=", id).executeTakeFirst();
      return row === undefined ? null : toMail(row);
    },

    async list({ userId, state, after, limit }) {
      let query = read.selectFrom("mails").selectAll().orderBy("id", "desc").limit(limit);
      if (userId !== undefined) query = query.where("user_id", "=", userId);
      if (state !== undefined) query = query.where("state", "=", state);
      if (after !== undefined) query = query.where("id", "<", after);
      return (await query.execute()).map(toMail);
    },

    retry: (id, at, expiresAt, once) =>
      announcing.write(async (tx) => {
        if (once !== undefined) await remember(tx, once, id, now);
        const row = await tx
          .updateTable("mails")
          .set({ state: "PENDING", due_at: at, expires_at: expiresAt, attempts: 0, error: null, ended_at: null })
          .where("id", "=", id)
          .where("state", "=", "FAILED")
          .where("address", "<>", "")
          .returningAll()
          .executeTakeFirst();
        if (row !== undefined) return toMail(row);
        const present = await tx.selectFrom("mails").select("state").where("id", "=", id).executeTakeFirst();
        throw present === undefined
          ? new AppError("NOT_FOUND", "There is no mail with this id.")
          : new AppError("CONFLICT", "Only a mail that has failed, and whose address is kept, can be sent again.");
      }),

    async backlog() {
      const { pending, oldest } = await read
        .selectFrom("mails")
        .select((eb) => [eb.fn.countAll<number>().as("pending"), eb.fn.min("created_at").as("oldest")])
        .where("state", "=", "PENDING")
        .executeTakeFirstOrThrow();
      return { pending: Number(pending), oldest };
    },

    async sweep({ endedBefore, wipedBefore }, limit) {
      const wipe = read
        .updateTable("mails")
        .set({ address: "", params: "{}" })
        .where("id", "in", (eb) =>
          eb
            .selectFrom("mails")
            .select("id")
            .where(sql<boolean>`ended_at is not null`)
            .where("ended_at", "<", wipedBefore)
            .where("user_id", "is", null)
            .where("address", "<>", "")
            .limit(limit),
        );
      const forget = read
        .deleteFrom("mails")
        .where("id", "in", (eb) =>
          eb
            .selectFrom("mails")
            .select("id")
            .where(sql<boolean>`ended_at is not null`)
            .where("ended_at", "<", endedBefore)
            .limit(limit),
        );
      const changed = await database.writeAtOnce([wipe.compile(), forget.compile()]);
      return Math.max(...changed);
    },
  };
}

/** The row of a new mail, which is due now. */
export function mailRow(id: Id, { kind, userId, address, language, params, expiresAt }: NewMail, at: string) {
  return {
    id,
    kind,
    user_id: userId,
    address,
    language,
    params: JSON.stringify(params),
    state: "PENDING",
    attempts: 0,
    due_at: at,
    claim: null,
    error: null,
    created_at: at,
    expires_at: expiresAt,
    sent_at: null,
    ended_at: null,
  } as const satisfies Insertable<MailTable>;
}

function toMail(row: Selectable<MailTable>): Mail {
  return {
    id: row.id,
    kind: row.kind,
    userId: row.user_id,
    address: row.address,
    language: row.language,
    params: JSON.parse(row.params) as Record<string, string>,
    state: row.state,
    attempts: Number(row.attempts),
    error: row.error,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    sentAt: row.sent_at,
  };
}
