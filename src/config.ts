import { readFileSync } from "node:fs";
import { parseEnv } from "node:util";
import { z } from "zod";

/** Thrown for settings that cannot work; the message names the variable. */
export class ConfigError extends Error {
  override readonly name = "ConfigError";
}

const port = z
  .string()
  .regex(/^\d{1,5}$/, "must be a port from 0 to 65535")
  .transform(Number)
  .refine((n) => n < 65_536, "must be a port from 0 to 65535");
/** A whole number within bounds. */
function count(least: number, most: number) {
  const message = `must be a whole number from ${least} to ${most}`;
  return z
    .string()
    .regex(/^\d{1,12}$/, message)
    .transform(Number)
    .refine((n) => n >= least && n <= most, message);
}

const flag = z.enum(["true", "false"], "must be true or false").transform((text) => text === "true");

const UNITS: Record<string, number> = { s: 1, m: 60, h: 3_600, d: 86_400 };

/** `900`, `15m`, `12h`, `30d` → seconds. */
export function parseDuration(text: string): number | null {
  const match = /^(\d{1,9})([smhd]?)$/.exec(text);
  const seconds = match === null ? 0 : Number(match[1]) * (UNITS[match[2] || "s"] ?? 0);
  return seconds > 0 ? seconds : null;
}

const duration = z.string().transform((text, context) => {
  const seconds = parseDuration(text);
  if (seconds !== null) return seconds;
  context.addIssue("must be a duration such as 900, 15m, 12h or 30d");
  return z.NEVER;
});

/** An http(s) address without query, fragment, user information or trailing slash; kept character by character. */
const publicUrl = z.string().superRefine((text, context) => {
  const url = URL.parse(text);
  if (url === null || !["http:", "https:"].includes(url.protocol)) context.addIssue("must be an http or https address");
  else if (url.search || url.hash || url.username || url.password)
    context.addIssue("must have no query, fragment or user information");
  else if (text.endsWith("/")) context.addIssue("must not end with a slash");
  else if (url.href.replace(/\/$/, "") !== text) context.addIssue(`must be written as ${url.href.replace(/\/$/, "")}`);
});

const databaseUrl = z
  .string()
  .regex(/^(sqlite:|postgres(ql)?:\/\/)./, "must be sqlite:PATH or postgres://USER:PASSWORD@HOST:PORT/DATABASE");

const secretKey = z
  .string()
  .regex(
    /^[A-Za-z0-9_-]{43}$/,
    "must be 32 random bytes in base64url (43 characters), as made by: openssl rand -base64 32 | tr '+/' '-_' | tr -d '='",
  );

const trustProxy = z.string().transform((text, context) => {
  if (text === "false") return false;
  const addresses = text.split(",").map((part) => part.trim());
  if (addresses.every((address) => /^[0-9a-fA-F.:]+(\/\d{1,3})?$/.test(address))) return addresses;
  context.addIssue("must be false, or the proxies' addresses, such as 127.0.0.1,10.0.0.0/8");
  return z.NEVER;
});

const origins = z.string().transform((text, context) => {
  const list = text
    .split(",")
    .map((part) => part.trim())
    .filter((part) => part !== "");
  if (list.every((origin) => URL.parse(origin)?.origin === origin)) return list;
  context.addIssue("must be origins such as https://app.example.com, separated by commas");
  return z.NEVER;
});

/** `POINTS/SECONDS`: what a bucket holds, and how long it takes to fill up; `off` for no bucket. */
const quota = z.string().transform((text, context) => {
  if (text === "off") return null;
  const match = /^([1-9]\d{0,9})\/([1-9]\d{0,5})$/.exec(text);
  if (match !== null) return { points: Number(match[1]), seconds: Number(match[2]) };
  context.addIssue("must be POINTS/SECONDS such as 600000/60, or off");
  return z.NEVER;
});

interface Variable<T> {
  readonly type: z.ZodType<T, string>;
  /** The text that stands for an absent variable; null where the program finds a value itself. */
  readonly default: string | null;
  readonly help: string;
}

function variable<T, Default extends string | null>(
  type: z.ZodType<T, string>,
  fallback: Default,
  help: string,
): Variable<T> & { default: Default } {
  return { type, default: fallback, help };
}

