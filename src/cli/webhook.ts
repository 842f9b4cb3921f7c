import { Command, Option } from "commander";
import { programName } from "../config/command-line.ts";
import { loadPreviousSecret, loadSecret } from "../config/installation-secret.ts";
import { EVENT_TYPES, type EventType } from "../domain/events/event.ts";
import { noWebhook, type Webhook } from "../domain/events/webhook.ts";
import {
  createWebhook,
  deleteWebhook,
  disableWebhook,
  enableWebhook,
  resendDelivery,
  rotateWebhookSecret,
  type WebhookAdministration,
} from "../domain/events/webhook-administration.ts";
import { DELIVERY_STATES, type DeliveryState, type WebhookDelivery } from "../domain/events/webhook-delivery.ts";
import { type Id, parseId } from "../domain/id.ts";
import type { Store } from "../domain/store/store.ts";
import { openWebhookSecrets } from "../secrets/webhook-secrets.ts";
import { withAdministration, withStore } from "./context.ts";
import { afterOption, limitOption } from "./list-options.ts";
import { hint, printRecord, printSecret, printTable } from "./terminal/output.ts";

interface CreateOptions {
  url: string;
  event?: EventType[];
  unpublished?: boolean;
  json?: boolean;
}

interface DeliveriesOptions {
  state?: DeliveryState;
  after?: Id;
  limit: number;
  json?: boolean;
}

export function webhookCommand(): Command {
  const command = new Command("webhook").description("URLs that receive events by HTTP");
  command
    .command("create")
    .description("registers a URL that receives events from now on; prints the id and, once only, the secret")
    .requiredOption("--url <url>", "URL that receives events by POST (https, publicly reachable)")
    .addOption(new Option("--event <event...>", "events to send (default: all)").choices(EVENT_TYPES))
    .option("--unpublished", "send events of drafts and archived posts too, of every author")
    .option("--json", "print JSON")
    .action(create);
  command
    .command("list")
    .description("lists every webhook")
    .option("--json", "print JSON")
    .action((options: { json?: boolean }) =>
      withStore(async (store) => {
        const webhooks = await store.webhooks.list();
        if (options.json) return printTable(webhooks.map(describe), true);
        if (webhooks.length === 0) return hint("There are no webhooks yet.");
        return printTable(webhooks.map(summary), false, ["id"]);
      }),
    );
  command
    .command("show <id>")
    .description("prints everything about a webhook except its secret")
    .option("--json", "print JSON")
    .action((id: string, options: { json?: boolean }) =>
      withStore(async (store) => {
        const webhookId = parseId(id);
        const webhook = webhookId === null ? null : await store.webhooks.find(webhookId);
        if (webhook === null) throw noWebhook();
        await printRecord(describe(webhook), options.json);
      }),
    );
  command
    .command("rotate <id>")
    .description("replaces the secret of a webhook; for a day, both secrets sign")
    .option("--leaked", "stop signing with the old secret immediately")
    .option("--json", "print JSON")
    .action((id: string, options: { leaked?: boolean; json?: boolean }) =>
      withWebhooks(async (administration) => {
        const { secret } = await rotateWebhookSecret(administration, parseId(id), options.leaked);
        await printOnce(id, secret, options.json);
        hint(`The webhook has a new secret, which is shown this once only.`, options.json);
      }),
    );
  for (const [name, description, change, done] of [
    ["disable", "sends nothing more to it; what waits, waits", disableWebhook, "is disabled. Its deliveries wait."],
    [
      "enable",
      "goes on with what waited, and with what happens from now on",
      enableWebhook,
      "is enabled. Deliveries that waited are sent now.",
    ],
    ["delete", "destroys it with its deliveries", deleteWebhook, "is deleted with its deliveries."],
  ] as const) {
    command
      .command(`${name} <id>`)
      .description(description)
      .action((id: string) =>
        withWebhooks(async (administration) => {
          await change(administration, parseId(id));
          hint(`Webhook ${id} ${done}`);
        }),
      );
  }
  command
    .command("deliveries <id>")
    .description("lists the deliveries to a webhook, newest first")
    .addOption(new Option("--state <state>", "those in this state").choices(DELIVERY_STATES))
    .addOption(afterOption("delivery", "deliveries"))
    .addOption(limitOption(1_000))
    .option("--json", "print JSON")
    .action((id: string, options: DeliveriesOptions) => withStore((store) => listDeliveries(id, options, store)));
  command
    .command("resend <delivery-id>")
    .description("sends a delivery once more, with the whole schedule of retries before it")
    .action((id: string) =>
      withWebhooks(async (administration) => {
        await resendDelivery(administration, parseId(id));
        hint(`Delivery ${id} is sent again within a second while the server runs.`);
      }),
    );
  return command;
}

async function create({ url, event, unpublished, json }: CreateOptions): Promise<void> {
  await withWebhooks(async (administration) => {
    const input = { url, eventTypes: event ?? [], includesUnpublished: unpublished ?? false };
    const { webhook, secret } = await createWebhook(administration, input);
    await printOnce(webhook.id, secret, json);
    hint("The webhook is registered. Its secret is shown this once only.", json);
  });
}

function printOnce(id: string, secret: string, json: boolean | undefined): Promise<void> {
  const line = `${programName()} webhook rotate ${id} --leaked`;
  return printSecret(printRecord({ id, secret }, json), () => `The webhook is ${id}. Get a new secret: ${line}`);
}

async function listDeliveries(id: string, { json, ...filter }: DeliveriesOptions, store: Store): Promise<void> {
  const webhookId = parseId(id);
  if (webhookId === null || (await store.webhooks.find(webhookId)) === null) throw noWebhook();
  const found = await store.webhooks.listDeliveries({ webhookId, ...filter });
  if (json || found.length > 0)
    await printTable(json ? found.map(describeDelivery) : found.map(summaryOfDelivery), json, ["id"]);
  else hint("Nothing was found. WEBHOOK_DAYS says for how long deliveries are kept.");
}

function withWebhooks(task: (administration: WebhookAdministration) => Promise<void>): Promise<void> {
  return withAdministration((administration, config) =>
    task({
      ...administration,
      secrets: openWebhookSecrets(loadSecret(config), loadPreviousSecret(config)),
      privateHosts: config.PRIVATE_HOSTS,
    }),
  );
}

function describe(webhook: Webhook) {
  return {
    id: webhook.id,
    url: webhook.url,
    events: webhook.eventTypes.length === 0 ? ["all"] : webhook.eventTypes,
    unpublished: webhook.includesUnpublished,
    oldSecretUntil: webhook.previousUntil,
    createdAt: webhook.createdAt,
    disabledAt: webhook.disabledAt,
    disabledBy: webhook.disabledBy,
  };
}

/** The columns of a list. */
function summary({ id, url, disabledAt }: Webhook) {
  return { id, url, state: disabledAt === null ? "active" : "disabled" };
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
