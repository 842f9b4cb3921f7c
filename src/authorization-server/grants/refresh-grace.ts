import type { KoaContextWithOIDC } from "oidc-provider";
import type { AttemptStore } from "../../domain/store/attempts.ts";
import { isLoopbackOnly } from "../clients/agent-clients.ts";
import type { Audit } from "../engine/audit.ts";
import type { RefreshRetries } from "../engine/redemption.ts";
import type { EngineRequest } from "../http/engine-request.ts";

/** Uses of a refresh token after its rotation. */
const MOST_RETRIES = 10;

export interface RefreshGraceOptions {
  /** Seconds; 0 for none. */
  readonly REFRESH_GRACE: number;
  readonly attempts: AttemptStore;
  readonly audit: Audit;
  /** Milliseconds of Unix time. */
  readonly now: () => number;
}

/**
 * Several processes of one native program share a file with a refresh token, and each of them refreshes. So for a short
 * time after its rotation the token works again, for such clients alone. A key that it is bound to must be proved each time.
 */
export function openRefreshGrace({ REFRESH_GRACE, attempts, audit, now }: RefreshGraceOptions) {
  return (ctx: KoaContextWithOIDC): RefreshRetries | null => {
    const { client } = ctx.oidc;
    if (REFRESH_GRACE === 0 || client?.clientAuthMethod !== "none") return null;
    if (!isLoopbackOnly(client.redirectUris ?? [])) return null;
    return {
      graceSeconds: REFRESH_GRACE,
      async count(idHash) {
        const window = 2 * REFRESH_GRACE;
        return (await attempts.add(`refresh retry ${idHash}`, window, Math.floor(now() / 1000))) <= MOST_RETRIES;
      },
      told() {
        const { requestId, address } = ctx.req as EngineRequest;
        const userId = ctx.oidc.account?.accountId;
        const facts = { userId, clientId: client.clientId, address, requestId };
        audit.note({ event: "token", result: "ok", ...facts, detail: "token.refresh.retried" });
      },
    };
  };
}
