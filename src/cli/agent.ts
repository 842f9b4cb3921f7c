import { Command, Option } from "commander";
import { programName } from "../config/command-line.ts";
import { resumeAgents, stopAllAgents } from "../domain/agents/admission.ts";
import type { Agent } from "../domain/agents/agent.ts";
import { revertAgentChanges } from "../domain/agents/revert.ts";
import { disableClient, enableClient } from "../domain/clients/client-administration.ts";
import { badInput } from "../domain/errors.ts";
import { withAdministration, withStore } from "./context.ts";
import { limitOption, MOMENT, readMoment } from "./list-options.ts";
import { getIdOfPerson } from "./people.ts";
import { hint, printLines, printTable } from "./terminal/output.ts";
import { cellText } from "./terminal/table.ts";

/** Milliseconds for which writes are counted. */
const DAY = 86_400_000;

interface RevertOptions {
  client: string;
  since: string;
  user?: string;
  until?: string;
  dryRun?: boolean;
  json?: boolean;
}

export function agentCommand(): Command {
  const command = new Command("agent").description("programs that act for people through /mcp");
  command
    .command("list")
    .description("lists agents: a line for each client and person, those used last first")
    .addOption(limitOption(10_000))
    .option("--json", "print JSON")
    .action((options: { limit: number; json?: boolean }) => list(options));
  command
    .command("stop [client-id]")
    .description("rejects an agent and all its tokens within a second, or all agents within five")
    .option("--all", "every agent: /mcp answers 503")
    .option("--resume", "lets it, or all of them, in again")
    .action(stop);
  command
    .command("revert")
    .description("takes back what an agent changed; posts that somebody else changed since stay as they are")
    .requiredOption("--client <client-id>", "client that acted")
    .requiredOption("--since <when>", MOMENT)
    .option("--until <when>", "changes before this time only")
    .addOption(new Option("--user <email-or-id>", "changes for this person only"))
    .option("--dry-run", "say what would be done, and change nothing")
    .option("--json", "print JSON")
    .action(revert);
  return command;
}

function list({ limit, json }: { limit: number; json?: boolean }): Promise<void> {
  return withStore(async (store, _config, now) => {
    const found = await store.agents.list({ writesSince: new Date(now() - DAY).toISOString(), limit });
    const agents = found.toSorted((a, b) => b.lastUsedAt.localeCompare(a.lastUsedAt));
    const stoppedAt = await store.agents.stoppedAt();
    if (json)
      return printTable(
        agents.map((agent) => ({ ...agent, isStopped: agent.isStopped || stoppedAt !== null })),
        true,
      );
    if (stoppedAt !== null)
      hint(`All agents have been stopped since ${stoppedAt}. Let them in: ${programName()} agent stop --all --resume`);
    if (agents.length === 0) return hint("No agent has been used yet.");
    const emails = new Map<string, string>();
    for (const { userId } of agents)
      if (userId !== null && !emails.has(userId)) emails.set(userId, (await store.users.find(userId))?.email ?? userId);
    const rows = agents.map((agent) =>
      summary(agent, agent.userId === null ? null : (emails.get(agent.userId) ?? null)),
    );
    return printTable(rows, false, ["client_id", "since", "last_used", "writes_24h", "state"]);
  });
}

function summary({ clientId, clientName, isStopped, firstUsedAt, lastUsedAt, writes }: Agent, person: string | null) {
  return {
    client_id: clientId,
    name: clientName,
    person,
    since: firstUsedAt.slice(0, 10),
    last_used: lastUsedAt.slice(0, 16).replace("T", " "),
    writes_24h: writes,
    state: isStopped ? "stopped" : "active",
  };
}

function stop(clientId: string | undefined, { all, resume }: { all?: boolean; resume?: boolean }): Promise<void> {
  if ((clientId === undefined) === (all === undefined))
    throw badInput("client-id", "Name one agent by its client id, or --all.");
  return withAdministration(async (administration) => {
    if (clientId !== undefined) {
      const { name } = await (resume ? enableClient : disableClient)(administration, clientId);
      const done = resume ? "may act again." : "is stopped. It and all its tokens are rejected within a second.";
      hint(`Agent ${cellText(name)} (${clientId}) ${done}`);
      if (!resume)
        hint(`To take back what it changed: ${programName()} agent revert --client ${clientId} --since 1h --dry-run`);
    } else if (resume) {
      await resumeAgents(administration);
      hint("Agents may act again. Clients that are disabled stay so.");
    } else {
      await stopAllAgents(administration);
      hint("All agents are stopped: within five seconds /mcp answers 503 on every node.");
      hint(`To let them in again: ${programName()} agent stop --all --resume`);
    }
  });
}

function revert({ client, since, user, until, dryRun, json }: RevertOptions): Promise<void> {
  return withAdministration(async (administration) => {
    const now = administration.now();
    const window = {
      clientId: client,
      since: readMoment("since", since, now),
      until: until === undefined ? undefined : readMoment("until", until, now),
      userId: user === undefined ? undefined : await getIdOfPerson(administration.store, user),
    };
    const { openMarkdown } = await import("../markdown/markdown.ts");
    const options = { renderMarkdown: openMarkdown(), isDryRun: dryRun ?? false };
    const { reverted, left } = await revertAgentChanges(administration, window, options);
    if (json) return printLines([JSON.stringify({ reverted, left })]);
    await printLines([
      ...reverted.map(({ postId, as }) => `${postId}  ${as.replace("-", " ")}`),
      ...left.map(({ postId, reason }) => `${postId}  left alone: ${reason}`),
    ]);
    const count = `${reverted.length} ${reverted.length === 1 ? "post" : "posts"}`;
    if (reverted.length + left.length === 0)
      hint("Nothing was found. AUDIT_DAYS says for how long changes by agents are kept.");
    else hint(dryRun ? `${count} would be taken back. Nothing was changed.` : `${count} taken back.`);
  });
}
