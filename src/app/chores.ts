import { type Chore, openChore } from "../background/chore.ts";
import type { Config } from "../config/config.ts";
import { renderOldPosts } from "../domain/posts/old-posts.ts";
import { makeDueUpdates } from "../domain/posts/planned-update.ts";
import { publishDuePosts } from "../domain/posts/post-changes.ts";
import type { RenderMarkdown } from "../domain/posts/rendering.ts";
import type { Store } from "../domain/store/store.ts";
import type { Log } from "../observe/log.ts";
import { reseal } from "../secrets/reseal.ts";
import type { Sealer } from "../secrets/seal.ts";

/** Milliseconds between two looks for drafts and updates whose time has come. */
const PUBLISH_EVERY = 1_000;
/** Milliseconds between two looks for posts that an older version has written. */
const REINDEX_EVERY = 5_000;
/** Milliseconds between two removals of rows that have expired. */
const FORGET_EVERY = 60_000;
/** Milliseconds between two looks for what is encrypted under the previous secret. */
const RESEAL_EVERY = 600_000;
/** Milliseconds between two signs of life for other processes, which take one for dead after 60 seconds. */
const RENEW_EVERY = 10_000;
/** Rows that one step looks at, so that no request waits long behind it. */
const AT_ONCE = 100;
/** Planned updates that one step makes. Each is rendered first, and may have a megabyte of text. */
const UPDATED_AT_ONCE = 25;
/** Posts that one step takes into the index of words, which takes about a millisecond for each. */
const REINDEXED_AT_ONCE = 25;
/** Rows that one step removes where many expire every minute. */
const MANY_AT_ONCE = 1_000;
const DAY = 86_400_000;
/** Milliseconds between two looks for clients that nobody has used. */
const FORGET_CLIENTS_EVERY = 3_600_000;
/** Milliseconds for which a client that registered itself may wait for the first person who lets it in (A25). */
const UNUSED_CLIENTS_KEPT = 30 * DAY;
/** Milliseconds for which expired artifacts stay: a page that was left open still leads back to the client. */
const ARTIFACTS_KEPT = DAY;
/** Milliseconds for which announcements stay that somebody writes a post. They count for less than that. */
const ANNOUNCEMENTS_KEPT = 60_000;
/** Milliseconds for which expired links are told from unknown ones (U09). */
const TOKENS_KEPT = 7 * DAY;
/** Milliseconds for which mails that have ended are listed; a stranger's address is wiped after a day (U09). */
const MAILS_KEPT = 30 * DAY;

export interface ChoresOptions {
  readonly config: Pick<Config, "WEBHOOK_DAYS" | "AUDIT_DAYS" | "REVISION_DAYS" | "DELETED_DAYS">;
  readonly store: Store;
  readonly renderMarkdown: RenderMarkdown;
  /** Deletes accounts whose time has come. @returns `limit` as long as there may be more to do */
  readonly deleteDueAccounts: (limit: number) => Promise<number>;
  /** Opens under the previous secret too; null where there is none. */
  readonly sealer: Sealer | null;
  /** Unix time in milliseconds. */
  readonly now: () => number;
  readonly log: Log;
}

/**
 * Work that no request asks for: publishing drafts and updates when their time comes, removing rows that have expired, and rendering and
 * indexing posts from before an upgrade. Every process does it. Several may do it at the same time.
 */
