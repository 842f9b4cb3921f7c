import type { Administration } from "../administration.ts";
import { AppError, badInput, badInputs } from "../errors.ts";
import type { Id } from "../id.ts";
import { EVENT_TYPES } from "./event.ts";
import { noWebhook, type Webhook, type WebhookSecrets } from "./webhook.ts";
import type { WebhookDelivery, WebhookStore } from "./webhook-delivery.ts";
import { assertWebhookUrl } from "./webhook-url.ts";

/** How many there may be: every event is sent to each. */
const MOST_WEBHOOKS = 100;

/** Time for which a rotated secret still signs, together with the new one. */
const BOTH_SIGN_MS = 24 * 3_600_000;

export interface WebhookInput {
  readonly url: string;
  readonly eventTypes?: readonly string[] | null;
  readonly includesUnpublished?: boolean | null;
}

export interface WebhookChange {
  readonly url?: string | undefined;
  readonly eventTypes?: readonly string[] | undefined;
  readonly includesUnpublished?: boolean | undefined;
}

export interface WebhookAdministration extends Administration<{ readonly webhooks: WebhookStore }> {
  readonly secrets: WebhookSecrets;
  /** Host names that may be called by plain http: `PRIVATE_HOSTS`. */
  readonly privateHosts: readonly string[];
}

/**
 * Tells the address of what happens from now on.
 *
 * @returns the secret too, which is shown this once only
 * @throws AppError BAD_USER_INPUT for a rule broken, CONFLICT when there are too many, KeyInUse
 */
export async function createWebhook(
  administration: WebhookAdministration,
  { url, eventTypes, includesUnpublished }: WebhookInput,
  field = "",
): Promise<{ webhook: Webhook; secret: string }> {
  const { store, secrets, record, once } = administration;
  badInputs([
    () => assertWebhookUrl(`${field}url`, url, administration.privateHosts),
    () => assertEventTypes(`${field}eventTypes`, eventTypes ?? []),
  ]);
  const secret = secrets.create();
  const webhook = await store.webhooks.create(
    {
      url,
      eventTypes: EVENT_TYPES.filter((type) => eventTypes?.includes(type)),
      includesUnpublished: includesUnpublished ?? false,
    },
    { most: MOST_WEBHOOKS, seal: (id) => secrets.seal(secret, id), once },
  );
  await record({ event: "webhook", result: "ok", detail: `${webhook.id} created` });
  return { webhook, secret };
}

/**
 * Changes where and what it is told, by the same rules. Fields that are left out keep their value. What waits goes to the new
 * address. @throws AppError BAD_USER_INPUT for a rule broken, NOT_FOUND, KeyInUse
 */
export async function updateWebhook(
  { store, privateHosts, record, once }: WebhookAdministration,
  id: Id | null,
  { url, eventTypes, includesUnpublished }: WebhookChange,
  field = "",
): Promise<Webhook> {
  badInputs([
    () => url !== undefined && assertWebhookUrl(`${field}url`, url, privateHosts),
    () => eventTypes !== undefined && assertEventTypes(`${field}eventTypes`, eventTypes),
  ]);
  if (id === null) throw noWebhook();
  const change = {
    ...(url !== undefined && { url }),
    ...(eventTypes !== undefined && { eventTypes: EVENT_TYPES.filter((type) => eventTypes.includes(type)) }),
    ...(includesUnpublished !== undefined && { includesUnpublished }),
  };
  const webhook = await store.webhooks.update(id, change, once);
  await record({ event: "webhook", result: "ok", detail: `${id} changed: ${Object.keys(change).join(", ")}` });
  return webhook;
}

/**
 * Gives it a new secret. The old one signs beside it for a day, so that the receiver may change over without a failure.
 *
 * @param isLeaked the old one signs nothing more
 * @throws AppError NOT_FOUND, KeyInUse
 */
export async function rotateWebhookSecret(
  { store, secrets, now, record, once }: WebhookAdministration,
  id: Id | null,
  isLeaked = false,
): Promise<{ webhook: Webhook; secret: string }> {
  if (id === null) throw noWebhook();
  const secret = secrets.create();
  const previousUntil = isLeaked ? null : new Date(now() + BOTH_SIGN_MS).toISOString();
  const webhook = await store.webhooks.rotate(id, { secret: secrets.seal(secret, id), previousUntil }, once);
  const detail = `${id} given a new secret${isLeaked ? ", the old one ended" : ""}`;
  await record({ event: "webhook", result: "ok", detail });
  return { webhook, secret };
}

/** Sends nothing more to it; what waits, waits. @throws AppError NOT_FOUND, KeyInUse */
export async function disableWebhook(
  { store, now, record, once }: WebhookAdministration,
  id: Id | null,
): Promise<Webhook> {
  if (id === null) throw noWebhook();
  const disabledAt = new Date(now()).toISOString();
  const webhook = await store.webhooks.disable(id, { disabledAt, disabledBy: "administrator" }, once);
  await record({ event: "webhook", result: "ok", detail: `${id} disabled` });
  return webhook;
}

/**
 * Goes on with what waited and with what happens from now on; what happened meanwhile is not sent.
 *
 * @throws AppError NOT_FOUND, KeyInUse
 */
export async function enableWebhook({ store, record, once }: WebhookAdministration, id: Id | null): Promise<Webhook> {
  if (id === null) throw noWebhook();
  const webhook = await store.webhooks.enable(id, once);
  await record({ event: "webhook", result: "ok", detail: `${id} enabled` });
  return webhook;
}

/** Destroys it with its deliveries. @throws AppError NOT_FOUND, KeyInUse */
export async function deleteWebhook({ store, record, once }: WebhookAdministration, id: Id | null): Promise<Id> {
  if (id === null) throw noWebhook();
  await store.webhooks.delete(id, once);
  await record({ event: "webhook", result: "ok", detail: `${id} deleted` });
  return id;
}

/**
 * Sends it once more, whatever became of it, with the whole schedule of retries before it.
 *
 * @throws AppError NOT_FOUND, CONFLICT while it is being tried and for a webhook that is disabled, KeyInUse
 */
export async function resendDelivery(
  { store, now, record, once }: WebhookAdministration,
  id: Id | null,
): Promise<WebhookDelivery> {
  if (id === null) throw new AppError("NOT_FOUND", "There is no delivery with this id.");
  const delivery = await store.webhooks.resend(id, new Date(now()).toISOString(), once);
  await record({ event: "webhook", result: "ok", detail: `${delivery.webhookId} delivery ${id} sent again` });
  return delivery;
}

function assertEventTypes(field: string, types: readonly string[]): void {
  for (const type of types) {
    if (!EVENT_TYPES.some((known) => known === type))
      throw badInput(field, `${field} has "${type}", which is none of ${EVENT_TYPES.join(", ")}.`);
  }
}
