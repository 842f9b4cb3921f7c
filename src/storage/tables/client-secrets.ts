import type { Kysely } from "kysely";
import type { ClientSecret, NewSecret } from "../../domain/clients/client-secret.ts";
import type { ClientStore } from "../../domain/clients/client-store.ts";
import { AppError } from "../../domain/errors.ts";
import type { Id } from "../../domain/id.ts";
import type { Changes } from "../database/changes.ts";
import type { Database } from "../database/database.ts";
import type { IdSource } from "../database/ids.ts";
import type { Schema } from "../database/schema.ts";
import { clientWithin, noClient } from "./client-row.ts";
import { remember } from "./idempotency.ts";

type Tx = Kysely<Schema>;

/** Ended secrets of one client that are kept, so that its owner sees when each was last used. */
const ENDED_KEPT = 10;

const COLUMNS = ["id", "client_id", "hint", "created_at", "last_used_at", "ended_at"] as const;

/** Several secrets of one client. A copy of their hashes stands in the row of the client, which every request reads. */
export function openClientSecrets(
  { read }: Database,
  changes: Changes,
  ids: IdSource,
  now: () => number,
): Pick<ClientStore, "listSecrets" | "addSecret" | "endSecret"> {
  const at = () => new Date(now()).toISOString();

  return {
    async listSecrets(clientIds) {
      if (clientIds.length === 0) return [];
      const rows = await read
        .selectFrom("client_secrets")
        .select(COLUMNS)
        .where("client_id", "in", clientIds)
        .orderBy("client_id")
        .orderBy("created_at", "desc")
        .orderBy("id", "desc")
        .execute();
      return rows.map(toSecret);
    },

    addSecret: (id, secret, most, once) =>
      changes.telling({ kind: "client", id }).write(async (tx) => {
        if (once !== undefined) await remember(tx, once, id as Id, now);
        const live = await liveOf(tx, id);
        if (live.length === 0) throw new AppError("NOT_FOUND", `There is no client ${id} with a secret.`);
        if (live.length >= most)
          throw new AppError("CONFLICT", `A client has at most ${most} secrets. End one of them first.`);
        await addSecretRow(tx, { id: ids.next(), clientId: id, at: at() }, secret);
        await copyHashes(tx, id);
        return clientWithin(tx, id);
      }),

    endSecret: (id, secretId, once) =>
      changes.telling({ kind: "client", id }).write(async (tx) => {
        if (once !== undefined) await remember(tx, once, id as Id, now);
        const live = await liveOf(tx, id);
        if (!live.some((one) => one.id === secretId))
          throw new AppError("NOT_FOUND", `The client ${id} has no valid secret with the id ${secretId}.`);
        if (live.length === 1)
          throw new AppError("CONFLICT", "This is the only secret of the client. Add another one first.");
        const ended = await tx
          .updateTable("client_secrets")
          .set({ ended_at: at(), secret_hash: null })
          .where("id", "=", secretId)
          .returning(COLUMNS)
          .executeTakeFirstOrThrow();
        await copyHashes(tx, id);
        await forgetEnded(tx, id);
        return { client: await clientWithin(tx, id), secret: toSecret(ended) };
      }),
  };
}

/** Gives a client its only secret: all others end. The hash in its own row is the caller's to write. */
export async function replaceSecrets(
  tx: Tx,
  row: { readonly id: Id; readonly clientId: string; readonly at: string },
  secret: NewSecret | { readonly hash: string; readonly hint: string | null } | null,
): Promise<void> {
  await tx
    .updateTable("client_secrets")
    .set({ ended_at: row.at, secret_hash: null })
    .where("client_id", "=", row.clientId)
    .where("ended_at", "is", null)
    .execute();
  if (secret !== null) await addSecretRow(tx, row, secret);
  await forgetEnded(tx, row.clientId);
}

export async function addSecretRow(
  tx: Tx,
  { id, clientId, at }: { readonly id: Id; readonly clientId: string; readonly at: string },
  { hash, hint }: { readonly hash: string; readonly hint: string | null },
): Promise<void> {
  const row = { id, client_id: clientId, secret_hash: hash, hint, created_at: at, last_used_at: null, ended_at: null };
  await tx.insertInto("client_secrets").values(row).execute();
}

/** Secrets of clients that are deleted. */
export async function forgetSecrets(tx: Tx, clientIds: readonly string[]): Promise<void> {
  if (clientIds.length > 0) await tx.deleteFrom("client_secrets").where("client_id", "in", clientIds).execute();
}

/** The valid secrets, newest first. Until the transaction ends, nobody else changes them. @throws AppError NOT_FOUND */
async function liveOf(tx: Tx, clientId: string) {
  const held = await tx.updateTable("clients").set({ id: clientId }).where("id", "=", clientId).executeTakeFirst();
  if (held.numUpdatedRows === 0n) throw noClient(clientId);
  return tx
    .selectFrom("client_secrets")
    .select(["id", "secret_hash"])
    .where("client_id", "=", clientId)
    .where("ended_at", "is", null)
    .orderBy("created_at", "desc")
    .orderBy("id", "desc")
    .execute();
}

async function copyHashes(tx: Tx, clientId: string): Promise<void> {
  const [newest, ...others] = (await liveOf(tx, clientId)).map(({ secret_hash }) => secret_hash);
  await tx
    .updateTable("clients")
    .set({ secret_hash: newest ?? null, other_secret_hashes: others.length === 0 ? null : others.join(" ") })
    .where("id", "=", clientId)
    .execute();
}

async function forgetEnded(tx: Tx, clientId: string): Promise<void> {
  const ended = await tx
    .selectFrom("client_secrets")
    .select("id")
    .where("client_id", "=", clientId)
    .where("ended_at", "is not", null)
    .orderBy("ended_at", "desc")
    .orderBy("id", "desc")
    .execute();
  const old = ended.slice(ENDED_KEPT).map(({ id }) => id);
  if (old.length > 0) await tx.deleteFrom("client_secrets").where("id", "in", old).execute();
}

function toSecret(row: {
  readonly id: Id;
  readonly client_id: string;
  readonly hint: string | null;
  readonly created_at: string;
  readonly last_used_at: string | null;
  readonly ended_at: string | null;
}): ClientSecret {
  return {
    id: row.id,
    clientId: row.client_id,
    hint: row.hint,
    createdAt: row.created_at,
    lastUsedAt: row.last_used_at,
    endedAt: row.ended_at,
  };
}
