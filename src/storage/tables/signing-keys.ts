import type { Kysely, Selectable } from "kysely";
import { AppError } from "../../domain/errors.ts";
import type { SigningKey, SigningKeyStore } from "../../domain/store/signing-keys.ts";
import type { Database } from "../database/database.ts";
import type { Schema, SigningKeyTable } from "../database/schema.ts";

export function openSigningKeys(database: Database): SigningKeyStore {
  const { read, dialect } = database;

  return {
    async list() {
      const rows = await read
        .selectFrom("signing_keys")
        .selectAll()
        .orderBy("created_at", "desc")
        .orderBy("kid", "desc")
        .execute();
      return rows.map(toKey);
    },

    createIfNone: (keys) =>
      database.write(async (tx) => {
        await dialect.lock(tx, "signing_keys");
        const any = await tx.selectFrom("signing_keys").select("kid").limit(1).executeTakeFirst();
        if (any === undefined && keys.length > 0) await insert(tx, keys);
      }),

    rotate: (keys) =>
      database.write(async (tx) => {
        await dialect.lock(tx, "signing_keys");
        for (const { algorithm, createdAt, signsFrom } of keys) {
          const ofAlgorithm = tx.selectFrom("signing_keys").where("algorithm", "=", algorithm);
          const coming = await ofAlgorithm.select("signs_from").where("signs_from", ">", createdAt).executeTakeFirst();
          if (coming !== undefined)
            throw new AppError(
              "CONFLICT",
              `A new ${algorithm} key is published already and signs from ${coming.signs_from}.`,
            );
          await tx
            .updateTable("signing_keys")
            .set({ retired_at: signsFrom })
            .where("algorithm", "=", algorithm)
            .where("retired_at", "is", null)
            .execute();
        }
        await insert(tx, keys);
      }),

    replace: (keys) =>
      database.write(async (tx) => {
        await dialect.lock(tx, "signing_keys");
        for (const { algorithm } of keys)
          await tx.deleteFrom("signing_keys").where("algorithm", "=", algorithm).execute();
        await insert(tx, keys);
      }),

    sweep: (before) =>
      database.write(async (tx) => {
        await tx.deleteFrom("signing_keys").where("retired_at", "<", before).execute();
      }),
  };
}

async function insert(tx: Kysely<Schema>, keys: readonly SigningKey[]): Promise<void> {
  await tx
    .insertInto("signing_keys")
    .values(
      keys.map((key) => ({
        kid: key.kid,
        algorithm: key.algorithm,
        private_key: key.privateKey,
        created_at: key.createdAt,
        signs_from: key.signsFrom,
        retired_at: key.retiredAt,
      })),
    )
    .execute();
}

function toKey(row: Selectable<SigningKeyTable>): SigningKey {
  return {
    kid: row.kid,
    algorithm: row.algorithm,
    privateKey: row.private_key,
    createdAt: row.created_at,
    signsFrom: row.signs_from,
    retiredAt: row.retired_at,
  };
}
