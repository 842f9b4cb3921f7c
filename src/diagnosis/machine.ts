import { existsSync } from "node:fs";
import { statfs } from "node:fs/promises";
import { dirname } from "node:path";
import type { Config } from "../config/config.ts";
import { databaseFile } from "../config/database-file.ts";
import { type Finding, showSize } from "./finding.ts";
import { readLastBackup } from "./last-backup.ts";

const MIB = 1_048_576;
/** Bytes below which the disk is wrong, and below which it is worth a warning. */
const LEAST_SPACE = 100 * MIB;
const LITTLE_SPACE = 1_024 * MIB;
const DAY = 86_400_000;
/** Milliseconds after which a backup is old. */
const OLD_BACKUP = 7 * DAY;
/** Room for the database to grow. */
export async function checkDisk(config: Config): Promise<Finding> {
  const check = "disk";
  const path = databaseFile(config);
  if (path === null) return { check, result: "unchecked", detail: "the disk of PostgreSQL's machine: check it there" };
  const folder = existingFolder(path);
  const { bavail, bsize } = await statfs(folder);
  const free = bavail * bsize;
  const detail = `${showSize(free)} free at ${folder}`;
  if (free < LEAST_SPACE) return { check, result: "wrong", detail: `${detail}: writes fail when the disk is full` };
  return { check, result: free < LITTLE_SPACE ? "warning" : "good", detail };
}

export function checkBackup(config: Config, now: number, command: string): Finding {
  const check = "backup";
  const path = databaseFile(config);
  if (path === null)
    return { check, result: "unchecked", detail: "backups of PostgreSQL: pg_dump or your WAL archive" };
  if (!existsSync(path)) return { check, result: "good", detail: "none yet: there is no database" };
  const last = readLastBackup(path);
  if (last === null) return { check, result: "warning", detail: `none yet: ${command} backup FILE` };
  const age = now - Date.parse(last.at);
  const days = Math.floor(age / DAY);
  const detail = `${days < 1 ? "less than a day" : days === 1 ? "1 day" : `${days} days`} ago, to ${last.file}`;
  if (!existsSync(last.file)) return { check, result: "unchecked", detail: `${detail}, which was moved since` };
  return { check, result: age > OLD_BACKUP ? "warning" : "good", detail };
}

/** The nearest folder above that is there. */
function existingFolder(path: string): string {
  const folder = dirname(path);
  return existsSync(folder) || folder === path ? folder : existingFolder(folder);
}
