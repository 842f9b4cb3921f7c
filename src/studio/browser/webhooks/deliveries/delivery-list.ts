import { type ReadonlySignal, signal } from "@preact/signals";
import {
  type DeliveryFacts,
  WebhookWithDeliveries,
  type WebhookWithDeliveriesVariables,
} from "../../documents/deliveries.ts";
import type { WebhookFacts } from "../../documents/webhooks.ts";
import { type LoadedPage, PagedRows } from "../../frame/list/paged-rows.ts";
import type { Api } from "../../ports.ts";

/** Rows of a look for changes. */
const NEWEST = 50;

/** Deliveries that meet a filter, newest first. The webhook comes with each answer. */
export class DeliveryList extends PagedRows<DeliveryFacts> {
  readonly #api: Api;
  readonly #id: string;
  readonly #filter: WebhookWithDeliveriesVariables["filter"];
  readonly #unseen = signal(0);
  /** Hears of each answer about the webhook. */
  onWebhook: (webhook: WebhookFacts | null) => void = () => {};

  constructor(api: Api, id: string, filter: WebhookWithDeliveriesVariables["filter"]) {
    super();
    this.#api = api;
    this.#id = id;
    this.#filter = filter;
  }

  /** Deliveries that were made since, and are not shown: up to 50. */
  get unseen(): ReadonlySignal<number> {
    return this.#unseen;
  }

  override async reload(): Promise<boolean> {
    const isNew = await super.reload();
    if (isNew) this.#unseen.value = 0;
    return isNew;
  }

  /** Looks for changes. Rows that are shown get their present state and stay in their place; new ones are counted. @throws ApiFailure */
  async look(): Promise<void> {
    if (this.rows.peek() === null || this.isLoading.peek()) return;
    const { rows: newest } = await this.load(NEWEST, null);
    const shown = this.rows.peek() ?? [];
    if (this.isLoading.peek()) return; // a page is under way that knows more
    if (shown.length === 0 && newest.length > 0) return void (await this.reload());
    const last = this.hasMore.peek() ? (shown.at(-1)?.createdAt ?? "") : "";
    const known = new Set(shown.map(({ id }) => id));
    this.#unseen.value = newest.filter(({ id, createdAt }) => !known.has(id) && createdAt >= last).length;
    const present = new Map(newest.map((row) => [row.id, row]));
    this.change((rows) => rows.map((row) => present.get(row.id) ?? row));
  }

  protected async load(first: number, after: string | null): Promise<LoadedPage<DeliveryFacts>> {
    const variables = { id: this.#id, first, after, filter: this.#filter ?? null };
    const { webhook, webhookDeliveries } = await this.#api.run(WebhookWithDeliveries, variables);
    this.onWebhook(webhook);
    return { rows: webhookDeliveries.nodes, pageInfo: webhookDeliveries.pageInfo };
  }
}
