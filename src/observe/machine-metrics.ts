import { ANY, counter, gauge, histogram } from "./metric-row.ts";

/** Seconds: those of OpenTelemetry's db.client.operation.duration. */
const DATABASE_BUCKETS = [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 10] as const;

/** SQLSTATEs after which a statement or transaction is tried again; `none` stands for a connection that was lost. */
const RETRIED_STATES = [
  "40001",
  "40P01",
  "OC000",
  "OC001",
  "40003",
  "08007",
  "25006",
  "57P01",
  "57P02",
  "57P05",
  "25P03",
  "26000",
  "42P05",
  "0A000",
  "none",
] as const;

/** Metrics of the database, of the process and of the machine. */
export const MACHINE_METRICS = {
  db_operation_duration_seconds: histogram(
    "Time that the database takes for an operation, waits for a connection included, in seconds.",
    {
      buckets: DATABASE_BUCKETS,
      labels: [
        ["operation", ["read", "query", "write"]],
        ["role", ["primary", "replica"]],
      ],
      most: 6,
    },
  ),
  db_pool_connections: gauge("Connections to PostgreSQL, by whether they have work.", {
    labels: [
      ["role", ["primary", "replica"]],
      ["state", ["idle", "used"]],
    ],
    most: 4,
  }),
  db_pool_wait_seconds: histogram("Time that a write waits for a connection to PostgreSQL, in seconds.", {
    buckets: DATABASE_BUCKETS,
  }),
  db_retries_total: counter(
    "Statements and transactions that PostgreSQL was asked for once more, by the SQLSTATE of the failure.",
    { labels: [["sqlstate", RETRIED_STATES]], most: RETRIED_STATES.length },
  ),
  sqlite_busy_total: counter("Attempts to write to SQLite that found another process writing."),
  sqlite_wal_bytes: gauge("Size of SQLite's write-ahead log, in bytes.", { isShared: true }),
  replica_lag_bytes: gauge("WAL that the read replica has not replayed, in bytes, as the process saw it last."),
  listen_connected: gauge(
    "Whether the process hears of changes by LISTEN: 1, or 0 while it looks twice a second instead.",
  ),
  migration_version: gauge("Version of the schema of the database.", { isShared: true }),
  build_info: gauge("Always 1, with the versions of the program, of Node, and of the schema that the program knows.", {
    labels: [
      ["version", ANY],
      ["node", ANY],
      ["schema", ANY],
    ],
    most: 1,
    isShared: true,
  }),
  disk_free_bytes: gauge("Free space beside the database file of SQLite, in bytes.", { isShared: true }),
  disk_size_bytes: gauge("Size of the file system of the database file of SQLite, in bytes.", { isShared: true }),
  clock_jumps_total: counter("Times at which the clock of the machine was set by more than a second."),
  nodejs_eventloop_delay_seconds: gauge(
    "Delay of the event loop, in seconds, since the reading before: median, 99th percentile and longest.",
    { labels: [["stat", ["p50", "p99", "max"]]], most: 3 },
  ),
  nodejs_gc_seconds_total: counter("Time in garbage collections, in seconds, by their kind.", {
    labels: [["kind", ["major", "minor", "incremental", "weakcb"]]],
    most: 4,
  }),
  nodejs_heap_size_used_bytes: gauge("JavaScript heap in use, in bytes."),
  process_cpu_seconds_total: counter("Processor time used, in seconds."),
  process_resident_memory_bytes: gauge("Memory in use, in bytes."),
  process_start_time_seconds: gauge("Start, in seconds of Unix time."),
  metrics_workers_missing_total: counter(
    "Workers that did not answer a reading of the metrics in time: their gauges are missing, and what they counted lately.",
  ),
} as const;
