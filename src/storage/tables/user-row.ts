import { type Kysely, type Selectable, type SqlBool, sql } from "kysely";
import { AppError } from "../../domain/errors.ts";
import type { Id } from "../../domain/id.ts";
import type { Once } from "../../domain/idempotency.ts";
import { nameKey } from "../../domain/people/account-search.ts";
import { emailKey } from "../../domain/people/email.ts";
import type { NewUser, User } from "../../domain/people/user.ts";
import type { Database } from "../database/database.ts";
import type { IdSource } from "../database/ids.ts";
import type { Schema, UserTable } from "../database/schema.ts";
import { CreationOrder } from "./creation-order.ts";
import { remember } from "./idempotency.ts";
import { EventWriter, OUTBOX_GATE } from "./outbox.ts";

/**
 * How a person comes into the table, with the event that tells it: by an administrator, or by a link that was mailed. Writes with it
 * are tried again while others are after the same (`untilNoRace`).
 */
export function openUserInsertion(database: Database, ids: IdSource, now: () => number) {
  const order = new CreationOrder(database, "users", OUTBOX_GATE);
  const events = new EventWriter(database, ids);

  async function insert(tx: Kysely<Schema>, user: NewUser, once?: Once): Promise<User> {
    const id = ids.next();
    if (once !== undefined) await remember(tx, once, id, now);
    await tx.executeQuery(order.next(id, new Date(now()).toISOString()));
    const row = await tx
      .insertInto("users")
      .values({
        id,
        name: user.name,
        name_key: nameKey(user.name),
        email: user.email,
        email_key: emailKey(user.email),
        email_verified: Number(user.emailVerified),
        role: user.role,
        password_hash: user.passwordHash,
        created_at: order.at,
        disabled_at: null,
      })
      .onConflict((conflict) => conflict.column("email_key").doNothing())
      .returningAll()
      .executeTakeFirst();
    if (row === undefined) throw addressTaken();
    const { name, created_at } = row;
    const data = JSON.stringify({ id, name, createdAt: created_at });
    await events.add(tx, { type: "user.created", subjectId: id, occurredAt: created_at, data });
    return toUser(row);
  }

  return { order, insert };
}

/** @throws AppError CONFLICT with field `email` where the address is another person's */
export async function assertAddressFree(tx: Kysely<Schema>, email: string, userId: Id): Promise<void> {
  const taken = await tx
    .selectFrom("users")
    .select("id")
    .where("email_key", "=", emailKey(email))
    .where("id", "<>", userId)
    .executeTakeFirst();
  if (taken !== undefined) throw addressTaken();
}

export function addressTaken(): AppError {
  return new AppError("CONFLICT", "There is an account with this e-mail address already.", { field: "email" });
}

export function noUser(id: Id): AppError {
  return new AppError("NOT_FOUND", `There is no person with the id ${id}.`);
}

/** SQL of `isActive`. */
export const ACTIVE = sql<SqlBool>`users.disabled_at is null and users.deletes_at is null and users.deleted_at is null`;

/** SQL for the next `credential_version`. */
export const NEXT_CREDENTIALS = sql<number>`users.credential_version + 1`;

export const USER_COLUMNS = [
  "id",
  "name",
  "name_key",
  "email",
  "email_key",
  "email_verified",
  "role",
  "password_hash",
  "created_at",
  "disabled_at",
  "updated_at",
  "version",
  "credential_version",
  "second_step",
  "local_sign_in",
  "deletes_at",
  "deleted_at",
] as const satisfies readonly (keyof UserTable)[];

export function toUser(row: Selectable<UserTable>): User {
  return {
    id: row.id,
    name: row.name,
    email: row.email,
    emailVerified: row.email_verified === 1,
    role: row.role,
    passwordHash: row.password_hash,
    createdAt: row.created_at,
    disabledAt: row.disabled_at,
    credentialVersion: Number(row.credential_version),
    secondStep: Number(row.second_step) === 1,
    localSignIn: Number(row.local_sign_in) === 1,
    deletesAt: row.deletes_at,
    deletedAt: row.deleted_at,
  };
}
