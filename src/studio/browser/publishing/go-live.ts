import type { PostFacts, Studio, Writing } from "../ports.ts";
import { adoptNewer } from "./changes.ts";
import { goLiveTime, plannedTime } from "./sentences.ts";

/** Milliseconds after the scheduled time at which the server is asked, in case no event arrives. */
const ASK_AFTER = [3_000, 15_000, 60_000];
/** The longest time that a timer of the browser takes. */
const LONGEST_TIMER = 2 ** 31 - 1;

/**
 * Follows a scheduled post, or a planned update, that is open while its time comes: says so when the published version has arrived, and asks for it
 * where no event brings it. Writing goes on, and stays a working copy.
 *
 * @returns how to end it
 */
export function followSchedule(studio: Studio, writing: Writing, now: () => number = Date.now): () => void {
  let timers: ReturnType<typeof setTimeout>[] = [];
  let before: PostFacts | null = writing.post.value;

  function ask(): void {
    adoptNewer(studio.api, writing).catch(() => undefined); // an event or the next timer brings it
  }

  const endState = writing.post.subscribe((post) => {
    const news = post && before && newsOf(before, post);
    if (news !== null) studio.notify(news);
    if (plannedTime(post)?.publishAt !== plannedTime(before)?.publishAt || timers.length === 0) plan(post);
    before = post;
  });

  function newsOf(before: PostFacts, post: PostFacts): string | null {
    const time = wentLive(before);
    if (time === null || post.status !== "PUBLISHED") return null;
    if (before.status === "DRAFT") return `Published at ${time}.`;
    if (before.plannedUpdate?.heldBecause != null) return null;
    if (post.plannedUpdate == null) return post.version > before.version ? `Updated at ${time}.` : null;
    return post.plannedUpdate.heldBecause !== null
      ? `The update for ${time} was held back. The details say why.`
      : null;
  }

  /** The time, if it has come; null if somebody published the post earlier. */
  function wentLive(post: PostFacts): string | null {
    return Date.parse(plannedTime(post)?.publishAt ?? "") <= now() + 5_000
      ? goLiveTime(post, studio.server.value.timeZone)
      : null;
  }

  function plan(post: PostFacts | null): void {
    for (const timer of timers) clearTimeout(timer);
    timers = [];
    const time = plannedTime(post)?.publishAt;
    if (time == null || post?.status === "ARCHIVED" || post?.plannedUpdate?.heldBecause != null) return;
    const wait = Date.parse(time) - now();
    timers = ASK_AFTER.map((after) => Math.max(0, wait) + after)
      .filter((delay) => delay <= LONGEST_TIMER)
      .map((delay) => setTimeout(ask, delay));
  }

  return () => {
    endState();
    for (const timer of timers) clearTimeout(timer);
  };
}
