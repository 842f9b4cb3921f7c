import type { AccountStateStore } from "../../domain/people/account-state.ts";
import type { Database } from "../database/database.ts";

export function openAccountStates(database: Database): AccountStateStore {
  const { read } = database;

  return {
    async find(userId) {
      const row = await read
        .selectFrom("account_states")
        .select(["mail_state", "language", "last_sign_in_at"])
        .where("user_id", "=", userId)
        .executeTakeFirst();
      return {
        mailState: row?.mail_state ?? "ok",
        language: row?.language ?? null,
        lastSignInAt: row?.last_sign_in_at ?? null,
      };
    },

    async note(userId, { mailState, language, lastSignInAt }) {
      const changed = {
        ...(mailState === undefined ? {} : { mail_state: mailState }),
        ...(language === undefined ? {} : { language }),
        ...(lastSignInAt === undefined ? {} : { last_sign_in_at: lastSignInAt }),
      };
      if (Object.keys(changed).length === 0) return;
      const row = { user_id: userId, language: null, last_sign_in_at: null, ...NO_DELETION };
      const query = read
        .insertInto("account_states")
        .values({ ...row, ...changed })
        .onConflict((conflict) => conflict.column("user_id").doUpdateSet(changed));
      await database.writeAtOnce([query.compile()]);
    },
  };
}

const NO_DELETION = { kept_name: null, deletion_posts: null, deletion_began_at: null } as const;
