import { type Kysely, type RawBuilder, sql } from "kysely";
import type { EventType } from "../../domain/events/event.ts";
import {
  COUNTED_DELIVERIES,
  DELIVERY_STATES,
  type DeliveryFilter,
  type DeliveryState,
  type WebhookNumbers,
  type WebhookStore,
} from "../../domain/events/webhook-delivery.ts";
import type { Id } from "../../domain/id.ts";
import type { Schema } from "../database/schema.ts";
import { toDelivery } from "./webhook-rows.ts";

type Lists = Pick<WebhookStore, "findDelivery" | "listDeliveries" | "numbers">;

/** Milliseconds by which the time in an id may be ahead of the time that is stored with it. */
const ID_AHEAD = 60_000;

/** One piece of an index, in which deliveries stand in the order of their ids. */
interface Piece {
  readonly webhookId: Id;
  readonly state: DeliveryState;
  readonly eventType: EventType | undefined;
}

/**
 * Lists and numbers that cost the same however many deliveries there are. An index has the deliveries of one webhook in one state,
 * and another one those of one webhook, event and state. Where a filter leaves one of these open, the newest ones of each piece
 * are taken and put in order.
 */
export function openWebhookLists(read: Kysely<Schema>): Lists {
  async function webhookIds(webhookId: Id | undefined): Promise<readonly Id[]> {
    if (webhookId !== undefined) return [webhookId];
    return (await read.selectFrom("webhooks").select("id").execute()).map(({ id }) => id);
  }

  /** The newest of each piece, in order. */
  async function newestIds(pieces: readonly Piece[], filter: DeliveryFilter): Promise<Id[]> {
    const [first, ...rest] = pieces.map((piece) => {
      const newest = within(read.selectFrom("webhook_deliveries").select("id"), filter)
        .where("webhook_id", "=", piece.webhookId)
        .where("state", "=", piece.state)
        .$if(piece.eventType !== undefined, (query) => query.where("event_type", "=", piece.eventType as EventType))
        .orderBy("id", "desc")
        .limit(filter.limit);
      return read.selectFrom(newest.as("newest")).select("id");
    });
    if (first === undefined) return [];
    const all = rest.reduce((union, query) => union.unionAll(query), first);
    const rows = await read
      .selectFrom(all.as("every"))
      .select("id")
      .orderBy("id", "desc")
      .limit(filter.limit)
      .execute();
    return rows.map(({ id }) => id);
  }

  return {
    async findDelivery(id) {
      const row = await read.selectFrom("webhook_deliveries").selectAll().where("id", "=", id).executeTakeFirst();
      return row === undefined ? null : toDelivery(row);
    },

    async listDeliveries(filter) {
      const { webhookId, state, eventType, postId, limit } = filter;
      const rows = read.selectFrom("webhook_deliveries").selectAll().orderBy("id", "desc");
      if (postId !== undefined || (webhookId === undefined && state === undefined && eventType === undefined)) {
        let query = within(rows, filter).limit(limit);
        if (postId !== undefined) query = query.where("post_id", "=", postId);
        if (webhookId !== undefined) query = query.where("webhook_id", "=", webhookId);
        if (state !== undefined) query = query.where("state", "=", state);
        if (eventType !== undefined) query = query.where("event_type", "=", eventType);
        return (await query.execute()).map(toDelivery);
      }
      const states = state === undefined ? DELIVERY_STATES : [state];
      const pieces = (await webhookIds(webhookId)).flatMap((id) =>
        states.map((each) => ({ webhookId: id, state: each, eventType })),
      );
      const ids = await newestIds(pieces, filter);
      if (ids.length === 0) return [];
      return (await rows.where("id", "in", ids).execute()).map(toDelivery);
    },

    async numbers(ids, dayAgo) {
      if (ids.length === 0) return [];
      const rows = await read
        .selectFrom("webhooks")
        .select(["id", "failing_since", "failing_reason"])
        .select((eb) => [
          counted(COUNTED_DELIVERIES, sql`state = 'DELIVERED' and id >= ${firstId(dayAgo)}`).as("delivered"),
          counted(COUNTED_DELIVERIES, sql`state = 'FAILED' and id >= ${firstId(dayAgo)}`).as("failed"),
          counted(COUNTED_DELIVERIES, sql`state = 'PENDING' and id >= ${firstId(dayAgo)}`).as("day_waiting"),
          counted(COUNTED_DELIVERIES, sql`state = 'PENDING'`).as("waiting"),
          eb
            .selectFrom("webhook_deliveries")
            .select("created_at")
            .whereRef("webhook_id", "=", "webhooks.id")
            .where("state", "=", "PENDING")
            .orderBy("webhook_deliveries.id")
            .limit(1)
            .as("oldest"),
        ])
        .where("id", "in", ids)
        .execute();
      return rows.map(
        (row): WebhookNumbers => ({
          webhookId: row.id,
          lastDay: {
            delivered: Number(row.delivered),
            failed: Number(row.failed),
            waiting: Number(row.day_waiting),
          },
          waiting: Number(row.waiting),
          oldestWaitingAt: row.oldest,
          failingSince: row.failing_since,
          failingReason: row.failing_reason,
        }),
      );
    },
  };
}

/** SQL for how many deliveries of the row's webhook meet a condition, up to a bound. One more than that means more. */
function counted(most: number, condition: RawBuilder<unknown>) {
  return sql<number>`(select count(*) from (
    select 1 from webhook_deliveries as d where d.webhook_id = webhooks.id and ${condition} limit ${sql.lit(most + 1)}
  ) as counted)`;
}

/** Bounds by time and place. Ids begin with the time, so that an index by id finds them; the time that is stored decides. */
function within<Query extends Filtered<Query>>(query: Query, { since, until, after }: DeliveryFilter): Query {
  let bounded = query;
  if (since !== undefined) bounded = bounded.where("id", ">=", firstId(since)).where("created_at", ">=", since);
  if (until !== undefined) {
    const behind = new Date(Date.parse(until) + ID_AHEAD).toISOString();
    bounded = bounded.where("id", "<", firstId(behind)).where("created_at", "<", until);
  }
  return after === undefined ? bounded : bounded.where("id", "<", after);
}

interface Filtered<Query> {
  where(column: "id" | "created_at", operator: "<" | ">=", value: string): Query;
}

/** No id that was made at that time (RFC 3339) or later comes before this text, and no earlier one after it. */
export function firstId(time: string): Id {
  const digits = Math.max(0, Date.parse(time)).toString(16).padStart(12, "0");
  return `${digits.slice(0, 8)}-${digits.slice(8)}` as Id;
}
