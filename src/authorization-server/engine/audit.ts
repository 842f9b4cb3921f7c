import { type AuditEvent, type AuditStore, auditEvent, type NewAuditEvent, recordAudit } from "../../domain/audit.ts";
import { describeFault } from "../../observe/describe-fault.ts";
import type { Log } from "../../observe/log.ts";
import { RefusalCounts } from "./refusal-counts.ts";

/** Writes down what was decided, for the operator to read: `content-api audit`. */
export interface Audit {
  /**
   * For frequent events: written in batches, within a quarter of a second. A process that is killed
   * loses events that it had not written. Refusals beyond ten a minute of one kind are counted in one row.
   *
   * @param reason by which refusals are counted, where the detail has what callers choose; defaults to the detail
   */
  note(event: NewAuditEvent, reason?: string): void;
  /**
   * For what somebody may have to account for: resolves when it is durable, and whatever was noted before with it.
   * @throws AppError UNAVAILABLE; the event stays noted
   */
  record(event: NewAuditEvent): Promise<void>;
  close(): Promise<void>;
}

const EVERY_MS = 250;
const AT_ONCE = 500;
/** While the database is away, the oldest stay and what comes beyond is counted only. */
const MOST_NOTED = 20_000;

export function openAudit(
  store: AuditStore,
  {
    days,
    now,
    log,
    count = () => {},
  }: {
    readonly days: number;
    readonly now: () => number;
    readonly log: Log;
    /** Told of each decision, also where none is kept. */
    readonly count?: (event: NewAuditEvent) => void;
  },
): Audit {
  if (days === 0) return { note: count, record: async (event) => count(event), async close() {} };
  const noted: AuditEvent[] = [];
  let lost = 0;
  let failed = false;
  let timer: NodeJS.Timeout | null = null;
  /** Writes what was counted when its minute ends. */
  let minute: NodeJS.Timeout | null = null;
  let writing: Promise<void> = Promise.resolve();

  function add(event: NewAuditEvent): void {
    if (noted.length < MOST_NOTED) noted.push(auditEvent(now(), event));
    else lost++;
  }

  /** One portion after another, each in one transaction, until all that was there is written. */
  async function write(): Promise<void> {
    for (let left = noted.length; left > 0; left -= AT_ONCE) {
      const portion = noted.slice(0, Math.min(left, AT_ONCE));
      await store.add(portion);
      noted.splice(0, portion.length);
    }
    if (lost === 0) return;
    const detail = `${lost} events were lost while the database was away`;
    await recordAudit({ store, days }, now(), { event: "audit", result: "failed", detail });
    lost = 0;
  }

  function flush(): Promise<void> {
    const next = writing.then(write);
    writing = next.catch(() => {});
    return next;
  }

  function schedule(): void {
    timer ??= setTimeout(async () => {
      timer = null;
      try {
        await flush();
        failed = false;
      } catch (error) {
        if (!failed) log.warn({ error: describeFault(error) }, "audit events wait for the database");
        failed = true;
        schedule();
      }
    }, EVERY_MS).unref();
  }

  const refusals = new RefusalCounts(now, add);

  return {
    note(event, reason) {
      count(event);
      if (refusals.takes(event, reason)) {
        add(event);
        schedule();
      } else
        minute ??= setTimeout(() => {
          minute = null;
          refusals.flush();
          schedule();
        }, 60_000).unref();
    },
    async record(event) {
      count(event);
      add(event);
      try {
        await flush();
      } catch (error) {
        schedule();
        throw error;
      }
    },
    async close() {
      if (timer !== null) clearTimeout(timer);
      if (minute !== null) clearTimeout(minute);
      refusals.flush();
      await flush().catch((error: unknown) => log.warn({ error: describeFault(error) }, "audit events were lost"));
    },
  };
}
