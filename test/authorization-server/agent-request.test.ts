import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { isAgentRequest } from "../../src/authorization-server/grants/agent-request.ts";
import { readConfig } from "../../src/config/config.ts";
import type { Client } from "../../src/domain/clients/client.ts";
import type { Door } from "../../src/domain/door.ts";

const settings = readConfig({}, "/nonexistent");
const NONE = { here: true, doors: [] };
const at = (...doors: Door[]) => ({ here: doors.includes("graphql"), doors });
const client = (redirectUris: string[], origin: Client["origin"] = "registration") => ({ origin, redirectUris });

const CLAUDE = ["https://claude.ai/api/mcp/auth_callback", "https://claude.com/api/mcp/auth_callback"];
const CURSOR = [
  "cursor://anysphere.cursor-mcp/oauth/callback",
  "https://www.cursor.com/agents/mcp/oauth/callback",
  "http://localhost:8787/callback",
];

describe("A14 requests of agents", () => {
  test("all for /mcp, of whatever client; none while /mcp is off", () => {
    for (const origin of ["operator", "registration", "document"] as const)
      for (const doors of [["mcp"], ["graphql", "mcp"]] as Door[][]) {
        const asking = client(["https://app.example/cb"], origin);
        assert.equal(isAgentRequest(at(...doors), asking, settings), true);
        assert.equal(isAgentRequest(at(...doors), asking, { ...settings, MCP: "read" }), true);
        assert.equal(isAgentRequest(at(...doors), asking, { ...settings, MCP: "off" }), false);
      }
    assert.equal(isAgentRequest(NONE, client(CLAUDE), { ...settings, MCP: "off" }), false);
  });

  test("without a door: clients that nobody checked, and that return to where agents do", () => {
    for (const redirectUris of [
      CLAUDE,
      CURSOR,
      ["http://127.0.0.1/cb", "http://[::1]:7/cb", "http://localhost/cb"],
      ["com.example.app:/cb"],
      ["http://127.0.0.1:33418/", "https://vscode.dev/redirect", "https://insiders.vscode.dev/redirect"],
      ["https://chatgpt.com/connector/oauth/abc"],
    ]) {
      assert.equal(isAgentRequest(NONE, client(redirectUris), settings), true, redirectUris[0]);
      assert.equal(isAgentRequest(NONE, client(redirectUris, "document"), settings), true);
      assert.equal(isAgentRequest(NONE, client(redirectUris, "operator"), settings), false);
      assert.equal(isAgentRequest(at("graphql"), client(redirectUris), settings), false, "only for GraphQL");
      assert.equal(isAgentRequest({ here: false, doors: [] }, client(redirectUris), settings), false, "elsewhere");
    }
  });

  test("every redirect counts, and the host as a whole", () => {
    for (const redirectUris of [
      [],
      ["https://app.example/cb"],
      [...CLAUDE, "https://app.example/cb"],
      ["https://claude.ai.example/cb"],
      ["https://notclaude.ai/cb"],
      ["https://app.example/?u=claude.ai"],
      ["https://localhost.example/cb"],
    ])
      assert.equal(isAgentRequest(NONE, client(redirectUris), settings), false, redirectUris.at(-1));
    assert.equal(isAgentRequest(NONE, client(CLAUDE), { ...settings, KNOWN_AGENTS: [] }), false);
  });
});
