import { CODE_WITH_REFRESH, type RecordedAgent } from "./agent.ts";

export const GEMINI_CLI: RecordedAgent = {
  name: "Gemini CLI",
  document: null,
  registration: () => ({
    client_name: "Gemini CLI MCP Client",
    redirect_uris: ["http://localhost:7777/oauth/callback"],
    ...CODE_WITH_REFRESH,
    token_endpoint_auth_method: "none",
  }),
  redirectUri: () => "http://localhost:7777/oauth/callback",
  resource: (url) => url,
};

/** It registers without `grant_types`, and adds a slash to the resource. */
export const CODEX: RecordedAgent = {
  name: "Codex",
  document: null,
  registration: (port) => ({
    client_name: "Codex",
    redirect_uris: [`http://127.0.0.1:${port}/callback`],
    token_endpoint_auth_method: "none",
  }),
  redirectUri: (port) => `http://127.0.0.1:${port}/callback`,
  resource: (url) => `${url}/`,
};
