import { CODE_WITH_REFRESH, type RecordedAgent } from "./agent.ts";

/** The desktop program listens at a random loopback port; its web edition returns to vscode.dev. */
const VS_CODE_REDIRECTS = [
  "http://127.0.0.1/",
  "http://127.0.0.1:33418/",
  "https://vscode.dev/redirect",
  "https://insiders.vscode.dev/redirect",
] as const;

export const VS_CODE: RecordedAgent = {
  name: "VS Code",
  document: {
    url: "https://vscode.dev/oauth/client-metadata.json",
    metadata: {
      client_name: "Visual Studio Code",
      client_uri: "https://code.visualstudio.com",
      redirect_uris: VS_CODE_REDIRECTS,
      ...CODE_WITH_REFRESH,
      token_endpoint_auth_method: "none",
    },
  },
  registration: () => ({
    client_name: "Visual Studio Code",
    client_uri: "https://code.visualstudio.com",
    redirect_uris: VS_CODE_REDIRECTS,
    grant_types: [...CODE_WITH_REFRESH.grant_types, "urn:ietf:params:oauth:grant-type:device_code"],
    response_types: ["code"],
    token_endpoint_auth_method: "none",
    application_type: "native",
  }),
  redirectUri: (port) => `http://127.0.0.1:${port}/`,
  resource: (url) => url,
};

export const VS_CODE_WEB: RecordedAgent = {
  ...VS_CODE,
  name: "VS Code on the web",
  redirectUri: () => "https://vscode.dev/redirect",
};

/** It gives up if one of the three is refused. */
export const CURSOR: RecordedAgent = {
  name: "Cursor",
  document: null,
  registration: () => ({
    client_name: "Cursor",
    redirect_uris: [
      "cursor://anysphere.cursor-mcp/oauth/callback",
      "https://www.cursor.com/agents/mcp/oauth/callback",
      "http://localhost:8787/callback",
    ],
    ...CODE_WITH_REFRESH,
    token_endpoint_auth_method: "none",
  }),
  redirectUri: () => "cursor://anysphere.cursor-mcp/oauth/callback",
  resource: (url) => url,
};
