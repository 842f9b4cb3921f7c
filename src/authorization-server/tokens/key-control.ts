import type { KeyControl } from "../../domain/store/signing-key-administration.ts";
import type { Store } from "../../domain/store/store.ts";
import type { Sealer } from "../../secrets/seal.ts";
import { keySet, keyState, listSigningKeys, publishedUntil, replaceSigningKeys, rotateSigningKeys } from "./keys.ts";

/**
 * The signing keys as an administrator sees and rotates them, in GraphQL and at the terminal.
 *
 * @param maxAgeSeconds for which verifiers may keep a set of keys: `JWKS_MAX_AGE`
 */
export function openKeyControl(
  store: Store,
  {
    sealer,
    maxAgeSeconds,
    now,
  }: { readonly sealer: () => Sealer; readonly maxAgeSeconds: number; readonly now: () => number },
): KeyControl {
  return {
    async list() {
      const at = now();
      const kept = await store.signingKeys.list();
      return kept.map((key) => {
        const { privateKey: _, ...shown } = key;
        return { ...shown, state: keyState(key, at), publishedUntil: publishedUntil(key) };
      });
    },

    async rotate(algorithms, isLeaked) {
      const [seal, at] = [sealer(), now()];
      // Under another secret the new keys would be what keeps every node from starting.
      keySet(await listSigningKeys(store, seal, now), seal, at);
      if (isLeaked) await replaceSigningKeys(store, seal, algorithms, at);
      else await rotateSigningKeys(store, seal, algorithms, { now: at, maxAgeSeconds });
    },
  };
}
