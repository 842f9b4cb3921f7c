import { ACCOUNT_VARIABLES } from "./account-variables.ts";
import { AGENT_VARIABLES } from "./agent-variables.ts";
import { CONTENT_VARIABLES } from "./content-variables.ts";
import { DATABASE_VARIABLES } from "./database-variables.ts";
import { LIMIT_VARIABLES } from "./limit-variables.ts";
import { OBSERVATION_VARIABLES, TRACE_VARIABLES } from "./observation-variables.ts";
import {
  bearerToken,
  count,
  databaseUrl,
  duration,
  flag,
  grace,
  hosts,
  oneOf,
  origins,
  postgresUrl,
  publicUrl,
  type Read,
  rate,
  resources,
  schemes,
  secretKey,
  text,
  trustProxy,
} from "./setting.ts";
import { STUDIO_VARIABLES } from "./studio-variables.ts";
import { type Variable, variable } from "./variable.ts";

/** Every setting there is. docs/reference/settings.md and `content-api serve --help` are printed from this table. */
export const VARIABLES = {
  PORT: variable(count(0, 65_535), "4000", "Port to listen on."),
  HOST: variable(text(253), "localhost", "IP address or host name to listen on. Use 0.0.0.0 or :: for all interfaces."),
  BASE_URL: variable(
    publicUrl,
    null,
    "Public URL of the API, without a path and without a slash at the end. Defaults to http://localhost:PORT.",
  ),
  AUTH_URL: variable(
    publicUrl,
    null,
    "Public URL of the authorization server, which is the OAuth issuer. Clients compare it character by character. Defaults to BASE_URL.",
  ),
  TRUSTED_ISSUER: variable(
    publicUrl,
    null,
    "Another OAuth issuer. The API accepts its JWT access tokens (RFC 9068) for BASE_URL/graphql and BASE_URL/mcp as well. Its keys come from its metadata. A sub equal to a local user id stands for that user.",
  ),
  RESOURCES: variable(
    resources,
    "",
    "Identifiers of other APIs that accept this server's access tokens, separated by commas. Clients name them in resource= (RFC 8707), character by character. Tokens for them are JWTs (RFC 9068), signed with ES256. For RS256, add a space and RS256 after the identifier.",
  ),
  DATABASE_URL: variable(
    databaseUrl,
    "sqlite:./data/content.db",
    "Database: sqlite:PATH, or postgres://USER:PASSWORD@HOST:PORT/DATABASE.",
  ),
  DATABASE_READ_URL: variable(
    postgresUrl,
    null,
    "A streaming replica of DATABASE_URL. Reads of content go there while it is at most one second behind. Set it on every node. PostgreSQL only.",
  ),
  ...DATABASE_VARIABLES,
  READ_CACHE: variable(
    count(0, 4_096),
    "32",
    "MiB per process for caching answers to reads. Answers are dropped when content is written; those about one person when that person's data may have changed. 0 turns the cache off. SQLite only.",
  ),
  SECRET_KEY: variable(
    secretKey,
    null,
    "Secret of the installation, 32 bytes in base64url. It encrypts sessions, signing keys, webhook secrets and the secrets of authenticator apps. With SQLite it defaults to the file secret.key next to the database, which the first start creates. With PostgreSQL it is required, the same on every node.",
  ),
  SECRET_KEY_PREVIOUS: variable(
    secretKey,
    null,
    "Previous value of SECRET_KEY, or of the file secret.key. Data encrypted with it stays readable and is encrypted again in the background. content-api doctor says when it can be removed.",
  ),
  OPERATOR_NAME: variable(text(60), "Content API", "Name of the operator. The sign-in pages show it."),
  ...CONTENT_VARIABLES,
  LOG_LEVEL: variable(
    oneOf("debug", "info", "warn", "error", "silent"),
    "info",
    "Lowest level that is logged, on standard error: debug, info, warn, error or silent.",
  ),
  LOG_FORMAT: variable(
    oneOf("json", "text"),
    null,
    "Form of the log: json, or text for people (NO_COLOR removes its colours). Defaults to text on a terminal, and to json elsewhere.",
  ),
  METRICS_TOKEN: variable(
    bearerToken,
    null,
    "Bearer token that /metrics needs. It also shows the reasons at /readyz?verbose. Without this setting, /metrics answers callers on this machine only, or everybody who reaches OPERATIONS_PORT.",
  ),
  OPERATIONS_PORT: variable(
    count(1, 65_535),
    null,
    "Second port, for operators: /metrics, /livez and /readyz. /metrics is then missing on PORT.",
  ),
  ...OBSERVATION_VARIABLES,
  ...TRACE_VARIABLES,
  TRUST_PROXY: variable(
    trustProxy,
    "false",
    "IP addresses of trusted proxies, separated by commas. The client's IP address comes from their X-Forwarded-For, or from Forwarded if that is missing. Proxies must replace the header that a client sends, or append to it.",
  ),
  CLIENT_CERTIFICATES: variable(
    oneOf("off", "any", "verified"),
    "off",
    "Client certificates that the proxy passes on in Client-Cert (mutual TLS, RFC 8705). off: none. any: certificates whose key the client has proved. verified: the proxy has checked their chain as well. Needs TRUST_PROXY.",
  ),
  CORS_ORIGINS: variable(
    origins,
    "",
    "Origins whose browser code may call /graphql, separated by commas. Origins of registered redirect URIs always may.",
  ),
  PUBLIC_READ: variable(flag, "false", "Callers without a token may read posts and people's names."),
  PUBLIC_MAX_AGE: variable(
    count(0, 31_536_000),
    "0",
    "Seconds for which shared caches, such as a CDN, may reuse answers to GET without a token (PUBLIC_READ). With 0 they revalidate each time. Browsers always revalidate.",
  ),
  INTROSPECTION: variable(flag, "true", "Answers introspection queries."),
  DOCS: variable(
    flag,
    "false",
    "Offers pages for developers of clients at BASE_URL/docs: the schema, limits, scopes and errors of this server, and examples with its URLs. The schema is missing there without INTROSPECTION.",
  ),
  ACCESS_TOKEN_TTL: variable(duration, "15m", "Lifetime of an access token."),
  REFRESH_TOKEN_TTL: variable(duration, "30d", "Lifetime of an unused refresh token. The limit is one year in all."),
  REFRESH_GRACE: variable(
    grace,
    "30s",
    "Time for which a rotated refresh token still works, at most 10 times. It applies to public clients whose redirect URIs are all loopback addresses, because several processes of one program share a token. Up to 5m; 0 turns it off. For other clients one use wins.",
  ),
  JWKS_MAX_AGE: variable(
    duration,
    "5m",
    "Time for which verifiers may cache the published signing keys (Cache-Control of /jwks). A new key signs after twice that time.",
  ),
  AUDIT_DAYS: variable(
    count(0, 3_650),
    "90",
    "Days for which the audit keeps decisions: sign-ins, consents, tokens, changes by agents, and changes of people, clients, webhooks and keys. Changes by agents can be taken back for as long. 0 keeps none.",
  ),
  WEBHOOK_DAYS: variable(
    count(4, 3_650),
    "30",
    "Days for which webhook deliveries are kept, so that they can be listed and sent again. The last attempt is three days after the first.",
  ),
  ...LIMIT_VARIABLES,
  ...ACCOUNT_VARIABLES,
  CLIENTS_BY: variable(
    oneOf("admins", "people"),
    "admins",
    "Registration of OAuth clients in GraphQL. admins: by administrators alone. people: also by everybody with an account, up to 20 clients each, with the scope clients:own. Such clients never get users:email or admin, and the consent page names their owner.",
  ),
  REGISTRATION: variable(
    oneOf("off", "token", "open"),
    "off",
    "Registration of clients over HTTP (RFC 7591). off: nobody. token: callers with REGISTRATION_TOKEN. open: anybody. Such clients never get users:email or admin, and the consent page warns people.",
  ),
  REGISTRATION_TOKEN: variable(bearerToken, null, "Token for REGISTRATION=token."),
  REGISTRATION_RATE: variable(
    rate,
    "20/h",
    "Limit: registrations of clients by one IP address (IPv6: one /64), as NUMBER/m, NUMBER/h or NUMBER/d. Ten times as many for clients that return to a host of KNOWN_AGENTS.",
  ),
  KNOWN_AGENTS: variable(
    hosts,
    "claude.ai,claude.com,chatgpt.com,cursor.com,www.cursor.com,vscode.dev,insiders.vscode.dev",
    "Hosts of well-known agents, separated by commas. A client that nobody has checked and that returns to such a host, or to the person's own device, gets the consent page for agents. They may register more often.",
  ),
  CLIENT_DOCUMENTS: variable(
    flag,
    null,
    "Accepts the https URL of a client's own metadata document as its client_id. Documents are fetched from public IP addresses only. Defaults to true unless MCP=off.",
  ),
  NATIVE_SCHEMES: variable(
    schemes,
    "cursor vscode vscode-insiders windsurf",
    "Schemes that redirect URIs of programs on a person's machine may have without a dot, separated by spaces.",
  ),
  ...AGENT_VARIABLES,
  ...STUDIO_VARIABLES,
  SIGNED_REQUESTS: variable(
    flag,
    "false",
    "Accepts authorization requests that a client has signed with its keys (JAR, RFC 9101).",
  ),
  SIGNED_RESPONSES: variable(
    flag,
    "false",
    "Signs answers to authorization requests for clients that ask for it (JARM: response_mode jwt, query.jwt, form_post.jwt).",
  ),
  DPOP_NONCES: variable(
    flag,
    "false",
    "Requires a nonce of this server in every DPoP proof, at /token, /par, /userinfo, /graphql and /mcp, so that nobody can make proofs in advance (RFC 9449). Clients sometimes need a second request.",
  ),
  PRIVATE_HOSTS: variable(
    hosts,
    "",
    "Hosts in private networks that this server may call for clients (back-channel sign-out, documents, keys) and webhooks, separated by commas. Plain http is allowed there too. All other hosts need https and public IP addresses.",
  ),
  TRUSTED_DOCUMENTS: variable(
    text(4_096),
    null,
    "Folder of trusted documents: NAME.graphql, or NAME.json with a table from identifier to document.",
  ),
  TRUSTED_DOCUMENTS_ONLY: variable(flag, "false", "Rejects all documents except the trusted ones."),
  WORKERS: variable(count(1, 64), "1", "Processes that share the port. Set about one per processor."),
  SHUTDOWN_DELAY: variable(
    duration,
    "1s",
    "Time for which a stopping node still answers while /readyz is 503, so that proxies and clients move to another node.",
  ),
  MAX_SUBSCRIPTIONS: variable(
    count(0, 1_000_000),
    "20000",
    "Limit per process: open subscriptions, and open WebSocket connections.",
  ),
  REQUEST_TIMEOUT: variable(duration, "10s", "Time limit of one request."),
  MAX_IN_FLIGHT: variable(
    count(16, 100_000),
    "1000",
    "Requests of one process that may wait for the database, per route. The rest is rejected with 503.",
  ),
  MAX_DELAY: variable(
    count(10, 60_000),
    "500",
    "Milliseconds. While requests would wait longer under overload, some are rejected with 503.",
  ),
} as const satisfies Record<string, Variable<unknown>>;

type Name = keyof typeof VARIABLES;

type Value<N extends Name> = (typeof VARIABLES)[N] extends { read: Read<infer T>; default: infer D }
  ? D extends null
    ? T | null
    : T
  : never;

export type Values = { readonly [N in Name]: Value<N> };
