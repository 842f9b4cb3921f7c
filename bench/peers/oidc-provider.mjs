// oidc-provider on its own in-memory adapter, told to do what ours does at the token endpoint: opaque access tokens, an
// ID token signed with ES256, a refresh token with each code that is replaced whenever it is used. Its development
// pages, on which anybody may sign in, are there to get codes; no measured request touches them.
import { generateKeyPairSync, randomBytes } from "node:crypto";
import Provider from "oidc-provider";

const { PORT, CLIENT_ID, CLIENT_SECRET, REDIRECT_URI, SIGNER_ID, SIGNER_KEYS } = process.env;
const { privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });

const provider = new Provider(`http://127.0.0.1:${PORT}`, {
  clients: [
    {
      client_id: CLIENT_ID,
      client_secret: CLIENT_SECRET,
      redirect_uris: [REDIRECT_URI],
      grant_types: ["authorization_code", "refresh_token", "client_credentials"],
      token_endpoint_auth_method: "client_secret_post",
      id_token_signed_response_alg: "ES256",
    },
    // Signs who it is, where a scenario asks for that.
    ...(SIGNER_ID === undefined
      ? []
      : [
          {
            client_id: SIGNER_ID,
            jwks: JSON.parse(SIGNER_KEYS),
            redirect_uris: [],
            response_types: [],
            grant_types: ["client_credentials"],
            token_endpoint_auth_method: "private_key_jwt",
            id_token_signed_response_alg: "ES256",
          },
        ]),
  ],
  clientAuthMethods: ["client_secret_post", "private_key_jwt"],
  cookies: { keys: [randomBytes(32).toString("base64url")] },
  enabledJWA: {
    clientAuthSigningAlgValues: ["ES256"],
    dPoPSigningAlgValues: ["ES256"],
    idTokenSigningAlgValues: ["ES256"],
  },
  expiresWithSession: () => false,
  features: {
    clientCredentials: { enabled: true },
    dPoP: { enabled: true },
    introspection: { enabled: true },
    revocation: { enabled: true },
  },
  findAccount: (_ctx, id) => ({ accountId: id, claims: () => ({ sub: id }) }),
  issueRefreshToken: () => true,
  jwks: { keys: [{ ...privateKey.export({ format: "jwk" }), alg: "ES256", use: "sig", kid: "bench" }] },
  pkce: { required: () => true },
  rotateRefreshToken: true,
  routes: { authorization: "/authorize", introspection: "/introspect", revocation: "/revoke", userinfo: "/userinfo" },
  scopes: ["openid", "posts:read"],
  ttl: {
    AccessToken: 900,
    AuthorizationCode: 60,
    ClientCredentials: 900,
    Grant: 366 * 86_400,
    IdToken: 3_600,
    Interaction: 3_600,
    RefreshToken: 30 * 86_400,
    Session: 14 * 86_400,
  },
});
provider.listen(Number(PORT), "127.0.0.1");
