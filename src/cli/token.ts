import { Command } from "commander";
import { programName } from "../config/command-line.ts";
import type { Config } from "../config/config.ts";
import { parseDuration } from "../config/setting.ts";
import { AppError, badInput } from "../domain/errors.ts";
import type { Store } from "../domain/store/store.ts";
import type { Sealer } from "../secrets/seal.ts";
import { hashToken } from "../secrets/token-hash.ts";
import { type Clock, record, withStore } from "./context.ts";
import { sealerOf } from "./sealer.ts";
import { hint, printLines, printRecord, printSecret, printTable } from "./terminal/output.ts";
import { cellText } from "./terminal/table.ts";
import { chooseClient, choosePerson, chooseScopes } from "./token-defaults.ts";

interface CreateOptions {
  user?: string;
  client?: string;
  scope?: string;
  ttl: string;
  json?: boolean;
}

/** A year, like a refresh token's: what the token was granted for does not live on much longer. */
const MAX_TTL_SECONDS = 365 * 24 * 3_600;

export function tokenCommand(): Command {
  const command = new Command("token").description("access tokens for operators and scripts");
  command
    .command("create")
    .description("prints an access token that acts for a person through a client")
    .option("--user <email>", "person for whom it acts (default: the only administrator)")
    .option("--client <client-id>", "client of the token (default: the built-in client of the terminal)")
    .option(
      "--scope <scope>",
      "what it allows, separated by spaces; not more than the client may ask for (default: reading and writing content)",
    )
    .option("--ttl <duration>", "lifetime, such as 15m, 12h or 30d; at most 365d", "15m")
    .option("--json", "print JSON")
    .action(create);
  command
    .command("list")
    .description("lists the live tokens that were made with token create")
    .option("--user <email>", "those of this person")
    .option("--json", "print JSON")
    .action((options: { user?: string; json?: boolean }) =>
      withStore((store, config, now) => list(options, store, config, now)),
    );
  command
    .command("revoke <id>")
    .description("revokes a token that was made with token create, by the id that token list shows")
    .action((id: string) => withStore((store, config, now) => revoke(id, store, config, now)));
  return command;
}

async function create(options: CreateOptions): Promise<void> {
  const ttlSeconds = parseDuration(options.ttl);
  if (ttlSeconds === null) throw badInput("ttl", "--ttl must be a duration such as 900, 15m, 12h or 30d.");
  if (ttlSeconds > MAX_TTL_SECONDS) throw badInput("ttl", "--ttl must be at most 365d.");
  const wanted = options.scope === undefined ? null : readScopes(options.scope);
  await withStore(async (store, config, now) => {
    const user = await choosePerson(store, options.user);
    const client = await chooseClient(store, options.client);
    const scopes = chooseScopes(wanted, client, user);
    const { openAuthorizationServerOf } = await import("../app/authorization-server.ts");
    const server = await openAuthorizationServerOf(config, store, { now });
    try {
      const scope = scopes.join(" ");
      const created = await server.createAccessToken({ userId: user.id, clientId: client.id, scope, ttlSeconds });
      const { token, id } = created;
      const facts = { event: "token", result: "ok", userId: user.id, clientId: client.id } as const;
      await record(store, config, now, { ...facts, detail: `operator: ${scope}` });
      const expiresAt = showTime(created.expiresAtSeconds);
      const printed = options.json
        ? printRecord({ access_token: token, token_type: "Bearer", expires_at: expiresAt, scope, id }, true)
        : printLines([token]);
      await printSecret(printed, async () => {
        await store.artifacts.revokeGrant(id);
        return "The token is revoked.";
      });
      hint(
        `It acts for ${cellText(user.email)} until ${expiresAt}, with: ${scope}. Revoke it: ${programName()} token revoke ${id}`,
        options.json,
      );
    } finally {
      await server.close();
    }
  });
}

/** @throws AppError BAD_USER_INPUT for none, and for one that there is not */
function readScopes(text: string): string[] {
  const scopes = [...new Set(text.split(/\s+/).filter((scope) => scope !== ""))];
  if (scopes.length === 0) throw badInput("scope", "--scope must name at least one scope.");
  return scopes;
}

async function list(
  { user: email, json }: { user?: string; json?: boolean },
  store: Store,
  config: Config,
  now: Clock,
): Promise<void> {
  const people = email === undefined ? await store.users.list() : [await choosePerson(store, email)];
  const sealer = sealerOf(config);
  const rows = [];
  for (const person of people) {
    const tokens = await tokensOf(person.id, store, sealer, now);
    for (const { id, clientId, scope, createdAtSeconds, expiresAtSeconds } of tokens)
      rows.push({
        id,
        user: person.email,
        client: clientId,
        scope,
        createdAt: createdAtSeconds === null ? null : showTime(createdAtSeconds),
        expiresAt: showTime(expiresAtSeconds),
      });
  }
  if (json) return printTable(rows, true);
  if (rows.length === 0) return hint("There are no live tokens that were made with token create.");
  const summaries = rows.map(({ id, user, scope, expiresAt }) => ({ id, user, scope, until: expiresAt.slice(0, 10) }));
  await printTable(summaries, false, ["id"]);
}

async function tokensOf(userId: string, { artifacts }: Store, sealer: Sealer, now: Clock) {
  const { listOperatorTokens } = await import("../authorization-server/grants/operator-token.ts");
  return listOperatorTokens({ artifacts, sealer }, userId, Math.floor(now() / 1_000));
}

async function revoke(id: string, store: Store, config: Config, now: Clock): Promise<void> {
  const grant = await store.artifacts.find("Grant", hashToken(id));
  const tokens = grant?.userId == null ? [] : await tokensOf(grant.userId, store, sealerOf(config), now);
  const found = tokens.find((token) => token.id === id);
  if (found === undefined)
    throw new AppError("NOT_FOUND", `There is no live token ${id}. List them: ${programName()} token list`);
  await store.artifacts.revokeGrant(id);
  const { userId, clientId, scope } = found;
  await record(store, config, now, {
    event: "revocation",
    result: "ok",
    userId,
    clientId,
    detail: `operator: ${scope}`,
  });
  hint("The token is revoked. It is rejected within a second.");
}

function showTime(seconds: number): string {
  return new Date(seconds * 1_000).toISOString();
}
