import { type Command, Option } from "commander";
import type { Config } from "../config/config.ts";
import { loadPreviousSecret, loadSecret } from "../config/installation-secret.ts";
import { EVENT_TYPES, type EventType } from "../domain/events/event.ts";
import { noWebhook } from "../domain/events/webhook.ts";
import { resendDelivery, type WebhookAdministration } from "../domain/events/webhook-administration.ts";
import {
  COUNTED_FAILURES,
  DELIVERY_STATES,
  type DeliveryAttempt,
  type DeliveryState,
  type WebhookDelivery,
} from "../domain/events/webhook-delivery.ts";
import { MOST_RESENT, resendFailedDeliveries, testWebhook } from "../domain/events/webhook-sending.ts";
import { type Id, parseId } from "../domain/id.ts";
import type { Store } from "../domain/store/store.ts";
import { openWebhookSecrets } from "../secrets/webhook-secrets.ts";
import { type Clock, withAdministration, withStore } from "./context.ts";
import { afterOption, limitOption, MOMENT, readMoment } from "./list-options.ts";
import { EXIT_CODES } from "./terminal/exit-codes.ts";
import { hint, printRecord, printTable } from "./terminal/output.ts";

interface DeliveriesOptions {
  state?: DeliveryState;
  event?: EventType;
  post?: Id;
  since?: string;
  until?: string;
  after?: Id;
  limit: number;
  json?: boolean;
}

export function addDeliveryCommands(command: Command): void {
  command
    .command("deliveries <id>")
    .description("lists the deliveries to a webhook, newest first")
    .addOption(new Option("--state <state>", "those in this state").choices(DELIVERY_STATES))
    .addOption(new Option("--event <event>", "those of this event").choices(EVENT_TYPES))
    .option("--post <post-id>", "those of events of this post", (text) => parseId(text) ?? ("" as Id))
    .option("--since <when>", `those made at this moment or later: ${MOMENT}`)
    .option("--until <when>", "those made before this moment")
    .addOption(afterOption("delivery", "deliveries"))
    .addOption(limitOption(1_000))
    .option("--json", "print JSON")
    .action((id: string, options: DeliveriesOptions) =>
      withStore((store, _config, now) => listDeliveries(id, options, store, now)),
    );
  command
    .command("attempts <delivery-id>")
    .description("lists the last 20 attempts of a delivery, newest first")
    .option("--json", "print JSON, with headers and answers")
    .action((id: string, { json }: { json?: boolean }) => withStore((store) => listAttempts(id, json, store)));
  command
    .command("resend <delivery-id>")
    .description("sends a delivery once more, with the whole schedule of retries before it")
    .action((id: string) =>
      withWebhooks(async (administration) => {
        await resendDelivery(administration, parseId(id));
        hint(`Delivery ${id} is sent again within a second while the server runs.`);
      }),
    );
  command
    .command("resend-failed <id>")
    .description("sends all failed deliveries to a webhook once more, oldest first")
    .requiredOption("--since <when>", `those made at this moment or later: ${MOMENT}`)
    .option("--dry-run", "only count them")
    .action(resendFailed);
  command
    .command("test <id>")
    .description("sends an example of an event with test: true to a webhook now, and prints the answer")
    .addOption(new Option("--event <event>", "event to send").choices(EVENT_TYPES).default("post.published"))
    .option("--json", "print JSON, with body and headers")
    .action(test);
}

export interface Webhooks extends WebhookAdministration {
  readonly store: Store;
}

export function withWebhooks(task: (administration: Webhooks, config: Config) => Promise<void>): Promise<void> {
  return withAdministration((administration, config) =>
    task({ ...administration, secrets: secretsOf(config), privateHosts: config.PRIVATE_HOSTS }, config),
  );
}

function secretsOf(config: Config) {
  return openWebhookSecrets(loadSecret(config), loadPreviousSecret(config));
}

async function listDeliveries(id: string, options: DeliveriesOptions, store: Store, now: Clock): Promise<void> {
  const webhookId = parseId(id);
  if (webhookId === null || (await store.webhooks.find(webhookId)) === null) throw noWebhook();
  const { json, state, event, post, since, until, after, limit } = options;
  const found = await store.webhooks.listDeliveries({
    ...{ webhookId, state, eventType: event, postId: post, after, limit },
    since: since === undefined ? undefined : readMoment("since", since, now()),
    until: until === undefined ? undefined : readMoment("until", until, now()),
  });
  if (json || found.length > 0)
    await printTable(json ? found.map(describeDelivery) : found.map(summaryOfDelivery), json, ["id"]);
  else hint("Nothing was found. WEBHOOK_DAYS says for how long deliveries are kept.");
}

async function listAttempts(id: string, json: boolean | undefined, { webhooks }: Store): Promise<void> {
  const deliveryId = parseId(id);
  const attempts = deliveryId === null ? [] : ((await webhooks.listAttempts([deliveryId])).get(deliveryId) ?? []);
  if (json || attempts.length > 0)
    await printTable(json ? attempts.map(describeAttempt) : attempts.map(summaryOfAttempt), json);
  else hint("Nothing was found. A delivery has attempts once it was sent.");
}

/** In steps, so that no transaction is long. */
async function resendFailed(id: string, { since, dryRun }: { since: string; dryRun?: boolean }): Promise<void> {
  await withWebhooks(async (administration) => {
    const request = { since: readMoment("since", since, administration.now()), limit: dryRun ? 0 : MOST_RESENT };
    let sent = 0;
    for (;;) {
      const { found, resent } = await resendFailedDeliveries(administration, parseId(id), request);
      sent += resent;
      if (dryRun) {
        const count = found > COUNTED_FAILURES ? `More than ${COUNTED_FAILURES}` : `${found}`;
        return hint(`Failed deliveries found: ${count}.`);
      }
      if (resent < MOST_RESENT) return hint(`Deliveries sent again while the server runs: ${sent}.`);
      hint(`${sent} so far…`);
    }
  });
}

async function test(id: string, { event, json }: { event: EventType; json?: boolean }): Promise<void> {
  await withWebhooks(async (administration, config) => {
    // The one command that calls a webhook itself.
    const { openWebhookTest } = await import("../app/webhook-test.ts");
    const { now } = administration;
    const callWebhook = openWebhookTest(config, { openSecret: secretsOf(config).open, now });
    const { payload, attempt } = await testWebhook({ ...administration, callWebhook }, parseId(id), event);
    const { headers: _, ...facts } = attempt;
    await printRecord(json ? { ...describeAttempt(attempt), payload } : facts, json);
    if (attempt.error !== null) process.exitCode = EXIT_CODES.failed.code;
  });
}

/** The columns of a list. */
function summaryOfDelivery({ id, eventType, state, attempts, lastStatus }: WebhookDelivery) {
  return { id, event: eventType, state, tries: attempts, status: lastStatus };
}

function describeDelivery(delivery: WebhookDelivery) {
  return {
    id: delivery.id,
    event: delivery.eventType,
    eventId: delivery.eventId,
    state: delivery.state,
    attempts: delivery.attempts,
    createdAt: delivery.createdAt,
    dueAt: delivery.dueAt,
    lastStatus: delivery.lastStatus,
    lastError: delivery.lastError,
  };
}

/** The columns of a list. */
function summaryOfAttempt({ startedAt, durationMs, status, error }: DeliveryAttempt) {
  return { at: startedAt, ms: durationMs, status, error };
}

function describeAttempt({ startedAt, headers, ...attempt }: DeliveryAttempt) {
  return { at: startedAt, ...attempt, headers: (headers ?? []).map(({ name, value }) => `${name}: ${value}`) };
}
