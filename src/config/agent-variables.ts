import { count, flag, oneOf, scopes } from "./setting.ts";
import { variable } from "./variable.ts";

/** Agents: programs with a model that act for a person, over the Model Context Protocol at BASE_URL/mcp. */
export const AGENT_VARIABLES = {
  MCP: variable(
    oneOf("off", "read", "write"),
    "write",
    "Agents at BASE_URL/mcp (Model Context Protocol). off: /mcp is 404. read: agents may read. write: agents may also do what their person chose on the consent page. read and write turn CLIENT_DOCUMENTS on.",
  ),
  MCP_SCOPES: variable(
    scopes,
    "posts:read users:read posts:write",
    "Scopes that agents are told to ask for at /mcp, separated by spaces. People choose on the consent page which of them an agent gets. admin and users:email never work at /mcp.",
  ),
  MCP_AUDIENCE: variable(
    oneOf("any", "strict"),
    "any",
    "Access tokens that name neither /graphql nor /mcp. any: they work at both. strict: they do not work at /mcp.",
  ),
  MCP_CONFIRM: variable(
    oneOf("client", "refuse"),
    "client",
    "Publishing and deleting through agents that cannot pass a question on to their person. client: the agent's program asks the person. refuse: such calls are rejected.",
  ),
  MCP_RESULT_MAX: variable(
    count(4_096, 10_000_000),
    "65536",
    "Limit: bytes of one answer of a tool at /mcp. Longer texts are read in parts.",
  ),
  AGENT_WRITES_PER_HOUR: variable(
    count(0, 1_000_000),
    "60",
    "Limit: changes per hour that one agent may make for one person. 0 allows none.",
  ),
  MCP_CARD: variable(
    flag,
    "false",
    "Publishes a description of the server at /mcp for directories of agents: /mcp/server-card and /.well-known/ai-catalog.json (drafts of the Model Context Protocol).",
  ),
} as const;
