import { CODE_WITH_REFRESH, type RecordedAgent } from "./agent.ts";

/** Its document lists loopback redirects without a port; several sessions of it share one refresh token. */
export const CLAUDE_CODE: RecordedAgent = {
  name: "Claude Code",
  document: {
    url: "https://claude.ai/oauth/claude-code-client-metadata",
    metadata: {
      client_name: "Claude Code",
      client_uri: "https://claude.ai",
      redirect_uris: ["http://localhost/callback", "http://127.0.0.1/callback"],
      ...CODE_WITH_REFRESH,
      token_endpoint_auth_method: "none",
    },
  },
  registration: (port) => ({
    client_name: "Claude Code (content)",
    redirect_uris: [`http://localhost:${port}/callback`],
    ...CODE_WITH_REFRESH,
    token_endpoint_auth_method: "none",
  }),
  redirectUri: (port) => `http://localhost:${port}/callback`,
  resource: (url) => `${new URL(url).origin}/`,
};

/** Other versions of it name no resource at all. */
export const CLAUDE_CODE_WITHOUT_RESOURCE: RecordedAgent = {
  ...CLAUDE_CODE,
  name: "Claude Code without resource",
  resource: () => undefined,
};
