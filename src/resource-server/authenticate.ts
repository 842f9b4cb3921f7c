import type { Door } from "../domain/door.ts";
import { AppError } from "../domain/errors.ts";
import { PUBLIC_SCOPES } from "../domain/scopes.ts";
import type { Viewer } from "../domain/viewer.ts";
import type { Log } from "../observe/log.ts";
import { type RequestHead, readAccessToken, usesDpop } from "./bearer.ts";
import type { CheckProof } from "./dpop.ts";
import { TokenRefusal } from "./token-refusal.ts";
import type { Live, Verify } from "./verify.ts";

export interface AuthenticateOptions {
  verify: Verify;
  checkProof: CheckProof;
  /** The doors for which tokens count here; null for tokens that name none. */
  audiences: readonly (Door | null)[];
  /** Whether callers without a token may read (PUBLIC_READ). */
  publicRead: boolean;
  /** Gets the reason for each refusal, at debug: callers learn less. */
  log: Log;
}

/** @throws AppError UNAUTHENTICATED without a token or with a bad one, BAD_REQUEST for a token in the address */
export type Authenticate = (head: RequestHead) => Viewer | Promise<Viewer>;

export function openAuthenticate(options: AuthenticateOptions): Authenticate {
  const { verify, checkProof, audiences, publicRead, log } = options;
  const anonymous: Viewer = {
    userId: null,
    role: null,
    clientId: null,
    scopes: new Set(publicRead ? PUBLIC_SCOPES : []),
    signIn: null,
    hasSecondStep: false,
  };
  return (head) => {
    try {
      const viewer = authenticate(head);
      return viewer instanceof Promise ? viewer.catch((error: unknown) => refuse(error, head)) : viewer;
    } catch (error) {
      return refuse(error, head);
    }
  };

  function authenticate(head: RequestHead): Viewer | Promise<Viewer> {
    const token = readAccessToken(head);
    if (token === null) {
      if (publicRead) return anonymous;
      const message = "This needs an access token: Authorization: Bearer …";
      throw new AppError("UNAUTHENTICATED", message, {}, new TokenRefusal("missing"));
    }
    const found = verify(token);
    return found instanceof Promise ? found.then((later) => admit(later, head, token)) : admit(found, head, token);
  }

  function admit(found: Live | TokenRefusal, head: RequestHead, token: string): Viewer | Promise<Viewer> {
    if (found instanceof TokenRefusal)
      throw invalidToken(head, "The access token is unknown, expired or revoked.", found);
    const { viewer, jkt, x5t, audience } = found;
    if (!audiences.includes(audience)) {
      const refusal = new TokenRefusal("audience", { expected: audiences[0], found: audience });
      throw invalidToken(head, "The access token is for another door of this server.", refusal);
    }
    const certificate = x5t === null ? null : (head.certificateThumbprint?.() ?? null);
    if (x5t !== certificate) {
      const message = "The access token is bound to a client certificate, and this request came without it.";
      throw invalidToken(head, message, new TokenRefusal("certificate", { expected: x5t, found: certificate }));
    }
    if (jkt === null) {
      if (!usesDpop(head)) return viewer;
      const message = "The access token is not bound to a key: send it as Bearer.";
      throw invalidToken(head, message, new TokenRefusal("not-bound-to-key"));
    }
    // A thief of the token would send it like this (RFC 9449 section 7.2).
    if (!usesDpop(head)) throw boundToken();
    return checkProof(head, token, jkt).then(() => viewer);
  }

  function refuse(error: unknown, { requestId }: RequestHead): never {
    if (error instanceof AppError && error.cause instanceof TokenRefusal)
      log.debug({ requestId, ...error.cause.fields }, "an access token is refused");
    throw error;
  }
}

function invalidToken(head: RequestHead, message: string, refusal: TokenRefusal): AppError {
  const scheme = usesDpop(head) ? ({ scheme: "DPoP" } as const) : {};
  return new AppError("UNAUTHENTICATED", message, { challenge: "invalid_token", ...scheme }, refusal);
}

function boundToken(): AppError {
  const message = "The access token is bound to a key: send it as Authorization: DPoP …, with a DPoP proof.";
  const refusal = new TokenRefusal("bound-to-key");
  return new AppError("UNAUTHENTICATED", message, { challenge: "invalid_token", scheme: "DPoP" }, refusal);
}
