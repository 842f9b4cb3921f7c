import type { MailStore } from "../domain/people/mail.ts";
import type { Metrics } from "../observe/metrics.ts";

/** Milliseconds for which a count is shown again. */
const FRESH = 10_000;

export interface BacklogOptions {
  readonly mails: Pick<MailStore, "backlog">;
  readonly metrics: Pick<Metrics, "gauge">;
  readonly now: () => number;
}

/**
 * Shows how many mails wait. The database is asked at the start, and then only when somebody reads the metrics, which show the
 * count of the reading before.
 */
export function openBacklog({ mails, metrics, now }: BacklogOptions): void {
  let known: Awaited<ReturnType<MailStore["backlog"]>> = { pending: 0, oldest: null };
  let askedAt = Number.NEGATIVE_INFINITY;

  function refresh(): void {
    if (now() - askedAt < FRESH) return;
    askedAt = now();
    mails.backlog().then(
      (backlog) => {
        known = backlog;
      },
      () => {}, // the store is down, as other lines say
    );
  }

  metrics.gauge("content_api_mails_waiting", () => {
    refresh();
    return known.pending;
  });
  metrics.gauge("content_api_mails_oldest_seconds", () => {
    refresh();
    return known.oldest === null ? 0 : Math.max(0, (now() - Date.parse(known.oldest)) / 1_000);
  });
  refresh();
}
