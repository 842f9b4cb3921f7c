import { type Config, sourcesOf } from "./config.ts";
import { HEADINGS } from "./env-file.ts";
import { bearerToken, databaseUrl, postgresUrl, type Read, secretKey, smtpUrl } from "./setting.ts";
import { VARIABLES } from "./variables.ts";

/** A setting, for people to read. */
type DescribedSetting = {
  readonly name: string;
  /** As it is written, or as the program has found it; null where there is none. */
  readonly value: string | null;
  /** Whether the value, or a part of it, is replaced by a fixed text. */
  readonly isSecret: boolean;
  readonly default: string | null;
  /** `file`: `.env`. */
  readonly source: "environment" | "file" | "default";
  readonly help: string;
  readonly section: string;
};

/** Stands for a secret, whatever its length. */
const MASK = "********";

const SECRET_READS: ReadonlySet<Read<unknown>> = new Set<Read<unknown>>([secretKey, bearerToken]);
/** Their forms are those of texts. */
const SECRET_NAMES: ReadonlySet<string> = new Set([
  "SMTP_PASSWORD",
  "OTEL_EXPORTER_OTLP_HEADERS",
  "OTEL_EXPORTER_OTLP_METRICS_HEADERS",
]);
/** Addresses that may contain a password. */
const ADDRESS_READS: ReadonlySet<Read<unknown>> = new Set<Read<unknown>>([databaseUrl, postgresUrl, smtpUrl]);

/** Every setting of a process, in the order of docs/reference/settings.md. Secrets are masked. */
export function describeSettings(config: Config): DescribedSetting[] {
  const sources = sourcesOf(config);
  let section = "";
  return Object.entries(VARIABLES).map(([name, { read, default: fallback, help }]) => {
    section = HEADINGS[name as keyof typeof VARIABLES] ?? section;
    const { text, source } = sources[name] ?? { text: fallback, source: "default" as const };
    const value = text ?? foundValue(config, name);
    const isWhole = SECRET_READS.has(read) || SECRET_NAMES.has(name);
    const isAddress = ADDRESS_READS.has(read);
    const masked = value === null || !isWhole ? value : MASK;
    return {
      ...{ name, value: isAddress ? maskedAddress(masked) : masked, isSecret: isWhole || isAddress },
      ...{ default: fallback, source, help, section },
    };
  });
}

/** The value that the process uses for a setting that nobody gave, such as `AUTH_URL`. */
function foundValue(config: Config, name: string): string | null {
  const value = config[name as keyof Config];
  return typeof value === "string" || typeof value === "boolean" || typeof value === "number" ? String(value) : null;
}

/** Without the password, which may stand before the `@` or among the parameters. */
function maskedAddress(address: string | null): string | null {
  if (address === null || address.startsWith("sqlite:")) return address;
  const url = URL.parse(address);
  if (url === null) return MASK;
  if (url.password !== "") url.password = MASK;
  for (const name of url.searchParams.keys()) if (/pass|secret|key/i.test(name)) url.searchParams.set(name, MASK);
  return url.href;
}
