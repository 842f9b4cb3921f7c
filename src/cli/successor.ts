import { type ChildProcess, spawn } from "node:child_process";
import type { Listeners, PortListener } from "../http/listener.ts";

/** Milliseconds until the new program must be ready: as long as the unit of systemd allows, for it may upgrade the database. */
const PATIENCE = 30 * 60_000;

/** The program that takes over from this one. */
export interface Successor {
  readonly pid: number | undefined;
  /** Resolves when it serves. @throws Error with the reason why it will not; then it is gone, or told to end */
  readonly ready: Promise<void>;
  /** Tells it to end. */
  end(): void;
}

/**
 * Starts the program from the disk, as this one was started, with the same environment. It reads its settings again and
 * inherits the listening sockets (sd_listen_fds(3)), so that the kernel keeps connections until one of the two accepts them.
 */
export function startSuccessor({ main, operations }: Listeners<PortListener>): Successor {
  const [forMain, forOperations] = [main.descriptors(), operations?.descriptors() ?? []];
  const sockets = [...forMain, ...forOperations];
  const names = [...forMain.map(() => "main"), ...forOperations.map(() => "operations")];
  const { npm_lifecycle_event: _, ...environment } = process.env; // it would end when its parent is gone
  const child: ChildProcess = spawn(process.execPath, [...process.execArgv, ...process.argv.slice(1)], {
    stdio: ["inherit", "inherit", "inherit", ...sockets, "ipc"],
    env: {
      ...environment,
      LISTEN_FDS: String(sockets.length),
      LISTEN_FDNAMES: names.join(":"),
      LISTEN_PID: String(process.pid), // see takeInheritedSockets
    },
  });
  return { pid: child.pid, ready: untilReady(child), end: () => void child.kill("SIGTERM") };
}

async function untilReady(child: ChildProcess): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  try {
    await new Promise<void>((resolve, reject) => {
      timer = setTimeout(() => reject(new Error(`it was not ready within ${PATIENCE / 60_000} minutes`)), PATIENCE);
      child.once("message", () => resolve());
      child.once("error", reject);
      child.once("exit", (code, signal) => reject(new Error(`it ended with ${signal ?? `exit code ${code}`}`)));
    });
    if (child.connected) child.disconnect();
    child.unref();
  } catch (error) {
    child.kill("SIGKILL");
    throw error;
  } finally {
    clearTimeout(timer);
  }
}

/** Tells the program that started this one that this one serves now. */
export function reportToPredecessor(): void {
  process.send?.("ready", undefined, {}, () => process.connected && process.disconnect());
}
