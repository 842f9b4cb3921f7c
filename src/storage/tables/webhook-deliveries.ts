import { randomUUID } from "node:crypto";
import type { Selectable } from "kysely";
import { AppError } from "../../domain/errors.ts";
import type { WebhookDelivery, WebhookStore } from "../../domain/events/webhook-delivery.ts";
import type { Database } from "../database/database.ts";
import type { IdSource } from "../database/ids.ts";
import type { WebhookDeliveryTable } from "../database/schema.ts";
import { remember } from "./idempotency.ts";

type Deliveries = Pick<
  WebhookStore,
  "advance" | "listDue" | "claim" | "settle" | "release" | "findDelivery" | "listDeliveries" | "resend" | "sweep"
>;

/** @param now Unix time in milliseconds */
export function openWebhookDeliveries(database: Database, ids: IdSource, now: () => number): Deliveries {
  const { read, dialect } = database;

  return {
    async advance(id, { from, to }, deliveries, at) {
      const rows = deliveries.map(
        ({ eventId, eventType, payload }): WebhookDeliveryTable => ({
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

    async settle(id, claim, { state, dueAt, failures, attemptAt, status, error }) {
      const query = read
        .updateTable("webhook_deliveries")
        .set((eb) => ({
          state,
          due_at: dueAt,
          claim: null,
          attempts: eb("attempts", "+", 1),
          failures,
          last_attempt_at: attemptAt,
          last_status: status,
          last_error: error,
        }))
        .where("id", "=", id)
        .where("claim", "=", claim);
      const [changed] = await database.writeAtOnce([query.compile()]);
      return changed === 1;
    },

    async release(id, claim, at) {
      const query = read
        .updateTable("webhook_deliveries")
        .set({ due_at: at, claim: null })
        .where("id", "=", id)
        .where("claim", "=", claim);
      await database.writeAtOnce([query.compile()]);
    },

    async findDelivery(id) {
      const row = await read.selectFrom("webhook_deliveries").selectAll().where("id", "=", id).executeTakeFirst();
      return row === undefined ? null : toDelivery(row);
    },

    async listDeliveries({ webhookId, state, after, limit }) {
      let query = read.selectFrom("webhook_deliveries").selectAll().orderBy("id", "desc").limit(limit);
      if (webhookId !== undefined) query = query.where("webhook_id", "=", webhookId);
      if (state !== undefined) query = query.where("state", "=", state);
      if (after !== undefined) query = query.where("id", "<", after);
      return (await query.execute()).map(toDelivery);
    },

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

function toDelivery(row: Selectable<WebhookDeliveryTable>): WebhookDelivery {
  return {
    id: row.id,
    webhookId: row.webhook_id,
    eventId: row.event_id,
    eventType: row.event_type,
    payload: row.payload,
    state: row.state,
    createdAt: row.created_at,
    dueAt: row.due_at,
    claim: row.claim,
    attempts: Number(row.attempts),
    failures: Number(row.failures),
    lastAttemptAt: row.last_attempt_at,
    lastStatus: row.last_status === null ? null : Number(row.last_status),
    lastError: row.last_error,
  };
}
