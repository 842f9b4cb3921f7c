import { type Config, readConfig } from "../config/config.ts";
import type { Administration } from "../domain/administration.ts";
import { type NewAuditEvent, recordAudit } from "../domain/audit.ts";
import type { Store } from "../domain/store/store.ts";

/** Milliseconds of Unix time. */
export type Clock = () => number;

/** Runs a task with the configured store, which is closed afterwards. */
export async function withStore<T>(
  task: (store: Store, config: Config, now: Clock) => Promise<T>,
  now: Clock = Date.now,
): Promise<T> {
  const config = readConfig(process.env);
  const { openStore } = await import("../storage/open.ts");
  const store = await openStore(config.DATABASE_URL);
  try {
    return await task(store, config, now);
  } finally {
    await store.close();
  }
}

/** Has the audit know what was done at the terminal. */
export function record(store: Store, config: Config, now: Clock, event: NewAuditEvent): Promise<void> {
  return recordAudit({ store: store.audit, days: config.AUDIT_DAYS }, now(), event);
}

/** Runs a task of the operator, which is written down. */
export function withAdministration<T>(
  task: (administration: Administration<Store>, config: Config) => Promise<T>,
): Promise<T> {
  return withStore((store, config, now) => {
    const write = (event: NewAuditEvent) => record(store, config, now, event);
    return task({ store, actorId: null, now, record: write }, config);
  });
}
