import { type Kysely, type Selectable, sql } from "kysely";
import { AppError } from "../../domain/errors.ts";
import type { Id } from "../../domain/id.ts";
import { nameKey } from "../../domain/people/account-search.ts";
import { emailKey, spellingKey } from "../../domain/people/email.ts";
import {
  isAtDomains,
  type ScimChange,
  type ScimPerson,
  type ScimReach,
  type ScimUserStore,
} from "../../domain/people/scim-user.ts";
import type { Changes } from "../database/changes.ts";
import type { Database } from "../database/database.ts";
import type { IdSource } from "../database/ids.ts";
import type { Schema, UserTable } from "../database/schema.ts";
import { voiding } from "./account-token-row.ts";
import { leavingAdministrator } from "./administrators.ts";
import { withdrawing } from "./invitation-row.ts";
import { EventWriter, OUTBOX_GATE } from "./outbox.ts";
import { untilNoRace } from "./races.ts";
import { revokeWithin } from "./revocations.ts";
import { giveExternalId, noteDisabled, putScimRow } from "./scim-row.ts";
import { assertAddressFree, NEXT_CREDENTIALS, noUser, openUserInsertion, toUser } from "./user-row.ts";
import { holdPerson } from "./ways-in.ts";

type Tx = Kysely<Schema>;
type Row = Selectable<UserTable> & {
  readonly external_id: string | null;
  readonly made: number | null;
  /** When the service disabled the person. */
  readonly ended_at: string | null;
};

