import type { Config } from "../config/config.ts";
import type { Door } from "../domain/door.ts";
import type { Store } from "../domain/store/store.ts";
import type { Log } from "../observe/log.ts";
import { type Authenticate, openAuthenticate } from "../resource-server/authenticate.ts";
import { openDpop } from "../resource-server/dpop.ts";
import { openDpopNonces } from "../resource-server/dpop-nonces.ts";
import type { Verify } from "../resource-server/verify.ts";
import { deriveKey } from "../secrets/seal.ts";

export interface DoorOptions {
  readonly config: Config;
  readonly store: Pick<Store, "attempts">;
  /** The installation's. */
  readonly secret: Uint8Array;
  readonly verify: Verify;
  readonly log: Log;
  /** Milliseconds of Unix time. */
  readonly now: () => number;
}

/** The differences between the doors. */
interface Rules {
  /** The doors for which tokens count at this one; null for tokens that name none. */
  readonly audiences: readonly (Door | null)[];
  /** Whether callers without a token may read. */
  readonly publicRead: boolean;
}

/** Opens a door for callers with tokens. Proofs of keys name its URL, and are used once at all doors together. */
export function openDoor(door: Door, rules: Rules, options: DoorOptions): Authenticate {
  const { config, store, secret, verify, log, now } = options;
  return openAuthenticate({
    ...rules,
    verify,
    checkProof: openDpop({
      url: `${config.BASE_URL}/${door}`,
      nonces: config.DPOP_NONCES ? openDpopNonces(deriveKey(secret, `DPoP nonces at /${door}`), now) : null,
      isFirstUse: (key, untilSeconds) => store.attempts.claimOnce(key, untilSeconds, Math.floor(now() / 1000)),
      now,
    }),
    log,
  });
}
