import { AppError } from "../domain/errors.ts";
import { PUBLIC_SCOPES } from "../domain/scopes.ts";
import type { Viewer } from "../domain/viewer.ts";
import { type RequestHead, readAccessToken, usesDpop } from "./bearer.ts";
import type { CheckProof } from "./dpop.ts";
import type { Live, Verify } from "./verify.ts";

export interface AuthenticateOptions {
  verify: Verify;
  checkProof: CheckProof;
  /** Whether callers without a token may read (PUBLIC_READ). */
  publicRead: boolean;
}

/** @throws AppError UNAUTHENTICATED without a token or with a bad one, BAD_REQUEST for a token in the address */
export type Authenticate = (head: RequestHead) => Viewer | Promise<Viewer>;

export function openAuthenticate({ verify, checkProof, publicRead }: AuthenticateOptions): Authenticate {
  const anonymous: Viewer = {
    userId: null,
    role: null,
    clientId: null,
    scopes: new Set(publicRead ? PUBLIC_SCOPES : []),
  };
  return (head) => {
    const token = readAccessToken(head);
    if (token === null) {
      if (publicRead) return anonymous;
      throw new AppError("UNAUTHENTICATED", "This needs an access token: Authorization: Bearer …");
    }
    const live = verify(token);
    return live instanceof Promise ? live.then((found) => admit(found, head, token)) : admit(live, head, token);
  };

  function admit(live: Live | null, head: RequestHead, token: string): Viewer | Promise<Viewer> {
    if (live === null) throw invalidToken(head, "The access token is unknown, expired or revoked.");
    const { viewer, jkt, x5t } = live;
    if (x5t !== null && head.certificateThumbprint?.() !== x5t)
      throw invalidToken(head, "The access token is bound to a client certificate, and this request came without it.");
    if (jkt === null) {
      if (!usesDpop(head)) return viewer;
      throw invalidToken(head, "The access token is not bound to a key: send it as Bearer.");
    }
    // Whoever has found or stolen it would come like this (RFC 9449 section 7.2).
    if (!usesDpop(head)) throw boundToken();
    return checkProof(head, token, jkt).then(() => viewer);
  }
}

function invalidToken(head: RequestHead, message: string): AppError {
  const scheme = usesDpop(head) ? ({ scheme: "DPoP" } as const) : {};
  return new AppError("UNAUTHENTICATED", message, { challenge: "invalid_token", ...scheme });
}

function boundToken(): AppError {
  const message = "The access token is bound to a key: send it as Authorization: DPoP …, with a DPoP proof.";
  return new AppError("UNAUTHENTICATED", message, { challenge: "invalid_token", scheme: "DPoP" });
}
