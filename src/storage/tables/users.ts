import { type Kysely, sql } from "kysely";
import { AppError } from "../../domain/errors.ts";
import type { Id } from "../../domain/id.ts";
import { nameKey } from "../../domain/people/account-search.ts";
import { emailKey, spellingKey } from "../../domain/people/email.ts";
import type { User, UserStore } from "../../domain/people/user.ts";
import type { Changes } from "../database/changes.ts";
import type { Database } from "../database/database.ts";
import type { IdSource } from "../database/ids.ts";
import type { Schema } from "../database/schema.ts";
import { param, prepareNamed, statement } from "../database/statement.ts";
import { openAccountSearch } from "./account-search.ts";
import { leavingAdministrator } from "./administrators.ts";
import { remember } from "./idempotency.ts";
import { EventWriter, OUTBOX_GATE } from "./outbox.ts";
import { untilNoRace } from "./races.ts";
import { readWithin } from "./read-back.ts";
import { ACTIVE, NEXT_CREDENTIALS, noUser, openUserInsertion, toUser, USER_COLUMNS } from "./user-row.ts";

export function openUsers(database: Database, changes: Changes, ids: IdSource, now: () => number): UserStore {
  const { read, dialect } = database;
  const events = new EventWriter(database, ids);
  const { order, insert } = openUserInsertion(database, ids, now);
  const telling = changes.telling({ kind: "event", id: null }, database);
  const findUser = prepareNamed(
    database,
    USER_COLUMNS,
    statement(() => read.selectFrom("users").select(USER_COLUMNS).where("id", "=", param<Id>(0))),
  );

  return {
    create: (user, once) => untilNoRace(() => telling.write((tx) => insert(tx, user, once))),

    createFirst: (user) =>
      untilNoRace(() =>
        telling.write(async (tx) => {
          await tx.executeQuery(order.next(ids.next(), new Date(now()).toISOString())); // before the lock, as others have it
          await dialect.lock(tx, "users");
          if (await hasAny(tx))
            throw new AppError("CONFLICT", "An account exists already, so this one cannot be the first.");
          return insert(tx, user);
        }),
      ),

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
        .where("deleted_at", "is", null)
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

    async findAll(ids) {
      if (ids.length === 0) return [];
      const rows = await read.selectFrom("users").select(USER_COLUMNS).where("id", "in", ids).execute();
      return rows.map(toUser);
    },

    listAccounts: openAccountSearch(database),

    async listAdministrators() {
      const rows = await read
        .selectFrom("users")
        .selectAll()
        .where("role", "=", "admin")
        .where(ACTIVE)
        .orderBy("id")
        .limit(100)
        .execute();
      return rows.map(toUser);
    },

    isEmpty: async () => !(await hasAny(read)),

    update: (id, change, once) =>
      changes.telling({ kind: "user", id }, database).write(async (tx) => {
        if (once !== undefined) await remember(tx, once, id, now);
        const mayBeLast = change.disabledAt != null || (change.role !== undefined && change.role !== "admin");
        return mayBeLast
          ? leavingAdministrator(tx, dialect, id, () => updateRow(tx, id, change))
          : updateRow(tx, id, change);
      }),

    changeProfile: (id, { name }, expectedVersion, once, readBack) =>
      untilNoRace(() =>
        telling.write(async (tx) => {
          if (once !== undefined) await remember(tx, once, id, now);
          const at = new Date(now()).toISOString();
          // A name that was given while the account was on its way out would be seen.
          let update = tx
            .updateTable("users")
            .where("id", "=", id)
            .where("deletes_at", "is", null)
            .where("deleted_at", "is", null);
          if (expectedVersion !== null) update = update.where("version", "=", expectedVersion);
          const change =
            name === undefined
              ? { id } // nothing changes, but that the person is there is known
              : {
                  name,
                  name_key: nameKey(name),
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

/** @throws AppError NOT_FOUND, also for a former member */
async function updateRow(
  tx: Kysely<Schema>,
  id: Id,
  { passwordHash, role, disabledAt, localSignIn, credentialVersion }: Parameters<UserStore["update"]>[1],
): Promise<User> {
  let update = tx.updateTable("users").where("id", "=", id).where("deleted_at", "is", null);
  if (credentialVersion !== undefined) update = update.where("credential_version", "=", credentialVersion);
  const row = await update
    .set({
      id, // keeps the statement whole when nothing is to change
      ...(passwordHash === undefined ? {} : { password_hash: passwordHash }),
      ...(passwordHash === undefined && disabledAt === undefined ? {} : { credential_version: NEXT_CREDENTIALS }),
      ...(role === undefined ? {} : { role }),
      ...(disabledAt === undefined ? {} : { disabled_at: disabledAt }),
      ...(localSignIn === undefined ? {} : { local_sign_in: Number(localSignIn) }),
    })
    .returningAll()
    .executeTakeFirst();
  if (row === undefined) throw noUser(id);
  return toUser(row);
}

/** Why a person was not there in the expected version. */
async function whyNot(tx: Kysely<Schema>, id: Id): Promise<AppError> {
  const row = await tx
    .selectFrom("users")
    .select("version")
    .where("id", "=", id)
    .where("deletes_at", "is", null)
    .where("deleted_at", "is", null)
    .executeTakeFirst();
  if (row === undefined) return noUser(id);
  const version = Number(row.version);
  return new AppError("CONFLICT", `The profile has changed: it has version ${version} now.`, { version });
}

async function hasAny(db: Kysely<Schema>): Promise<boolean> {
  const row = await db.selectFrom("users").select(sql<number>`1`.as("one")).limit(1).executeTakeFirst();
  return row !== undefined;
}
