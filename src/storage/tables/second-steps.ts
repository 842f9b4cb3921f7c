import { type Kysely, type Selectable, sql } from "kysely";
import type { Id } from "../../domain/id.ts";
import { MOST_TOTP_FAILURES, type SecondStepStore, type TotpFactor } from "../../domain/people/second-step.ts";
import type { User } from "../../domain/people/user.ts";
import type { TotpFactorTable } from "../database/account-schema.ts";
import type { Changes } from "../database/changes.ts";
import type { Database } from "../database/database.ts";
import type { Schema } from "../database/schema.ts";
import { remember } from "./idempotency.ts";
import { revokeWithin } from "./revocations.ts";
import { changeSecondStep, forgetSecondStep, hasFactor, turnOffWithoutFactor } from "./second-step-row.ts";
import { NEXT_CREDENTIALS, noUser, toUser } from "./user-row.ts";
import { holdActive, holdPerson } from "./ways-in.ts";

type Tx = Kysely<Schema>;

/**
 * @param content the database that readers of content are told of: it has the people
 * @param now Unix time in milliseconds
 */
export function openSecondSteps(
  database: Database,
  content: Database,
  changes: Changes,
  now: () => number,
): SecondStepStore {
  const { read, dialect } = database;

  /** One change of what an active person has: another one waits until its end. */
  function change(
    { id, credentialVersion }: Pick<User, "id" | "credentialVersion">,
    job: (tx: Tx) => Promise<User | null>,
  ): Promise<User | null> {
    return changes.telling({ kind: "user", id }, content).write(async (tx) => {
      const person = await holdActive(tx, dialect, id);
      return person?.credentialVersion === credentialVersion ? job(tx) : null;
    });
  }

  return {
    async findFactors(userId, passkeyDomain) {
      const [factor, counts] = await Promise.all([
        read.selectFrom("totp_factors").selectAll().where("user_id", "=", userId).executeTakeFirst(),
        read
          .selectNoFrom((eb) => [
            eb
              .selectFrom("recovery_codes")
              .select((own) => own.fn.countAll<number>().as("count"))
              .where("user_id", "=", userId)
              .where("used_at", "is", null)
              .as("codes"),
            eb
              .selectFrom("passkeys")
              .select((own) => own.fn.countAll<number>().as("count"))
              .where("user_id", "=", userId)
              .where("rp_id", "=", passkeyDomain ?? "")
              .as("passkeys"),
          ])
          .executeTakeFirstOrThrow(),
      ]);
      return {
        totp: factor === undefined ? null : toFactor(factor),
        codesLeft: Number(counts.codes),
        passkeys: Number(counts.passkeys),
      };
    },

    confirmTotp: (person, { sealedSecret, confirmedAt, step }) =>
      change(person, async (tx) => {
        const factor = { secret: sealedSecret, confirmed_at: confirmedAt, last_step: step, failures: 0 };
        await tx
          .insertInto("totp_factors")
          .values({ user_id: person.id, ...factor })
          .onConflict((conflict) => conflict.column("user_id").doUpdateSet(factor))
          .execute();
        return changeSecondStep(tx, person.id);
      }),

    countTotp: (userId) =>
      database.write(async (tx) => {
        const row = await tx
          .updateTable("totp_factors")
          .set({ failures: sql<number>`failures + 1` })
          .where("user_id", "=", userId)
          .where("failures", "<", MOST_TOTP_FAILURES)
          .returningAll()
          .executeTakeFirst();
        return row === undefined ? null : toFactor(row);
      }),

    async spendTotp(userId, confirmedAt, step) {
      const query = read
        .updateTable("totp_factors")
        .set({ last_step: step, failures: 0 })
        .where("user_id", "=", userId)
        .where("confirmed_at", "=", confirmedAt)
        .where("last_step", "<", step);
      const [changed] = await database.writeAtOnce([query.compile()]);
      return changed === 1;
    },

    async restoreTotp(userId) {
      await database.writeAtOnce([restoring(read, userId).compile()]);
    },

    removeTotp: (person, passkeyDomain) =>
      change(person, async (tx) => {
        const userId = person.id;
        const removed = await tx
          .deleteFrom("totp_factors")
          .where("user_id", "=", userId)
          .returning("user_id")
          .executeTakeFirst();
        if (removed === undefined) return null;
        await turnOffWithoutFactor(tx, userId, passkeyDomain);
        return changeSecondStep(tx, userId);
      }),

    replaceRecoveryCodes: (person, hashes, at) =>
      change(person, async (tx) => {
        const userId = person.id;
        await tx.deleteFrom("recovery_codes").where("user_id", "=", userId).execute();
        const rows = hashes.map((hash) => ({ user_id: userId, hash, created_at: at, used_at: null }));
        if (rows.length > 0) await tx.insertInto("recovery_codes").values(rows).execute();
        return changeSecondStep(tx, userId);
      }),

    spendRecoveryCode: (userId, hash, at) =>
      database.write(async (tx) => {
        const used = await tx
          .updateTable("recovery_codes")
          .set({ used_at: at })
          .where("user_id", "=", userId)
          .where("hash", "=", hash)
          .where("used_at", "is", null)
          .returning("hash")
          .executeTakeFirst();
        if (used === undefined) return null;
        await restoring(tx, userId).execute();
        const { left } = await tx
          .selectFrom("recovery_codes")
          .select((eb) => eb.fn.countAll<number>().as("left"))
          .where("user_id", "=", userId)
          .where("used_at", "is", null)
          .executeTakeFirstOrThrow();
        return Number(left);
      }),

    turnOn: (person, passkeyDomain) =>
      change(person, async (tx) => {
        const ready = await tx
          .selectFrom("users")
          .select("id")
          .where("id", "=", person.id)
          .where(hasFactor(passkeyDomain))
          .where((eb) =>
            eb.exists(
              eb
                .selectFrom("recovery_codes")
                .select("hash")
                .whereRef("recovery_codes.user_id", "=", "users.id")
                .where("used_at", "is", null),
            ),
          )
          .executeTakeFirst();
        return ready === undefined ? null : changeSecondStep(tx, person.id, true);
      }),

    turnOff: (userId, { passkeys = false, once } = {}) =>
      changes.telling({ kind: "user", id: userId }, content).write(async (tx) => {
        if (once !== undefined) await remember(tx, once, userId, now);
        await holdPerson(tx, dialect, userId);
        await forgetSecondStep(tx, userId);
        if (passkeys) {
          await tx.deleteFrom("passkeys").where("user_id", "=", userId).execute();
          await revokeWithin(tx, dialect, userId);
        }
        const row = await tx
          .updateTable("users")
          .set({ second_step: 0, credential_version: NEXT_CREDENTIALS })
          .where("id", "=", userId)
          .where("deleted_at", "is", null)
          .returningAll()
          .executeTakeFirst();
        if (row === undefined) throw noUser(userId);
        return toUser(row);
      }),
  };
}

function restoring(db: Tx, userId: Id) {
  return db.updateTable("totp_factors").set({ failures: 0 }).where("user_id", "=", userId);
}

function toFactor(row: Selectable<TotpFactorTable>): TotpFactor {
  return { sealedSecret: row.secret, confirmedAt: row.confirmed_at, failures: Number(row.failures) };
}
