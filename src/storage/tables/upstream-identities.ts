import { type Kysely, type Selectable, sql } from "kysely";
import { AppError } from "../../domain/errors.ts";
import type { Id } from "../../domain/id.ts";
import {
  MOST_UPSTREAM_IDENTITIES,
  type NewUpstreamIdentity,
  type UpstreamIdentity,
  type UpstreamIdentityStore,
} from "../../domain/people/upstream-identity.ts";
import type { UpstreamIdentityTable } from "../database/account-schema.ts";
import type { Changes } from "../database/changes.ts";
import type { Database } from "../database/database.ts";
import type { IdSource } from "../database/ids.ts";
import type { Schema } from "../database/schema.ts";
import { remember } from "./idempotency.ts";
import { untilNoRace } from "./races.ts";
import { noUser, openUserInsertion } from "./user-row.ts";
import { assertWayIn, holdActive, holdPerson } from "./ways-in.ts";

type Tx = Kysely<Schema>;

/** @param now Unix time in milliseconds */
export function openUpstreamIdentities(
  database: Database,
  content: Database,
  changes: Changes,
  ids: IdSource,
  now: () => number,
): UpstreamIdentityStore {
  const { read, dialect } = database;
  const { insert: insertUser } = openUserInsertion(content, ids, now);

  async function listOfEach(userIds: readonly Id[]): Promise<UpstreamIdentity[]> {
    if (userIds.length === 0) return [];
    const rows = await read
      .selectFrom("upstream_identities")
      .selectAll()
      .where("user_id", "in", userIds)
      .orderBy("linked_at")
      .orderBy("provider")
      .orderBy("subject")
      .execute();
    return rows.map(toIdentity);
  }

  return {
    async find(provider, subject) {
      const row = await byKey(read, provider, subject).executeTakeFirst();
      return row === undefined ? null : toIdentity(row);
    },

    link: (identity, credentialVersion) =>
      untilNoRace(() =>
        database.write(async (tx) => {
          const { userId, provider, subject } = identity;
          const person = await holdActive(tx, dialect, userId);
          if (!person?.emailVerified) throw noUser(userId);
          if (person.credentialVersion !== credentialVersion)
            throw new AppError("CONFLICT", "This account has changed meanwhile. Sign in again.");
          const known = await byKey(tx, provider, subject).executeTakeFirst();
          if (known?.user_id === userId) return false;
          if (known !== undefined) throw anothers();
          if ((await countOf(tx, userId)) >= MOST_UPSTREAM_IDENTITIES)
            throw new AppError("CONFLICT", `An account can have ${MOST_UPSTREAM_IDENTITIES} links at most.`);
          await insertLink(tx, identity);
          return true;
        }),
      ),

    createPerson: (user, identity) =>
      untilNoRace(() =>
        changes.telling({ kind: "event", id: null }, content).write(async (tx) => {
          const person = await insertUser(tx, user);
          await insertLink(tx, { ...identity, userId: person.id });
          return person;
        }),
      ),

    unlink: (userId, provider, subject, rpId, once) =>
      untilNoRace(() =>
        database.write(async (tx) => {
          if (once !== undefined) await remember(tx, once, userId, now);
          await holdPerson(tx, dialect, userId);
          const removed = await tx
            .deleteFrom("upstream_identities")
            .where("provider", "=", provider)
            .where("subject", "=", subject)
            .where("user_id", "=", userId)
            .returning("user_id")
            .executeTakeFirst();
          if (removed === undefined) return false;
          await assertWayIn(tx, userId, rpId);
          return true;
        }),
      ),

    listOf: (userId) => listOfEach([userId]),

    listOfEach,

    async use(provider, subject, usedAt) {
      const query = read
        .updateTable("upstream_identities")
        .set({ used_at: usedAt })
        .where("provider", "=", provider)
        .where("subject", "=", subject);
      const [changed] = await database.writeAtOnce([query.compile()]);
      return changed === 1;
    },
  };
}

/** Links that the person has been given at this time or later. @param since RFC 3339, UTC, milliseconds */
export async function removeLinksSince(tx: Tx, userId: Id, since: string): Promise<void> {
  await tx.deleteFrom("upstream_identities").where("user_id", "=", userId).where("linked_at", ">=", since).execute();
}

function byKey(db: Kysely<Schema>, provider: string, subject: string) {
  return db
    .selectFrom("upstream_identities")
    .selectAll()
    .where("provider", "=", provider)
    .where("subject", "=", subject);
}

/**
 * @param field the caller's name of the subject, for the error
 * @throws AppError CONFLICT where it is somebody's: two transactions at the same time are decided by the key
 */
export async function insertLink(
  tx: Tx,
  { provider, subject, userId, emailAtLink, linkedAt }: NewUpstreamIdentity,
  field?: string,
): Promise<void> {
  const row = await tx
    .insertInto("upstream_identities")
    .values({ provider, subject, user_id: userId, email_at_link: emailAtLink, linked_at: linkedAt, used_at: null })
    .onConflict((conflict) => conflict.columns(["provider", "subject"]).doNothing())
    .returning("user_id")
    .executeTakeFirst();
  if (row === undefined) throw anothers(field);
}

async function countOf(tx: Tx, userId: Id): Promise<number> {
  const row = await tx
    .selectFrom("upstream_identities")
    .select(sql<number>`count(*)`.as("count"))
    .where("user_id", "=", userId)
    .executeTakeFirstOrThrow();
  return Number(row.count);
}

function anothers(field?: string): AppError {
  return new AppError("CONFLICT", "This sign-in belongs to another account.", field === undefined ? {} : { field });
}

function toIdentity(row: Selectable<UpstreamIdentityTable>): UpstreamIdentity {
  return {
    provider: row.provider,
    subject: row.subject,
    userId: row.user_id,
    emailAtLink: row.email_at_link,
    linkedAt: row.linked_at,
    usedAt: row.used_at,
  };
}
