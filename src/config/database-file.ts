import { resolve } from "node:path";
import type { Config } from "./config.ts";

/** Whole path of the SQLite file; null with PostgreSQL. */
export function databaseFile({ DATABASE_URL }: Pick<Config, "DATABASE_URL">): string | null {
  return DATABASE_URL.startsWith("sqlite:") ? resolve(DATABASE_URL.slice("sqlite:".length)) : null;
}
