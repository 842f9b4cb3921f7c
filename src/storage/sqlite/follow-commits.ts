import type { DatabaseSync } from "node:sqlite";
import { CHANGE_KINDS, type ChangeListener } from "../../domain/change.ts";

/** Milliseconds between two looks. */
const EVERY = 250;

/**
 * Reports commits of other processes, without their content:
 * https://www.sqlite.org/pragma.html#pragma_data_version
 *
 * @param connection whose own commits are known
 * @returns how to end it
 */
export function followCommits(connection: DatabaseSync, tell: ChangeListener): () => void {
  const look = connection.prepare("PRAGMA data_version");
  let last: unknown = null;
  const timer = setInterval(() => {
    try {
      const version = look.get()?.data_version;
      if (version === last) return;
      last = version;
    } catch {
      // Everything may have changed, then.
    }
    for (const kind of CHANGE_KINDS) if (kind !== "event") tell({ kind, id: null });
  }, EVERY).unref();
  return () => clearInterval(timer);
}
