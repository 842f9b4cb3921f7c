import type pg from "pg";
import { badInput } from "../../domain/errors.ts";

const POOL_SIZE = "16";

export function isPostgresUrl(databaseUrl: string): boolean {
  return /^postgres(ql)?:\/\//.test(databaseUrl);
}

export interface PostgresAddress {
  readonly config: pg.ClientConfig;
  /** Limit: connections of this process, two or more. */
  readonly size: number;
  /** Whether a connection remembers prepared statements; behind an old pooler it does not. */
  readonly keepsStatements: boolean;
  /** Whether a connection hears notifications; behind a pooler in transaction mode it does not. */
  readonly hears: boolean;
}

/** The address for a process whose connections go through a pooler in transaction mode: nothing is prepared by name. */
export function throughPooler(address: PostgresAddress, databaseUrl: string): PostgresAddress {
  const isSaid = URL.parse(databaseUrl)?.searchParams.has("prepared_statements") ?? false;
  return isSaid ? address : { ...address, keepsStatements: false };
}

/**
 * Reads an address such as `postgres://user:password@host:5432/database?sslmode=verify-full`. Three parameters are our
 * own: `pool_size`, `prepared_statements` and `listen`.
 *
 * @param name of the setting, for messages
 * @throws AppError BAD_USER_INPUT, which never shows the address: it has the password in it
 */
export function parsePostgresUrl(databaseUrl: string, name = "DATABASE_URL"): PostgresAddress {
  const url = URL.parse(databaseUrl);
  if (url === null || url.pathname.length < 2) {
    throw badInput(name, `${name} must be like postgres://user:password@host:5432/database.`);
  }
  const size = url.searchParams.get("pool_size") ?? POOL_SIZE;
  if (!/^([2-9]|[1-9]\d{1,3})$/.test(size)) {
    throw badInput(name, `pool_size in ${name} must be a number from 2 to 9999.`);
  }
  const keepsStatements = readFlag(url, "prepared_statements", name);
  const hears = readFlag(url, "listen", name);
  for (const own of ["pool_size", "prepared_statements", "listen"]) url.searchParams.delete(own);
  return { config: { connectionString: url.href }, size: Number(size), keepsStatements, hears };
}

function readFlag(url: URL, parameter: string, name: string): boolean {
  const text = url.searchParams.get(parameter) ?? "true";
  if (text === "true" || text === "false") return text === "true";
  throw badInput(name, `${parameter} in ${name} must be true or false.`);
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
