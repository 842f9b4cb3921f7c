import * as oauth from "oauth4webapi";
import type { OwnClientFacts } from "../../documents/developers.ts";

/** A sign-in request, and what the answer to it is compared with. */
export interface SignInRequest {
  readonly address: URL;
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
}

/** OAuth as the program of one client speaks it. */
export class ClientProtocol {
  readonly #server: oauth.AuthorizationServer;
  readonly #client: oauth.Client;
  readonly #facts: OwnClientFacts;
  readonly #authentication: oauth.ClientAuth;
  readonly #options: { readonly [oauth.allowInsecureRequests]: boolean; readonly DPoP?: oauth.DPoPHandle };

  private constructor(
    server: oauth.AuthorizationServer,
    facts: OwnClientFacts,
    secret: string | null,
    DPoP: oauth.DPoPHandle | null,
  ) {
    this.#server = server;
    this.#client = { client_id: facts.id };
    this.#facts = facts;
    this.#authentication = secret === null ? oauth.None() : oauth.ClientSecretBasic(secret);
    this.#options = {
      [oauth.allowInsecureRequests]: new URL(server.issuer).protocol === "http:",
      ...(DPoP !== null && { DPoP }),
    };
  }

  /** @param server metadata (RFC 8414) @param secret null for a client without one */
  static async open(
    server: oauth.AuthorizationServer,
    facts: OwnClientFacts,
    secret: string | null,
  ): Promise<ClientProtocol> {
    const client: oauth.Client = { client_id: facts.id };
    const DPoP = facts.dpopBound ? oauth.DPoP(client, await oauth.generateKeyPair("ES256")) : null;
    return new ClientProtocol(server, facts, secret, DPoP);
  }

  /** Makes a request for all scopes of the client. Where the client wants it, the request is pushed first. */
  async request(redirectUri: string, state: string): Promise<SignInRequest> {
    const { scopes, mustPush } = this.#facts;
    const { client_id } = this.#client;
    const verifier = oauth.generateRandomCodeVerifier();
    const nonce = oauth.generateRandomNonce();
    const parameters: Record<string, string> = {
      ...{ client_id, redirect_uri: redirectUri, response_type: "code", scope: scopes.join(" "), state },
      ...(this.#hasIdToken && { nonce }),
      code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
      code_challenge_method: "S256",
    };
    const shown = mustPush ? { client_id, request_uri: await this.#push(parameters) } : parameters;
    const address = new URL(this.#server.authorization_endpoint ?? this.#server.issuer);
    for (const [name, value] of Object.entries(shown)) address.searchParams.set(name, value);
    return { address, state, nonce, verifier };
  }

  /** @returns the parameters of the answer @throws AuthorizationResponseError for a refusal */
  check(answer: URL, { state }: SignInRequest): URLSearchParams {
    return oauth.validateAuthResponse(this.#server, this.#client, answer, state);
  }

  /** Turns the code into tokens. */
  async redeem(
    answer: URLSearchParams,
    { nonce, verifier }: SignInRequest,
    redirectUri: string,
  ): Promise<oauth.TokenEndpointResponse> {
    const checks = this.#hasIdToken ? { expectedNonce: nonce, requireIdToken: true } : {};
    const sent = [this.#server, this.#client, this.#authentication, answer, redirectUri, verifier] as const;
    return withNonce(async () =>
      oauth.processAuthorizationCodeResponse(
        ...([this.#server, this.#client] as const),
        await oauth.authorizationCodeGrantRequest(...sent, this.#options),
        checks,
      ),
    );
  }

  /** Asks with the access token. @param body JSON; null for GET @returns JSON */
  async ask(token: string, url: string, body: string | null): Promise<unknown> {
    const headers = new Headers(body === null ? {} : { "content-type": "application/json" });
    const method = body === null ? "GET" : "POST";
    const answer = await withNonce(() =>
      oauth.protectedResourceRequest(token, method, new URL(url), headers, body, this.#options),
    );
    return answer.json();
  }

  async revoke(token: string): Promise<void> {
    const sent = [this.#server, this.#client, this.#authentication, token] as const;
    await oauth.processRevocationResponse(await oauth.revocationRequest(...sent, this.#options));
  }

  get #hasIdToken(): boolean {
    return this.#facts.scopes.includes("openid");
  }

  async #push(parameters: Record<string, string>): Promise<string> {
    const sent = [this.#server, this.#client, this.#authentication, parameters] as const;
    const { request_uri } = await withNonce(async () =>
      oauth.processPushedAuthorizationResponse(
        ...([this.#server, this.#client] as const),
        await oauth.pushedAuthorizationRequest(...sent, this.#options),
      ),
    );
    return request_uri;
  }
}

/** Does it again where the server wants its nonce in the proof (RFC 9449 section 8). */
async function withNonce<Result>(work: () => Promise<Result>): Promise<Result> {
  return work().catch((error) => {
    if (oauth.isDPoPNonceError(error)) return work();
    throw error;
  });
}

/** The words of the server, where it has some. */
export function protocolFailureWords(error: unknown): string {
  if (error instanceof oauth.ResponseBodyError || error instanceof oauth.AuthorizationResponseError)
    return error.error_description === undefined ? error.error : `${error.error}: ${error.error_description}`;
  return error instanceof TypeError ? "The server gave no answer." : (error as Error).message;
}
