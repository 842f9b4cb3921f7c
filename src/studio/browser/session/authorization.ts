import * as oauth from "oauth4webapi";
import { ApiFailure } from "../ports.ts";
import type { Settings } from "./settings.ts";
import { newStateFor } from "./sign-in-window.ts";
import type { SessionStore, SignInRequest } from "./stored-session.ts";
import { RefreshRefused } from "./tokens.ts";

interface Grant {
  readonly token: string;
  /** Seconds. */
  readonly expiresIn: number;
  readonly refreshToken: string;
}

/** Demands of a sign-in besides the usual ones. */
export interface Ask {
  /** Space-separated; the studio's own unless given. */
  readonly scope?: string;
  /** Seconds since the person last signed in, at most (OpenID Connect Core section 3.1.2.1). */
  readonly maxAge?: number;
  readonly acrValues?: readonly string[];
  /** Answer without a page, or not at all (`prompt=none`). */
  readonly isQuiet?: boolean;
  /** Id of the window for the sign-in: the tab that opened it redeems the code. */
  readonly windowId?: string;
}

/** A sign-in that came to nothing. Its message is for the person. */
class SignInFailed extends Error {}

/** The authorization server as the studio's client sees it. */
export interface Authorization {
  /** Pushes a request. @returns the address at which the person signs in @throws ApiFailure, SignInFailed */
  begin(options: Pick<SignInRequest, "returnTo" | "isPopup"> & { readonly ask?: Ask }): Promise<URL>;
  /** Redeems the code in the address that the person came back to. @throws ApiFailure, SignInFailed */
  finish(address: URL): Promise<{ readonly grant: Grant; readonly personId: string; readonly request: SignInRequest }>;
  /** @throws RefreshRefused, ApiFailure */
  refresh(refreshToken: string): Promise<Grant>;
  /** @throws ApiFailure, Error */
  revoke(token: string): Promise<void>;
  /** URL at which the person ends the session of the authorization server (OpenID Connect RP-Initiated Logout 1.0). */
  signOutUrl(): URL;
  /** A request with a token and a proof of its key (RFC 9449). @throws ApiFailure "offline" */
  fetch(token: string, url: URL, headers: Headers, body: string, init: RequestInit): Promise<Response>;
}