/** Every setting there is. docs/configuration.md and `content-api serve --help` are printed from this table. */
const VARIABLES = {
  PORT: variable(port, "4000", "Port to listen on."),
  HOST: variable(z.string().min(1), "localhost", "Address to listen on. 0.0.0.0 or :: for all interfaces."),
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
  DATABASE_URL: variable(
    databaseUrl,
    "sqlite:./data/content.db",
    "Where everything is kept: sqlite:PATH, or postgres://USER:PASSWORD@HOST:PORT/DATABASE.",
  ),
  SECRET_KEY: variable(
    secretKey,
    null,
    "The installation's secret, 32 bytes in base64url: encrypts sessions and signing keys. Default: made once and kept in the file secret.key beside the SQLite database. PostgreSQL needs it set, the same on every node.",
  ),
  OPERATOR_NAME: variable(
    z.string().min(1).max(60),
    "Content API",
    "Who runs this; shown on the pages on which people sign in.",
  ),
  LOG_LEVEL: variable(
    z.enum(["debug", "info", "warn", "error", "silent"], "must be debug, info, warn, error or silent"),
    "info",
    "Least level that is logged (JSON lines on standard error).",
  ),
  TRUST_PROXY: variable(
    trustProxy,
    "false",
    "Addresses of the proxies whose X-Forwarded-For counts, separated by commas.",
  ),
  CORS_ORIGINS: variable(
    origins,
    "",
    "Origins whose browser code may call /graphql, separated by commas. Origins of registered redirect URIs always may.",
  ),
  PUBLIC_READ: variable(flag, "false", "Let callers without a token read posts and people's names."),
  INTROSPECTION: variable(flag, "true", "Answer introspection queries."),
  ACCESS_TOKEN_TTL: variable(duration, "15m", "Life of an access token."),
  REFRESH_TOKEN_TTL: variable(duration, "30d", "Life of a refresh token that is not used; a year in all."),
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
    "Points of an operation: 1 for each object it could return, 10 for each mutation.",
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
  TRUSTED_DOCUMENTS: variable(
    z.string().min(1),
    null,
    "Folder of trusted documents: NAME.graphql, or NAME.json from identifier to document.",
  ),
  TRUSTED_DOCUMENTS_ONLY: variable(flag, "false", "Answer no other document than the trusted ones."),
  REQUEST_TIMEOUT: variable(duration, "10s", "How long one request may take."),
} as const satisfies Record<string, Variable<unknown>>;

type Name = keyof typeof VARIABLES;
type Value<N extends Name> = (typeof VARIABLES)[N] extends { type: z.ZodType<infer T, string>; default: infer D }
  ? D extends null
    ? T | null
    : T
  : never;
type Values = { readonly [N in Name]: Value<N> };

/** All settings, checked. */
export interface Config extends Omit<Values, "BASE_URL" | "AUTH_URL"> {
  readonly BASE_URL: string;
  readonly AUTH_URL: string;
}

/**
 * Reads the settings: the environment first, then the file `.env`, then the defaults.
 *
 * @throws ConfigError naming each variable that is malformed, and names in `.env` that are unknown
 */
export function readConfig(environment: NodeJS.ProcessEnv, envFile = ".env"): Config {
  const fromFile = readEnvFile(envFile);
  const problems = Object.keys(fromFile)
    .filter((name) => !Object.hasOwn(VARIABLES, name))
    .map((name) => `${name} in ${envFile} is not a setting.`);
  const values: Record<string, unknown> = {};
  for (const [name, { type, default: fallback }] of Object.entries(VARIABLES)) {
    const text = environment[name] ?? fromFile[name] ?? fallback;
    if (text === null) {
      values[name] = null;
      continue;
    }
    const result = (type as z.ZodType<unknown, string>).safeParse(text);
    if (result.success) values[name] = result.data;
    else problems.push(`${name} ${result.error.issues[0]?.message ?? "is malformed"}.`);
  }
  if (problems.length > 0) throw new ConfigError(problems.join("\n"));
  const { BASE_URL, AUTH_URL, ...rest } = values as Values;
  const baseUrl = BASE_URL ?? `http://localhost:${rest.PORT}`;
  return Object.freeze({ ...rest, BASE_URL: baseUrl, AUTH_URL: AUTH_URL ?? baseUrl });
}

function readEnvFile(path: string): Record<string, string | undefined> {
  try {
    return parseEnv(readFileSync(path, "utf8"));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return {};
    throw new ConfigError(`${path} cannot be read: ${(error as Error).message}`);
  }
}

/** The table as Markdown. */
export function describeVariables(): string {
  const rows = Object.entries(VARIABLES).map(
    ([name, { default: fallback, help }]) => `| \`${name}\` | ${fallback ? `\`${fallback}\`` : ""} | ${help} |`,
  );
  return ["| variable | default | meaning |", "| --- | --- | --- |", ...rows, ""].join("\n");
}
