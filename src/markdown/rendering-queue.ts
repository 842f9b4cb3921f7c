import { AppError } from "../domain/errors.ts";
import type { RenderedMarkdown, RenderingJob } from "../domain/posts/rendering.ts";
import { abandoned } from "./rendering-thread.ts";

/** Characters of one owner's texts, and of all texts, that may wait. A further text would wait too long. */
const WAITING_EACH = 1_500_000;
const WAITING = 32_000_000;
/** Milliseconds after which the time that an owner has used counts half. */
const HALVED_AFTER = 30_000;

interface Waiting {
  readonly markdown: string;
  readonly job: RenderingJob;
  readonly resolve: (rendered: RenderedMarkdown) => void;
  readonly reject: (error: unknown) => void;
}

interface Owner {
  readonly waiting: Waiting[];
  /** Characters of the texts that wait. */
  length: number;
  isRendering: boolean;
  /** Milliseconds of rendering, of which older ones count less. */
  used: number;
  usedAt: number;
}

interface Renderer {
  render(markdown: string, isAbandoned: () => boolean): Promise<RenderedMarkdown>;
}

/**
 * Hands long texts to threads, fairly by owner: one text of an owner at a time, and next the owner who has used the least
 * time. So an expensive text delays its owner's texts, not those of others (I18).
 */
export class RenderingQueue {
  readonly #free: Renderer[];
  readonly #now: () => number;
  readonly #owners = new Map<string, Owner>();
  #length = 0;

  /** @param now milliseconds of a clock that never goes back */
  constructor(renderers: readonly Renderer[], now: () => number) {
    this.#free = [...renderers];
    this.#now = now;
  }

  /** @throws AppError UNAVAILABLE instead of a long wait, BAD_USER_INPUT as the renderer does */
  render(markdown: string, job: RenderingJob): Promise<RenderedMarkdown> {
    const owner = this.#ownerOf(job.owner ?? "");
    const { length } = markdown;
    const isOwners = owner.length + length > WAITING_EACH;
    // A text longer than the limit may wait alone.
    if (owner.waiting.length > 0 && (isOwners || this.#length + length > WAITING)) {
      const whose = isOwners ? "of yours " : "";
      throw new AppError(
        "UNAVAILABLE",
        `Too many long texts ${whose}wait to be rendered. Nothing was written. Try again in a few seconds.`,
        { retryAfter: 5 },
      );
    }
    return new Promise((resolve, reject) => {
      owner.waiting.push({ markdown, job, resolve, reject });
      owner.length += length;
      this.#length += length;
      this.#begin();
    });
  }

  #begin(): void {
    for (let renderer = this.#free.at(-1); renderer !== undefined; renderer = this.#free.at(-1)) {
      const owner = this.#next();
      const waiting = owner?.waiting.shift();
      if (owner === undefined || waiting === undefined) return;
      owner.length -= waiting.markdown.length;
      this.#length -= waiting.markdown.length;
      if (waiting.job.isAbandoned?.() === true) {
        waiting.reject(abandoned());
        continue;
      }
      this.#free.pop();
      void this.#run(owner, waiting, renderer);
    }
  }

  async #run(owner: Owner, { markdown, job, resolve, reject }: Waiting, renderer: Renderer): Promise<void> {
    const began = this.#now();
    owner.isRendering = true;
    try {
      resolve(await renderer.render(markdown, () => job.isAbandoned?.() === true));
    } catch (error) {
      reject(error);
    } finally {
      const now = this.#now();
      owner.used = this.#usedBy(owner) + now - began;
      owner.usedAt = now;
      owner.isRendering = false;
      this.#free.push(renderer);
      this.#forget();
      this.#begin();
    }
  }

  /** The owner with the least time used, among those that wait and have no text in a thread. */
  #next(): Owner | undefined {
    let least: Owner | undefined;
    for (const owner of this.#owners.values()) {
      if (owner.isRendering || owner.waiting.length === 0) continue;
      if (least === undefined || this.#usedBy(owner) < this.#usedBy(least)) least = owner;
    }
    return least;
  }

  #usedBy({ used, usedAt }: Owner): number {
    return used * 0.5 ** ((this.#now() - usedAt) / HALVED_AFTER);
  }

  #ownerOf(key: string): Owner {
    const known = this.#owners.get(key);
    if (known !== undefined) return known;
    const owner = { waiting: [], length: 0, isRendering: false, used: 0, usedAt: this.#now() };
    this.#owners.set(key, owner);
    return owner;
  }

  /** Removes owners whose use no longer matters. */
  #forget(): void {
    for (const [key, owner] of this.#owners)
      if (!owner.isRendering && owner.waiting.length === 0 && this.#usedBy(owner) < 1) this.#owners.delete(key);
  }
}
