import { Command } from "commander";
import { parseDuration } from "../config/setting.ts";
import { isUsable } from "../domain/clients/client.ts";
import { AppError, badInput } from "../domain/errors.ts";
import { PERSONAL_SCOPES } from "../domain/scopes.ts";
import { hashToken } from "../secrets/token-hash.ts";
import { record, withStore } from "./context.ts";
import { hint, printLines, printRecord, printSecret } from "./terminal/output.ts";
import { cellText } from "./terminal/table.ts";

interface TokenOptions {
  scope?: string;
  ttl: string;
  json?: boolean;
}

const MAX_TTL_SECONDS = 365 * 24 * 3_600;

/** For services that cannot ask at the token endpoint, such as directories that speak SCIM. */
export function clientTokenCommand(): Command {
  return new Command("token")
    .description("prints an access token with which a client acts for itself, for services that cannot ask for tokens")
    .argument("<client-id>", "client with the grant client_credentials")
    .option("--scope <scope>", "what it allows, separated by spaces (default: all that the client may have for itself)")
    .option("--ttl <duration>", "lifetime, such as 12h or 180d; at most 365d", "90d")
    .option("--json", "print JSON")
    .action(create);
}

async function create(clientId: string, options: TokenOptions): Promise<void> {
  const ttlSeconds = parseDuration(options.ttl);
  if (ttlSeconds === null) throw badInput("ttl", "--ttl must be a duration such as 900, 15m, 12h or 30d.");
  if (ttlSeconds > MAX_TTL_SECONDS) throw badInput("ttl", "--ttl must be at most 365d.");
  await withStore(async (store, config, now) => {
    const client = await store.clients.find(clientId);
    if (client === null || !isUsable(client)) throw new AppError("NOT_FOUND", `There is no active client ${clientId}.`);
    if (!client.grantTypes.includes("client_credentials"))
      throw new AppError("FORBIDDEN", "The client does not have the grant client_credentials.");
    if (client.dpopBound || client.certificateBound)
      throw new AppError("FORBIDDEN", "Tokens of this client are bound to a key: it has to ask for them itself.");
    const scope = chooseScopes(options.scope, client.scopes).join(" ");
    const { openAuthorizationServerOf } = await import("../app/authorization-server.ts");
    const server = await openAuthorizationServerOf(config, store, { now });
    try {
      const { token, expiresAtSeconds } = await server.createClientToken({ clientId, scope, ttlSeconds });
      await record(store, config, now, { event: "token", result: "ok", clientId, detail: `operator: ${scope}` });
      const expiresAt = new Date(expiresAtSeconds * 1_000).toISOString();
      const printed = options.json
        ? printRecord({ access_token: token, token_type: "Bearer", expires_at: expiresAt, scope }, true)
        : printLines([token]);
      await printSecret(printed, async () => {
        await store.artifacts.destroy("ClientCredentials", hashToken(token));
        return "The token is revoked.";
      });
      const message = `It acts for the client ${cellText(client.name)} until ${expiresAt}, with: ${scope}.`;
      hint(`${message} The client can revoke it at ${config.AUTH_URL}/revoke.`, options.json);
    } finally {
      await server.close();
    }
  });
}

/** @throws AppError BAD_USER_INPUT for none, FORBIDDEN for one that the client cannot have for itself */
function chooseScopes(text: string | undefined, registered: readonly string[]): readonly string[] {
  const own = registered.filter((scope) => !PERSONAL_SCOPES.has(scope));
  const wanted = text === undefined ? own : [...new Set(text.split(/\s+/).filter((scope) => scope !== ""))];
  if (wanted.length === 0) throw badInput("scope", "--scope must name at least one scope of the client.");
  const beyond = wanted.find((scope) => !own.includes(scope));
  if (beyond !== undefined) throw new AppError("FORBIDDEN", `The client may not have ${beyond} for itself.`);
  return wanted;
}
