import type { ChildProcess } from "node:child_process";
import { once } from "node:events";

/** Milliseconds for a process that is asked to end. */
const PATIENCE = 10_000;

/** Asks a process of others to end, and makes it when it does not: how it ends is not what the test is about. */
export async function endProcess(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, "exit");
  child.kill();
  const timer = setTimeout(() => child.kill("SIGKILL"), PATIENCE);
  await gone;
  clearTimeout(timer);
}
