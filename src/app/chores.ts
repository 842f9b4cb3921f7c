import { renderOldPosts } from "../domain/posts/old-posts.ts";
import { publishDuePosts } from "../domain/posts/post-changes.ts";
import type { RenderMarkdown } from "../domain/posts/rendering.ts";
import type { Store } from "../domain/store/store.ts";
import type { Log } from "../observe/log.ts";
import { AT_ONCE, openChore } from "./every.ts";

/** Milliseconds between two looks for drafts whose time has come. */
const PUBLISH_EVERY = 1_000;
const FORGET_EVERY = 60_000;
export interface ChoresOptions {
  readonly store: Store;
  readonly renderMarkdown: RenderMarkdown;
  /** Days for which deliveries to webhooks are kept. */
  readonly webhookDays: number;
  /** Unix time in milliseconds. */
  readonly now: () => number;
  readonly log: Log;
}

/**
 * What happens without anybody asking for it: drafts are published when their time comes, what was remembered of requests
 * with an Idempotency-Key and old deliveries to webhooks are removed, and posts from before an upgrade get what is derived
 * from them. Every process does so; that several do it at the same time is no harm.
 */
export function openChores(options: ChoresOptions): { close(): Promise<void> } {
  const { store, renderMarkdown, webhookDays, now, log } = options;
  const sweepDeliveries = () => store.webhooks.sweep(new Date(now() - webhookDays * 86_400_000).toISOString(), AT_ONCE);
  const chores = [
    openChore(
      PUBLISH_EVERY,
      () => publishDuePosts(store.posts, new Date(now()).toISOString(), AT_ONCE),
      "drafts wait",
      log,
    ),
    openChore(FORGET_EVERY, () => store.idempotency.sweep(AT_ONCE), "old Idempotency-Keys stay", log),
    openChore(FORGET_EVERY, sweepDeliveries, "old deliveries to webhooks stay", log),
    renderOnce(store, renderMarkdown, log),
  ];
  return {
    async close() {
      await Promise.all(chores.map((close) => close()));
    },
  };
}

/** The server is ready before that is done. @returns how to end it */
function renderOnce(store: Store, renderMarkdown: RenderMarkdown, log: Log): () => Promise<void> {
  let isOver = false;
  const running = renderOldPosts(store.posts, renderMarkdown, () => isOver).then(
    (count) => {
      if (count > 0) log.info({ count }, "posts from before this version are rendered");
    },
    (error: unknown) => {
      log.error({ err: error }, "posts from before this version could not be rendered: the next start goes on with it");
    },
  );
  return () => {
    isOver = true;
    return running;
  };
}
