import { type ReadonlySignal, signal } from "@preact/signals";
import { HealthPage, type HealthPageData } from "../../documents/operation.ts";
import { type Api, ApiFailure } from "../../ports.ts";

export type Health = HealthPageData["health"];
export type HealthCheck = Health["checks"][number];

/** The latest findings. They stay where a later request fails. */
export class HealthWatch {
  readonly #api: Api;
  readonly #health = signal<Health | null>(null);
  readonly #failure = signal<ApiFailure | null>(null);
  readonly #isLoading = signal(false);
  #running: Promise<void> | null = null;

  constructor(api: Api) {
    this.#api = api;
  }

  /** null before the first answer. */
  get health(): ReadonlySignal<Health | null> {
    return this.#health;
  }
  /** Failure of the latest request; null where it was answered. */
  get failure(): ReadonlySignal<ApiFailure | null> {
    return this.#failure;
  }
  get isLoading(): ReadonlySignal<boolean> {
    return this.#isLoading;
  }

  /** Asks once, however often it is called before the answer. */
  refresh(): Promise<void> {
    this.#running ??= this.#ask().finally(() => {
      this.#running = null;
      this.#isLoading.value = false;
    });
    return this.#running;
  }

  async #ask(): Promise<void> {
    this.#isLoading.value = true;
    try {
      this.#health.value = (await this.#api.run(HealthPage, {})).health;
      this.#failure.value = null;
    } catch (error) {
      if (!(error instanceof ApiFailure)) throw error;
      this.#failure.value = error;
    }
  }
}
