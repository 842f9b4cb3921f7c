import { statfs } from "node:fs/promises";
import { dirname } from "node:path";
import type { Config } from "../config/config.ts";
import { databaseFile } from "../config/database-file.ts";
import type { NewAuditEvent } from "../domain/audit.ts";
import { GRANT_TYPES } from "../domain/clients/client.ts";
import type { Store } from "../domain/store/store.ts";
import type { Log } from "../observe/log.ts";
import { type Metrics, openMetrics } from "../observe/metrics.ts";
import type { PageFormat } from "../observe/metrics-page.ts";
import type { MetricsReading } from "../observe/otlp-points.ts";
import { observeProcess } from "../observe/process-metrics.ts";
import { Registry } from "../observe/registry.ts";
import { type Channel, openWorkerMetrics } from "../observe/worker-metrics.ts";
import { latestMigration } from "../storage/migrations/migrate.ts";
import { countsExponentially, openMetricsExport } from "./metrics-export.ts";
import { programVersion } from "./program-version.ts";
import type { Readiness } from "./readiness.ts";

/** Milliseconds for which numbers from the database are shown again: readings may be frequent. */
const FRESH = 5_000;

export interface AppMetrics {
  readonly metrics: Metrics;
  /** Counts a decision of the audit. */
  countDecision(event: NewAuditEvent): void;
  /** Shows the numbers about the database and the disk, which are the same whichever process is asked. */
  showShared(about: SharedNumbers): void;
  /** The page of this process, or of all workers. @throws Error when the process that sums up does not answer */
  page(format: PageFormat): Promise<string>;
  /** Reports what is left. */
  close(): Promise<void>;
}

interface AppMetricsOptions {
  /** To the process that sums up; undefined for a process that is the only one. */
  readonly channel: Channel | undefined;
  readonly log: Log;
  /** Unix time in milliseconds. */
  readonly now: () => number;
}

interface SharedNumbers {
  readonly config: Config;
  readonly store: Pick<Store, "facts" | "signingKeys" | "webhooks">;
  readonly readiness: Readiness;
  /** Unix time in milliseconds. */
  readonly now: () => number;
}

export async function openAppMetrics(config: Config, { channel, log, now }: AppMetricsOptions): Promise<AppMetrics> {
  const isExponential = countsExponentially(config);
  const refresh = () => metrics.refresh();
  const worker = channel === undefined ? null : openWorkerMetrics({ channel, isExponential, refresh });
  const registry = worker?.registry ?? new Registry(isExponential);
  const metrics = openMetrics(registry);
  const end = observeProcess(metrics);
  const exporting = worker === null ? await openMetricsExport(config, { registry, read, log, now }) : null;

  async function read(isLast: boolean): Promise<MetricsReading> {
    if (isLast) return { registry, gauges: [] }; // what they measure is gone
    await refresh();
    return { registry, gauges: [{ worker: null, samples: registry.readGauges("all") }] };
  }

  return {
    metrics,
    countDecision: (event) => metrics.counter("auth_events_total", eventName(event), event.result).add(),
    showShared: (about) => showShared(metrics, about),
    async page(format) {
      await metrics.refresh();
      return worker === null ? metrics.print(format) : worker.page(format);
    },
    async close() {
      end();
      worker?.close();
      await exporting?.close();
    },
  };
}

/** Tokens that were issued are told apart by their grant, such as `token.refresh_token`. */
function eventName({ event, result, detail }: NewAuditEvent): string {
  const grant = event === "token" && result === "ok" ? GRANT_TYPES.find((type) => type === detail) : undefined;
  return grant === undefined ? event : `token.${grant.split(":").at(-1)}`;
}

/** Numbers that were read last; null for what there is not, or what could not be read. */
interface Numbers {
  readonly schema: number | null;
  readonly pending: number | null;
  readonly oldest: string | null;
  readonly keysFrom: string | null;
  readonly disk: { readonly free: number; readonly size: number } | null;
}

function showShared(metrics: Metrics, { config, store, readiness, now }: SharedNumbers): void {
  const file = databaseFile(config);
  let numbers: Numbers = { schema: null, pending: null, oldest: null, keysFrom: null, disk: null };
  let checks: Awaited<ReturnType<Readiness["checks"]>> = [];
  let readAt = Number.NEGATIVE_INFINITY;
  /** Readings at the same time share one look. */
  let reading: Promise<Numbers> | null = null;

  async function read(): Promise<Numbers> {
    const [facts, backlog, keys, disk] = await Promise.allSettled([
      store.facts(),
      store.webhooks.backlog(new Date(now()).toISOString()),
      store.signingKeys.list(),
      file === null ? null : statfs(dirname(file)),
    ]);
    const space = found(disk);
    return {
      schema: found(facts)?.schema.current ?? null,
      pending: found(backlog)?.pending ?? null,
      oldest: found(backlog)?.oldest ?? null,
      keysFrom: found(keys)?.[0]?.createdAt ?? null,
      disk: space === null ? null : { free: space.bavail * space.bsize, size: space.blocks * space.bsize },
    };
  }

  metrics.beforePage(async () => {
    checks = await readiness.checks();
  });
  metrics.beforePage(async () => {
    if (performance.now() - readAt < FRESH) return;
    reading ??= read().finally(() => {
      reading = null;
    });
    numbers = await reading;
    readAt = performance.now();
  });
  const age = (since: string) => Math.max(0, (now() - Date.parse(since)) / 1_000);
  metrics.gauge("migration_version", () => numbers.schema);
  metrics.gauge("outbox_pending", () => numbers.pending);
  metrics.gauge("outbox_oldest_seconds", () => {
    if (numbers.pending === null) return null;
    return numbers.oldest === null ? 0 : age(numbers.oldest);
  });
  metrics.gauge("keys_age_seconds", () => (numbers.keysFrom === null ? null : age(numbers.keysFrom)));
  metrics.gauge("disk_free_bytes", () => numbers.disk?.free ?? null);
  metrics.gauge("disk_size_bytes", () => numbers.disk?.size ?? null);
  for (const name of ["store", "migrations", "keys", "listen"] as const) {
    const stateOf = () => checks.find((check) => check.name === name)?.state;
    metrics.gauge("readiness", () => (stateOf() === undefined ? null : Number(stateOf() === "ok")), name);
  }
  const known = latestMigration();
  metrics.gauge("build_info", () => 1, programVersion(), process.versions.node, `${known}`);
}

function found<T>(settled: PromiseSettledResult<T>): T | null {
  return settled.status === "fulfilled" ? settled.value : null;
}
