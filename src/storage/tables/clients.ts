import type { Kysely } from "kysely";
import type { NewClient } from "../../domain/clients/client.ts";
import { USE_NOTED_FOR } from "../../domain/clients/client-secret.ts";
import type { ClientChange, ClientStore } from "../../domain/clients/client-store.ts";
import { AppError } from "../../domain/errors.ts";
import type { Id } from "../../domain/id.ts";
import type { Changes } from "../database/changes.ts";
import type { ClientTable } from "../database/client-schema.ts";
import type { Database } from "../database/database.ts";
import type { IdSource } from "../database/ids.ts";
import type { Schema } from "../database/schema.ts";
import { bind, param, prepareNamed, type Statement, statement } from "../database/statement.ts";
import { openClientLists } from "./client-lists.ts";
import {
  type ClientRow,
  canBeStored,
  clientWithin,
  noClient,
  SELECTED_COLUMNS,
  selectClients,
  settingsOf,
  toClient,
} from "./client-row.ts";
import { addSecretRow, forgetSecrets, openClientSecrets, replaceSecrets } from "./client-secrets.ts";
import { remember } from "./idempotency.ts";

type Tx = Kysely<Schema>;

/** @param now Unix time in milliseconds */
export function openClients(database: Database, changes: Changes, ids: IdSource, now: () => number): ClientStore {
  const { read, dialect } = database;
  const findClient = prepareNamed<ClientRow>(
    database,
    SELECTED_COLUMNS,
    statement(() => selectClients(read).where("clients.id", "=", param<string>(0))) as Statement<ClientRow>,
  );
  const at = () => new Date(now()).toISOString();
  const newRow = (client: NewClient): ClientTable => ({
    id: client.id,
    ...settingsOf(client),
    created_at: at(),
    disabled_at: null,
    used_at: client.ownerId == null ? null : at(), // a person wants it: see `sweepUnused`
    owner_id: client.ownerId ?? null,
    disabled_by: null,
    trial_until: null,
    last_used_at: null,
    other_secret_hashes: null,
  });
  const secretRow = (clientId: string) => ({ id: ids.next(), clientId, at: at() });
  const unused = () => read.selectFrom("clients").where("origin", "=", "registration").where("used_at", "is", null);

  /** Whether nothing was noted within a minute is known in the row alone: other processes note uses too. */
  const noting = (table: "clients" | "client_secrets") =>
    read
      .updateTable(table)
      .set({ last_used_at: param<string>(1) })
      .where((eb) => eb.or([eb("last_used_at", "is", null), eb("last_used_at", "<=", param<string>(2))]));
  const clientUse = statement(() => noting("clients").where("id", "=", param<string>(0)));
  const secretUse = statement(() =>
    noting("client_secrets").where("client_id", "=", param<string>(0)).where("secret_hash", "=", param<string>(3)),
  );

  return {
    ...openClientLists(database),
    ...openClientSecrets(database, changes, ids, now),

    create: (client, once, most) =>
      database.write(async (tx) => {
        if (once !== undefined) await remember(tx, once, client.id as Id, now);
        if (client.ownerId != null && most !== undefined) {
          await dialect.shut(tx, `clients of ${client.ownerId}`);
          await assertFewer(tx, client.ownerId, most);
        }
        const row = await tx
          .insertInto("clients")
          .values(newRow(client))
          .onConflict((conflict) => conflict.column("id").doNothing())
          .returning("id")
          .executeTakeFirst();
        if (row === undefined) throw new AppError("CONFLICT", `There is a client with the id ${client.id} already.`);
        const secret = secretOf(client);
        if (secret !== null) await addSecretRow(tx, secretRow(client.id), secret);
        return clientWithin(tx, client.id);
      }),

    async put(client) {
      const wanted = settingsOf(client);
      const present = await findClient(client.id);
      if (present !== undefined && isAsWanted(present, wanted)) return toClient(present);
      return changes.telling({ kind: "client", id: client.id }).write(async (tx) => {
        const before = await tx
          .selectFrom("clients")
          .select("secret_hash")
          .where("id", "=", client.id)
          .executeTakeFirst();
        await tx
          .insertInto("clients")
          .values(newRow(client))
          .onConflict((conflict) => conflict.column("id").doUpdateSet(wanted))
          .execute();
        if ((before?.secret_hash ?? null) !== client.secretHash) await giveSecret(tx, client.id, secretOf(client));
        return clientWithin(tx, client.id);
      });
    },

    async find(id) {
      if (!canBeStored(id)) return null;
      const row = await findClient(id);
      return row === undefined ? null : toClient(row);
    },

    async namesOf(ids) {
      if (ids.length === 0) return new Map();
      const rows = await read.selectFrom("clients").select(["id", "name"]).where("id", "in", ids).execute();
      return new Map(rows.map(({ id, name }) => [id, name]));
    },

    update: (id, change, once, isByOwner = false) =>
      changes.telling({ kind: "client", id }).write(async (tx) => {
        if (once !== undefined) await remember(tx, once, id as Id, now);
        const query = tx
          .updateTable("clients")
          .set({ id, ...columnsOf(change) })
          .where("id", "=", id);
        const done = await (isByOwner
          ? query.where((eb) => eb.or([eb("disabled_at", "is", null), eb("disabled_by", "=", "owner")]))
          : query
        ).executeTakeFirst();
        if (done.numUpdatedRows === 0n) throw await whyNot(tx, id);
        if (change.secretHash !== undefined)
          await giveSecret(tx, id, { hash: change.secretHash, hint: change.secretHint ?? null });
        return clientWithin(tx, id);
      }),

    delete: (id, once) =>
      changes.telling({ kind: "client", id }).write(async (tx) => {
        if (once !== undefined) await remember(tx, once, id as Id, now);
        const done = await tx.deleteFrom("clients").where("id", "=", id).executeTakeFirst();
        if (done.numDeletedRows === 0n) throw noClient(id);
        await forgetSecrets(tx, [id]);
      }),

    async markUsed(id) {
      const query = read
        .updateTable("clients")
        .set({ used_at: at() })
        .where("id", "=", id)
        .where("used_at", "is", null);
      await database.writeAtOnce([query.compile()]);
    },

    async noteUse(id, secretHash, moment) {
      const before = new Date(Date.parse(moment) - USE_NOTED_FOR).toISOString();
      const queries = [bind(clientUse, id, moment, before)];
      if (secretHash !== null) queries.push(bind(secretUse, id, moment, before, secretHash));
      await database.writeAtOnce(queries);
    },

    async sweepUnused(before, limit) {
      const old = unused().select("id").where("created_at", "<", before).orderBy("created_at").limit(limit);
      if ((await old.execute()).length === 0) return 0;
      return changes.telling({ kind: "client", id: null }).write(async (tx) => {
        const deletion = tx.deleteFrom("clients").where("used_at", "is", null).where("id", "in", old).returning("id");
        const deleted = (await deletion.execute()).map(({ id }) => id);
        await forgetSecrets(tx, deleted);
        return deleted.length;
      });
    },
  };

  async function giveSecret(tx: Tx, id: string, secret: ReturnType<typeof secretOf>): Promise<void> {
    await replaceSecrets(tx, secretRow(id), secret);
    const hashes = { secret_hash: secret?.hash ?? null, other_secret_hashes: null };
    await tx.updateTable("clients").set(hashes).where("id", "=", id).execute();
  }
}

