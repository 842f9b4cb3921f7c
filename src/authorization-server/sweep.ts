import type { Store } from "../domain/store/store.ts";
import type { Log } from "../observe/log.ts";

const EVERY_MS = 60_000;
const AT_ONCE = 1_000;

/** What expired is kept this long: a page that was left open still finds its way back, see `past-interactions.ts`. */
const KEPT_SECONDS = 24 * 3_600;

/** Removes what expired, in small portions, so that nobody waits behind it. */
export function openSweep(
  { artifacts, attempts, audit }: Store,
  { now, log, auditDays }: { readonly now: () => number; readonly log: Log; readonly auditDays: number },
): { close(): Promise<void> } {
  let running: Promise<void> = Promise.resolve();
  const timer = setInterval(() => {
    running = running.then(sweep).catch((error: unknown) => log.warn({ err: error }, "expired artifacts stay for now"));
  }, EVERY_MS).unref();

  async function sweep(): Promise<void> {
    const before = Math.floor(now() / 1000) - KEPT_SECONDS;
    while ((await artifacts.sweep(before, AT_ONCE)) === AT_ONCE);
    while ((await attempts.sweep(Math.floor(now() / 1000), AT_ONCE)) === AT_ONCE);
    const auditBefore = new Date(now() - auditDays * 86_400_000).toISOString();
    while ((await audit.sweep(auditBefore, AT_ONCE)) === AT_ONCE);
  }
  return {
    async close() {
      clearInterval(timer);
      await running;
    },
  };
}
