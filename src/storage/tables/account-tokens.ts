import { type Kysely, sql } from "kysely";
import type { Id } from "../../domain/id.ts";
import type { AccountToken, AccountTokenStore, TokenPurpose } from "../../domain/people/account-token.ts";
import { emailKey } from "../../domain/people/email.ts";
import type { User } from "../../domain/people/user.ts";
import type { Changes } from "../database/changes.ts";
import type { Database } from "../database/database.ts";
import type { IdSource } from "../database/ids.ts";
import type { Schema } from "../database/schema.ts";
import { type AccountTokenRow, NotSpent, spend, toToken, voiding } from "./account-token-row.ts";
import { accept, acceptOf } from "./invitation-row.ts";
import { EventWriter, OUTBOX_GATE } from "./outbox.ts";
import { insertPasskey, removePasskeysSince } from "./passkey-row.ts";
import { untilNoRace } from "./races.ts";
import { revokeWithin } from "./revocations.ts";
import { removeSecondStepSince } from "./second-step-row.ts";
import { removeLinksSince } from "./upstream-identities.ts";
import { ACTIVE, assertAddressFree, NEXT_CREDENTIALS, openUserInsertion, toUser } from "./user-row.ts";

type Tx = Kysely<Schema>;

export function openAccountTokens(
  database: Database,
  content: Database,
  changes: Changes,
  ids: IdSource,
  now: () => number,
): AccountTokenStore {
  const { read, dialect } = database;
  const { insert } = openUserInsertion(content, ids, now);
  const events = new EventWriter(content, ids);

  /** One transaction about one person; `act` gives null, and nothing is written, where the token cannot be spent. */
  async function about(
    hash: string,
    purpose: TokenPurpose,
    nowSeconds: number,
    act: (tx: Tx, token: AccountTokenRow & { readonly user_id: Id }) => Promise<User | null>,
  ): Promise<User | null> {
    const found = await find(hash);
    if (found === null || found.userId === null) return null;
    const telling = changes.telling(
      { kind: "event", id: null },
      changes.telling({ kind: "user", id: found.userId }, content),
    );
    return nullIfNotSpent(() =>
      telling.write(async (tx) => {
        const token = await spend(tx, hash, [purpose], nowSeconds);
        if (token === undefined || token.user_id === null) return null;
        const user = await act(tx, { ...token, user_id: token.user_id });
        if (user === null) throw new NotSpent();
        return user;
      }),
    );
  }

  async function voidOthers(tx: Tx, userId: Id, nowSeconds: number, kept: readonly TokenPurpose[]): Promise<void> {
    let query = voiding(tx, nowSeconds).where("user_id", "=", userId);
    if (kept.length > 0) query = query.where("purpose", "not in", kept);
    await query.execute();
  }

  async function find(hash: string): Promise<AccountToken | null> {
    const row = await read.selectFrom("account_tokens").selectAll().where("hash", "=", hash).executeTakeFirst();
    return row === undefined ? null : toToken(row);
  }

  /** The person with these changes, if the token is as young as what they sign in with. */
  async function change(
    tx: Tx,
    { user_id, credential_version }: AccountTokenRow & { readonly user_id: Id },
    values: { email?: string; email_verified?: number; password_hash?: string | null },
  ): Promise<User | null> {
    let query = tx
      .updateTable("users")
      .set({
        ...values,
        ...(values.email === undefined ? {} : { email_key: emailKey(values.email) }),
        credential_version:
          values.email === undefined ? NEXT_CREDENTIALS : dialect.entering(sql.lit(OUTBOX_GATE), NEXT_CREDENTIALS),
      })
      .where("id", "=", user_id)
      .where(ACTIVE);
    if (credential_version !== null) query = query.where("credential_version", "=", Number(credential_version));
    const row = await query.returningAll().executeTakeFirst();
    if (row === undefined) return null;
    if (values.email !== undefined) {
      const [occurredAt, data] = [new Date(now()).toISOString(), JSON.stringify({ id: user_id })];
      await events.add(tx, { type: "user.email-changed", subjectId: user_id, occurredAt, data });
    }
    return toUser(row);
  }

  return {
    find,

    async put(token) {
      const query = read.insertInto("account_tokens").values({
        hash: token.hash,
        purpose: token.purpose,
        email: token.email,
        email_key: emailKey(token.email),
        proves_email: Number(token.provesEmail),
        user_id: token.userId,
        credential_version: token.credentialVersion,
        invitation_id: token.invitationId,
        code_mac: token.codeMac,
        browser_hash: token.browserHash,
        interaction: token.interaction,
        created_at_seconds: token.createdAtSeconds,
        expires_at_seconds: token.expiresAtSeconds,
        used_at_seconds: null,
        voided_at_seconds: null,
      });
      await database.writeAtOnce([query.compile()]);
    },

    async findByCode(purpose, browserHash, codeMac) {
      const row = await read
        .selectFrom("account_tokens")
        .selectAll()
        .where("code_mac", "=", codeMac)
        .where("browser_hash", "=", browserHash)
        .where("purpose", "=", purpose)
        .orderBy("created_at_seconds", "desc")
        .limit(1)
        .executeTakeFirst();
      return row === undefined ? null : toToken(row);
    },

    createPerson: (hash, user, nowSeconds, passkey = null) =>
      nullIfNotSpent(() =>
        changes.telling({ kind: "event", id: null }, content).write(async (tx) => {
          const token = await spend(tx, hash, ["sign-up", "invitation"], nowSeconds);
          if (token === undefined) return null;
          const invitation = token.invitation_id === null ? null : await accept(tx, token.invitation_id, nowSeconds);
          if (invitation === undefined) throw new NotSpent();
          const role = invitation?.role ?? user.role;
          const emailVerified = Number(token.proves_email) === 1;
          const person = await insert(tx, { ...user, role, email: token.email, emailVerified });
          await voiding(tx, nowSeconds)
            .where("email_key", "=", token.email_key)
            .where("purpose", "in", ["sign-up", "invitation"])
            .execute();
          if (passkey !== null) await insertPasskey(tx, { ...passkey, userId: person.id });
          if (invitation === null) await acceptOf(tx, token.email_key, nowSeconds);
          return person;
        }),
      ),

    resetPassword: (hash, passwordHash, nowSeconds) =>
      about(hash, "recovery", nowSeconds, async (tx, token) => {
        const proved = Number(token.proves_email) === 1 ? { email_verified: 1 } : {};
        const user = await change(tx, token, { password_hash: passwordHash, ...proved });
        if (user === null) return null;
        await voidOthers(tx, user.id, nowSeconds, ["email-undo"]);
        await revokeWithin(tx, dialect, user.id);
        return user;
      }),

    changeEmail: (hash, userId, nowSeconds) =>
      about(hash, "email-change", nowSeconds, async (tx, token) => {
        if (token.user_id !== userId) return null;
        await assertAddressFree(tx, token.email, userId);
        const user = await change(tx, token, { email: token.email, email_verified: 1 });
        if (user !== null) await voidOthers(tx, userId, nowSeconds, ["email-undo"]);
        return user;
      }),

    undoEmail: (hash, nowSeconds) =>
      about(hash, "email-undo", nowSeconds, async (tx, token) => {
        await assertAddressFree(tx, token.email, token.user_id);
        const user = await change(tx, token, { email: token.email, email_verified: 1, password_hash: null });
        if (user === null) return null;
        await voidOthers(tx, user.id, nowSeconds, []);
        await revokeWithin(tx, dialect, user.id);
        const since = new Date(Number(token.created_at_seconds) * 1_000).toISOString();
        await removePasskeysSince(tx, user.id, since);
        await removeLinksSince(tx, user.id, since);
        return removeSecondStepSince(tx, user.id, since);
      }),

    async sweep(beforeSeconds, limit) {
      const query = read
        .deleteFrom("account_tokens")
        .where("hash", "in", (eb) =>
          eb
            .selectFrom("account_tokens")
            .select("hash")
            .where("expires_at_seconds", "<", beforeSeconds)
            .orderBy("expires_at_seconds")
            .limit(limit),
        );
      const [changed = 0] = await database.writeAtOnce([query.compile()]);
      return changed;
    },
  };
}

/** Tries again while others are after the same; null where the token was taken back. */
async function nullIfNotSpent(write: () => Promise<User | null>): Promise<User | null> {
  try {
    return await untilNoRace(write);
  } catch (error) {
    if (error instanceof NotSpent) return null;
    throw error;
  }
}
