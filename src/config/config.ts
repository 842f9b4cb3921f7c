import { readFileSync } from "node:fs";
import { parseEnv } from "node:util";
import { passkeyId } from "./passkey-id.ts";
import { withSecretFiles } from "./secret-files.ts";
import { Rule } from "./setting.ts";
import { VARIABLES, type Values } from "./variables.ts";

/** Thrown for settings that cannot work; the message names the variable. */
export class ConfigError extends Error {
  override readonly name = "ConfigError";
}

/** All settings, checked. */
export interface Config extends Omit<Values, "BASE_URL" | "AUTH_URL" | "PASSKEYS" | "CLIENT_DOCUMENTS" | "TIME_ZONE"> {
  readonly BASE_URL: string;
  readonly AUTH_URL: string;
  readonly CLIENT_DOCUMENTS: boolean;
  readonly TIME_ZONE: string;
  /** null: there are no passkeys. */
  readonly PASSKEY_ID: string | null;
}

/** The source of each setting; `text` is its value as it was written. */
type Sources = Readonly<Record<string, { readonly text: string; readonly source: "environment" | "file" }>>;

const SOURCES = new WeakMap<Config, Sources>();

/** Settings that were given, by name: everything else is a default. */
export function sourcesOf(config: Config): Sources {
  return SOURCES.get(config) ?? {};
}

/**
 * Reads the settings: the environment first, then the file `.env`, then the defaults.
 *
 * @throws ConfigError naming each variable that is malformed, and names in `.env` that are unknown
 */
export function readConfig(variables: NodeJS.ProcessEnv, envFile = ".env"): Config {
  const environment = orConfigError(() => withSecretFiles(variables));
  const fromFile = readEnvFile(envFile);
  const problems = Object.keys(fromFile)
    .filter((name) => !Object.hasOwn(VARIABLES, name))
    .map((name) => `${name} in ${envFile} is not a setting.`);
  const texts = readTexts(environment, envFile, fromFile);
  const values: Record<string, unknown> = {};
  for (const [name, { read }] of Object.entries(VARIABLES)) {
    const text = texts[name] ?? null;
    if (text === null) {
      values[name] = null;
      continue;
    }
    try {
      values[name] = read(text);
    } catch (error) {
      if (!(error instanceof Rule)) throw error;
      problems.push(`${name} ${error.message}.`);
    }
  }
  if (values.DATABASE_READ_URL !== null && !/^postgres/.test(String(values.DATABASE_URL)))
    problems.push("DATABASE_READ_URL needs PostgreSQL in DATABASE_URL, of which it is a replica.");
  if (values.DATABASE_READ_URL === null && values.READ_STALENESS !== 0)
    problems.push("READ_STALENESS needs DATABASE_READ_URL, from which old content is read.");
  if (problems.length > 0) throw new ConfigError(problems.join("\n"));
  const { BASE_URL, AUTH_URL, CLIENT_DOCUMENTS, PASSKEYS, PASSKEY_ID, TIME_ZONE, ...rest } = values as Values;
  const baseUrl = BASE_URL ?? `http://localhost:${rest.PORT}`;
  const identifiers = new Set(["", "/graphql", "/mcp"].flatMap((path) => [baseUrl + path, `${baseUrl}${path}/`]));
  if (rest.RESOURCES.some(({ identifier }) => identifiers.has(identifier)))
    throw new ConfigError("RESOURCES must name other APIs than this one: tokens for BASE_URL need no entry.");
  const authUrl = AUTH_URL ?? baseUrl;
  const own = {
    BASE_URL: baseUrl,
    AUTH_URL: authUrl,
    CLIENT_DOCUMENTS: CLIENT_DOCUMENTS ?? rest.MCP !== "off",
    PASSKEY_ID: orConfigError(() => passkeyId({ AUTH_URL: authUrl, PASSKEYS, PASSKEY_ID })),
  };
  let zone = TIME_ZONE;
  const config = Object.freeze({
    ...rest,
    ...own,
    /** Looked up when it is first asked for: the data that this reads take 6 MB of memory, and most processes need none of it. */
    get TIME_ZONE() {
      zone ??= new Intl.DateTimeFormat().resolvedOptions().timeZone;
      return zone;
    },
  });
  SOURCES.set(config, sourcesIn(environment, fromFile));
  return config;
}

function sourcesIn(
  environment: Record<string, string | undefined>,
  fromFile: Record<string, string | undefined>,
): Sources {
  const given = (texts: Readonly<Record<string, string | undefined>>, source: "environment" | "file") =>
    Object.keys(VARIABLES).flatMap((name) => {
      const text = texts[name];
      return text === undefined ? [] : [[name, { text, source }] as const];
    });
  return Object.fromEntries([...given(fromFile, "file"), ...given(environment, "environment")]);
}

/** @throws ConfigError with the message of a broken rule, which names the setting */
function orConfigError<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof Rule)) throw error;
    throw new ConfigError(error.message);
  }
}

/** Each setting as it is written, unchecked; null where nothing gives it. @throws ConfigError for a file that cannot be read */
export function readTexts(
  variables: NodeJS.ProcessEnv,
  envFile: string,
  fromFile = readEnvFile(envFile),
): Record<string, string | null> {
  const environment = orConfigError(() => withSecretFiles(variables));
  return Object.fromEntries(
    Object.entries(VARIABLES).map(([name, { default: fallback }]) => [
      name,
      environment[name] ?? fromFile[name] ?? fallback,
    ]),
  );
}

function readEnvFile(path: string): Record<string, string | undefined> {
  let texts: Record<string, string | undefined>;
  try {
    texts = parseEnv(readFileSync(path, "utf8"));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return {};
    throw new ConfigError(`${path} cannot be read: ${(error as Error).message}`);
  }
  return orConfigError(() => withSecretFiles(texts));
}

/** The table as Markdown. */
export function describeVariables(): string {
  const rows = Object.entries(VARIABLES).map(
    ([name, { default: fallback, help }]) => `| \`${name}\` | ${fallback ? `\`${fallback}\`` : ""} | ${help} |`,
  );
  return ["| variable | default | meaning |", "| --- | --- | --- |", ...rows, ""].join("\n");
}
