import { arch, release } from "node:os";
import { getHeapStatistics } from "node:v8";
import type { Config } from "../config/config.ts";
import type { Store } from "../domain/store/store.ts";
import { type Finding, showSize } from "./finding.ts";

/** Milliseconds that an answer of the database may take. */
const SLOW = 250;
/** Milliseconds by which something may be late: it is looked for every few seconds. */
const LATE = 60_000;
/** Posts that are counted. */
const COUNTED = 100;
/** Part of the heap above which memory is short, and above which the process is about to end. */
const [FULL, BURSTING] = [0.8, 0.95];

/** Whether the database answers soon, and its size. */
export async function checkAnswers({ check, facts }: Pick<Store, "check" | "facts">): Promise<Finding> {
  const began = performance.now();
  await check();
  const took = performance.now() - began;
  const { bytes } = await facts();
  const detail = `answers within ${Math.max(1, Math.round(took))} ms, and has ${showSize(bytes)}`;
  return { check: "database", result: took > SLOW ? "warning" : "good", detail };
}

/** Whether the schema of the database is that of this program: during an upgrade, a newer process may have changed it. */
export async function checkMigrations({ facts }: Pick<Store, "facts">): Promise<Finding> {
  const check = "migrations";
  const { current, known, waiting } = (await facts()).schema;
  if (waiting.length > 0) {
    const detail = `the upgrade is not finished: ${waiting.join(", ")} waits until no older node serves`;
    return { check, result: "warning", detail };
  }
  if (current === known) return { check, result: "good", detail: `the schema is up to date, at version ${known}` };
  const detail = `the database has version ${current} of the schema, and this program version ${known}`;
  return { check, result: "warning", detail };
}

/** The replica, where content is read from one. */
export async function checkReplicaLag({ facts }: Pick<Store, "facts">): Promise<Finding[]> {
  const { replica } = await facts();
  if (replica === null) return [];
  const check = "replica";
  if (replica.isUsed) return [{ check, result: "good", detail: "is less than a second behind" }];
  if (replica.isStale)
    return [{ check, result: "warning", detail: "is more than a second behind, and reads go to it (READ_STALENESS)" }];
  const reason = replica.problem ?? "it is more than a second behind";
  return [{ check, result: "warning", detail: `is not used, and reads go to the primary database: ${reason}` }];
}

/** Processes that serve the database, by the version of their program. */
export async function checkNodes({ facts, nodes }: Pick<Store, "facts" | "nodes">): Promise<Finding> {
  const live = await nodes.list();
  const { processes } = await facts();
  const versions = Map.groupBy(live, ({ version }) => version);
  const unknown = Math.max(0, (processes ?? 0) - live.length);
  const count = live.length + unknown;
  const parts = [
    ...Array.from(versions, ([version, those]) => `${those.length} of version ${version}`),
    ...(unknown > 0 ? [`${unknown} of a version before 0.2.0`] : []),
  ];
  const detail =
    count === 0
      ? "no process serves this database"
      : `${count === 1 ? "1 process serves" : `${count} processes serve`} this database: ${parts.join(", ")}`;
  return { check: "nodes", result: parts.length > 1 ? "warning" : "good", detail };
}

/** Posts, and updates of posts, whose time has passed. @param now Unix time in milliseconds */
export async function checkLatePosts(
  { posts, plannedUpdates }: Pick<Store, "posts" | "plannedUpdates">,
  now: number,
): Promise<Finding> {
  const check = "scheduled posts";
  const before = new Date(now - LATE).toISOString();
  const [late, updates] = await Promise.all([posts.listDue(before, COUNTED), plannedUpdates.listDue(before, COUNTED)]);
  const count = late.length + updates.length;
  if (count === 0) return { check, result: "good", detail: "none is late" };
  const some = count >= COUNTED ? `${COUNTED} or more are` : count === 1 ? "1 is" : `${count} are`;
  return { check, result: "wrong", detail: `${some} late by more than a minute` };
}

/** Whether events become calls, and calls are made. @param now Unix time in milliseconds */
export async function checkEvents(
  { webhooks, outbox }: Pick<Store, "webhooks" | "outbox">,
  now: number,
): Promise<Finding> {
  const check = "events";
  const enabled = (await webhooks.list()).filter(({ disabledAt }) => disabledAt === null);
  if (enabled.length === 0) return { check, result: "good", detail: "no webhook waits for any" };
  const [cursor = ""] = enabled.map((webhook) => webhook.cursor).toSorted();
  const [[next], due] = await Promise.all([
    outbox.list(cursor === "" ? null : cursor, 1),
    webhooks.listDue(new Date(now - LATE).toISOString()),
  ]);
  const lag = next === undefined ? 0 : now - Date.parse(next.occurredAt);
  if (lag > LATE)
    return { check, result: "wrong", detail: `the oldest has waited for ${seconds(lag)} to be handed to webhooks` };
  if (due.length > 0)
    return { check, result: "warning", detail: `calls of ${due.length} webhooks are late by more than a minute` };
  return { check, result: "good", detail: "all are handed to webhooks, and no call is late" };
}

export function checkMemory(): Finding {
  const { heap_size_limit: limit, used_heap_size: used } = getHeapStatistics();
  const part = used / limit;
  const detail = `${showSize(process.memoryUsage.rss())} in use, of the heap ${showSize(used)} of ${showSize(limit)}`;
  return { check: "memory", result: part > BURSTING ? "wrong" : part > FULL ? "warning" : "good", detail };
}

/** Versions, for whoever reports a fault. */
export function checkVersion(version: string, { DATABASE_URL }: Pick<Config, "DATABASE_URL">): Finding {
  const database = DATABASE_URL.startsWith("sqlite:") ? "SQLite" : "PostgreSQL";
  const detail = `${version}, on Node ${process.versions.node}, ${process.platform} ${release()} ${arch()}, with ${database}`;
  return { check: "version", result: "good", detail };
}

function seconds(milliseconds: number): string {
  return `${Math.round(milliseconds / 1_000)} s`;
}
