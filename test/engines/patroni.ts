import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, chown, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { command, lacks, pathOf } from "../faults/machine.ts";
import { freePort } from "../port.ts";
import { sqlOn } from "../postgres.ts";

/** Debian's PostgreSQL, whose programs stand in no PATH. */
const BINARIES = "/usr/lib/postgresql/15/bin";
/** Why no cluster can be made on this machine; false when one can. */
export const lacksPatroni =
  lacks(["patroni", "etcd", "haproxy", "pg_isready"], { root: true }) || lacks([`..${BINARIES}/postgres`]);
const PASSWORD = "secret";

export interface Member {
  readonly name: string;
  /** The address of its PostgreSQL, whatever its role is. */
  readonly url: string;
  /** Whether it is what Patroni calls this: https://patroni.readthedocs.io/en/latest/rest_api.html */
  is(role: "primary" | "replica" | "sync"): Promise<boolean>;
  start(): void;
  /** SIGKILL to Patroni and to all processes of its PostgreSQL. */
  kill(): Promise<void>;
}

export interface Cluster {
  readonly members: readonly Member[];
  /** The address of whoever is the primary, through HAProxy. */
  readonly url: string;
  primary(): Promise<Member | undefined>;
  /** Resolves when there is a primary with a synchronous standby. */
  untilWhole(within: number): Promise<void>;
  stop(): Promise<void>;
}

