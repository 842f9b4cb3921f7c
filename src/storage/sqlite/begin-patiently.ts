import type { StatementSync } from "node:sqlite";
import { setTimeout as pause } from "node:timers/promises";
import { isBusy } from "./errors.ts";

/**
 * Begins a transaction that writes. Waits for other processes without blocking the event loop, as SQLite's own busy handler would.
 *
 * @param patience milliseconds
 * @param onBusy is called after each attempt that found another process writing
 */
export async function beginPatiently(begin: StatementSync, patience: number, onBusy: () => void): Promise<void> {
  const deadline = performance.now() + patience;
  for (let longest = 1; ; longest = Math.min(longest * 2, 16)) {
    try {
      begin.run();
      return;
    } catch (error) {
      if (isBusy(error)) onBusy();
      if (!isBusy(error) || performance.now() > deadline) throw error;
    }
    await pause(Math.random() * longest);
  }
}
