import { setTimeout as pause } from "node:timers/promises";
import type { Store } from "../../domain/store/store.ts";
import { describeFault } from "../../observe/describe-fault.ts";
import type { Log } from "../../observe/log.ts";
import type { Sealer } from "../../secrets/seal.ts";
import { keySet, keyState, listSigningKeys, publishedKeys, type SigningJwk, sweepSigningKeys } from "./keys.ts";

/** Every node has a new key within a second. */
const EVERY_MS = 500;

/** After this long without a look at the database, others may know of keys that this node does not. */
const STALE_MS = 10_000;

export type KeySet = { readonly keys: SigningJwk[] };

export interface KeyRing {
  /** The keys that sign and are published now; the same object until that changes. */
  current(): KeySet;
  /** Whether what is published is known to be all there is. */
  isFresh(): boolean;
  close(): Promise<void>;
}

/**
 * The signing keys, followed while they rotate.
 *
 * @throws AppError INTERNAL when the keys were sealed under another secret
 */
export async function openKeyRing(store: Store, sealer: Sealer, now: () => number, log: Log): Promise<KeyRing> {
  let set: KeySet = { keys: [] };
  let readAt = 0;
  await read();

  let hasFailed = false;
  let reading = Promise.resolve();
  /** One after another, so that an older look never comes after a newer one. */
  function refresh(): Promise<void> {
    reading = reading.then(read).then(
      () => {
        hasFailed = false;
      },
      (error: unknown) => {
        if (!hasFailed) log.warn({ error: describeFault(error) }, "the signing keys stay as they are for now");
        hasFailed = true;
      },
    );
    return reading;
  }

  // A rotation is announced. The looks in between notice that a key's time has come, and unannounced changes.
  const unwatch = store.watch(["keys"], refresh);
  const closing = new AbortController();
  const following = follow();

  async function follow(): Promise<void> {
    while (await pause(EVERY_MS, true, { ref: false, signal: closing.signal }).catch(() => false)) await refresh();
  }

  async function read(): Promise<void> {
    const kept = await listSigningKeys(store, sealer, now);
    const at = now();
    readAt = performance.now();
    // Opened only when they are others: this runs twice a second.
    if (namesOf(publishedKeys(kept, at)) !== namesOf(set.keys)) set = keySet(kept, sealer, at);
    if (kept.some((key) => keyState(key, at) === "gone")) await sweepSigningKeys(store, at);
  }

  return {
    current: () => set,
    isFresh: () => performance.now() - readAt < STALE_MS,
    async close() {
      unwatch();
      closing.abort();
      await following;
      await reading;
    },
  };
}

function namesOf(keys: readonly { readonly kid: string }[]): string {
  return keys.map(({ kid }) => kid).join(" ");
}
