import { Command } from "commander";
import { parseDuration } from "../config/setting.ts";
import { AppError, badInput } from "../domain/errors.ts";
import { isScope, isScopeOfRole } from "../domain/scopes.ts";
import { record, withStore } from "./context.ts";
import { hint, printRecord } from "./terminal/output.ts";

interface CreateOptions {
  user: string;
  client: string;
  scope: string;
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
    .requiredOption("--user <email>", "whom it acts for")
    .requiredOption("--client <client-id>", "the client that it belongs to")
    .requiredOption("--scope <scope>", "what it allows, separated by spaces; not more than the client may ask for")
    .option("--ttl <duration>", "how long it lives, such as 15m, 12h or 30d; 365d at most", "15m")
    .option("--json", "print JSON")
    .action(create);
  return command;
}

async function create(options: CreateOptions): Promise<void> {
  const ttlSeconds = parseDuration(options.ttl);
  if (ttlSeconds === null) throw badInput("ttl", "--ttl must be a duration such as 900, 15m, 12h or 30d.");
  if (ttlSeconds > MAX_TTL_SECONDS) throw badInput("ttl", "--ttl must be 365d at most.");
  const scopes = [...new Set(options.scope.split(/\s+/).filter((scope) => scope !== ""))];
  if (scopes.length === 0) throw badInput("scope", "--scope must name at least one scope.");
  const unknown = scopes.find((scope) => !isScope(scope));
  if (unknown !== undefined) throw badInput("scope", `"${unknown}" is not a scope of this server.`);
  await withStore(async (store, config) => {
    const user = await store.users.findByEmail(options.user);
    if (user === null || user.disabledAt !== null)
      throw new AppError("NOT_FOUND", `There is no active person with the address ${options.user}.`);
    const client = await store.clients.find(options.client);
    if (client === null || client.disabledAt !== null)
      throw new AppError("NOT_FOUND", `There is no active client ${options.client}.`);
    const beyond = scopes.find((scope) => !client.scopes.includes(scope));
    if (beyond !== undefined) throw new AppError("FORBIDDEN", `The client may not ask for ${beyond}.`);

    const forOthers = scopes.find((scope) => !isScopeOfRole(scope, user.role));
    if (forOthers !== undefined) throw new AppError("FORBIDDEN", `The person's role does not allow ${forOthers}.`);

    const { openAuthorizationServerOf } = await import("../app/authorization-server.ts");
    const server = await openAuthorizationServerOf(config, store, { now: Date.now });
    try {
      const { token, expiresAtSeconds } = await server.createAccessToken({
        userId: user.id,
        clientId: client.id,
        scope: scopes.join(" "),
        ttlSeconds,
      });
      const facts = { event: "token", result: "ok", userId: user.id, clientId: client.id } as const;
      await record(store, config, { ...facts, detail: `operator: ${scopes.join(" ")}` });
      const expiresAt = new Date(expiresAtSeconds * 1000).toISOString();
      if (options.json)
        printRecord(
          { access_token: token, token_type: "Bearer", expires_at: expiresAt, scope: scopes.join(" ") },
          true,
        );
      else {
        console.log(token);
        hint(`Until ${expiresAt}. Send it as: Authorization: Bearer TOKEN`);
      }
    } finally {
      await server.close();
    }
  });
}
