import { readFileSync, writeFileSync } from "node:fs";

interface LastBackup {
  /** RFC 3339. */
  readonly at: string;
  /** Whole path. */
  readonly file: string;
}

/** Notes beside the database when `backup` last copied it, for `doctor`. */
export function noteLastBackup(database: string, last: LastBackup): void {
  writeFileSync(noteOf(database), `${JSON.stringify(last)}\n`, { mode: 0o600 });
}

/** null where no backup was made, or the note cannot be read. */
export function readLastBackup(database: string): LastBackup | null {
  try {
    const { at, file } = JSON.parse(readFileSync(noteOf(database), "utf8")) as Record<string, unknown>;
    return typeof at === "string" && typeof file === "string" && !Number.isNaN(Date.parse(at)) ? { at, file } : null;
  } catch {
    return null;
  }
}

function noteOf(database: string): string {
  return `${database}-last-backup`;
}
