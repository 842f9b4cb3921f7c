import { type Kysely, sql } from "kysely";
import { AppError } from "../../domain/errors.ts";
import type { Id } from "../../domain/id.ts";
import { emailKey, spellingKey } from "../../domain/people/email.ts";
import type { UserStore } from "../../domain/people/user.ts";
import type { Changes } from "../database/changes.ts";
import type { Database } from "../database/database.ts";
import type { IdSource } from "../database/ids.ts";
import type { Schema } from "../database/schema.ts";
import { param, prepareNamed, statement } from "../database/statement.ts";
import { remember } from "./idempotency.ts";
import { EventWriter, OUTBOX_GATE } from "./outbox.ts";
import { untilNoRace } from "./races.ts";
import { readWithin } from "./read-back.ts";
import { NEXT_CREDENTIALS, openUserInsertion, toUser, USER_COLUMNS } from "./user-row.ts";

export function openUsers(database: Database, changes: Changes, ids: IdSource, now: () => number): UserStore {
  const { read, dialect } = database;
  const events = new EventWriter(database, ids);
  const { order, insert } = openUserInsertion(database, ids, now);
  const findUser = prepareNamed(
    database,
    USER_COLUMNS,
    statement(() => read.selectFrom("users").select(USER_COLUMNS).where("id", "=", param<Id>(0))),
  );

  return {
    create: (user, once) => database.write((tx) => insert(tx, user, once)),

    createFirst: (user) =>
      database.write(async (tx) => {
        await tx.executeQuery(order.next(ids.next(), new Date(now()).toISOString())); // before the lock, as others have it
        await dialect.lock(tx, "users");
        if (await hasAny(tx))
          throw new AppError("CONFLICT", "An account exists already, so this one cannot be the first.");
        return insert(tx, user);
      }),

    async find(id) {
      const row = await findUser(id);
      return row === undefined ? null : toUser(row);
    },

    async findByEmail(email) {
      const [key, spelling] = [emailKey(email), spellingKey(email)];
      const rows = await read
        .selectFrom("users")
        .selectAll()
        .where("email_key", "in", key === spelling ? [key] : [key, spelling])
        .execute();
      const row = rows.find((one) => one.email_key === spelling) ?? rows[0];
      return row === undefined ? null : toUser(row);
    },

    async list() {
      const rows = await read.selectFrom("users").selectAll().orderBy("created_at").orderBy("id").execute();
      return rows.map(toUser);
    },

    async listNewest(after, limit) {
      let query = read.selectFrom("users").selectAll().orderBy("id", "desc").limit(limit);
      if (after !== undefined) query = query.where("id", "<", after);
      return (await query.execute()).map(toUser);
    },

    isEmpty: async () => !(await hasAny(read)),

    update: (id, change, once) =>
      changes.telling({ kind: "user", id }, database).write(async (tx) => {
        if (once !== undefined) await remember(tx, once, id, now);
        const mayBeLast = change.disabledAt != null || (change.role !== undefined && change.role !== "admin");
        if (mayBeLast) await dialect.lock(tx, "users"); // two administrators must not end each other
        const wasAdministrator = mayBeLast && (await hasAdministrator(tx, id));
        const row = await tx
          .updateTable("users")
          .set({
            id, // keeps the statement whole when nothing is to change
            ...(change.passwordHash === undefined ? {} : { password_hash: change.passwordHash }),
            ...(change.passwordHash === undefined && change.disabledAt === undefined
              ? {}
              : { credential_version: NEXT_CREDENTIALS }),
            ...(change.role === undefined ? {} : { role: change.role }),
            ...(change.disabledAt === undefined ? {} : { disabled_at: change.disabledAt }),
          })
          .where("id", "=", id)
          .returningAll()
          .executeTakeFirst();
        if (row === undefined) throw noUser(id);
        if (wasAdministrator && !(await hasAdministrator(tx)))
          throw new AppError("CONFLICT", "This is the last administrator. Make somebody else an administrator first.");
        return toUser(row);
      }),

    changeProfile: (id, { name }, expectedVersion, once, readBack) =>
      untilNoRace(() =>
        changes.telling({ kind: "event", id: null }, database).write(async (tx) => {
          if (once !== undefined) await remember(tx, once, id, now);
          const at = new Date(now()).toISOString();
          let update = tx.updateTable("users").where("id", "=", id);
          if (expectedVersion !== null) update = update.where("version", "=", expectedVersion);
          const change =
            name === undefined
              ? { id } // nothing changes, but that the person is there is known
              : {
                  name,
                  updated_at: at,
                  version: dialect.entering(sql.lit(OUTBOX_GATE), sql<number>`users.version + 1`),
                };
          const row = await update.set(change).returning(["version"]).executeTakeFirst();
          if (row === undefined) throw await whyNot(tx, id);
          if (name === undefined) return readWithin(tx, readBack, id);
          const data = JSON.stringify({ id, name, updatedAt: at, version: Number(row.version) });
          await events.add(tx, { type: "user.updated", subjectId: id, occurredAt: at, data });
          await readWithin(tx, readBack, id);
        }),
      ),
  };
}

/** Why a person was not there in the expected version. */
async function whyNot(tx: Kysely<Schema>, id: Id): Promise<AppError> {
  const row = await tx.selectFrom("users").select("version").where("id", "=", id).executeTakeFirst();
  if (row === undefined) return noUser(id);
  const version = Number(row.version);
  return new AppError("CONFLICT", `The profile has changed: it has version ${version} now.`, { version });
}

async function hasAny(db: Kysely<Schema>): Promise<boolean> {
  const row = await db.selectFrom("users").select(sql<number>`1`.as("one")).limit(1).executeTakeFirst();
  return row !== undefined;
}

/** Whether anybody, or this person, is an administrator who is not disabled. */
async function hasAdministrator(db: Kysely<Schema>, id?: Id): Promise<boolean> {
  let query = db
    .selectFrom("users")
    .select(sql<number>`1`.as("one"))
    .where("role", "=", "admin")
    .where("disabled_at", "is", null);
  if (id !== undefined) query = query.where("id", "=", id);
  return (await query.limit(1).executeTakeFirst()) !== undefined;
}

function noUser(id: Id): AppError {
  return new AppError("NOT_FOUND", `There is no person with the id ${id}.`);
}
