import type { Rules } from "./proxy.ts";

/** Accepts advisory locks and does nothing, as CockroachDB before April 2026 and YugabyteDB with a flag did. */
export const LOCKS_SILENT: Rules = {
  rewrite: (text) => text.replace(/pg_advisory_xact_lock(_shared)?\(/g, "num_nulls("),
};

/** Knows no advisory locks, as Aurora DSQL. */
export const LOCKS_REFUSED: Rules = { refuse: (text) => (/pg_advisory/.test(text) ? "42883" : null) };

/** Takes LISTEN and NOTIFY, and nothing arrives, as with a pooler in transaction mode or readyset. */
export const NOTIFY_SILENT: Rules = { losesNotifications: true };

/** Knows neither LISTEN nor pg_notify, as CockroachDB. */
export const NOTIFY_REFUSED: Rules = {
  refuse: (text) => (/^listen /i.test(text) ? "0A000" : /pg_notify/.test(text) ? "42883" : null),
};

/** Keeps what a transaction has done to the schema when it is rolled back. */
export const MIGRATIONS_SILENT: Rules = { rewrite: (text) => text.replace(/^rollback$/, "commit") };

/** Takes READ COMMITTED and gives a snapshot of the whole transaction, as YugabyteDB without a flag. */
export const ISOLATION_SILENT: Rules = {
  rewrite: (text) => text.replace("isolation level read committed", "isolation level repeatable read"),
};

/** Takes COLLATE "C" and orders as a dictionary does. */
export const ORDER_SILENT: Rules = {
  rewrite: (text) => (text.startsWith("select 'B'") ? text.replaceAll('collate "C"', 'collate "en-x-icu"') : text),
};

/** Rejects COLLATE, as Aurora DSQL. */
export const ORDER_REFUSED: Rules = { refuse: (text) => (/collate "C"/.test(text) ? "42704" : null) };
