import { Command, Option } from "commander";
import { programName } from "../config/command-line.ts";
import { badInput } from "../domain/errors.ts";
import { EVENT_TYPES, type EventType } from "../domain/events/event.ts";
import { noWebhook, type Webhook } from "../domain/events/webhook.ts";
import {
  createWebhook,
  deleteWebhook,
  disableWebhook,
  enableWebhook,
  rotateWebhookSecret,
  updateWebhook,
} from "../domain/events/webhook-administration.ts";
import { COUNTED_DELIVERIES, type WebhookNumbers } from "../domain/events/webhook-delivery.ts";
import { parseId } from "../domain/id.ts";
import type { Store } from "../domain/store/store.ts";
import { withStore } from "./context.ts";
import { hint, printRecord, printSecret, printTable } from "./terminal/output.ts";
import { addDeliveryCommands, type Webhooks, withWebhooks } from "./webhook-deliveries.ts";

interface CreateOptions {
  url: string;
  event?: EventType[];
  unpublished?: boolean;
  json?: boolean;
}

interface UpdateOptions {
  url?: string;
  event?: EventType[];
  allEvents?: boolean;
  unpublished?: boolean;
}

/** Milliseconds. */
const DAY = 86_400_000;

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
    .command("update <id>")
    .description("changes a webhook; what waits goes to its new URL")
    .option("--url <url>", "URL that receives events by POST (https, publicly reachable)")
    .addOption(new Option("--event <event...>", "events to send").choices(EVENT_TYPES).conflicts("allEvents"))
    .option("--all-events", "send all events")
    .option("--unpublished", "send events of drafts and archived posts too, of every author")
    .option("--no-unpublished", "send events of published posts only")
    .action(update);
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
      withStore(async (store, _config, now) => {
        const webhookId = parseId(id);
        const webhook = webhookId === null ? null : await store.webhooks.find(webhookId);
        if (webhook === null) throw noWebhook();
        const { webhookId: _, lastDay, ...numbers } = await numbersOf(store, webhook, now());
        const { delivered, failed } = lastDay;
        const lastDayNumbers = { deliveredLastDay: delivered, failedLastDay: failed };
        await printRecord({ ...describe(webhook), ...lastDayNumbers, ...numbers }, options.json);
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
    ["disable", "sends nothing more to it; what waits, waits", disableWebhook, "is disabled"],
    ["enable", "goes on with what waited, and with what happens from now on", enableWebhook, "is enabled"],
  ] as const) {
    command
      .command(`${name} <id>`)
      .description(description)
      .action((id: string) =>
        withWebhooks(async (administration) => {
          const webhook = await change(administration, parseId(id));
          hint(`Webhook ${id} ${done}. ${await waitingDeliveries(administration, webhook)}`);
        }),
      );
  }
  command
    .command("delete <id>")
    .description("destroys it with its deliveries")
    .action((id: string) =>
      withWebhooks(async (administration) => {
        await deleteWebhook(administration, parseId(id));
        hint(`Webhook ${id} is deleted with its deliveries.`);
      }),
    );
  addDeliveryCommands(command);
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

async function update(id: string, { url, event, allEvents, unpublished }: UpdateOptions): Promise<void> {
  if (url === undefined && event === undefined && allEvents !== true && unpublished === undefined)
    throw badInput("url", "Give --url, --event, --all-events, --unpublished or --no-unpublished.");
  const change = { url, eventTypes: allEvents ? [] : event, includesUnpublished: unpublished };
  await withWebhooks(async (administration) => {
    await updateWebhook(administration, parseId(id), change);
    hint(`Webhook ${id} is changed.`);
  });
}

/** A sentence about what waits. */
async function waitingDeliveries({ store, now }: Webhooks, webhook: Webhook): Promise<string> {
  const { waiting } = await numbersOf(store, webhook, now());
  if (waiting === 0) return "No delivery waits.";
  const count = waiting > COUNTED_DELIVERIES ? `More than ${COUNTED_DELIVERIES}` : `${waiting}`;
  const deliveries = waiting === 1 ? "1 delivery waits" : `${count} deliveries wait`;
  return webhook.disabledAt === null ? `${deliveries} and will be sent while the server runs.` : `${deliveries}.`;
}

/** @param at Unix time in milliseconds */
async function numbersOf(store: Pick<Store, "webhooks">, { id }: Webhook, at: number): Promise<WebhookNumbers> {
  const [numbers] = await store.webhooks.numbers([id], new Date(at - DAY).toISOString());
  if (numbers === undefined) throw noWebhook();
  return numbers;
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
