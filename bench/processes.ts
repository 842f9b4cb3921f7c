/** Everything that a run starts or leaves on disk, and its end: whatever happens, nothing stays behind. */
import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

const children = new Set<ChildProcess>();

/** A folder for this run alone; removed at exit. */
export const folder = mkdtempSync(join(tmpdir(), "content-api-bench-"));

process.on("exit", () => {
  for (const child of children) child.kill("SIGKILL");
  rmSync(folder, { recursive: true, force: true });
});
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => process.exit(130));

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
  /** A file for this Node, and its arguments. */
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly stdio: "inherit" | number;
  readonly ipc?: boolean;
}

/** Starts Node on these cores. taskset becomes that process, so the id is the right one to signal. */
export function spawnPinned({ cores, args, env, stdio, ipc = false }: PinnedProcess): ChildProcess {
  const child = spawn("taskset", ["-c", cores, process.execPath, ...args], {
    cwd: folder, // Not the repository: a developer's .env must not count.
    env: { PATH: process.env.PATH ?? "", NODE_ENV: "production", ...env },
    stdio: ipc ? ["ignore", stdio, stdio, "ipc"] : ["ignore", stdio, stdio],
  });
  children.add(child);
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
  child.kill("SIGTERM");
  const kill = setTimeout(() => child.kill("SIGKILL"), 3_000);
  await ended;
  clearTimeout(kill);
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
