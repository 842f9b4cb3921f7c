import { type Kysely, sql } from "kysely";
import type { WebhookBacklog } from "../../domain/events/webhook-delivery.ts";
import type { Id } from "../../domain/id.ts";
import type { Schema } from "../database/schema.ts";

/** Rows of one kind that a look counts. */
const MOST_COUNTED = 10_000;

interface Waiting {
  readonly count: number;
  readonly oldest: string | null;
}

/** As `WebhookStore.backlog`. Events count from the place that the slowest of the enabled webhooks has read to. */
export async function readBacklog(read: Kysely<Schema>, at: string): Promise<WebhookBacklog> {
  const due = read
    .selectFrom("webhook_deliveries")
    .innerJoin("webhooks", "webhooks.id", "webhook_deliveries.webhook_id")
    .select("webhook_deliveries.due_at as since")
    .where("webhooks.disabled_at", "is", null)
    .where("webhook_deliveries.due_at", "is not", null) // as the index has it
    .where("webhook_deliveries.due_at", "<=", at)
    .limit(MOST_COUNTED);
  const unread = read
    .selectFrom("outbox")
    .select("outbox.occurred_at as since")
    .where("outbox.id", ">", (eb) =>
      eb
        .selectFrom("webhooks")
        .select((inner) => inner.fn.min<Id>("webhooks.cursor").as("cursor"))
        .where("webhooks.disabled_at", "is", null),
    )
    .limit(MOST_COUNTED);
  const [deliveries, events] = await Promise.all([
    sql<Waiting>`select count(*) as count, min(since) as oldest from (${due}) as waiting`.execute(read),
    sql<Waiting>`select count(*) as count, min(since) as oldest from (${unread}) as waiting`.execute(read),
  ]);
  const rows = [...deliveries.rows, ...events.rows];
  const [oldest = null] = rows.flatMap((row) => row.oldest ?? []).toSorted();
  return { pending: rows.reduce((sum, { count }) => sum + Number(count), 0), oldest };
}
