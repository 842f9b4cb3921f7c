import type { Id } from "../../domain/id.ts";
import { type AccountState, type AccountStateStore, NEW_ACCOUNT } from "../../domain/people/account-state.ts";
import type { Database } from "../database/database.ts";

export function openAccountStates(database: Database): AccountStateStore {
  const { read } = database;

  async function findAll(userIds: readonly Id[]): Promise<Map<Id, AccountState>> {
    if (userIds.length === 0) return new Map();
    const rows = await read
      .selectFrom("account_states")
      .select(["user_id", "mail_state", "language", "last_sign_in_at"])
      .where("user_id", "in", userIds)
      .execute();
    return new Map(
      rows.map((row) => [
        row.user_id,
        { mailState: row.mail_state, language: row.language, lastSignInAt: row.last_sign_in_at },
      ]),
    );
  }

  return {
    async find(userId) {
      return (await findAll([userId])).get(userId) ?? NEW_ACCOUNT;
    },

    findAll,

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