export function openChores(options: ChoresOptions): { close(): Promise<void> } {
  const { config, store, renderMarkdown, sealer, now, log } = options;
  const ago = (milliseconds: number) => new Date(now() - milliseconds).toISOString();
  const seconds = (milliseconds: number) => Math.floor(milliseconds / 1_000);
  const forget = (step: Chore["step"], failing: string, atOnce = AT_ONCE) =>
    openChore({ every: FORGET_EVERY, atOnce, step, failing, log });
  const chores = [
    openChore({
      every: RENEW_EVERY,
      step: async () => {
        await store.nodes.renew();
        return 0;
      },
      failing: "other nodes take this one for dead, or it is too old for the database",
      log,
    }),
    openChore({
      every: PUBLISH_EVERY,
      atOnce: AT_ONCE,
      step: (limit) => publishDuePosts(store.posts, ago(0), limit),
      failing: "drafts wait",
      log,
    }),
    openChore({
      every: PUBLISH_EVERY,
      atOnce: UPDATED_AT_ONCE,
      step: (limit) => makeDueUpdates(store.plannedUpdates, renderMarkdown, ago(0), limit),
      failing: "planned updates wait",
      log,
    }),
    openChore({
      every: REINDEX_EVERY,
      atOnce: REINDEXED_AT_ONCE,
      step: (limit) => store.posts.reindex(limit),
      failing: "posts from before an upgrade are not found by their words",
      log,
    }),
    forget((limit) => store.idempotency.sweep(limit), "old Idempotency-Keys stay"),
    forget((limit) => store.webhooks.sweep(ago(config.WEBHOOK_DAYS * DAY), limit), "old deliveries to webhooks stay"),
    forget((limit) => store.deletedPosts.sweep(ago(config.DELETED_DAYS * DAY), limit), "deleted posts stay"),
    forget((limit) => store.revisions.sweep(ago(config.REVISION_DAYS * DAY), limit), "old texts of posts stay"),
    forget(
      (limit) => store.artifacts.sweep(seconds(now() - ARTIFACTS_KEPT), limit),
      "expired artifacts stay",
      MANY_AT_ONCE,
    ),
    forget(
      (limit) => store.artifacts.sweepPending(seconds(now()), limit),
      "expired requests that nobody began stay",
      MANY_AT_ONCE,
    ),
    forget((limit) => store.attempts.sweep(seconds(now()), limit), "expired attempts stay", MANY_AT_ONCE),
    forget(
      (limit) => store.accountTokens.sweep(seconds(now() - TOKENS_KEPT), limit),
      "expired links stay",
      MANY_AT_ONCE,
    ),
    forget((limit) => store.previewLinks.sweep(ago(TOKENS_KEPT), limit), "expired links for previews stay"),
    forget(() => store.editing.sweep(ANNOUNCEMENTS_KEPT), "old announcements of writing stay", MANY_AT_ONCE),
    forget(
      (limit) => store.mails.sweep({ endedBefore: ago(MAILS_KEPT), wipedBefore: ago(DAY) }, limit),
      "old mails stay",
      MANY_AT_ONCE,
    ),
    forget(options.deleteDueAccounts, "accounts whose time has come stay"),
    forget((limit) => store.audit.sweep(ago(config.AUDIT_DAYS * DAY), limit), "old audit events stay", MANY_AT_ONCE),
    forget((limit) => store.agents.sweep(ago(config.AUDIT_DAYS * DAY), limit), "old changes by agents stay"),
    openChore({
      every: FORGET_CLIENTS_EVERY,
      atOnce: AT_ONCE,
      step: (limit) => store.clients.sweepUnused(ago(UNUSED_CLIENTS_KEPT), limit),
      failing: "unused registrations of clients stay",
      log,
    }),
    renderOnce(store, renderMarkdown, log),
    ...(sealer === null ? [] : [resealAgain(store, sealer, log)]),
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

/**
 * Encrypts again what is encrypted with the previous secret, and repeats it now and then: a node that has not restarted yet
 * writes with the previous one. @returns how to end it
 */
function resealAgain({ sealedTexts }: Store, sealer: Sealer, log: Log): () => Promise<void> {
  let isOver = false;
  async function pass(): Promise<number> {
    const counts = await reseal(sealedTexts, sealer, () => isOver);
    if (counts.outdated > 0) log.info(counts, "texts are encrypted with SECRET_KEY now");
    return 0;
  }
  const failing = "texts stay encrypted with SECRET_KEY_PREVIOUS";
  const close = openChore({ every: RESEAL_EVERY, isDueNow: true, step: pass, failing, log });
  return () => {
    isOver = true;
    return close();
  };
}
