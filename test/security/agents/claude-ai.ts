import { CODE_WITH_REFRESH, type RecordedAgent } from "./agent.ts";

const REDIRECTS = ["https://claude.ai/api/mcp/auth_callback", "https://claude.com/api/mcp/auth_callback"] as const;

/** Claude on the web, on the desktop and on phones: one service, with one egress network. */
export const CLAUDE_AI: RecordedAgent = {
  name: "Claude.ai",
  // It counts only if the server supports documents and `none`; otherwise it registers.
  document: {
    url: "https://claude.ai/oauth/mcp-oauth-client-metadata",
    metadata: {
      client_name: "Claude",
      client_uri: "https://claude.ai",
      redirect_uris: REDIRECTS,
      ...CODE_WITH_REFRESH,
      token_endpoint_auth_method: "none",
    },
  },
  // It sends its secret in the body, also where only basic is offered.
  registration: () => ({
    client_name: "Claude",
    redirect_uris: [REDIRECTS[0]],
    ...CODE_WITH_REFRESH,
    token_endpoint_auth_method: "client_secret_post",
    scope: "posts:read users:read posts:write",
  }),
  redirectUri: () => REDIRECTS[0],
  resource: (url) => url,
};