function secretOf({ secretHash, secretHint = null }: Pick<NewClient, "secretHash" | "secretHint">) {
  return secretHash === null ? null : { hash: secretHash, hint: secretHint };
}

function columnsOf({ disabledAt, disabledBy, trialUntil, settings }: ClientChange): Partial<ClientTable> {
  const {
    secret_hash: _,
    origin: __,
    registration_token_hash: ___,
    ...set
  } = settings ? settingsOf(settings) : noSettings;
  return {
    ...set,
    ...(disabledAt === undefined ? {} : { disabled_at: disabledAt, disabled_by: disabledBy ?? null }),
    ...(trialUntil === undefined ? {} : { trial_until: trialUntil }),
  };
}

const noSettings: Partial<ReturnType<typeof settingsOf>> = {};

/** @throws AppError CONFLICT */
async function assertFewer(tx: Tx, ownerId: Id, most: number): Promise<void> {
  const owned = await tx.selectFrom("clients").select("id").where("owner_id", "=", ownerId).limit(most).execute();
  if (owned.length >= most)
    throw new AppError("CONFLICT", `One person has at most ${most} clients. Delete one of them first.`);
}

async function whyNot(tx: Tx, id: string): Promise<AppError> {
  const row = await tx.selectFrom("clients").select("id").where("id", "=", id).executeTakeFirst();
  if (row === undefined) return noClient(id);
  return new AppError("CONFLICT", "An administrator has disabled this client. Only an administrator can enable it.");
}

/** Each node puts its own clients at each start: nothing is written where they are there. */
function isAsWanted(row: ClientRow, wanted: ReturnType<typeof settingsOf>): boolean {
  const { name_key: _, ...compared } = wanted; // which goes with the name
  return Object.entries(compared).every(([name, value]) => row[name as keyof typeof compared] === value);
}
