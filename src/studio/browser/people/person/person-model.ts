import { type ReadonlySignal, signal } from "@preact/signals";
import { ExportPerson, OpenPerson, type OpenPersonData } from "../../documents/person.ts";
import { type Api, ApiFailure, type StudioDocument } from "../../ports.ts";
import { RetryKey } from "../retry-key.ts";

export type Account = NonNullable<OpenPersonData["accountBy"]>;
export type OwnedClient = OpenPersonData["clients"][number];
export type AuditRow = OpenPersonData["auditEntries"]["nodes"][number];

/** A person as administrators see them, from one request, and the changes that they make. */
export class PersonModel {
  readonly id: string;
  readonly #api: Api;
  readonly #data = signal<OpenPersonData | null>(null);
  readonly #failure = signal<ApiFailure | null>(null);
  readonly #isLoading = signal(false);
  readonly #keys = new RetryKey();
  #latest = 0;

  constructor(api: Api, id: string) {
    this.#api = api;
    this.id = id;
  }

  /** null before the first answer. Its account is null where there is no such person. */
  get data(): ReadonlySignal<OpenPersonData | null> {
    return this.#data;
  }
  /** Failure of the latest request. The facts from before stay. */
  get failure(): ReadonlySignal<ApiFailure | null> {
    return this.#failure;
  }
  get isLoading(): ReadonlySignal<boolean> {
    return this.#isLoading;
  }

  /** Loads everything; the latest request wins. */
  async load(): Promise<void> {
    this.#latest += 1;
    const mine = this.#latest;
    this.#isLoading.value = true;
    this.#failure.value = null;
    try {
      const data = await this.#api.run(OpenPerson, { id: this.id });
      if (mine === this.#latest) this.#data.value = data;
    } catch (error) {
      if (!(error instanceof ApiFailure)) throw error;
      if (mine === this.#latest) this.#failure.value = error;
    } finally {
      if (mine === this.#latest) this.#isLoading.value = false;
    }
  }

  /**
   * Makes a change, then shows the person as they are now. A retry changes nothing twice.
   *
   * @throws ApiFailure where nothing was changed
   */
  async change<Data, Variables>(document: StudioDocument<Data, Variables>, variables: Variables): Promise<Data> {
    const data = await this.#api.run(document, variables, { key: this.#keys.for([document.id, variables]) });
    this.#keys.forget();
    await this.load();
    return data;
  }

  /** Everything that is kept about the person, as JSON. @throws ApiFailure */
  async export(): Promise<string> {
    const { accountExport } = await this.#api.run(ExportPerson, { id: this.id });
    await this.load(); // the audit has an entry of it
    return accountExport;
  }
}

/** Whether the account can still be changed: it is neither deleted nor about to be. */
export function isThere({ state }: Pick<Account, "state">): boolean {
  return state === "ACTIVE" || state === "DISABLED";
}
