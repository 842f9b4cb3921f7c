import { randomBytes } from "node:crypto";
import { existsSync, linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { type Config, ConfigError } from "./config.ts";
import { databaseFile } from "./database-file.ts";

/**
 * The installation's secret: 32 bytes from SECRET_KEY, or from the file `secret.key` beside the SQLite database, which
 * is made at the first start. It is kept apart from the database so that a stolen database alone opens nothing.
 *
 * @throws ConfigError when the file is there but unusable, and for PostgreSQL without SECRET_KEY
 */
export function loadSecret(config: Config): Uint8Array {
  if (config.SECRET_KEY !== null) return Buffer.from(config.SECRET_KEY, "base64url");
  const path = secretPath(config);
  if (path === null) {
    throw new ConfigError(
      "SECRET_KEY must be set with PostgreSQL: every node needs the same one, and it is kept apart from the database. Make it with: openssl rand -base64 32 | tr '+/' '-_' | tr -d '='",
    );
  }
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  if (!existsSync(path)) createSecret(path);
  const secret = Buffer.from(readFileSync(path, "utf8").trim(), "base64url");
  if (secret.length !== 32)
    throw new ConfigError(`${path} must hold 32 bytes in base64url. Restore it from a backup, or set SECRET_KEY.`);
  return secret;
}

/** The secret that was SECRET_KEY before; null where there is none. */
export function loadPreviousSecret({ SECRET_KEY_PREVIOUS }: Config): Uint8Array | null {
  return SECRET_KEY_PREVIOUS === null ? null : Buffer.from(SECRET_KEY_PREVIOUS, "base64url");
}

/** Written whole under another name, then linked: exactly one of several starting processes makes it, none reads half of it. */
function createSecret(path: string): void {
  const draft = `${path}.${process.pid}`;
  try {
    writeFileSync(draft, `${randomBytes(32).toString("base64url")}\n`, { mode: 0o600, flush: true });
    linkSync(draft, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST")
      throw new ConfigError(`${path} cannot be written: ${(error as Error).message}`);
  } finally {
    rmSync(draft, { force: true });
  }
}

/** Whole path of the secret while SECRET_KEY is not set; null if there is no file that all nodes would share. */
export function secretPath(config: Config): string | null {
  const database = databaseFile(config);
  return database === null ? null : join(dirname(database), "secret.key");
}
