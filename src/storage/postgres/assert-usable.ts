import { sql } from "kysely";
import { AppError } from "../../domain/errors.ts";
import type { Database } from "../database/database.ts";

const OLDEST_VERSION = 130_000;

/** @throws AppError UNAVAILABLE when this server, or the way to it, would change what is stored or read */
export async function assertUsable(database: Database): Promise<void> {
  const { rows } = await sql<Record<"version" | "encoding" | "strings", string>>`select
    current_setting('server_version_num') as version,
    current_setting('server_encoding') as encoding,
    current_setting('standard_conforming_strings') as strings`.execute(database.read);
  const { version = "0", encoding, strings } = rows[0] ?? {};
  if (Number(version) < OLDEST_VERSION)
    throw new AppError("UNAVAILABLE", "PostgreSQL is too old: 13 or newer is needed.");
  if (encoding !== "UTF8") {
    throw new AppError("UNAVAILABLE", `The database has the encoding ${encoding}: create it with ENCODING 'UTF8'.`);
  }
  if (strings !== "on") throw new AppError("UNAVAILABLE", "standard_conforming_strings must be on in PostgreSQL.");
}
