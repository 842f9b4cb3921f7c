import { EVENT_TYPES, type EventType } from "../../domain/events/event.ts";
import type { Webhook } from "../../domain/events/webhook.ts";
import {
  createWebhook,
  deleteWebhook,
  disableWebhook,
  enableWebhook,
  resendDelivery,
  rotateWebhookSecret,
  updateWebhook,
  type WebhookAdministration,
} from "../../domain/events/webhook-administration.ts";
import type {
  DeliveryAttempt,
  DeliveryFilter,
  DeliveryState,
  WebhookDelivery,
} from "../../domain/events/webhook-delivery.ts";
import { resendFailedDeliveries, testWebhook } from "../../domain/events/webhook-sending.ts";
import { type Id, parseId } from "../../domain/id.ts";
import { stillThere } from "../execution/change.ts";
import type { Value } from "../plan/object-shape.ts";
import { parseTime } from "../plan/time.ts";
import {
  type AdministrationContext,
  type Arguments,
  type Change,
  enumName,
  idOf,
  newestFirst,
  type Query,
} from "./field.ts";

const NUMBERS = ["lastDay", "waiting", "oldestWaitingAt", "failingSince", "failingReason"].map(
  (name) => `Webhook.${name}`,
);
const ATTEMPTS = ["WebhookDelivery.attemptLog", "WebhookDelivery.headers"];
/** Milliseconds. */
const DAY = 86_400_000;

export const WEBHOOK_QUERIES: Readonly<Record<string, Query>> = {
  webhooks: async (context) => webhookValues(context, await context.store.webhooks.list()),
  webhook: async (context, args) => {
    const id = idOf(args);
    const webhook = id === null ? null : await context.store.webhooks.find(id);
    return webhook === null ? null : webhookValue(context, webhook);
  },
  webhookDelivery: async (context, args) => {
    const id = idOf(args);
    const delivery = id === null ? null : await context.store.webhooks.findDelivery(id);
    return delivery === null ? null : deliveryValue(context, delivery);
  },
  webhookDeliveries: async (context, args) => {
    const conditions = conditionsOf(args);
    const { store, first } = context;
    // Read with the page, so that each entry is made of what is already there.
    let attempts: Attempts = new Map();
    return newestFirst(
      "webhookDeliveries",
      { first, after: args.after },
      async (place, limit) => {
        const found =
          conditions === null ? [] : await store.webhooks.listDeliveries({ ...conditions, after: place?.id, limit });
        attempts = await attemptsOf(context, found.slice(0, first));
        return found;
      },
      (delivery) => deliveryWith(attempts, delivery),
    );
  },
};

/** Conditions of the arguments and of the filter. null: nothing can meet them. @throws AppError BAD_USER_INPUT */
function conditionsOf(args: Arguments): Omit<DeliveryFilter, "limit"> | null {
  const filter = (args.filter ?? {}) as Readonly<Record<string, string | null | undefined>>;
  const both = (name: "webhook" | "state") => [...new Set([args[name] ?? [], filter[name] ?? []].flat())] as string[];
  const [webhooks, states] = [both("webhook"), both("state")];
  const { event, post, since, until } = filter;
  const times = {
    since: since == null ? undefined : parseTime("filter.since", since),
    until: until == null ? undefined : parseTime("filter.until", until),
  };
  const [webhookId, postId] = [webhooks[0], post].map((id) => (id == null ? undefined : parseId(id)));
  if (webhooks.length > 1 || states.length > 1 || webhookId === null || postId === null) return null;
  const state = states[0] as DeliveryState | undefined;
  return { webhookId, state, postId, eventType: event == null ? undefined : eventType(event), ...times };
}

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
      return { webhook: await webhookValue(context, webhook), secret };
    },
    recall: recallWebhook,
  },
  updateWebhook: {
    async make(context, args) {
      const { url, events, includesUnpublished } = args.input as {
        url?: string | null;
        events?: readonly string[] | null;
        includesUnpublished?: boolean | null;
      };
      const change = {
        url: url ?? undefined,
        eventTypes: events === undefined ? undefined : (events ?? []).map(eventType),
        includesUnpublished: includesUnpublished ?? undefined,
      };
      const webhook = await updateWebhook(administrationOf(context), idOf(args), change, "input.");
      return { webhook: await webhookValue(context, webhook) };
    },
    recall: recallWebhook,
  },
  testWebhook: {
    async make(context, args) {
      const {
        eventType: type,
        payload,
        attempt,
      } = await testWebhook(context, idOf(args), eventType(args.event as string));
      return { test: { event: enumName(type), payload, attempt: attemptValue(attempt) } };
    },
    // Nothing of it is kept: a retry is a test of its own.
    recall: async () => ({ test: null }),
  },
  rotateWebhookSecret: {
    async make(context, args) {
      const isLeaked = args.isLeaked === true;
      const { webhook, secret } = await rotateWebhookSecret(administrationOf(context), idOf(args), isLeaked);
      return { webhook: await webhookValue(context, webhook), secret };
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
      delivery: await deliveryValue(context, await resendDelivery(administrationOf(context), idOf(args))),
    }),
    recall: async (context, id) => ({
      delivery: await deliveryValue(context, stillThere(await context.store.webhooks.findDelivery(id))),
    }),
  },
  resendFailedDeliveries: {
    async make(context, args) {
      const request = { since: parseTime("since", args.since as string), limit: args.limit as number };
      return { ...(await resendFailedDeliveries(context, idOf(args, "webhook"), request)) };
    },
    // The number of the first call is not kept. The next call finds the deliveries that are left.
    recall: async () => ({ found: null, resent: null }),
  },
};

