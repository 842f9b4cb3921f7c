import { effect, signal } from "@preact/signals";
import { AnnounceEditing } from "../documents/presence.ts";
import type { CopyEvent, Studio } from "../ports.ts";
import type { Engine } from "./sending/engine.ts";

/** Milliseconds between two announcements, while the text changes (S38). */
const ANNOUNCE_EVERY = 15_000;

/**
 * Tells others that this person writes the post, and hears of them: their names, and texts that they saved.
 *
 * @returns how to end it
 */
export function followOthers(engine: Engine, studio: Pick<Studio, "api" | "isOnline" | "onCopyEvent">): () => void {
  const { situation, ports } = engine;
  const heard = signal<CopyEvent | null>(null);
  /** A version that was heard of and not looked at yet. */
  let version: number | null = null;
  let announcedAt = Number.NEGATIVE_INFINITY;
  let announcedKey = situation.lastKeyAt;

  function announce(): void {
    const { id, lastKeyAt, isWriter, isOnline, isSignedIn } = situation;
    if (id === null || !isWriter || !isOnline || !isSignedIn || lastKeyAt === announcedKey) return;
    const now = ports.clock.now();
    if (now - announcedAt < ANNOUNCE_EVERY) return;
    announcedAt = now;
    announcedKey = lastKeyAt;
    studio.api.run(AnnounceEditing, { id }).catch(() => undefined); // the next one tells it
  }

  /** A save of this tab may be told of before it is answered, so a request in flight is waited for. */
  function look(): void {
    if (version === null || situation.inFlight !== null || situation.base === null) return;
    const isNew = version !== situation.base.workingVersion;
    version = null;
    if (isNew && situation.isWriter) engine.refresh();
  }

  const watch = () => {
    announce();
    look();
  };
  engine.watchers.add(watch);
  let unfollow = () => {};
  const stopFollowing = engine.id.subscribe((id) => {
    unfollow();
    unfollow =
      id === null
        ? () => {}
        : studio.onCopyEvent(id, (event) => {
            heard.value = event;
            version = event?.workingVersion ?? null;
            look();
          });
  });
  const stopShowing = effect(() => {
    engine.others.value = studio.isOnline.value ? (heard.value?.names ?? []) : [];
  });
  return () => {
    engine.watchers.delete(watch);
    stopFollowing();
    unfollow();
    stopShowing();
  };
}
