import type { Kysely, Selectable } from "kysely";
import { AppError } from "../../domain/errors.ts";
import type { EventType } from "../../domain/events/event.ts";
import { noWebhook, type Webhook } from "../../domain/events/webhook.ts";
import type { WebhookStore } from "../../domain/events/webhook-delivery.ts";
import type { Id } from "../../domain/id.ts";
import type { Once } from "../../domain/idempotency.ts";
import type { Database } from "../database/database.ts";
import type { IdSource } from "../database/ids.ts";
import type { Schema } from "../database/schema.ts";
import type { WebhookTable } from "../database/webhook-schema.ts";
import { remember } from "./idempotency.ts";
import { lastEvent } from "./outbox.ts";
import { openWebhookDeliveries } from "./webhook-deliveries.ts";

/** @param now Unix time in milliseconds */
export function openWebhooks(database: Database, ids: IdSource, now: () => number): WebhookStore {
  const { read, dialect } = database;

  /** Changes one webhook, in one transaction with the note that this was done. */
  function change(
    id: Id,
    once: Once | undefined,
    values: (tx: Kysely<Schema>, webhook: Selectable<WebhookTable>) => Promise<Partial<WebhookTable> | null>,
  ): Promise<Webhook> {
    return database.write(async (tx) => {
      if (once !== undefined) await remember(tx, once, id, now);
      // Held until the end, so that what is written follows from what is there.
      let query = tx.selectFrom("webhooks").selectAll().where("id", "=", id);
      if (!dialect.writesOneByOne) query = query.forUpdate();
      const present = await query.executeTakeFirst();
      if (present === undefined) throw noWebhook();
      const changed = await values(tx, present);
      if (changed === null) return toWebhook(present);
      const row = await tx
        .updateTable("webhooks")
        .set(changed)
        .where("id", "=", id)
        .returningAll()
        .executeTakeFirstOrThrow();
      return toWebhook(row);
    });
  }

  return {
    ...openWebhookDeliveries(database, ids, now),

    create: ({ url, eventTypes, includesUnpublished }, { most, seal, once }) =>
      database.write(async (tx) => {
        const id = ids.next();
        if (once !== undefined) await remember(tx, once, id, now);
        await dialect.lock(tx, "webhooks");
        const { count } = await tx
          .selectFrom("webhooks")
          .select((eb) => eb.fn.countAll<number>().as("count"))
          .executeTakeFirstOrThrow();
        if (Number(count) >= most) throw new AppError("CONFLICT", `There are ${most} webhooks already, the maximum.`);
        const row: WebhookTable = {
          id,
          url,
          event_types: JSON.stringify(eventTypes),
          includes_unpublished: Number(includesUnpublished),
          secret: seal(id),
          previous_secret: null,
          previous_until: null,
          cursor: (await lastEvent(tx, dialect)) ?? "",
          created_at: new Date(now()).toISOString(),
          disabled_at: null,
          disabled_by: null,
          failing_since: null,
          failing_reason: null,
        };
        await tx.insertInto("webhooks").values(row).execute();
        return toWebhook(row);
      }),

    async find(id) {
      const row = await read.selectFrom("webhooks").selectAll().where("id", "=", id).executeTakeFirst();
      return row === undefined ? null : toWebhook(row);
    },

    async list() {
      const rows = await read.selectFrom("webhooks").selectAll().orderBy("created_at").orderBy("id").execute();
      return rows.map(toWebhook);
    },

    rotate: (id, { secret, previousUntil }, once) =>
      change(id, once, async (_tx, present) => ({
        secret,
        previous_secret: previousUntil === null ? null : present.secret,
        previous_until: previousUntil,
      })),

    update: (id, { url, eventTypes, includesUnpublished }, once) =>
      change(id, once, async (_tx, present) => {
        const isElsewhere = url !== undefined && url !== present.url;
        const changed = {
          ...(isElsewhere && { url, failing_since: null, failing_reason: null }),
          ...(eventTypes !== undefined && { event_types: JSON.stringify(eventTypes) }),
          ...(includesUnpublished !== undefined && { includes_unpublished: Number(includesUnpublished) }),
        };
        return Object.keys(changed).length === 0 ? null : changed;
      }),

    disable: (id, { disabledAt, disabledBy }, once) =>
      change(id, once, async (_tx, present) =>
        present.disabled_at === null ? { disabled_at: disabledAt, disabled_by: disabledBy } : null,
      ),

    enable: (id, once) =>
      change(id, once, async (tx, present) =>
        present.disabled_at === null
          ? null
          : {
              ...{ disabled_at: null, disabled_by: null, failing_since: null, failing_reason: null },
              cursor: (await lastEvent(tx, dialect)) ?? "",
            },
      ),

    delete: (id, once) =>
      database.write(async (tx) => {
        if (once !== undefined) await remember(tx, once, id, now);
        // First, so that nobody adds deliveries meanwhile.
        const row = await tx
          .updateTable("webhooks")
          .set({ id })
          .where("id", "=", id)
          .returning("id")
          .executeTakeFirst();
        if (row === undefined) throw noWebhook();
        await tx.deleteFrom("webhook_deliveries").where("webhook_id", "=", id).execute();
        await tx.deleteFrom("webhooks").where("id", "=", id).execute();
      }),
  };
}

function toWebhook(row: Selectable<WebhookTable>): Webhook {
  return {
    id: row.id,
    url: row.url,
    eventTypes: JSON.parse(row.event_types) as EventType[],
    includesUnpublished: row.includes_unpublished === 1,
    secret: row.secret,
    previousSecret: row.previous_secret,
    previousUntil: row.previous_until,
    cursor: row.cursor,
    createdAt: row.created_at,
    disabledAt: row.disabled_at,
    disabledBy: row.disabled_by,
  };
}
