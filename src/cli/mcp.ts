import { Command, Option } from "commander";
import { ConfigError } from "../config/config.ts";
import { AGENT_LEVELS, type AgentLevel, USUAL_LEVEL } from "../domain/agent-level.ts";
import { badInput } from "../domain/errors.ts";
import { openLog } from "../observe/log.ts";
import { withStore } from "./context.ts";
import { choosePerson } from "./token-defaults.ts";

interface McpCommandOptions {
  readonly stdio?: boolean;
  readonly user?: string;
  readonly level: AgentLevel;
}

export function mcpCommand(): Command {
  return new Command("mcp")
    .description("serves one agent on this machine over standard input and output (Model Context Protocol)")
    .option("--stdio", "speak over standard input and output")
    .option("--user <email>", "person for whom the agent acts (default: the only administrator)")
    .addOption(
      new Option("--level <level>", "read; draft: also write drafts; write: also publish, change and delete posts")
        .choices(AGENT_LEVELS)
        .default(USUAL_LEVEL),
    )
    .action(serve);
}

async function serve({ stdio, user, level }: McpCommandOptions): Promise<void> {
  if (stdio !== true) throw badInput("stdio", "--stdio must be given. Over HTTP, the server has /mcp (command serve).");
  await withStore(async (store, config, now) => {
    if (config.MCP === "off") throw new ConfigError("MCP=off lets no agent in. MCP=read or MCP=write does.");
    const { id: userId } = await choosePerson(store, user);
    const { serveLocalAgent } = await import("../app/local-agent.ts");
    const [input, output, log] = [process.stdin, process.stdout, openLog(config)];
    await serveLocalAgent(config, { store, userId, level, input, output, log, now });
  });
}
