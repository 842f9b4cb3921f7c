import { CODE_WITH_REFRESH, type RecordedAgent } from "./agent.ts";

const ID = "plugin_9a8b7c6d";

/** Each connector has a document and a redirect of its own. It signs assertions where it can. */
export const CHATGPT: RecordedAgent = {
  name: "ChatGPT",
  document: {
    url: `https://chatgpt.com/oauth/${ID}/client.json`,
    metadata: {
      client_name: "ChatGPT",
      client_uri: "https://chatgpt.com",
      redirect_uris: [`https://chatgpt.com/connector/oauth/${ID}`],
      ...CODE_WITH_REFRESH,
      // In the plural, where RFC 7591 has the singular.
      token_endpoint_auth_methods_supported: ["private_key_jwt", "none"],
      token_endpoint_auth_signing_alg: "RS256",
      jwks_uri: "https://chatgpt.com/oauth/jwks.json",
    },
  },
  registration: () => ({
    client_name: "ChatGPT",
    redirect_uris: [
      `https://chatgpt.com/connector/oauth/${ID}`,
      "https://chatgpt.com/connector_platform_oauth_redirect",
    ],
    ...CODE_WITH_REFRESH,
    token_endpoint_auth_method: "none",
  }),
  redirectUri: () => `https://chatgpt.com/connector/oauth/${ID}`,
  resource: (url) => url,
  assertion: { alg: "RS256", keysAt: "/oauth/jwks.json" },
};

/** Connectors from before have one redirect together. */
export const OLD_CHATGPT: RecordedAgent = {
  ...CHATGPT,
  name: "ChatGPT, as it was",
  document: null,
  redirectUri: () => "https://chatgpt.com/connector_platform_oauth_redirect",
};
