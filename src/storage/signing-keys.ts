import type { SigningKeyStore } from "../domain/store.ts";
import type { Database } from "./database.ts";

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
      return rows.map((row) => ({
        kid: row.kid,
        algorithm: row.algorithm,
        privateKey: row.private_key,
        createdAt: row.created_at,
        retiredAt: row.retired_at,
      }));
    },

    createIfNone: (keys) =>
      database.write(async (tx) => {
        await dialect.lock(tx, "signing_keys");
        const any = await tx.selectFrom("signing_keys").select("kid").limit(1).executeTakeFirst();
        if (any !== undefined || keys.length === 0) return;
        await tx
          .insertInto("signing_keys")
          .values(
            keys.map((key) => ({
              kid: key.kid,
              algorithm: key.algorithm,
              private_key: key.privateKey,
              created_at: key.createdAt,
              retired_at: key.retiredAt,
            })),
          )
          .execute();
      }),
  };
}