/** @param now Unix time in milliseconds */
export function openScimUsers(database: Database, changes: Changes, ids: IdSource, now: () => number): ScimUserStore {
  const { read, dialect } = database;
  const { insert } = openUserInsertion(database, ids, now);
  const events = new EventWriter(database, ids);
  const telling = changes.telling({ kind: "event", id: null }, database);

  /** The row with the changes; the same row where nothing changes. */
  async function update(tx: Tx, row: Row, { name, email, isActive }: ScimChange, at: string) {
    const { id } = row;
    const isRenamed = name !== undefined && name !== row.name;
    const isMoved = email !== undefined && email !== row.email;
    const isSwitched = isActive === false ? row.disabled_at === null : isActive === true && mayEnable(row);
    if (!isRenamed && !isMoved && !isSwitched) return row;
    const gate = sql.lit(OUTBOX_GATE);
    const changed = await tx
      .updateTable("users")
      .set({
        ...(isRenamed
          ? {
              ...{ name, name_key: nameKey(name), updated_at: at },
              version: dialect.entering(gate, sql<number>`users.version + 1`),
            }
          : {}),
        ...(isMoved ? { email, email_key: emailKey(email), email_verified: 1 } : {}),
        ...(isSwitched ? { disabled_at: isActive ? null : at } : {}),
        ...(isMoved || isSwitched
          ? { credential_version: isMoved ? dialect.entering(gate, NEXT_CREDENTIALS) : NEXT_CREDENTIALS }
          : {}),
      })
      .where("id", "=", id)
      .returningAll()
      .executeTakeFirstOrThrow();
    const event = { subjectId: id, occurredAt: at };
    if (isRenamed) {
      const data = JSON.stringify({ id, name, updatedAt: at, version: Number(changed.version) });
      await events.add(tx, { ...event, type: "user.updated", data });
    }
    if (isMoved) await events.add(tx, { ...event, type: "user.email-changed", data: JSON.stringify({ id }) });
    return { ...row, ...changed };
  }

  async function changeWithin(tx: Tx, reach: ScimReach, id: Id, change: ScimChange, isSubject: boolean) {
    await holdPerson(tx, dialect, id);
    const row: Row | undefined = await within(tx, reach).where("users.id", "=", id).executeTakeFirst();
    if (row === undefined) throw noUser(id);
    const at = new Date(now()).toISOString();
    const { email, externalId, isActive } = change;
    const isMoved = email !== undefined && email !== row.email;
    if (isMoved) {
      if (!isAtDomains(row.email_key, reach.domains))
        throw new AppError("FORBIDDEN", "The present e-mail address of this person is not at your domains.");
      await assertAddressFree(tx, email, id);
    }
    const changed = await update(tx, row, change, at);
    if (externalId !== undefined && externalId !== row.external_id)
      await giveExternalId(tx, reach.provider, changed, externalId, { isSubject, at });
    if (isActive === false && row.disabled_at === null) await noteDisabled(tx, reach.provider, id, at);
    if (isMoved || isActive === false)
      await voiding(tx, Math.floor(Date.parse(at) / 1_000))
        .where("user_id", "=", id)
        .execute();
    if (isActive === false) {
      await withdrawing(tx, at).where("invited_by", "=", id).execute();
      await revokeWithin(tx, dialect, id);
    }
    return toPerson(externalId === undefined ? changed : { ...changed, external_id: externalId });
  }

  return {
    async find(reach, id) {
      const row = await within(read, reach).where("users.id", "=", id).executeTakeFirst();
      return row === undefined ? null : toPerson(row);
    },

    async list(reach, { email, externalId }, { skip, limit }) {
      let query = within(read, reach);
      if (email !== undefined) {
        const keys = new Set([emailKey(email), spellingKey(email)]);
        query = query.where("users.email_key", "in", [...keys]);
      }
      if (externalId !== undefined) query = query.where("scim_users.external_id", "=", externalId);
      const count = query.clearSelect().select(sql<number>`count(*)`.as("total"));
      const { total } = await count.executeTakeFirstOrThrow();
      const rows = limit === 0 ? [] : await query.orderBy("users.id").limit(limit).offset(skip).execute();
      return { total: Number(total), people: rows.map(toPerson) };
    },

    create: ({ provider }, user, { externalId, isActive, isSubject }) =>
      untilNoRace(() =>
        telling.write(async (tx) => {
          const person = await insert(tx, user);
          const { id, createdAt: at } = person;
          await putScimRow(tx, { user_id: id, provider, made: 1, created_at: at }, {});
          if (externalId !== null) {
            const row = { id, email: person.email, email_verified: 0, external_id: null, made: 1 };
            await giveExternalId(tx, provider, row, externalId, { isSubject, at });
          }
          if (isActive) return { user: person, externalId };
          const row = await tx
            .updateTable("users")
            .set({ disabled_at: at })
            .where("id", "=", id)
            .returningAll()
            .executeTakeFirstOrThrow();
          await noteDisabled(tx, provider, id, at);
          return { user: toUser(row), externalId };
        }),
      ),

    change: (reach, id, change, { isSubject }) =>
      untilNoRace(() =>
        changes.telling({ kind: "user", id }, telling).write((tx) => {
          const act = () => changeWithin(tx, reach, id, change, isSubject);
          return change.isActive === false ? leavingAdministrator(tx, dialect, id, act) : act();
        }),
      ),
  };
}

/** The people within the reach. No domain has a character that LIKE takes for a pattern. */
function within(db: Kysely<Schema>, { provider, domains, isEnforced }: ScimReach) {
  return db
    .selectFrom("users")
    .leftJoin("scim_users", (join) =>
      join.onRef("scim_users.user_id", "=", "users.id").on("scim_users.provider", "=", provider),
    )
    .selectAll("users")
    .select(["scim_users.external_id", "scim_users.made", "scim_users.disabled_at as ended_at"])
    .where("users.deletes_at", "is", null)
    .where("users.deleted_at", "is", null)
    .where((eb) =>
      eb.or([
        eb("scim_users.made", "=", 1),
        ...(isEnforced ? domains.map((domain) => eb("users.email_key", "like", `%@${domain}`)) : []),
      ]),
    );
}

/** Whether it was the service that disabled the person. */
function mayEnable({ disabled_at, ended_at }: Row): boolean {
  return disabled_at !== null && disabled_at === ended_at;
}

function toPerson(row: Row): ScimPerson {
  return { user: toUser(row), externalId: row.external_id };
}
