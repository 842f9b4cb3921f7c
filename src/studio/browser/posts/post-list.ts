import { computed, type ReadonlySignal, signal } from "@preact/signals";
import type { PostEvent } from "../api/events.ts";
import { type PostRow, Posts } from "../documents/posts.ts";
import { type LoadedPage, PagedRows } from "../frame/list/paged-rows.ts";
import type { Api } from "../ports.ts";
import { type ListView, listArguments } from "./list-address.ts";

export type Row = PostRow & { readonly highlight: string | null };

/** One view of the list. It keeps its rows when it is left, so that Back shows them immediately. */
export class PostList extends PagedRows<Row> {
  readonly view: ListView;
  readonly #api: Api;
  readonly #changed = signal<ReadonlySet<string>>(new Set());
  readonly #gone = signal<ReadonlySet<string>>(new Set());
  readonly #unseen = signal<ReadonlySet<string>>(new Set());
  #authorName: string | null = null;

  constructor(api: Api, view: ListView) {
    super();
    this.#api = api;
    this.view = view;
  }

  /** Ids of rows that somebody changed since they were loaded. */
  get changed(): ReadonlySignal<ReadonlySet<string>> {
    return this.#changed;
  }
  /** Ids of rows that somebody deleted since. */
  get gone(): ReadonlySignal<ReadonlySet<string>> {
    return this.#gone;
  }
  /** Number of posts that came since and are not shown. */
  readonly unseen: ReadonlySignal<number> = computed(() => this.#unseen.value.size);

  get authorName(): string | null {
    return this.#authorName;
  }

  override async reload(): Promise<boolean> {
    const isNew = await super.reload();
    if (isNew) for (const marked of [this.#changed, this.#gone, this.#unseen]) marked.value = new Set();
    return isNew;
  }

  /** Hears of a change that somebody made. Nothing moves: rows are marked, and new ones are counted. */
  hear({ type, postId, version }: PostEvent): void {
    const row = this.rows.peek()?.find(({ id }) => id === postId);
    if (row === undefined) {
      if (type === "CREATED" || type === "PUBLISHED") this.#unseen.value = new Set([...this.#unseen.peek(), postId]);
      if (type === "DELETED") this.#unseen.value = new Set([...this.#unseen.peek()].filter((id) => id !== postId));
    } else if (type === "DELETED") this.#gone.value = new Set([...this.#gone.peek(), postId]);
    else if (version === null || version > row.version)
      this.#changed.value = new Set([...this.#changed.peek(), postId]);
  }

  /** Takes over what this page itself changed. */
  patch(changes: ReadonlyMap<string, Partial<Row> | null>): void {
    this.change((rows) =>
      rows.flatMap((row) => {
        const change = changes.get(row.id);
        return change === null ? [] : [{ ...row, ...change }];
      }),
    );
  }

  protected async load(first: number, after: string | null): Promise<LoadedPage<Row>> {
    const { author } = this.view;
    const names = { author: author ?? "", hasAuthor: author !== null };
    const data = await this.#api.run(Posts, { first, after, ...listArguments(this.view), ...names });
    const { edges, pageInfo } = data.postsConnection;
    this.#authorName = data.author?.name ?? null;
    return { rows: edges.map(({ node, highlight }) => ({ ...node, highlight })), pageInfo };
  }
}
