import { changedParts, EMPTY, requestBytes } from "../device/texts.ts";
import type { Engine } from "./engine.ts";
import { isSaved, nextRequest } from "./situation.ts";

/** Whether the text is nowhere but in this page: then leaving asks first (S34). */
function isOnlyHere({ situation, keeper, isKept }: Engine): boolean {
  if (!situation.isWriter || situation.isClosed || isSaved(situation)) return false;
  return keeper.error !== null && !isKept;
}

/** Browsers let requests outlive their page up to 64 KiB. */
const KEEPALIVE_BYTES = 60_000;

/** Sends what there is without waiting for a pause, as the page may be about to end. */
function sendLast(engine: Engine): void {
  const { situation, ports } = engine;
  const next = nextRequest({ ...situation, isHurried: true }, ports.clock.now());
  if (next?.kind !== "save" || engine.isRefused()) return;
  const bytes = requestBytes(changedParts(situation.base?.texts ?? EMPTY, situation.texts));
  void engine.request("save", bytes < KEEPALIVE_BYTES);
}

interface NavigateEvent extends Event {
  readonly canIntercept: boolean;
  readonly hashChange: boolean;
  readonly navigationType: "push" | "replace" | "reload" | "traverse";
}

const QUESTION = "This browser does not keep your text, and the server does not have it yet. Leave, and lose it?";

/**
 * Keeps and sends the text when the page is hidden or left, and asks before leaving where the browser refused to keep it.
 *
 * @returns how to end that
 */
export function watchLeaving(engine: Engine): () => void {
  const ending = new AbortController();
  const { signal } = ending;
  const leave = () => {
    const { situation, keeper } = engine;
    if (!situation.isWriter || situation.isClosed) return;
    keeper.leave();
    sendLast(engine);
  };
  document.addEventListener("visibilitychange", () => (document.hidden ? leave() : engine.refresh()), { signal });
  addEventListener("pagehide", leave, { signal });
  addEventListener(
    "beforeunload",
    (event) => {
      // The first chance, while the browser still waits: on a busy machine, the next page may begin before `pagehide`.
      const { situation, keeper } = engine;
      if (situation.isWriter && !situation.isClosed && !isSaved(situation)) keeper.leave();
      if (isOnlyHere(engine)) event.preventDefault();
    },
    { signal },
  );
  // Links and Back within the studio.
  const { navigation } = window as unknown as { readonly navigation?: EventTarget };
  navigation?.addEventListener(
    "navigate",
    (event) => {
      const { canIntercept, hashChange, navigationType } = event as NavigateEvent;
      // An entry that is replaced is the page's own: its scroll position, or the id of a new post.
      const leaves = event.cancelable && canIntercept && !hashChange && navigationType !== "replace";
      if (leaves && isOnlyHere(engine) && !confirm(QUESTION)) event.preventDefault();
    },
    { signal },
  );
  return () => ending.abort();
}
