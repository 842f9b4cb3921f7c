import { openWorker, type Worker } from "../background/worker.ts";
import type { Webhook } from "../domain/events/webhook.ts";
import { deliveryFor, type WebhookDelivery } from "../domain/events/webhook-delivery.ts";
import type { Store } from "../domain/store/store.ts";
import type { Log } from "../observe/log.ts";
import type { Metrics } from "../observe/metrics.ts";
import type { Observer } from "../observe/observer.ts";
import { currentRecord } from "../observe/request-record.ts";
import { type AttemptOptions, attempt } from "./attempt.ts";

/** Milliseconds between two looks. */
const LOOK_EVERY = { busy: 1_000, idle: 1_000 } as const;
/** Events that are made deliveries of in one transaction. */
const EVENTS_AT_ONCE = 100;
/** Calls of one process to one webhook at the same time. Each has its own, so that none waits for another's. */
const LANES = 4;
/** Default time limit of one call in milliseconds. */
const TIMEOUT = 15_000;
/** Milliseconds beyond the call after which another process may try: this one is taken to be dead. */
const GRACE = 5_000;

const OUTCOMES = { DELIVERED: "delivered", PENDING: "retried", FAILED: "failed" } as const;

export interface WebhooksOptions extends Pick<AttemptOptions, "send" | "openSecret" | "now"> {
  readonly store: Pick<Store, "webhooks" | "outbox" | "watch">;
  readonly log: Log;
  readonly metrics: Pick<Metrics, "webhookCalled">;
  /** Runs each call as a trace of its own; just runs it unless given. */
  readonly background?: Observer["background"];
  /** As AttemptOptions; Math.random unless given. */
  readonly random?: () => number;
  /** As AttemptOptions; 15 s unless given. */
  readonly timeout?: number;
}

interface Call {
  readonly webhook: Webhook;
  readonly delivery: WebhookDelivery;
}

/** Calls that are broken off are released, and the next process makes them. */
export type Webhooks = Pick<Worker<Call>, "look" | "idle" | "close">;

/**
 * Sends events to webhooks. Every process does so: what is to be sent is written down in the database, with the place in
 * the outbox that it was read to, so that nothing is missed while no process runs; and each delivery is claimed there for
 * one process at a time. An event comes at least once.
 */
export function openWebhooks(options: WebhooksOptions): Webhooks {
  const { store, log, metrics, now, timeout = TIMEOUT, random = Math.random } = options;
  const { background = (_name, work) => work() } = options;
  const attemptOptions: AttemptOptions = { ...options, timeout, random };
  const end = new AbortController();
  const worker = openWorker<Call>({
    run,
    perform: deliver,
    breakOff: () => end.abort(),
    every: LOOK_EVERY,
    factsOf: ({ delivery }) => ({ deliveryId: delivery.id }),
    words: { failing: "webhooks wait for now", lost: "a delivery's outcome could not be kept" },
    log,
  });
  let unwatch: (() => void) | null = null;
  void worker.look();

  async function run(): Promise<boolean> {
    const webhooks = (await store.webhooks.list()).filter(({ disabledAt }) => disabledAt === null);
    listen(webhooks.length > 0);
    if (webhooks.length === 0) return false;
    await gather(webhooks);
    await dispatch(webhooks);
    return true;
  }

  /** Watches for events only while somebody listens: watching reads the outbox. */
  function listen(isWanted: boolean): void {
    if (worker.isClosed() || (isWanted && unwatch !== null)) return;
    if (isWanted) unwatch = store.watch(["event"], () => void worker.look());
    else {
      unwatch?.();
      unwatch = null;
    }
  }

  /** Writes down what is to be sent. Those that have read equally far, as nearly all have, are served by one reading. */
  async function gather(webhooks: readonly Webhook[]): Promise<void> {
    for (const [cursor, group] of Map.groupBy(webhooks, (webhook) => webhook.cursor)) {
      const events = await store.outbox.list(cursor === "" ? null : cursor, EVENTS_AT_ONCE);
      const last = events.at(-1);
      if (last === undefined) continue;
      if (events.length === EVENTS_AT_ONCE) void worker.look(); // for the rest
      const at = new Date(now()).toISOString();
      for (const webhook of group) {
        const deliveries = events.flatMap((event) => deliveryFor(webhook, event) ?? []);
        await store.webhooks.advance(webhook.id, { from: cursor, to: last.id }, deliveries, at);
      }
    }
  }

  async function dispatch(webhooks: readonly Webhook[]): Promise<void> {
    const busy = worker.underWay();
    for (const id of await store.webhooks.listDue(new Date(now()).toISOString())) {
      const webhook = webhooks.find((other) => other.id === id);
      const free = LANES - busy.filter(({ webhook: other }) => other.id === id).length;
      if (webhook === undefined || free <= 0) continue;
      const [at, until] = [now(), now() + timeout + GRACE].map((time) => new Date(time).toISOString()) as [
        string,
        string,
      ];
      for (const delivery of await store.webhooks.claim(id, { now: at, until, limit: free }))
        worker.begin({ webhook, delivery });
    }
  }

  async function tracedAttempt(webhook: Webhook, delivery: WebhookDelivery) {
    const made = await attempt(webhook, delivery, end.signal, attemptOptions);
    const record = currentRecord();
    if (record !== undefined && made?.outcome.state !== "DELIVERED") record.errorCode = "not_delivered";
    return made;
  }

  async function deliver({ webhook, delivery }: Call): Promise<void> {
    const { id, claim } = delivery;
    if (claim === null) return;
    const ended = await background("webhook deliver", () => tracedAttempt(webhook, delivery), {
      "content_api.webhook.id": webhook.id,
      "content_api.delivery.id": id,
      "content_api.delivery.attempt": delivery.attempts + 1,
    });
    if (ended === null) return store.webhooks.release(id, claim, new Date(now()).toISOString());
    const { outcome, made, isGone } = ended;
    const facts = { webhookId: webhook.id, deliveryId: id, status: outcome.status, error: outcome.error };
    await store.webhooks.settle(id, claim, outcome, made);
    metrics.webhookCalled(OUTCOMES[outcome.state]);
    if (outcome.state === "FAILED") log.warn(facts, "a webhook was not told of an event, and is not tried again");
    else log.debug(facts, "a webhook was called");
    if (!isGone) return;
    await store.webhooks.disable(webhook.id, { disabledAt: outcome.attemptAt, disabledBy: "receiver" });
    log.warn(facts, "a webhook is disabled: its receiver answered 410");
  }

  return {
    look: worker.look,
    idle: worker.idle,
    close() {
      unwatch?.();
      unwatch = null;
      return worker.close();
    },
  };
}
