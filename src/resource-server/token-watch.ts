import type { Viewer } from "../domain/viewer.ts";
import { type RequestHead, readAccessToken } from "./bearer.ts";
import { TokenRefusal } from "./token-refusal.ts";
import type { Live, Verify } from "./verify.ts";

/** Milliseconds between two looks; `verify` asks the store for each token at most twice a second. */
const LOOK_EVERY = 250;
/** Tokens that are asked for at the same time. */
const AT_ONCE = 32;

/**
 * Tells once when the token of a request that is still being answered has ended, within a second: by expiry, by
 * revocation, or because its person has another role, or has turned a second step on or off.
 *
 * @returns how to stop watching
 */
export type WatchToken = (head: RequestHead, viewer: Viewer, ended: () => void) => () => void;

interface Watched {
  readonly viewer: Viewer;
  readonly listeners: Set<() => void>;
}

/** While the store is away nobody is told: without it nothing is delivered either. */
export function openTokenWatch(verify: Verify): { readonly watch: WatchToken; close(): void } {
  const tokens = new Map<string, Watched>();
  let timer: NodeJS.Timeout | null = null;
  let isLooking = false;

  function stop(): void {
    if (timer !== null) clearInterval(timer);
    timer = null;
  }

  async function look(): Promise<void> {
    if (isLooking) return;
    isLooking = true;
    const asked: Promise<void>[] = [];
    for (const [token, watched] of tokens) {
      const found = verify(token);
      if (!(found instanceof Promise)) judge(token, watched, found);
      else asked.push(found.then((later) => judge(token, watched, later)).catch(() => {}));
      if (asked.length === AT_ONCE) await Promise.all(asked.splice(0));
    }
    await Promise.all(asked);
    isLooking = false;
  }

  function judge(token: string, watched: Watched, found: Live | TokenRefusal): void {
    const { role, userId, hasSecondStep } = watched.viewer;
    const now = found instanceof TokenRefusal ? null : found.viewer;
    if (now?.role === role && now.userId === userId && now.hasSecondStep === hasSecondStep) return;
    tokens.delete(token);
    for (const ended of watched.listeners) ended();
  }

  return {
    watch(head, viewer, ended) {
      const token = readAccessToken(head);
      if (token === null) return () => {};
      const watched = tokens.get(token) ?? { viewer, listeners: new Set() };
      tokens.set(token, watched);
      watched.listeners.add(ended);
      timer ??= setInterval(look, LOOK_EVERY).unref();
      return () => {
        watched.listeners.delete(ended);
        if (watched.listeners.size === 0 && tokens.get(token) === watched) tokens.delete(token);
        if (tokens.size === 0) stop();
      };
    },
    close: stop,
  };
}
