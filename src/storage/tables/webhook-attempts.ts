import { type CompiledQuery, type Kysely, sql } from "kysely";
import {
  type DeliveryAttempt,
  type DeliveryOutcome,
  KEPT_ATTEMPTS,
  type MadeAttempt,
  type SentHeader,
} from "../../domain/events/webhook-delivery.ts";
import type { Id } from "../../domain/id.ts";
import type { Schema } from "../database/schema.ts";
import { bind, param, type Statement, statement } from "../database/statement.ts";

/** Writes an attempt beside its outcome. Every delivery needs these statements, so they are built once. */
export class AttemptWriter {
  readonly #well: Statement;
  readonly #failing: Statement;
  readonly #insert: Statement;
  readonly #remove: Statement;

  constructor(read: Kysely<Schema>) {
    const webhook = () => read.updateTable("webhooks").where("id", "=", param<Id>(0));
    this.#well = statement(() =>
      webhook().set({ failing_since: null, failing_reason: null }).where("failing_since", "is not", null),
    );
    this.#failing = statement(() =>
      webhook()
        .set((eb) => ({ failing_since: eb.fn.coalesce("failing_since", text(1)), failing_reason: text(2) }))
        .where((eb) => eb.or([eb("failing_since", "is", null), eb("failing_reason", "<>", text(2))])),
    );
    this.#insert = statement(() =>
      read
        .insertInto("webhook_attempts")
        .columns(["delivery_id", "number", "started_at", "duration_ms", "status", "error", "headers", "answer"])
        .expression((eb) =>
          eb
            .selectFrom("webhook_deliveries")
            .select([
              ...(["id", "attempts"] as const),
              ...[text(3).as("started_at"), whole(4).as("duration_ms"), whole(5).as("status")],
              ...[text(6).as("error"), text(7).as("headers"), text(8).as("answer")],
            ])
            .where("id", "=", param<Id>(0))
            // Only where this outcome was written: another process may have had the delivery meanwhile.
            .where("attempts", "=", param<number>(1))
            .where("claim", "is", null)
            .where("last_attempt_at", "=", param<string>(2)),
        )
        .onConflict((conflict) => conflict.doNothing()),
    );
    this.#remove = statement(() =>
      read
        .deleteFrom("webhook_attempts")
        .where("delivery_id", "=", param<Id>(0))
        .where("number", "<=", param<number>(1)),
    );
  }

  /**
   * Notes since when the webhook fails, and why. It writes nothing as long as that stays the same. It comes before the delivery in
   * a transaction, as everywhere: first the webhook, then its deliveries.
   */
  health({ webhookId, error }: MadeAttempt, at: string): CompiledQuery {
    return error === null ? bind(this.#well, webhookId) : bind(this.#failing, webhookId, at, error);
  }

  /** Keeps an attempt whose outcome was written before in the same transaction, and removes what is too old. */
  keep(deliveryId: Id, { attemptAt }: DeliveryOutcome, made: MadeAttempt): CompiledQuery[] {
    const { number, startedAt, durationMs, status, error, headers, answer } = made;
    const sent = headers === null ? null : JSON.stringify(headers.map(({ name, value }) => [name, value]));
    const attempt = [startedAt, durationMs, status, error, sent, answer];
    const insert = bind(this.#insert, deliveryId, number, attemptAt, ...attempt);
    return number <= KEPT_ATTEMPTS ? [insert] : [insert, bind(this.#remove, deliveryId, number - KEPT_ATTEMPTS)];
  }
}

const text = (slot: number) => sql<string>`cast(${param(slot)} as text)`;
const whole = (slot: number) => sql<number>`cast(${param(slot)} as bigint)`;

/** By the delivery, newest first. */
export async function readAttempts(
  read: Kysely<Schema>,
  deliveryIds: readonly Id[],
): Promise<ReadonlyMap<Id, readonly DeliveryAttempt[]>> {
  const attempts = new Map<Id, DeliveryAttempt[]>();
  if (deliveryIds.length === 0) return attempts;
  const rows = await read
    .selectFrom("webhook_attempts")
    .selectAll()
    .where("delivery_id", "in", deliveryIds)
    .orderBy("delivery_id")
    .orderBy("number", "desc")
    .execute();
  for (const row of rows) {
    const all = attempts.get(row.delivery_id) ?? [];
    attempts.set(row.delivery_id, all);
    all.push({
      startedAt: row.started_at,
      durationMs: Number(row.duration_ms),
      status: row.status === null ? null : Number(row.status),
      answer: row.answer,
      error: row.error,
      headers: row.headers === null ? null : headersOf(row.headers),
    });
  }
  return attempts;
}

function headersOf(json: string): SentHeader[] {
  return (JSON.parse(json) as [string, string][]).map(([name, value]) => ({ name, value }));
}
