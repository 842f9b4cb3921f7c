import { type Config, ConfigError } from "../config/config.ts";
import { isLoopback } from "../config/loopback.ts";
import { assertServable } from "../config/servable.ts";
import type { UpstreamSetting } from "../config/upstreams.ts";
import { AGENT_SCOPES, canChange } from "../domain/scopes.ts";
import { readSmtpSettings } from "../mail/smtp-settings.ts";
import { openPasswordRules } from "../secrets/password-rules.ts";

/**
 * Refuses settings with which a server would half work, or fail at its first mail or password, before anything is made or
 * migrated.
 *
 * @throws ConfigError naming the setting
 */
export async function assertUsable(config: Config, upstreams: readonly UpstreamSetting[]): Promise<void> {
  assertServable(config);
  if (config.SMTP_URL !== null) assertMailServer(config);
  assertAgentScopes(config);
  await assertPasswordFile(config);
  if (config.SCIM === "on" && upstreams.every(({ scimClient }) => scimClient === null))
    throw new ConfigError("SCIM=on needs an entry of UPSTREAMS that has a scim_client: nobody could use it.");
}

function assertAgentScopes({ MCP, MCP_SCOPES }: Config): void {
  const wrong = MCP_SCOPES.find((scope) => !AGENT_SCOPES.some((usable) => usable === scope));
  if (MCP === "read" && MCP_SCOPES.every(canChange))
    throw new ConfigError("MCP=read needs a scope in MCP_SCOPES with which agents can read, such as posts:read.");
  if (wrong !== undefined)
    throw new ConfigError(
      `MCP_SCOPES must not name ${wrong}: the scopes that work at /mcp are ${AGENT_SCOPES.join(" ")}.`,
    );
}

/** @throws ConfigError naming the setting */
export function assertMailServer(config: Config): void {
  try {
    readSmtpSettings(config, isLoopback);
  } catch (error) {
    throw new ConfigError((error as Error).message);
  }
}

async function assertPasswordFile(config: Config): Promise<void> {
  try {
    await openPasswordRules(config).check();
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const words = code === undefined ? message : `cannot be read (${code})`;
    throw new ConfigError(`BREACHED_PASSWORDS names the file ${config.BREACHED_PASSWORDS}, which ${words}.`);
  }
}
