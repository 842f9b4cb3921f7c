import { type MailFacts, MailsPage, RetryMail, SendTestMail } from "../../documents/mails.ts";
import { type LoadedPage, PagedRows } from "../../frame/list/paged-rows.ts";
import type { Api } from "../../ports.ts";

/** Mails of the last 30 days, newest first. */
export class MailList extends PagedRows<MailFacts> {
  readonly #api: Api;
  readonly #state: MailFacts["state"] | null;

  /** @param state null for mails in every state */
  constructor(api: Api, state: MailFacts["state"] | null) {
    super();
    this.#api = api;
    this.#state = state;
  }

  /** Whether a row will change without anybody's doing. */
  get hasWaiting(): boolean {
    return this.rows.peek()?.some(({ state }) => state === "PENDING") === true;
  }

  /** Sends a failed mail again. @throws ApiFailure */
  async retry(id: string, key: string): Promise<void> {
    const { retryMail } = await this.#api.run(RetryMail, { id }, { key });
    const mail = retryMail?.mail;
    if (mail != null) this.change((rows) => rows.map((row) => (row.id === id ? mail : row)));
  }

  /** @throws ApiFailure */
  async sendTest(to: string, key: string): Promise<void> {
    await this.#api.run(SendTestMail, { to }, { key });
  }

  protected async load(first: number, after: string | null): Promise<LoadedPage<MailFacts>> {
    const { nodes: rows, pageInfo } = (await this.#api.run(MailsPage, { first, after, state: this.#state })).mails;
    return { rows, pageInfo };
  }
}