export function openAuthorization(settings: Settings, store: SessionStore): Authorization {
  const client: oauth.Client = { client_id: settings.clientId };
  const as = JSON.parse(settings.authorizationServer) as oauth.AuthorizationServer;
  const isPlain = new URL(as.issuer).protocol === "http:";
  const options = { [oauth.allowInsecureRequests]: isPlain };
  let handle: Promise<oauth.DPoPHandle> | undefined;

  const proofs = () => {
    handle ??= store.keys(() => oauth.generateKeyPair("ES256")).then((keys) => oauth.DPoP(client, keys));
    handle.catch(() => {
      handle = undefined;
    });
    return handle;
  };
  /** Once more where the server wants its nonce in the proof. */
  const withProof = async <Result>(work: (DPoP: oauth.DPoPHandle) => Promise<Result>): Promise<Result> => {
    const DPoP = await proofs();
    return work(DPoP).catch((error) => {
      if (oauth.isDPoPNonceError(error)) return work(DPoP);
      throw error;
    });
  };
  const grantOf = (answer: oauth.TokenEndpointResponse, refreshToken = ""): Grant => ({
    token: answer.access_token,
    expiresIn: answer.expires_in ?? 60,
    refreshToken: answer.refresh_token ?? refreshToken,
  });

  return {
    async begin({ returnTo, isPopup, ask = {} }) {
      const { scope = settings.scope, maxAge, acrValues = [], isQuiet = false } = ask;
      const request = {
        state: ask.windowId === undefined ? oauth.generateRandomState() : newStateFor(ask.windowId),
        ...{ nonce: oauth.generateRandomNonce() },
        ...{ verifier: oauth.generateRandomCodeVerifier(), returnTo, isPopup, startedAt: Date.now() },
      };
      await store.keepRequest(request);
      const parameters = {
        client_id: settings.clientId,
        redirect_uri: settings.redirectUri,
        response_type: "code",
        scope,
        state: request.state,
        nonce: request.nonce,
        code_challenge: await oauth.calculatePKCECodeChallenge(request.verifier),
        code_challenge_method: "S256",
        ...(maxAge !== undefined && { max_age: String(maxAge) }),
        ...(acrValues.length > 0 && { acr_values: acrValues.join(" ") }),
        ...(isQuiet && { prompt: "none" }),
      };
      const pushed = await reach(() =>
        withProof(async (DPoP) => {
          const answer = await oauth.pushedAuthorizationRequest(as, client, oauth.None(), parameters, {
            ...options,
            DPoP,
          });
          return oauth.processPushedAuthorizationResponse(as, client, answer);
        }),
      );
      const address = new URL(as.authorization_endpoint ?? as.issuer);
      address.searchParams.set("client_id", settings.clientId);
      address.searchParams.set("request_uri", pushed.request_uri);
      return address;
    },

    async finish(address) {
      const request = await store.takeRequest(address.searchParams.get("state") ?? "");
      if (request === null)
        throw new SignInFailed("This sign-in was not started in this browser, or it is already finished.");
      return reach(async () => {
        const callback = oauth.validateAuthResponse(as, client, address, request.state);
        const answer = await withProof(async (DPoP) =>
          oauth.processAuthorizationCodeResponse(
            as,
            client,
            await oauth.authorizationCodeGrantRequest(
              ...([as, client, oauth.None(), callback, settings.redirectUri, request.verifier] as const),
              { ...options, DPoP },
            ),
            { expectedNonce: request.nonce, requireIdToken: true },
          ),
        );
        const personId = oauth.getValidatedIdTokenClaims(answer)?.sub ?? "";
        return { grant: grantOf(answer), personId, request };
      });
    },

    async refresh(refreshToken) {
      return reach(() =>
        withProof(async (DPoP) => {
          const answer = await oauth.refreshTokenGrantRequest(as, client, oauth.None(), refreshToken, {
            ...options,
            DPoP,
          });
          return grantOf(await oauth.processRefreshTokenResponse(as, client, answer), refreshToken);
        }),
      ).catch((error) => {
        if (error instanceof SignInFailed && isRefusal(error.cause)) throw new RefreshRefused();
        throw error;
      });
    },

    async revoke(token) {
      await reach(async () =>
        oauth.processRevocationResponse(await oauth.revocationRequest(as, client, oauth.None(), token, options)),
      );
    },

    signOutUrl() {
      const address = new URL(as.end_session_endpoint ?? as.issuer);
      address.searchParams.set("client_id", settings.clientId);
      address.searchParams.set("post_logout_redirect_uri", settings.signedOutUri);
      return address;
    },

    async fetch(token, url, headers, body, { signal, keepalive, ...init }) {
      const DPoP = await proofs();
      const send = () =>
        oauth.protectedResourceRequest(token, "POST", url, headers, body, {
          ...{ ...options, DPoP },
          ...(signal instanceof AbortSignal && { signal }),
          [oauth.customFetch]: (address, request) =>
            fetch(address, { ...(request as RequestInit), ...init, keepalive: keepalive === true }),
        });
      return reach(
        () =>
          send().catch((error) => {
            if (oauth.isDPoPNonceError(error)) return send();
            throw error;
          }),
        (error) => (error instanceof oauth.WWWAuthenticateChallengeError ? error.response : null),
      );
    },
  };
}

/** Turns failures of the network and of the protocol into ours. */
async function reach<Result>(
  work: () => Promise<Result>,
  rescue: (error: unknown) => Result | null = () => null,
): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    const rescued = rescue(error);
    if (rescued !== null) return rescued;
    if (error instanceof DOMException && error.name === "AbortError") throw error;
    if (error instanceof TypeError) throw offline(error);
    if (error instanceof oauth.AuthorizationResponseError)
      throw new SignInFailed(
        error.error === "access_denied"
          ? "You did not allow the studio to sign you in."
          : `The server rejected the sign-in: ${error.error_description ?? error.error}.`,
        { cause: error },
      );
    const status = statusOf(error);
    if (status === 429 || status >= 500)
      throw new ApiFailure({ kind: "busy", message: "The server is busy. Nothing was lost.", retryAfter: 5 });
    throw new SignInFailed("The sign-in failed. Try again.", { cause: error });
  }
}

function offline(cause: Error): ApiFailure {
  const failure = new ApiFailure({ kind: "offline", message: "The server cannot be reached." });
  failure.cause = cause;
  return failure;
}

/** Whether the token endpoint said that the refresh token is no longer good (RFC 6749 section 5.2). */
function isRefusal(error: unknown): boolean {
  return (
    error instanceof oauth.ResponseBodyError &&
    ["invalid_grant", "invalid_client", "unauthorized_client", "invalid_dpop_proof"].includes(error.error)
  );
}

function statusOf(error: unknown): number {
  if (error instanceof oauth.ResponseBodyError) return error.status;
  const cause = error instanceof Error ? error.cause : undefined;
  return cause instanceof Response ? cause.status : 0;
}
