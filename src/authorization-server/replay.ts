import { createHash } from "node:crypto";
import type Provider from "oidc-provider";
import type { AttemptStore } from "../domain/store.ts";

/**
 * What may be used once, such as a DPoP proof or a signed assertion, is counted in one step for all nodes. The engine
 * looks first and writes later: two uses at the same moment would both pass.
 */
export function refuseReplays(provider: Provider, attempts: AttemptStore, now: () => number): void {
  Object.assign(provider.ReplayDetection, {
    async unique(issuer: string, jti: string, expiresAtSeconds: number): Promise<boolean> {
      const nowSeconds = Math.floor(now() / 1000);
      const key = `replay ${createHash("sha256")
        .update(JSON.stringify([issuer, jti]))
        .digest("base64url")}`;
      // A proof may be dated ahead by as long as it lasts.
      const seconds = Math.max(1, 2 * (expiresAtSeconds - nowSeconds) + 1);
      return (await attempts.add(key, seconds, nowSeconds)) === 1;
    },
  });
}
