import {
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
  quota,
  type Read,
  registrationToken,
  resources,
  schemes,
  secretKey,
  text,
  trustProxy,
} from "./setting.ts";

interface Variable<T> {
  readonly read: Read<T>;
  /** The text that stands for an absent variable; null where the program finds a value itself. */
  readonly default: string | null;
  readonly help: string;
}

function variable<T, Default extends string | null>(read: Read<T>, fallback: Default, help: string) {
  return { read, default: fallback, help };
}

/** Every setting there is. docs/configuration.md and `content-api serve --help` are printed from this table. */
export const VARIABLES = {
  PORT: variable(count(0, 65_535), "4000", "Port to listen on."),
  HOST: variable(text(253), "localhost", "Address to listen on. 0.0.0.0 or :: for all interfaces."),
  BASE_URL: variable(
    publicUrl,
    null,
    "Public address of the API, without a trailing slash. Default: http://localhost:PORT.",
  ),
  AUTH_URL: variable(
    publicUrl,
    null,
    "Public address of the authorization server: the OAuth issuer, character by character. Default: BASE_URL.",
  ),
  TRUSTED_ISSUER: variable(
    publicUrl,
    null,
    "Another OAuth issuer whose JWT access tokens (RFC 9068) for BASE_URL/graphql are taken beside this server's own: its metadata name its keys. Whom it names by the id of a person here is that person.",
  ),
  RESOURCES: variable(
    resources,
    "",
    "Other APIs that take this server's access tokens: their identifiers, character by character as clients name them in resource= (RFC 8707), separated by commas. Each may be followed by a space and ES256 (default) or RS256. Tokens for them are JWTs (RFC 9068), signed with that.",
  ),
  DATABASE_URL: variable(
    databaseUrl,
    "sqlite:./data/content.db",
    "Where everything is kept: sqlite:PATH, or postgres://USER:PASSWORD@HOST:PORT/DATABASE.",
  ),
  DATABASE_READ_URL: variable(
    postgresUrl,
    null,
    "A streaming replica of DATABASE_URL that reads of content go to while it is at most a second behind; the same on every node. Only with PostgreSQL.",
  ),
  READ_CACHE: variable(
    count(0, 4_096),
    "32",
    "MiB, for each process, in which SQLite's answers to reads are kept until something is written, those about one person until something of theirs may have been; 0 keeps none. PostgreSQL has no use for it.",
  ),
  SECRET_KEY: variable(
    secretKey,
    null,
    "The installation's secret, 32 bytes in base64url: encrypts sessions, signing keys and secrets of webhooks. Default: made once and kept in the file secret.key beside the SQLite database. PostgreSQL needs it set, the same on every node.",
  ),
  SECRET_KEY_PREVIOUS: variable(
    secretKey,
    null,
    "The secret that SECRET_KEY, or the file secret.key, held before. What is encrypted under it stays readable, and is encrypted anew in the background; content-api doctor says when it can go.",
  ),
  OPERATOR_NAME: variable(text(60), "Content API", "Who runs this; shown on the pages on which people sign in."),
  LOG_LEVEL: variable(
    oneOf("debug", "info", "warn", "error", "silent"),
    "info",
    "Least level that is logged (JSON lines on standard error).",
  ),
  TRUST_PROXY: variable(
    trustProxy,
    "false",
    "Addresses of the proxies whose X-Forwarded-For counts, separated by commas.",
  ),
  CLIENT_CERTIFICATES: variable(
    oneOf("off", "any", "verified"),
    "off",
    "What the proxy passes on in Client-Cert (mutual TLS, RFC 8705): nothing, any certificate whose key the client has proved, or only those whose chain it has checked as well. Needs TRUST_PROXY.",
  ),
  CORS_ORIGINS: variable(
    origins,
    "",
    "Origins whose browser code may call /graphql, separated by commas. Origins of registered redirect URIs always may.",
  ),
  PUBLIC_READ: variable(flag, "false", "Let callers without a token read posts and people's names."),
  PUBLIC_MAX_AGE: variable(
    count(0, 31_536_000),
    "0",
    "Seconds for which shared caches, such as a CDN, may answer with what they keep of reads by GET without a token (PUBLIC_READ); 0 makes them ask each time. Browsers always ask.",
  ),
  INTROSPECTION: variable(flag, "true", "Answer introspection queries."),
  ACCESS_TOKEN_TTL: variable(duration, "15m", "Life of an access token."),
  REFRESH_TOKEN_TTL: variable(duration, "30d", "Life of a refresh token that is not used; a year in all."),
  REFRESH_GRACE: variable(
    grace,
    "30s",
    "How long after its rotation a refresh token still works, at most 10 times, for public clients whose redirect URIs are all loopback addresses: several processes of one program share it. 5m at most, 0 for never. For every other client one use wins.",
  ),
  JWKS_MAX_AGE: variable(
    duration,
    "5m",
    "How long verifiers may keep the published signing keys (Cache-Control of /jwks). A new key signs after twice that time.",
  ),
  AUDIT_DAYS: variable(
    count(0, 3_650),
    "90",
    "Days for which decisions (sign-ins, consents, tokens, changes of people, clients, webhooks and keys) are kept for content-api audit; 0 keeps none.",
  ),
  WEBHOOK_DAYS: variable(
    count(4, 3_650),
    "30",
    "Days for which deliveries to webhooks are kept, to be seen and sent again. The last attempt is three days after the first.",
  ),
  MAX_BODY: variable(count(1_000, 100_000_000), "1048576", "Bytes of a request's body."),
  MAX_DOCUMENT: variable(count(100, 10_000_000), "102400", "Characters of a GraphQL document."),
  MAX_TOKENS: variable(count(10, 1_000_000), "2000", "Lexical tokens of a document."),
  MAX_DEPTH: variable(count(1, 20), "10", "Fields inside one another, counted through fragments."),
  MAX_ALIASES: variable(count(0, 10_000), "30", "Aliases of a document."),
  MAX_DIRECTIVES: variable(count(0, 10_000), "50", "Directives of a document."),
  MAX_FIELDS: variable(count(1, 1_000_000), "10000", "Fields of a document when every fragment is written out."),
  MAX_PAGE: variable(count(1, 10_000), "100", "Entries of a list page."),
  MAX_COST: variable(
    count(1, 10_000_000),
    "1000",
    "Points of an operation: 1 for each object it could return, 10 for each mutation and each totalCount.",
  ),
  RATE_LIMIT_TOKEN: variable(
    quota,
    "600000/60",
    "Points that one access token may spend, POINTS/SECONDS, or off (both rate limits then).",
  ),
  RATE_LIMIT_ADDRESS: variable(
    quota,
    "1200000/60",
    "Points that one address may spend (IPv6: one /64), POINTS/SECONDS, or off (both rate limits then).",
  ),
  RATE_LIMIT_OAUTH_ADDRESS: variable(
    quota,
    "12000/60",
    "Requests to /authorize, /par and /token that one address may make (IPv6: one /64), NUMBER/SECONDS, or off. A server that signs in very many people from one address needs more.",
  ),
  RATE_LIMIT_OAUTH_CLIENT: variable(
    quota,
    "60000/60",
    "Requests to /par and /token that one client with a secret may make, NUMBER/SECONDS, or off.",
  ),
  REGISTRATION: variable(
    oneOf("off", "token", "open"),
    "off",
    "Who may register clients over HTTP (RFC 7591): nobody, callers with REGISTRATION_TOKEN, or anybody. Such clients never get users:email or admin, and people are warned.",
  ),
  REGISTRATION_TOKEN: variable(registrationToken, null, "The token for REGISTRATION=token."),
  CLIENT_DOCUMENTS: variable(
    flag,
    "false",
    "Take the https address of a client's own metadata document for its client_id; the document is fetched from public addresses.",
  ),
  NATIVE_SCHEMES: variable(
    schemes,
    "cursor vscode vscode-insiders windsurf",
    "Schemes that redirect URIs of programs on a person's machine may have without a dot, separated by spaces.",
  ),
  SIGNED_REQUESTS: variable(
    flag,
    "false",
    "Take authorization requests that a client has signed with its keys (JAR, RFC 9101).",
  ),
  SIGNED_RESPONSES: variable(
    flag,
    "false",
    "Sign the answers to authorization requests for clients that ask for it (JARM: response_mode jwt, query.jwt, form_post.jwt).",
  ),
  DPOP_NONCES: variable(
    flag,
    "false",
    "Demand a nonce of this server's in every DPoP proof, at /token, /par, /userinfo and /graphql, so that none can be made ahead of its use (RFC 9449). Costs clients a second request now and then.",
  ),
  PRIVATE_HOSTS: variable(
    hosts,
    "",
    "Hosts in private networks that this server may call at addresses that clients give (back-channel sign-out, client documents and keys) and at those of webhooks, separated by commas; plain http is allowed there too. Others must be https, at public addresses.",
  ),
  TRUSTED_DOCUMENTS: variable(
    text(4_096),
    null,
    "Folder of trusted documents: NAME.graphql, or NAME.json from identifier to document.",
  ),
  TRUSTED_DOCUMENTS_ONLY: variable(flag, "false", "Answer no other document than the trusted ones."),
  WORKERS: variable(count(1, 64), "1", "Processes that share the port; about one for each processor."),
  SHUTDOWN_DELAY: variable(
    duration,
    "1s",
    "How long a node that is told to stop goes on answering, not ready any more, so that proxies and clients let go of it.",
  ),
  MAX_SUBSCRIPTIONS: variable(
    count(0, 1_000_000),
    "20000",
    "Subscriptions, and WebSocket connections, that one process has open at the same time.",
  ),
  REQUEST_TIMEOUT: variable(duration, "10s", "How long one request may take."),
  MAX_IN_FLIGHT: variable(
    count(16, 100_000),
    "1000",
    "Requests that may wait for the database at one address of one process; what comes beyond is refused with 503.",
  ),
  MAX_DELAY: variable(
    count(10, 60_000),
    "500",
    "Milliseconds. While answers take longer because too much is asked for, part of what comes is refused with 503.",
  ),
} as const satisfies Record<string, Variable<unknown>>;

type Name = keyof typeof VARIABLES;

type Value<N extends Name> = (typeof VARIABLES)[N] extends { read: Read<infer T>; default: infer D }
  ? D extends null
    ? T | null
    : T
  : never;

export type Values = { readonly [N in Name]: Value<N> };
