import { type ReadonlySignal, signal } from "@preact/signals";
import type { PostEvent } from "../api/events.ts";
import { DeletedPosts, type DeletedPostsData } from "../documents/deleted.ts";
import { type LoadedPage, PagedRows } from "../frame/list/paged-rows.ts";
import type { Api } from "../ports.ts";

export type DeletedRow = DeletedPostsData["deletedPosts"]["nodes"][number];

const NONE: ReadonlySet<string> = new Set();

/** Deleted posts that can still be restored, last deleted first. */
export class DeletedList extends PagedRows<DeletedRow> {
  readonly #api: Api;
  readonly #unseen = signal(NONE);
  readonly #changed = signal(NONE);

  constructor(api: Api) {
    super();
    this.#api = api;
  }

  /** Ids of posts that were deleted since and are not shown. */
  get unseen(): ReadonlySignal<ReadonlySet<string>> {
    return this.#unseen;
  }
  /** Ids of rows that somebody restored since. */
  get changed(): ReadonlySignal<ReadonlySet<string>> {
    return this.#changed;
  }

  override async reload(): Promise<boolean> {
    const isNew = await super.reload();
    if (isNew) for (const marked of [this.#unseen, this.#changed]) marked.value = NONE;
    return isNew;
  }

  /** Hears of a change that somebody made. Nothing moves. */
  hear({ type, postId }: Pick<PostEvent, "type" | "postId">): void {
    const isShown = this.rows.peek()?.some(({ id }) => id === postId) === true;
    if (type === "DELETED" && !isShown) this.#unseen.value = new Set([...this.#unseen.peek(), postId]);
    if (type === "CREATED" && isShown) this.#changed.value = new Set([...this.#changed.peek(), postId]);
    if (type === "CREATED") this.#unseen.value = without(this.#unseen.peek(), new Set([postId]));
  }

  /** Takes rows out that this page restored. */
  remove(ids: ReadonlySet<string>): void {
    this.change((rows) => rows.filter(({ id }) => !ids.has(id)));
    this.#changed.value = without(this.#changed.peek(), ids);
  }

  protected async load(first: number, after: string | null): Promise<LoadedPage<DeletedRow>> {
    const { nodes: rows, pageInfo } = (await this.#api.run(DeletedPosts, { first, after })).deletedPosts;
    return { rows, pageInfo };
  }
}

function without(ids: ReadonlySet<string>, others: ReadonlySet<string>): ReadonlySet<string> {
  return new Set([...ids].filter((id) => !others.has(id)));
}

/** The moment from which a post cannot be restored any more. RFC 3339. */
export function goneAt({ deletedAt }: Pick<DeletedRow, "deletedAt">, deletedDays: number): string {
  return new Date(Date.parse(deletedAt) + deletedDays * 86_400_000).toISOString();
}
