import { MOST_AHEAD } from "../../domain/clients/compact-jws.ts";
import { AppError } from "../../domain/errors.ts";
import type { AttemptStore } from "../../domain/store/attempts.ts";
import type { Log } from "../../observe/log.ts";
import { hashToken } from "../../secrets/token-hash.ts";
import { textOf } from "./openid-identity.ts";
import type { ProviderMetadata } from "./provider-metadata.ts";
import { judged, UpstreamRefusal } from "./refusal.ts";
import type { Upstream } from "./upstream.ts";

const EVENT = "http://schemas.openid.net/event/backchannel-logout";
/** Seconds from its `iat` for which a token counts. */
const LIFETIME = 600;
const LONGEST = 16_384;

/** Sessions that have ended at an upstream: all that began with the subject, with its session, or with both. At least one is there. */
interface UpstreamSignOut {
  readonly provider: string;
  readonly subject: string | null;
  readonly sid: string | null;
}

export interface LogoutTokenOptions {
  readonly metadata: ProviderMetadata;
  readonly attempts: Pick<AttemptStore, "claimOnce">;
  readonly log: Log;
  /** Milliseconds of Unix time. */
  readonly now: () => number;
}

export interface LogoutTokens {
  /** Judges a `logout_token`. It counts once. @throws UpstreamRefusal, UpstreamDown */
  judge(upstream: Upstream, token: string): Promise<UpstreamSignOut>;
}

/** OpenID Connect Back-Channel Logout 1.0, sections 2.4 and 2.6. */
export function openLogoutTokens({ metadata, attempts, log, now }: LogoutTokenOptions): LogoutTokens {
  async function judge(upstream: Upstream, token: string): Promise<UpstreamSignOut> {
    const { id: provider, issuer, clientId: audience } = upstream;
    if (issuer === null || token.length > LONGEST) throw new UpstreamRefusal("no logout token");
    const [{ jwtVerify }, { keys, algorithms }] = await Promise.all([
      import("jose"),
      metadata.of({ ...upstream, issuer }),
    ]);
    const { payload, protectedHeader } = await jwtVerify(token, keys, {
      ...{ issuer, audience, algorithms: [...algorithms], currentDate: new Date(now()) },
      ...{ clockTolerance: MOST_AHEAD, maxTokenAge: LIFETIME, requiredClaims: ["iat", "exp", "jti", "events"] },
    });
    const { jti, iat = 0, exp = 0, events, nonce, sub, sid } = payload;
    const nowSeconds = Math.floor(now() / 1_000);
    if (!["jwt", "logout+jwt"].includes((protectedHeader.typ ?? "jwt").toLowerCase()))
      throw new UpstreamRefusal("typ is not logout+jwt");
    if (exp <= nowSeconds) throw new UpstreamRefusal("it has expired");
    if (nonce !== undefined) throw new UpstreamRefusal("it has a nonce, as ID tokens do");
    if (!isLogout(events)) throw new UpstreamRefusal("events is not a sign-out");
    const claims = { subject: sub === undefined ? null : textOf(sub), sid: sid === undefined ? null : textOf(sid) };
    if ((sub !== undefined && claims.subject === null) || (sid !== undefined && claims.sid === null))
      throw new UpstreamRefusal("sub or sid is not a text");
    if (claims.subject === null && claims.sid === null) throw new UpstreamRefusal("it has neither sub nor sid");
    if (textOf(jti) === null) throw new UpstreamRefusal("jti is not a text");
    const key = `upstream logout ${hashToken(JSON.stringify([issuer, jti]))}`;
    // A second longer than it counts, by the clock that it was dated with.
    const until = Math.ceil(iat) + LIFETIME + MOST_AHEAD + 1;
    if (!(await attempts.claimOnce(key, until, nowSeconds))) throw new UpstreamRefusal("used before");
    return { provider, ...claims };
  }

  return {
    async judge(upstream, token) {
      try {
        return await judge(upstream, token);
      } catch (error) {
        if (error instanceof AppError) throw error; // the database
        const refusal = judged(error);
        log.warn({ event: "upstream sign-out", upstream: upstream.id, reason: refusal.reason }, "refused");
        throw refusal;
      }
    },
  };
}

function isLogout(events: unknown): boolean {
  const event = typeof events === "object" && events !== null ? (events as Record<string, unknown>)[EVENT] : undefined;
  return typeof event === "object" && event !== null && !Array.isArray(event);
}
