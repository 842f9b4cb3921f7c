import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import type { TestContext } from "node:test";

const isRoot = process.getuid?.() === 0;

/** Runs a command of the system. @throws Error with what it said */
export function command(name: string, ...parameters: string[]): string {
  return execFileSync(pathOf(name) ?? name, parameters, { encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });
}

/** Where a command of the system is; null where the machine has none. */
export function pathOf(name: string): string | null {
  const folders = [...(process.env.PATH ?? "").split(delimiter), "/usr/sbin", "/sbin"];
  return folders.map((folder) => join(folder, name)).find((path) => existsSync(path)) ?? null;
}

/** Why a test that needs these commands, or root, cannot run on this machine; false when it can. */
export function lacks(names: readonly string[], needs: { root?: boolean } = {}): string | false {
  if (process.platform !== "linux") return `needs Linux, this is ${process.platform}`;
  if (needs.root === true && !isRoot) return "needs root, to mount a file system";
  const missing = names.filter((name) => pathOf(name) === null);
  return missing.length > 0 && `this machine has no ${missing.join(", no ")}`;
}

export interface Mount {
  readonly folder: string;
  /** Unmounts and mounts again. */
  remount(): void;
}

/** A file system of its own that goes with the test; skips the test, with the kernel's reason, where none may be mounted. */
export function mount(t: TestContext, kind: "tmpfs" | "ext4", megabytes: number): Mount | null {
  const place = mkdtempSync(join(tmpdir(), "content-api-mount-"));
  const folder = join(place, "mounted");
  const image = join(place, "image");
  mkdirSync(folder);
  let isMounted = false;
  const attach = () => {
    if (kind === "tmpfs") command("mount", "-t", "tmpfs", "-o", `size=${megabytes}m`, "tmpfs", folder);
    else command("mount", "-o", "loop", image, folder);
    isMounted = true;
  };
  const detach = () => {
    command("umount", folder);
    isMounted = false;
  };
  t.after(() => {
    if (isMounted) command("umount", "--lazy", folder); // a failed test's server may still be in it
    rmSync(place, { recursive: true });
  });
  try {
    if (kind === "ext4") {
      writeFileSync(image, "");
      truncateSync(image, megabytes * 1024 * 1024);
      command("mkfs.ext4", "-q", "-F", image);
    }
    attach();
  } catch (error) {
    t.skip(`this kernel lets us mount no ${kind}: ${(error as Error).message.trim()}`);
    return null;
  }
  return {
    folder,
    remount() {
      detach();
      attach();
    },
  };
}

/** A command that becomes another without the right to pass over the modes of files, which root has. */
export const WITHOUT_PRIVILEGE: readonly string[] = isRoot
  ? ["setpriv", "--bounding-set=-dac_override,-dac_read_search,-fowner", "--"]
  : [];

/** To each that is still there: a child of a database may end at any moment. */
export function signalAll(pids: readonly number[], signal: NodeJS.Signals): void {
  for (const pid of pids) {
    try {
      process.kill(pid, signal);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
    }
  }
}

/** Processes that a process has started and that are alive. */
export function childrenOf(pid: number): number[] {
  try {
    return command("ps", "-o", "pid=", "--ppid", String(pid))
      .split("\n")
      .map(Number)
      .filter((child) => child > 0);
  } catch {
    return []; // ps found none
  }
}
