import { readFileSync } from "node:fs";
import { Rule } from "./setting.ts";

/** Settings that contain a secret or may do so. Service managers and containers hand such values over as files. */
export const FILE_SETTINGS = [
  "DATABASE_URL",
  "DATABASE_READ_URL",
  "DATABASE_LISTEN_URL",
  "SECRET_KEY",
  "SECRET_KEY_PREVIOUS",
  "METRICS_TOKEN",
  "OTEL_EXPORTER_OTLP_HEADERS",
  "OTEL_EXPORTER_OTLP_METRICS_HEADERS",
  "SMTP_URL",
  "SMTP_PASSWORD",
  "REGISTRATION_TOKEN",
] as const;

type Texts = Readonly<Record<string, string | undefined>>;

/**
 * The settings, with the content of the file that `NAME_FILE` names as the value of `NAME`. One line break at its end does not
 * count.
 *
 * @throws Rule for a file that cannot be read, and for a setting that is given twice. No message has a part of the value.
 */
export function withSecretFiles<T extends Texts>(texts: T): Texts {
  const given = FILE_SETTINGS.filter((name) => texts[`${name}_FILE`] !== undefined);
  if (given.length === 0) return texts;
  const found: Record<string, string | undefined> = { ...texts };
  for (const name of given) {
    if (texts[name] !== undefined) throw new Rule(`${name} and ${name}_FILE are both set. Remove one of them.`);
    found[name] = contentOf(`${name}_FILE`, texts[`${name}_FILE`] ?? "");
    delete found[`${name}_FILE`];
  }
  return found;
}

function contentOf(name: string, path: string): string {
  try {
    return readFileSync(path, "utf8").replace(/\r?\n$/, "");
  } catch (error) {
    throw new Rule(`${name}: ${path} cannot be read: ${(error as Error).message}`);
  }
}
