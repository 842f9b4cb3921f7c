import assert from "node:assert/strict";
import { join } from "node:path";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import pg from "pg";
import { startPostgres } from "../postgres.ts";

type McpServers = Readonly<Record<string, { command: string; args: string[]; env: Record<string, string> }>>;

/** Starts each program of an agent's settings, as the agent would, and asks it for its tools. */
export async function connectAgents(text: string): Promise<void> {
  const { mcpServers } = JSON.parse(text) as { mcpServers: McpServers };
  assert.ok(Object.keys(mcpServers).length > 0);
  for (const { command, args, env } of Object.values(mcpServers)) {
    const client = new Client({ name: "reader", version: "1" });
    await client.connect(new StdioClientTransport({ command, args, env: { PATH: process.env.PATH ?? "", ...env } }));
    const { tools } = await client.listTools();
    assert.ok(tools.some(({ name }) => name === "create_draft"));
    await client.close();
  }
}

/** Runs statements as the administrator of a PostgreSQL of their own, and connects as the role that they make. */
export async function runSql(text: string): Promise<void> {
  const server = await startPostgres();
  try {
    const client = new pg.Client({ connectionString: server.url });
    await client.connect();
    for (const statement of text.split(/;[^\n]*\n/).filter((one) => one.trim() !== "")) await client.query(statement);
    await client.end();
    const url = new URL(server.url);
    const [, user = "", password = ""] = /ROLE (\w+) LOGIN PASSWORD '([^']+)'/.exec(text) ?? [];
    Object.assign(url, { username: user, password: encodeURIComponent(password), pathname: `/${user}` });
    const owner = new pg.Client({ connectionString: url.href });
    await owner.connect();
    await owner.query("CREATE TABLE one (id integer)");
    const { rows } = await owner.query("SHOW statement_timeout");
    assert.deepEqual(rows, [{ statement_timeout: "15s" }]);
    await owner.end();
  } finally {
    await server.stop();
  }
}

/** Folder in which the documents have the program installed, and its real folder. */
export function installedAt(folder: string): Readonly<Record<string, string>> {
  return { "/srv/content-api/data": join(folder, "data"), "/srv/content-api/bin": join(folder, "bin") };
}
