import { existsSync } from "node:fs";
import { statfs } from "node:fs/promises";
import { createServer } from "node:net";
import { dirname } from "node:path";
import type { Config } from "../config/config.ts";
import { databaseFile } from "../config/database-file.ts";
import { isLoopback } from "../config/loopback.ts";
import { readLastBackup } from "./last-backup.ts";

/** `unchecked`: the program cannot see it, so somebody else has to. */
export type Finding = { check: string; result: "good" | "warning" | "wrong" | "unchecked"; detail: string };

type FindingOf = (check: string, detail: string) => Finding;

export const good: FindingOf = (check, detail) => ({ check, result: "good", detail });
export const warning: FindingOf = (check, detail) => ({ check, result: "warning", detail });
export const wrong: FindingOf = (check, detail) => ({ check, result: "wrong", detail });

const MIB = 1_048_576;
/** Bytes below which the disk is wrong, and below which it is worth a warning. */
const LEAST_SPACE = 100 * MIB;
const LITTLE_SPACE = 1_024 * MIB;
const DAY = 86_400_000;
/** Milliseconds after which a backup is old. */
const OLD_BACKUP = 7 * DAY;
/** Milliseconds that an address may take to answer. */
const PATIENCE = 3_000;

/** Whether the server can listen, or does so already. */
export async function checkPort({ HOST, PORT }: Config): Promise<Finding> {
  const check = "port";
  const failure = await new Promise<string | null>((done) => {
    const server = createServer();
    server.once("error", (error: NodeJS.ErrnoException) => done(error.code ?? error.message));
    server.listen(PORT, HOST, () => server.close(() => done(null)));
  });
  if (failure === null) return { check, result: "good", detail: `${HOST}:${PORT} is free` };
  if (failure !== "EADDRINUSE")
    return { check, result: "wrong", detail: `${HOST}:${PORT} cannot be listened on (${failure}): set HOST and PORT` };
  const host = ["0.0.0.0", "::"].includes(HOST) ? "localhost" : HOST;
  const problem = await problemAt(`http://${host.includes(":") ? `[${host}]` : host}:${PORT}/livez`);
  return problem === null
    ? { check, result: "good", detail: `a server answers at ${HOST}:${PORT}` }
    : { check, result: "warning", detail: `${HOST}:${PORT} is in use by another program: set PORT` };
}

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

/** Whether the public addresses lead to a server. On this machine alone they say nothing that `port` does not. */
export async function checkReach({ BASE_URL, AUTH_URL }: Config): Promise<Finding[]> {
  const check = "public address";
  const addresses = [...new Set([BASE_URL, AUTH_URL])].filter((address) => !isLoopback(new URL(address).hostname));
  if (addresses.length === 0) return [];
  const asked = await Promise.all(
    addresses.map(async (address): Promise<Finding> => {
      const problem = address.startsWith("https:") ? await problemAt(`${address}/livez`) : "it is not https";
      return problem === null
        ? { check, result: "good", detail: `${address} answers` }
        : { check, result: "warning", detail: `${address} does not answer from here (${problem})` };
    }),
  );
  return [...asked, { check, result: "unchecked", detail: "whether others reach it, and their name servers" }];
}

/** The reason why an address does not answer; null for one that does. */
async function problemAt(url: string): Promise<string | null> {
  try {
    const { status } = await fetch(url, { signal: AbortSignal.timeout(PATIENCE), redirect: "manual" });
    return status === 200 ? null : `status ${status}`;
  } catch (error) {
    const { cause, message } = error as Error & { cause?: NodeJS.ErrnoException };
    return cause?.code ?? message;
  }
}

/** The nearest folder above that is there. */
function existingFolder(path: string): string {
  const folder = dirname(path);
  return existsSync(folder) || folder === path ? folder : existingFolder(folder);
}

/** Bytes as people read them. */
export function showSize(bytes: number): string {
  if (bytes < MIB) return `${Math.ceil(bytes / 1_024)} KiB`;
  return bytes < 1_024 * MIB ? `${Math.round(bytes / MIB)} MiB` : `${Math.round(bytes / 1_024 / MIB)} GiB`;
}
