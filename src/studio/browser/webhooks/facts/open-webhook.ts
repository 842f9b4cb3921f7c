import { type ReadonlySignal, signal } from "@preact/signals";
import { WebhookAlone, type WebhookFacts, WebhookRules, WebhookWithRules } from "../../documents/webhooks.ts";
import { type Api, ApiFailure } from "../../ports.ts";
import { privateHostsOf } from "./webhook-words.ts";

/** The webhook that each API loaded last, so that its pages follow each other without a gap. */
const kept = new WeakMap<Api, WebhookFacts>();

/** One webhook of a page, or the rules for a new one. */
export class OpenWebhook {
  readonly #api: Api;
  readonly #id: string | null;
  readonly #webhook = signal<WebhookFacts | null | undefined>(undefined);
  readonly #privateHosts = signal<readonly string[] | null>(null);
  readonly #failure = signal<ApiFailure | null>(null);

  /** @param id null for a webhook that is not made yet */
  constructor(api: Api, id: string | null) {
    this.#api = api;
    this.#id = id;
    const known = kept.get(api);
    if (known?.id === id) this.#webhook.value = known;
  }

  /** null: there is none. undefined: not known yet. */
  get webhook(): ReadonlySignal<WebhookFacts | null | undefined> {
    return this.#webhook;
  }
  /** Hosts that may be called by http; null before they are known. */
  get privateHosts(): ReadonlySignal<readonly string[] | null> {
    return this.#privateHosts;
  }
  get failure(): ReadonlySignal<ApiFailure | null> {
    return this.#failure;
  }

  /** Takes over an answer that has the webhook. */
  readonly adopt = (webhook: WebhookFacts | null): void => {
    this.#webhook.value = webhook;
    if (webhook !== null) kept.set(this.#api, webhook);
  };

  async load(withRules: boolean): Promise<void> {
    this.#failure.value = null;
    try {
      if (this.#id === null) this.#takeRules((await this.#api.run(WebhookRules, {})).settings);
      else if (withRules) {
        const { webhook, settings } = await this.#api.run(WebhookWithRules, { id: this.#id });
        this.adopt(webhook);
        this.#takeRules(settings);
      } else this.adopt((await this.#api.run(WebhookAlone, { id: this.#id })).webhook);
    } catch (error) {
      if (!(error instanceof ApiFailure)) throw error;
      this.#failure.value = error;
    }
  }

  #takeRules(settings: Parameters<typeof privateHostsOf>[0]): void {
    this.#privateHosts.value = privateHostsOf(settings);
  }
}
