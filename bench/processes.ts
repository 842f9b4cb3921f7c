/** Everything that a run starts or leaves on disk, and its end: whatever happens, nothing stays behind. */
import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

const children = new Set<ChildProcess>();
/** Those that lead a process group, which ends with them. */
const leaders = new WeakSet<ChildProcess>();

/** A folder for this run alone; removed at exit. */
export const folder = mkdtempSync(join(tmpdir(), "content-api-bench-"));

process.on("exit", () => {
  for (const child of children) signal(child, "SIGKILL");
  rmSync(folder, { recursive: true, force: true });
});
for (const name of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(name, () => process.exit(130));

/** Ends the whole run with an error if it takes longer. */
export function limitRunTime(minutes: number): void {
  setTimeout(() => {
    console.error(`The benchmark was ended: it took longer than ${minutes} minutes.`);
    process.exit(1);
  }, minutes * 60_000).unref();
}

export interface PinnedProcess {
  /** CPUs that it may use, such as `0` or `0,2`. */
  readonly cores: string;
  /** This Node unless given. */
  readonly command?: string;
  /** A file for Node, and its arguments. */
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly stdio: "inherit" | number;
  readonly ipc?: boolean;
  /** It starts others, which end with it: a shell script, for example. */
  readonly isGroup?: boolean;
}

/** Starts Node or another program on these cores. taskset becomes that process, so the id is the right one to signal. */
export function spawnPinned(program: PinnedProcess): ChildProcess {
  const { cores, command = process.execPath, args, env, stdio, ipc = false, isGroup = false } = program;
  const child = spawn("taskset", ["-c", cores, command, ...args], {
    cwd: folder, // Not the repository: a developer's .env must not count.
    env: { PATH: process.env.PATH ?? "", NODE_ENV: "production", ...env },
    stdio: ipc ? ["ignore", stdio, stdio, "ipc"] : ["ignore", stdio, stdio],
    detached: isGroup,
  });
  children.add(child);
  if (isGroup) leaders.add(child);
  child.on("exit", () => children.delete(child));
  child.on("error", (error) => {
    console.error(`taskset cannot be started (this benchmark needs Linux with util-linux): ${error.message}`);
    process.exit(1);
  });
  return child;
}

export async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = new Promise((resolve) => child.once("exit", resolve));
  signal(child, "SIGTERM");
  const kill = setTimeout(() => signal(child, "SIGKILL"), 3_000);
  await ended;
  clearTimeout(kill);
}

function signal(child: ChildProcess, name: NodeJS.Signals): void {
  if (child.pid === undefined || !leaders.has(child)) return void child.kill(name);
  try {
    process.kill(-child.pid, name);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error; // it has ended
  }
}

export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.on("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      server.close(() => resolve(address !== null && typeof address === "object" ? address.port : 0));
    });
  });
}
