import { randomUUID } from "node:crypto";
import { AppError } from "../../domain/errors.ts";
import { noWebhook } from "../../domain/events/webhook.ts";
import { COUNTED_FAILURES, type DeliveryState, type WebhookStore } from "../../domain/events/webhook-delivery.ts";
import type { Id } from "../../domain/id.ts";
import type { Database } from "../database/database.ts";
import type { IdSource } from "../database/ids.ts";
import { bind, param, statement } from "../database/statement.ts";
import type { WebhookDeliveryTable } from "../database/webhook-schema.ts";
import { remember } from "./idempotency.ts";
import { AttemptWriter, readAttempts } from "./webhook-attempts.ts";
import { readBacklog } from "./webhook-backlog.ts";
import { firstId, openWebhookLists } from "./webhook-lists.ts";
import { toDelivery } from "./webhook-rows.ts";

type Deliveries = Pick<
  WebhookStore,
  | "advance"
  | "backlog"
  | "listDue"
  | "claim"
  | "settle"
  | "release"
  | "findDelivery"
  | "listDeliveries"
  | "listAttempts"
  | "numbers"
  | "resend"
  | "resendFailed"
  | "sweep"
>;

/** @param now Unix time in milliseconds */
export function openWebhookDeliveries(database: Database, ids: IdSource, now: () => number): Deliveries {
  const { read, dialect } = database;
  const attempts = new AttemptWriter(read);
  const settling = statement(() =>
    read
      .updateTable("webhook_deliveries")
      .set((eb) => ({
        ...{ state: param<DeliveryState>(2), due_at: param<string | null>(3), claim: null },
        ...{ attempts: eb("attempts", "+", 1), failures: param<number>(4), last_attempt_at: param<string>(5) },
        ...{ last_status: param<number | null>(6), last_error: param<string | null>(7) },
      }))
      .where("id", "=", param<Id>(0))
      .where("claim", "=", param<string>(1)),
  );

  return {
    ...openWebhookLists(read),

    async advance(id, { from, to }, deliveries, at) {
      const rows = deliveries.map(
        ({ eventId, eventType, payload, postId = null }): WebhookDeliveryTable => ({
          id: ids.next(),
          webhook_id: id,
          event_id: eventId,
          event_type: eventType,
          payload,
          state: "PENDING",
          created_at: at,
          due_at: at,
          claim: null,
          attempts: 0,
          failures: 0,
          last_attempt_at: null,
          last_status: null,
          last_error: null,
          post_id: postId,
        }),
      );
      const move = read
        .updateTable("webhooks")
        .set({ cursor: to })
        .where("id", "=", id)
        .where("cursor", "=", from)
        .where("disabled_at", "is", null)
        .returning("id");
      return database.write(async (tx) => {
        // First, so that others wait here until it is decided.
        if ((await tx.executeQuery(move)).rows.length === 0) return false;
        for (const row of rows) await tx.insertInto("webhook_deliveries").values(row).execute();
        return true;
      });
    },

    backlog: (at) => readBacklog(read, at),

    async listDue(at) {
      const rows = await read
        .selectFrom("webhooks")
        .select("id")
        .where("disabled_at", "is", null)
        .where((eb) =>
          eb.exists(
            eb
              .selectFrom("webhook_deliveries")
              .select("webhook_deliveries.id")
              .whereRef("webhook_id", "=", "webhooks.id")
              .where("due_at", "is not", null) // as the index has it
              .where("due_at", "<=", at),
          ),
        )
        .execute();
      return rows.map((row) => row.id);
    },

    claim: (webhookId, { now: at, until, limit }) =>
      database.write(async (tx) => {
        const rows = await tx
          .updateTable("webhook_deliveries")
          .set({ claim: randomUUID(), due_at: until })
          .where("id", "in", (eb) => {
            const due = eb
              .selectFrom("webhook_deliveries")
              .select("id")
              .where("webhook_id", "=", webhookId)
              .where("due_at", "is not", null)
              .where("due_at", "<=", at)
              .orderBy("due_at")
              .orderBy("id")
              .limit(limit);
            return dialect.writesOneByOne ? due : due.forUpdate().skipLocked();
          })
          .where("due_at", "<=", at) // still, for whoever had to wait for the row
          .returningAll()
          .execute();
        return rows.map(toDelivery).sort((a, b) => (a.id < b.id ? -1 : 1));
      }),

    async settle(id, claim, outcome, made) {
      const { state, dueAt, failures, attemptAt, status, error } = outcome;
      const query = bind(settling, ...[id, claim, state, dueAt, failures, attemptAt, status, error]);
      const health = made === undefined ? [] : [attempts.health(made, attemptAt)];
      const kept = made === undefined ? [] : attempts.keep(id, outcome, made);
      const changed = await database.writeAtOnce([...health, query, ...kept]);
      return changed[health.length] === 1;
    },

    async release(id, claim, at) {
      const query = read
        .updateTable("webhook_deliveries")
        .set({ due_at: at, claim: null })
        .where("id", "=", id)
        .where("claim", "=", claim);
      await database.writeAtOnce([query.compile()]);
    },

    listAttempts: (deliveryIds) => readAttempts(read, deliveryIds),

    resend: (id, at, once) =>
      database.write(async (tx) => {
        if (once !== undefined) await remember(tx, once, id, now);
        const found = await tx
          .selectFrom("webhook_deliveries")
          .innerJoin("webhooks", "webhooks.id", "webhook_deliveries.webhook_id")
          .select("webhooks.disabled_at")
          .where("webhook_deliveries.id", "=", id)
          .executeTakeFirst();
        if (found === undefined) throw new AppError("NOT_FOUND", "There is no delivery with this id.");
        if (found.disabled_at !== null) throw new AppError("CONFLICT", "The webhook is disabled. Enable it first.");
        const row = await tx
          .updateTable("webhook_deliveries")
          .set({ state: "PENDING", due_at: at, claim: null, failures: 0 })
          .where("id", "=", id)
          .where((eb) => eb.or([eb("claim", "is", null), eb("due_at", "<=", at)]))
          .returningAll()
          .executeTakeFirst();
        if (row !== undefined) return toDelivery(row);
        throw new AppError("CONFLICT", "An attempt of this delivery is running. Try again shortly.", {
          retryAfter: 30,
        });
      }),

    resendFailed: (webhookId, { since, limit, now: at }, once) =>
      database.write(async (tx) => {
        if (once !== undefined) await remember(tx, once, webhookId, now);
        const webhook = await tx
          .selectFrom("webhooks")
          .select("disabled_at")
          .where("id", "=", webhookId)
          .executeTakeFirst();
        if (webhook === undefined) throw noWebhook();
        if (webhook.disabled_at !== null) throw new AppError("CONFLICT", "The webhook is disabled. Enable it first.");
        const failed = tx
          .selectFrom("webhook_deliveries")
          .select("id")
          .where("webhook_id", "=", webhookId)
          .where("state", "=", "FAILED")
          .where("id", ">=", firstId(since))
          .where("created_at", ">=", since);
        const { count } = await tx
          .selectFrom(failed.limit(COUNTED_FAILURES + 1).as("failed"))
          .select((eb) => eb.fn.countAll<number>().as("count"))
          .executeTakeFirstOrThrow();
        const oldest = failed.orderBy("id").limit(limit);
        const ids = await (dialect.writesOneByOne ? oldest : oldest.forUpdate().skipLocked()).execute();
        if (ids.length === 0) return { found: Number(count), resent: 0 };
        const sent = await tx
          .updateTable("webhook_deliveries")
          .set({ state: "PENDING", due_at: at, claim: null, failures: 0 })
          .where(
            "id",
            "in",
            ids.map(({ id }) => id),
          )
          .executeTakeFirst();
        return { found: Number(count), resent: Number(sent.numUpdatedRows) };
      }),

    async sweep(before, limit) {
      const query = read
        .deleteFrom("webhook_deliveries")
        .where("id", "in", (eb) =>
          eb
            .selectFrom("webhook_deliveries")
            .select("id")
            .where("created_at", "<", before)
            .orderBy("created_at")
            .limit(limit),
        );
      const [changed = 0] = await database.writeAtOnce([query.compile()]);
      return changed;
    },
  };
}
