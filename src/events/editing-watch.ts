import type { Id } from "../domain/id.ts";
import { ANNOUNCEMENT_LASTS, type EditedPost, type EditingFeed, type EditingSlice } from "../domain/posts/editing.ts";
import type { Log } from "../observe/log.ts";

/** Milliseconds between two looks. */
const EVERY = 1_000;
/** Milliseconds until the first look after somebody begins to follow, so that many who begin share one. */
const SOON = 50;
/** Posts in one look. */
const AT_ONCE = 500;

export interface EditingWatchOptions {
  readonly store: EditingSlice;
  readonly log: Log;
  /** Milliseconds for which an announcement counts. */
  readonly lasts?: number;
}

type Take = (post: EditedPost) => void;

/**
 * Looks how posts stand that somebody follows, with one read a second for all of them, and none while nobody follows.
 * It reads a state, not messages: nothing is missed for good, and every process sees the same.
 */
export class EditingWatch implements EditingFeed {
  readonly #options: EditingWatchOptions;
  readonly #followers = new Map<Id, Set<Take>>();
  #timer: NodeJS.Timeout | null = null;
  #isLooking = false;
  #isHurried = false;
  #isFailing = false;

  constructor(options: EditingWatchOptions) {
    this.#options = options;
  }

  follow(postId: Id, take: Take): () => void {
    const own: Take = (post) => take(post);
    const others = this.#followers.get(postId);
    if (others === undefined) this.#followers.set(postId, new Set([own]));
    else others.add(own);
    if (!this.#isHurried && !this.#isLooking) this.#plan(SOON);
    this.#isHurried = true;
    return () => {
      const followers = this.#followers.get(postId);
      followers?.delete(own);
      if (followers?.size === 0) this.#followers.delete(postId);
      if (this.#followers.size > 0) return;
      this.#stop();
      this.#isHurried = false;
    };
  }

  #plan(milliseconds: number): void {
    this.#stop();
    this.#timer = setTimeout(() => void this.#look(), milliseconds).unref();
  }

  #stop(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
  }

  async #look(): Promise<void> {
    const { store, log, lasts = ANNOUNCEMENT_LASTS } = this.#options;
    this.#isLooking = true;
    this.#isHurried = false;
    const ids = [...this.#followers.keys()];
    try {
      for (let start = 0; start < ids.length; start += AT_ONCE)
        for (const post of await store.editing.look(ids.slice(start, start + AT_ONCE), lasts)) this.#tell(post);
      this.#isFailing = false;
    } catch (error) {
      if (!this.#isFailing) log.warn({ err: error }, "posts that are being written cannot be read for now");
      this.#isFailing = true;
    }
    this.#isLooking = false;
    if (this.#followers.size > 0) this.#plan(this.#isHurried ? SOON : EVERY);
  }

  #tell(post: EditedPost): void {
    for (const take of [...(this.#followers.get(post.id) ?? [])]) take(post);
  }
}