function changing(change: (administration: WebhookAdministration, id: Id | null) => Promise<Webhook>): Change {
  return {
    make: async (context: AdministrationContext, args: Arguments) => ({
      webhook: await webhookValue(context, await change(administrationOf(context), idOf(args))),
    }),
    recall: recallWebhook,
  };
}

async function recallWebhook(context: AdministrationContext, id: Id): Promise<Value> {
  return { webhook: await webhookValue(context, stillThere(await context.store.webhooks.find(id))) };
}

function administrationOf(context: AdministrationContext): WebhookAdministration {
  return { ...context, secrets: context.webhookSecrets };
}

async function webhookValue(context: AdministrationContext, webhook: Webhook): Promise<Value> {
  const [value] = await webhookValues(context, [webhook]);
  return value as Value;
}

async function webhookValues(context: AdministrationContext, webhooks: readonly Webhook[]): Promise<Value[]> {
  const { store, now, selectsAny } = context;
  const ids = selectsAny(NUMBERS) ? webhooks.map(({ id }) => id) : [];
  const numbers = await store.webhooks.numbers(ids, new Date(now() - DAY).toISOString());
  return webhooks.map(({ secret: _, previousSecret: __, ...webhook }) => ({
    ...webhook,
    ...(numbers.find(({ webhookId }) => webhookId === webhook.id) ?? NO_NUMBERS),
    events: webhook.eventTypes.map(enumName),
    disabledBy: webhook.disabledBy === null ? null : enumName(webhook.disabledBy),
  }));
}

/** Numbers of a webhook that somebody has deleted since. */
const NO_NUMBERS = { lastDay: { delivered: 0, failed: 0, waiting: 0 }, waiting: 0 };

type Attempts = ReadonlyMap<Id, readonly DeliveryAttempt[]>;

async function attemptsOf(
  { store, selectsAny }: AdministrationContext,
  deliveries: readonly WebhookDelivery[],
): Promise<Attempts> {
  return selectsAny(ATTEMPTS) ? store.webhooks.listAttempts(deliveries.map(({ id }) => id)) : new Map();
}

async function deliveryValue(context: AdministrationContext, delivery: WebhookDelivery): Promise<Value> {
  return deliveryWith(await attemptsOf(context, [delivery]), delivery);
}

function deliveryWith(attempts: Attempts, delivery: WebhookDelivery): Value {
  const attemptLog = attempts.get(delivery.id) ?? [];
  return {
    ...delivery,
    event: enumName(delivery.eventType),
    nextAttemptAt: delivery.dueAt,
    attemptLog: attemptLog.map(attemptValue),
    headers: attemptLog.find(({ headers }) => headers !== null)?.headers ?? [],
  };
}

function attemptValue({ startedAt, headers, ...attempt }: DeliveryAttempt): Value {
  return { ...attempt, at: startedAt, headers: headers ?? [] };
}

/** As the schema names it; a name that is none of ours stays as it is. */
function eventType(name: string): EventType {
  return EVENT_TYPES.find((type) => enumName(type) === name) ?? (name as EventType);
}
