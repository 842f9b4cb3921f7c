import { EVENT_TYPES } from "../../domain/events/event.ts";
import type { Webhook } from "../../domain/events/webhook.ts";
import {
  createWebhook,
  deleteWebhook,
  disableWebhook,
  enableWebhook,
  resendDelivery,
  rotateWebhookSecret,
  type WebhookAdministration,
} from "../../domain/events/webhook-administration.ts";
import type { DeliveryState, WebhookDelivery } from "../../domain/events/webhook-delivery.ts";
import type { Id } from "../../domain/id.ts";
import { stillThere } from "../execution/change.ts";
import type { Value } from "../plan/object-shape.ts";
import {
  type AdministrationContext,
  type Arguments,
  type Change,
  enumName,
  idOf,
  newestFirst,
  type Query,
} from "./field.ts";

export const WEBHOOK_QUERIES: Readonly<Record<string, Query>> = {
  webhooks: async ({ store }) => (await store.webhooks.list()).map(webhookValue),
  webhook: async ({ store }, args) => {
    const id = idOf(args);
    const webhook = id === null ? null : await store.webhooks.find(id);
    return webhook === null ? null : webhookValue(webhook);
  },
  webhookDeliveries: ({ store, first }, { webhook, state, after }) => {
    const webhookId = webhook == null ? undefined : (idOf({ webhook }, "webhook") ?? ("" as Id));
    return newestFirst(
      "webhookDeliveries",
      { first, after },
      (place, limit) =>
        store.webhooks.listDeliveries({
          webhookId,
          state: (state ?? undefined) as DeliveryState | undefined,
          after: place?.id,
          limit,
        }),
      deliveryValue,
    );
  },
};

export const WEBHOOK_CHANGES: Readonly<Record<string, Change>> = {
  createWebhook: {
    async make(context, args) {
      const { url, events, includesUnpublished } = args.input as {
        url: string;
        events?: readonly string[] | null;
        includesUnpublished: boolean;
      };
      const input = { url, eventTypes: events?.map(eventType) ?? [], includesUnpublished };
      const { webhook, secret } = await createWebhook(administrationOf(context), input, "input.");
      return { webhook: webhookValue(webhook), secret };
    },
    recall: recallWebhook,
  },
  rotateWebhookSecret: {
    async make(context, args) {
      const isLeaked = args.isLeaked === true;
      const { webhook, secret } = await rotateWebhookSecret(administrationOf(context), idOf(args), isLeaked);
      return { webhook: webhookValue(webhook), secret };
    },
    recall: recallWebhook,
  },
  disableWebhook: changing(disableWebhook),
  enableWebhook: changing(enableWebhook),
  deleteWebhook: {
    make: async (context, args) => ({ deletedId: await deleteWebhook(administrationOf(context), idOf(args)) }),
    recall: async (_context, id) => ({ deletedId: id }),
  },
  resendWebhookDelivery: {
    make: async (context, args) => ({
      delivery: deliveryValue(await resendDelivery(administrationOf(context), idOf(args))),
    }),
    recall: async ({ store }, id) => ({ delivery: deliveryValue(stillThere(await store.webhooks.findDelivery(id))) }),
  },
};

function changing(change: (administration: WebhookAdministration, id: Id | null) => Promise<Webhook>): Change {
  return {
    make: async (context: AdministrationContext, args: Arguments) => ({
      webhook: webhookValue(await change(administrationOf(context), idOf(args))),
    }),
    recall: recallWebhook,
  };
}

async function recallWebhook({ store }: AdministrationContext, id: Id): Promise<Value> {
  return { webhook: webhookValue(stillThere(await store.webhooks.find(id))) };
}

function administrationOf(context: AdministrationContext): WebhookAdministration {
  return { ...context, secrets: context.webhookSecrets };
}

function webhookValue({ secret: _, previousSecret: __, ...webhook }: Webhook): Value {
  return {
    ...webhook,
    events: webhook.eventTypes.map(enumName),
    disabledBy: webhook.disabledBy === null ? null : enumName(webhook.disabledBy),
  };
}

function deliveryValue(delivery: WebhookDelivery): Value {
  return { ...delivery, event: enumName(delivery.eventType), nextAttemptAt: delivery.dueAt };
}

/** As the schema names it; a name that is none of ours stays as it is. */
function eventType(name: string): string {
  return EVENT_TYPES.find((type) => enumName(type) === name) ?? name;
}
