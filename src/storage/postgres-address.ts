import type pg from "pg";
import { badInput } from "../domain/errors.ts";

/** Connections of one process at the most. */
const POOL_SIZE = 16;

export function isPostgresUrl(databaseUrl: string): boolean {
  return /^postgres(ql)?:\/\//.test(databaseUrl);
}

/**
 * Reads an address such as `postgres://user:password@host:5432/database?sslmode=verify-full`. One parameter is our
 * own, `pool_size`: how many connections this process opens at the most.
 *
 * @throws AppError BAD_USER_INPUT, which never shows the address: it has the password in it
 */
export function parsePostgresUrl(databaseUrl: string): { config: pg.ClientConfig; size: number } {
  const url = URL.parse(databaseUrl);
  if (url === null || url.pathname.length < 2) {
    throw badInput("DATABASE_URL", "DATABASE_URL must be like postgres://user:password@host:5432/database.");
  }
  const size = url.searchParams.get("pool_size");
  url.searchParams.delete("pool_size");
  if (size !== null && !/^([2-9]|[1-9]\d{1,3})$/.test(size)) {
    throw badInput("DATABASE_URL", "pool_size in DATABASE_URL must be a number from 2 to 9999.");
  }
  return { config: { connectionString: url.href }, size: size === null ? POOL_SIZE : Number(size) };
}

/** The address as it may be shown: without its password and its parameters, which can hold one too. */
export function showPostgresUrl(databaseUrl: string): string {
  const url = URL.parse(databaseUrl);
  if (url === null) return "postgres://…";
  if (url.password !== "") url.password = "***";
  url.search = "";
  url.hash = "";
  return url.href;
}
