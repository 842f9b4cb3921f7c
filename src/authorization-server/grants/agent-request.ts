import type { Client } from "../../domain/clients/client.ts";
import type { Door } from "../../domain/door.ts";
import { isAgentLike } from "../clients/agent-clients.ts";

/** The settings that tell agents from other clients: docs/reference/settings.md explains each. */
export interface AgentSettings {
  readonly MCP: "off" | "read" | "write";
  readonly KNOWN_AGENTS: readonly string[];
}

/**
 * Whether the client of an authorization request is an agent, so that its person chooses how far it may go: every client
 * that asks for `/mcp`, and one that names no door, if nobody has checked it and it returns to where agents do.
 *
 * @param targets.here whether the request is for our own API, as it is without `resource`
 * @param targets.doors the doors that it names
 */
export function isAgentRequest(
  { here, doors }: { readonly here: boolean; readonly doors: readonly Door[] },
  { origin, redirectUris }: Pick<Client, "origin" | "redirectUris">,
  { MCP, KNOWN_AGENTS }: AgentSettings,
): boolean {
  if (MCP === "off") return false;
  if (doors.includes("mcp")) return true;
  return here && doors.length === 0 && origin !== "operator" && isAgentLike(redirectUris, KNOWN_AGENTS);
}
