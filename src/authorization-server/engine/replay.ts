import type Provider from "oidc-provider";
import type { AttemptStore } from "../../domain/store/attempts.ts";
import { hashToken } from "../../secrets/token-hash.ts";
import { patch } from "./patches.ts";

/** Seconds for which a proof may be dated ahead, and longer than any tolerance of the engine. */
const AHEAD = 300;

/**
 * Single-use values, such as DPoP proofs and signed assertions, are recorded in one step for all nodes. The engine
 * looks first and writes later: two uses at the same moment would both pass.
 */
export function refuseReplays(provider: Provider, attempts: AttemptStore, now: () => number): void {
  patch(
    provider,
    "ReplayDetection.unique",
    () =>
      (issuer: string, jti: string, expiresAtSeconds: number): Promise<boolean> =>
        attempts.claimOnce(
          `replay ${hashToken(JSON.stringify([issuer, jti]))}`,
          // As clients have it, it may be no whole number.
          Math.ceil(expiresAtSeconds) + AHEAD,
          Math.floor(now() / 1000),
        ),
  );
}
