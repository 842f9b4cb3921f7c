import { AppError } from "../domain/errors.ts";
import { PUBLIC_SCOPES, type Viewer } from "../domain/viewer.ts";
import { type RequestHead, readBearerToken } from "./bearer.ts";
import type { Verify } from "./verify.ts";

export interface AuthenticateOptions {
  verify: Verify;
  /** Whether callers without a token may read (PUBLIC_READ). */
  publicRead: boolean;
}

/** @throws AppError UNAUTHENTICATED without a token or with a bad one, BAD_REQUEST for a token in the address */
export type Authenticate = (head: RequestHead) => Viewer | Promise<Viewer>;

export function openAuthenticate({ verify, publicRead }: AuthenticateOptions): Authenticate {
  const anonymous: Viewer = {
    userId: null,
    role: null,
    clientId: null,
    scopes: new Set(publicRead ? PUBLIC_SCOPES : []),
  };
  return (head) => {
    const token = readBearerToken(head);
    if (token === null) {
      if (publicRead) return anonymous;
      throw new AppError("UNAUTHENTICATED", "This needs an access token: Authorization: Bearer …");
    }
    const viewer = verify(token);
    return viewer instanceof Promise ? viewer.then(assertLive) : assertLive(viewer);
  };
}

function assertLive(viewer: Viewer | null): Viewer {
  if (viewer !== null) return viewer;
  throw new AppError("UNAUTHENTICATED", "The access token is unknown, expired or revoked.", {
    challenge: "invalid_token",
  });
}
