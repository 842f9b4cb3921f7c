import { type SqlBool, sql } from "kysely";
import { AppError } from "../../domain/errors.ts";
import { MOST_PASSKEYS, type PasskeyStore } from "../../domain/people/passkey.ts";
import type { Database } from "../database/database.ts";
import { insertPasskey, toPasskey } from "./passkey-row.ts";
import { turnOffWithoutFactor } from "./second-step-row.ts";
import { noUser } from "./user-row.ts";
import { assertWayIn, holdActive, holdPerson } from "./ways-in.ts";

export function openPasskeys(database: Database): PasskeyStore {
  const { read, dialect } = database;

  return {
    create: (passkey, credentialVersion) =>
      database.write(async (tx) => {
        const { userId } = passkey;
        const person = await holdActive(tx, dialect, userId);
        if (!person?.emailVerified || person.credentialVersion !== credentialVersion) throw noUser(userId);
        const { count } = await tx
          .selectFrom("passkeys")
          .select((eb) => eb.fn.countAll<number>().as("count"))
          .where("user_id", "=", userId)
          .executeTakeFirstOrThrow();
        if (Number(count) >= MOST_PASSKEYS)
          throw new AppError("CONFLICT", `You have ${MOST_PASSKEYS} passkeys already. Remove one first.`);
        await insertPasskey(tx, passkey);
      }),

    async find(credentialId) {
      const row = await read
        .selectFrom("passkeys")
        .selectAll()
        .where("credential_id", "=", credentialId)
        .executeTakeFirst();
      return row === undefined ? null : toPasskey(row);
    },

    async listOf(userId) {
      const rows = await read
        .selectFrom("passkeys")
        .selectAll()
        .where("user_id", "=", userId)
        .orderBy("created_at")
        .orderBy("credential_id")
        .execute();
      return rows.map(toPasskey);
    },

    async holders(userIds, rpId) {
      if (userIds.length === 0 || rpId === null) return new Set();
      const rows = await read
        .selectFrom("passkeys")
        .select("user_id")
        .distinct()
        .where("user_id", "in", userIds)
        .where("rp_id", "=", rpId)
        .execute();
      return new Set(rows.map(({ user_id }) => user_id));
    },

    async use(credentialId, { counter, isBackedUp, usedAt }) {
      const query = read
        .updateTable("passkeys")
        .set({ counter, backed_up: Number(isBackedUp), used_at: usedAt })
        .where("credential_id", "=", credentialId);
      const counted = sql<SqlBool>`counter < ${counter} or (counter = 0 and ${counter} = 0)`;
      const [changed = 0] = await database.writeAtOnce([(isBackedUp ? query : query.where(counted)).compile()]);
      return changed === 1;
    },

    async rename(userId, credentialId, name) {
      const query = read
        .updateTable("passkeys")
        .set({ name })
        .where("credential_id", "=", credentialId)
        .where("user_id", "=", userId);
      const [changed = 0] = await database.writeAtOnce([query.compile()]);
      return changed === 1;
    },

    remove: (userId, credentialId, rpId) =>
      database.write(async (tx) => {
        await holdPerson(tx, dialect, userId);
        const removed = await tx
          .deleteFrom("passkeys")
          .where("credential_id", "=", credentialId)
          .where("user_id", "=", userId)
          .returning("rp_id")
          .executeTakeFirst();
        if (removed === undefined) return false;
        if (removed.rp_id === rpId) {
          await assertWayIn(tx, userId, rpId);
          await turnOffWithoutFactor(tx, userId, rpId);
        }
        return true;
      }),

    async countElsewhere(rpId) {
      const all = read.selectFrom("passkeys").select((eb) => eb.fn.countAll<number>().as("count"));
      const elsewhere = rpId === null ? all : all.where("rp_id", "<>", rpId);
      const { count } = await elsewhere.executeTakeFirstOrThrow();
      return Number(count);
    },
  };
}
