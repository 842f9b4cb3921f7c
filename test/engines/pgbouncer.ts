import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { lacks, pathOf } from "../faults/machine.ts";
import { freePort } from "../port.ts";
import { sqlOn } from "../postgres.ts";

/** Why PgBouncer cannot be tried on this machine; false when it can. */
export const lacksPgbouncer = lacks(["pgbouncer"]);
/** A user who owns nothing: PgBouncer does not run as root. */
const NOBODY = 65_534;

export interface Pgbouncer {
  readonly port: number;
  /** The address of a database, through it. */
  through(url: string): string;
  stop(): Promise<void>;
}

/** PgBouncer in transaction mode in front of a server: each transaction may have another session. */
export async function startPgbouncer(serverUrl: string): Promise<Pgbouncer> {
  const { hostname, port: behind, username, password } = new URL(serverUrl);
  const port = await freePort();
  const folder = await mkdtemp(join(tmpdir(), "content-api-pgbouncer-"));
  await chmod(folder, 0o755);
  await writeFile(join(folder, "users"), `"${username}" "${password}"\n`);
  const settings = [
    "[databases]",
    `* = host=${hostname} port=${behind}`,
    "[pgbouncer]",
    ...["listen_addr = 127.0.0.1", `listen_port = ${port}`, "unix_socket_dir =", "pool_mode = transaction"],
    ...["auth_type = scram-sha-256", `auth_file = ${folder}/users`, "ignore_startup_parameters = extra_float_digits"],
    ...["max_client_conn = 2000", "default_pool_size = 30", "server_idle_timeout = 2"],
  ];
  await writeFile(join(folder, "pgbouncer.ini"), `${settings.join("\n")}\n`);
  const isRoot = process.getuid?.() === 0;
  const child = spawn(pathOf("pgbouncer") ?? "pgbouncer", ["-q", join(folder, "pgbouncer.ini")], {
    stdio: "ignore",
    ...(isRoot ? { uid: NOBODY, gid: NOBODY } : {}),
  });
  const gone = once(child, "exit");
  const through = (url: string) => {
    const changed = new URL(url);
    changed.host = `127.0.0.1:${port}`;
    return changed.href;
  };
  const stop = async () => {
    child.kill("SIGTERM");
    await gone;
    await rm(folder, { recursive: true });
  };
  for (const deadline = performance.now() + 30_000; ; await pause(50)) {
    const answer = await sqlOn(through(serverUrl), "select 1").catch((error: unknown) => error);
    if (Array.isArray(answer)) return { port, through, stop };
    if (child.exitCode !== null || performance.now() > deadline) {
      await stop();
      throw new Error("PgBouncer does not start", { cause: answer });
    }
  }
}
