import type pg from "pg";
import { badInput } from "../domain/errors.ts";

const POOL_SIZE = "16";

export function isPostgresUrl(databaseUrl: string): boolean {
  return /^postgres(ql)?:\/\//.test(databaseUrl);
}

export interface PostgresAddress {
  readonly config: pg.ClientConfig;
  /** Connections that this process opens at the most: two or more. */
  readonly size: number;
  /** Whether a connection remembers prepared statements; behind an old pooler it does not. */
  readonly keepsStatements: boolean;
}

/**
 * Reads an address such as `postgres://user:password@host:5432/database?sslmode=verify-full`. Two parameters are our own:
 * `pool_size` and `prepared_statements`.
 *
 * @throws AppError BAD_USER_INPUT, which never shows the address: it has the password in it
 */
export function parsePostgresUrl(databaseUrl: string): PostgresAddress {
  const url = URL.parse(databaseUrl);
  if (url === null || url.pathname.length < 2) {
    throw badInput("DATABASE_URL", "DATABASE_URL must be like postgres://user:password@host:5432/database.");
  }
  const size = url.searchParams.get("pool_size") ?? POOL_SIZE;
  if (!/^([2-9]|[1-9]\d{1,3})$/.test(size)) {
    throw badInput("DATABASE_URL", "pool_size in DATABASE_URL must be a number from 2 to 9999.");
  }
  const keeps = url.searchParams.get("prepared_statements") ?? "true";
  if (!["true", "false"].includes(keeps)) {
    throw badInput("DATABASE_URL", "prepared_statements in DATABASE_URL must be true or false.");
  }
  for (const name of ["pool_size", "prepared_statements"]) url.searchParams.delete(name);
  return { config: { connectionString: url.href }, size: Number(size), keepsStatements: keeps === "true" };
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