/** Three PostgreSQL with Patroni and etcd on this machine, in synchronous mode, and HAProxy that leads to the primary. */
export async function startCluster(): Promise<Cluster> {
  const folder = await mkdtemp(join(tmpdir(), "content-api-patroni-"));
  await chmod(folder, 0o755);
  const uid = Number(command("id", "-u", "postgres"));
  const gid = Number(command("id", "-g", "postgres"));
  const children: ChildProcess[] = [];
  const [client, peer, front] = [await freePort(), await freePort(), await freePort()];
  const etcd = [`--data-dir=${folder}/etcd`, `--listen-client-urls=http://127.0.0.1:${client}`, "--enable-v2=true"];
  const further = [`--advertise-client-urls=http://127.0.0.1:${client}`, `--listen-peer-urls=http://127.0.0.1:${peer}`];
  const initial = [
    `--initial-advertise-peer-urls=http://127.0.0.1:${peer}`,
    `--initial-cluster=default=http://127.0.0.1:${peer}`,
  ];
  children.push(spawn("etcd", [...etcd, ...further, ...initial], { stdio: "ignore" }));
  const members: (Member & { readonly rest: number; readonly port: number })[] = [];
  for (const name of ["one", "two", "three"]) {
    const [port, rest] = [await freePort(), await freePort()];
    await mkdir(join(folder, name), { mode: 0o700 });
    await chown(join(folder, name), uid, gid);
    const file = join(folder, `${name}.json`);
    await writeFile(file, JSON.stringify(settings({ folder, name, port, rest, etcd: client })), { mode: 0o644 });
    let child: ChildProcess | null = null;
    members.push({
      ...{ name, port, rest, url: `postgres://postgres:${PASSWORD}@127.0.0.1:${port}/postgres` },
      async is(role) {
        try {
          const answer = await fetch(`http://127.0.0.1:${rest}/${role}`, { signal: AbortSignal.timeout(2_000) });
          await answer.arrayBuffer();
          return answer.status === 200;
        } catch {
          return false; // dead, or too busy to say
        }
      },
      start() {
        const env = { PATH: `${process.env.PATH}:${BINARIES}`, HOME: folder, LC_ALL: "C.UTF-8" };
        child = spawn(pathOf("patroni") ?? "patroni", [file], {
          uid,
          gid,
          env,
          cwd: folder,
          detached: true,
          stdio: "ignore",
        });
        children.push(child);
      },
      async kill() {
        if (child?.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
        const gone = once(child, "exit");
        for (const pid of [child.pid, ...familyOf(join(folder, name))]) {
          try {
            process.kill(pid, "SIGKILL");
          } catch {
            // It has just ended.
          }
        }
        await gone;
      },
    });
  }
  const servers = members.map(({ name, port, rest }) => `  server ${name} 127.0.0.1:${port} check port ${rest}`);
  const proxy = [
    ...[
      "defaults",
      "  mode tcp",
      "  timeout connect 1s",
      "  timeout client 1h",
      "  timeout server 1h",
      "  timeout check 1s",
    ],
    ...[
      "listen primary",
      `  bind 127.0.0.1:${front}`,
      "  option httpchk GET /primary",
      "  http-check expect status 200",
    ],
    ...["  default-server inter 500ms fall 2 rise 1 on-marked-down shutdown-sessions", ...servers],
  ];
  await writeFile(join(folder, "haproxy.cfg"), `${proxy.join("\n")}\n`);
  for (const member of members) member.start();
  children.push(spawn(pathOf("haproxy") ?? "haproxy", ["-f", join(folder, "haproxy.cfg")], { stdio: "ignore" }));
  const url = `postgres://postgres:${PASSWORD}@127.0.0.1:${front}/postgres`;
  const primary = async () => {
    const roles = await Promise.all(members.map((member) => member.is("primary")));
    return members[roles.indexOf(true)];
  };
  const stop = async () => {
    for (const member of members) await member.kill();
    for (const child of children) if (child.exitCode === null && child.signalCode === null) child.kill("SIGKILL");
    await rm(folder, { recursive: true, force: true, maxRetries: 10 });
  };
  const untilWhole = async (within: number) => {
    for (const deadline = performance.now() + within; ; await pause(250)) {
      const standbys =
        "select count(*)::int as n, count(*) filter (where sync_state = 'sync')::int as sync from pg_stat_replication";
      const [row] = await sqlOn<{ n: number; sync: number }>(url, standbys).catch(() => []);
      const roles = await Promise.all(members.map((member) => member.is("sync")));
      if (row !== undefined && row.n === 2 && row.sync > 0 && roles.includes(true)) return;
      if (performance.now() > deadline)
        throw new Error(`the cluster is not whole after ${within} ms: ${JSON.stringify(row)}`);
    }
  };
  try {
    await untilWhole(120_000);
  } catch (error) {
    await stop();
    throw error;
  }
  return { members, url, primary, untilWhole, stop };
}

/** Processes of the PostgreSQL whose files are in a folder. */
function familyOf(folder: string): number[] {
  const family: number[] = [];
  for (const [, pid, parent, args = ""] of command("ps", "-eo", "pid,ppid,args").matchAll(/^ *(\d+) +(\d+) (.*)$/gm)) {
    if (args.includes(`-D ${folder}/`) || family.includes(Number(parent))) family.push(Number(pid));
  }
  return family;
}

/** JSON is YAML. The third member is never the primary, so that reads can go there all the time. */
function settings(of: { folder: string; name: string; port: number; rest: number; etcd: number }) {
  const { folder, name, port, rest, etcd } = of;
  const isReader = name === "three";
  const user = (username: string) => ({ username, password: PASSWORD });
  return {
    scope: "content-api",
    name,
    restapi: { listen: `127.0.0.1:${rest}`, connect_address: `127.0.0.1:${rest}` },
    etcd3: { host: `127.0.0.1:${etcd}` },
    bootstrap: {
      dcs: {
        ...{ ttl: 10, loop_wait: 2, retry_timeout: 3, maximum_lag_on_failover: 1_048_576 },
        ...{ synchronous_mode: true, master_start_timeout: 0 },
        postgresql: {
          use_pg_rewind: true,
          parameters: { max_connections: 200, wal_keep_size: "256MB", wal_log_hints: "on" },
        },
      },
      initdb: [{ encoding: "UTF8" }, { locale: "C" }, "data-checksums"],
    },
    postgresql: {
      listen: `127.0.0.1:${port}`,
      connect_address: `127.0.0.1:${port}`,
      data_dir: join(folder, name, "data"),
      bin_dir: BINARIES,
      pgpass: join(folder, name, "pgpass"),
      authentication: { superuser: user("postgres"), replication: user("replicator"), rewind: user("rewinder") },
      parameters: { unix_socket_directories: join(folder, name), hot_standby_feedback: "on" },
      pg_hba: [
        "host all all 127.0.0.1/32 scram-sha-256",
        "host replication all 127.0.0.1/32 scram-sha-256",
        "local all all trust",
      ],
    },
    tags: { nofailover: isReader, nosync: isReader },
  };
}
