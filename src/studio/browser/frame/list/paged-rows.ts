import { type ReadonlySignal, signal } from "@preact/signals";
import { ApiFailure } from "../../ports.ts";

/** Rows of a page: enough for a screen, and few enough for one request. */
const PAGE = 50;

export interface LoadedPage<Row> {
  readonly rows: readonly Row[];
  readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null };
}

/** Rows of a list that come page by page, each after the cursor of the one before. The latest request wins. */
export abstract class PagedRows<Row extends { readonly id: string }> {
  readonly #rows = signal<readonly Row[] | null>(null);
  readonly #failure = signal<ApiFailure | null>(null);
  readonly #isLoading = signal(false);
  readonly #hasMore = signal(false);
  #cursor: string | null = null;
  #latest = 0;

  /** null before the first answer. */
  get rows(): ReadonlySignal<readonly Row[] | null> {
    return this.#rows;
  }
  /** Rows that were shown stay where a request fails. */
  get failure(): ReadonlySignal<ApiFailure | null> {
    return this.#failure;
  }
  get isLoading(): ReadonlySignal<boolean> {
    return this.#isLoading;
  }
  get hasMore(): ReadonlySignal<boolean> {
    return this.#hasMore;
  }

  /**
   * Loads the list from its beginning, with as many rows as it has, 100 at most.
   *
   * @returns whether the rows are new: not where it failed, nor where a later request overtook it
   */
  async reload(): Promise<boolean> {
    const answer = await this.#ask(Math.min(100, Math.max(PAGE, this.#rows.peek()?.length ?? 0)), null);
    if (answer !== null) this.#rows.value = answer;
    return answer !== null;
  }

  async more(): Promise<void> {
    if (this.#isLoading.peek() || !this.#hasMore.peek()) return;
    const answer = await this.#ask(PAGE, this.#cursor);
    if (answer === null) return;
    const before = this.#rows.peek() ?? [];
    const known = new Set(before.map(({ id }) => id)); // a row may have moved while the page was read
    this.#rows.value = [...before, ...answer.filter(({ id }) => !known.has(id))];
  }

  /** Takes over what this page itself changed. */
  protected change(next: (rows: readonly Row[]) => readonly Row[]): void {
    this.#rows.value = next(this.#rows.peek() ?? []);
  }

  /** Asks for a page. @throws ApiFailure */
  protected abstract load(first: number, after: string | null): Promise<LoadedPage<Row>>;

  async #ask(first: number, after: string | null): Promise<readonly Row[] | null> {
    this.#latest += 1;
    const mine = this.#latest;
    this.#isLoading.value = true;
    this.#failure.value = null;
    try {
      const { rows, pageInfo } = await this.load(first, after);
      if (mine !== this.#latest) return null;
      this.#cursor = pageInfo.endCursor;
      this.#hasMore.value = pageInfo.hasNextPage;
      return rows;
    } catch (error) {
      if (!(error instanceof ApiFailure)) throw error;
      if (mine === this.#latest) this.#failure.value = error;
      return null;
    } finally {
      if (mine === this.#latest) this.#isLoading.value = false;
    }
  }
}
