import { type ReadonlySignal, signal } from "@preact/signals";
import * as oauth from "oauth4webapi";
import {
  AddOwnClientSecret,
  EndOwnClientSecret,
  type OwnClientFacts,
  StartClientTrial,
} from "../../documents/documents.ts";
import type { Api } from "../../ports.ts";
import type { SignInWindow } from "../../session/elevation.ts";
import { decodeJwt, linesOf, Steps } from "./steps.ts";

const STEPS = [
  "Prepare",
  "Sign in",
  "Come back",
  "Get tokens",
  "Ask who you are",
  "Read posts",
  "End all of it",
] as const;
type StepName = (typeof STEPS)[number];

/** `ready`: the window has yet to be opened. `away`: the person is in it. */
type TrialState = "idle" | "preparing" | "ready" | "away" | "working" | "done" | "failed";

interface TrialPorts {
  readonly api: Api;
  /** Metadata of the authorization server (RFC 8414). */
  readonly server: oauth.AuthorizationServer;
  readonly graphqlUrl: string;
  /** The page of the studio that the answer comes to. */
  readonly redirectUri: string;
  /** A value of `state` with which that page finds this tab. */
  newState(): string;
}

/** What a trial has to end. */
interface Made {
  readonly secret: { readonly id: string; readonly text: string } | null;
  tokens: oauth.TokenEndpointResponse | null;
}

/** The whole flow with one client, as its program would run it. */
export class ClientTrial {
  readonly #ports: TrialPorts;
  readonly #client: OwnClientFacts;
  readonly #steps: Steps<StepName>;
  readonly #state = signal<TrialState>("idle");
  readonly #options: { readonly [oauth.allowInsecureRequests]: boolean };
  #made: Made | null = null;

  constructor(ports: TrialPorts, client: OwnClientFacts) {
    this.#ports = ports;
    this.#client = client;
    const isShown = (name: StepName) =>
      (name !== "Ask who you are" || client.scopes.includes("openid")) &&
      (name !== "Read posts" || client.scopes.includes("posts:read"));
    this.#steps = new Steps(STEPS.filter(isShown));
    this.#options = { [oauth.allowInsecureRequests]: new URL(ports.server.issuer).protocol === "http:" };
  }

  get steps(): Steps<StepName>["list"] {
    return this.#steps.list;
  }
  get state(): ReadonlySignal<TrialState> {
    return this.#state;
  }

  /** Has the server accept the page of the studio for a while, and makes a secret for the trial alone. Never throws. */
  async prepare(): Promise<void> {
    await this.end();
    const { api, redirectUri } = this.#ports;
    const { id, hasSecret } = this.#client;
    this.#steps.reset();
    this.#state.value = "preparing";
    try {
      this.#made = await this.#steps.run("Prepare", async (show) => {
        await api.run(StartClientTrial, { id });
        show("The server accepts for 10 minutes, from you alone", redirectUri);
        if (!hasSecret) return { secret: null, tokens: null };
        const { addOwnClientSecret } = await api.run(AddOwnClientSecret, { id }, { key: crypto.randomUUID() });
        const text = addOwnClientSecret?.clientSecret ?? "";
        const made = addOwnClientSecret?.client?.secrets[0];
        if (text === "" || made === undefined) throw new Error("The secret for the trial was lost. Try again.");
        show("A secret for this trial", `…${made.hint ?? "????"}`);
        return { secret: { id: made.id, text }, tokens: null };
      });
      this.#state.value = "ready";
    } catch {
      this.#state.value = "failed"; // the step says why
    }
  }

  /** The rest, once there is a window. Never throws. */
  async signIn(opened: SignInWindow): Promise<void> {
    const made = this.#made;
    if (made === null) return opened.close();
    this.#state.value = "away";
    try {
      await this.#flow(made, opened);
      await this.end();
      this.#state.value = "done";
    } catch {
      await this.end();
      // A window that was left takes nothing away from the next one.
      if (this.#made === null) this.#state.value = "failed";
    } finally {
      opened.close();
    }
  }

  /** Revokes the tokens and ends the secret, where there are any. Never throws. */
  async end(): Promise<void> {
    const made = this.#made;
    this.#made = null;
    if (made === null || (made.secret === null && made.tokens === null)) return;
    await this.#steps
      .run("End all of it", async (show) => {
        const { refresh_token: refresh, access_token: access } = made.tokens ?? {};
        for (const token of [refresh, access]) if (token !== undefined) await this.#revoke(made, token);
        if (made.tokens !== null) show("Revoked", "The tokens work no more.");
        if (made.secret !== null) {
          const { id } = this.#client;
          await this.#ports.api.run(EndOwnClientSecret, { id, secret: made.secret.id });
          show("Ended", "The secret for this trial works no more.");
        }
      })
      .catch(() => undefined);
  }

  async #flow(made: Made, opened: SignInWindow): Promise<void> {
    const { server, redirectUri, newState, graphqlUrl } = this.#ports;
    const { id, scopes, dpopBound } = this.#client;
    const client: oauth.Client = { client_id: id };
    const steps = this.#steps;
    const DPoP = dpopBound ? oauth.DPoP(client, await oauth.generateKeyPair("ES256")) : undefined;
    const options = { ...this.#options, ...(DPoP !== undefined && { DPoP }) };
    const verifier = oauth.generateRandomCodeVerifier();
    const state = newState();
    const nonce = oauth.generateRandomNonce();
    const hasIdToken = scopes.includes("openid");

    const answer = await steps.run("Sign in", async (show) => {
      const address = await this.#address(made, options, {
        ...{ client_id: id, redirect_uri: redirectUri, response_type: "code", scope: scopes.join(" "), state },
        ...(hasIdToken && { nonce }),
        code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
        code_challenge_method: "S256",
      });
      show("The program sends you to", linesOf(address));
      const back = await opened.visit(address);
      if (back === null) throw new Error("Another trial took its place.");
      return back;
    });
    this.#state.value = "working";
    const callback = await steps.run("Come back", async (show) => {
      show("The server sends you back to", linesOf(answer));
      return oauth.validateAuthResponse(server, client, answer, state);
    });
    const tokens = await steps.run("Get tokens", async (show) => {
      const request = () =>
        oauth.authorizationCodeGrantRequest(
          ...([server, client, this.#authentication(made), callback, redirectUri, verifier] as const),
          options,
        );
      show(
        `POST ${server.token_endpoint}`,
        "grant_type=authorization_code, code, redirect_uri, code_verifier, and the client's credentials",
      );
      const checks = hasIdToken ? { expectedNonce: nonce, requireIdToken: true } : {};
      const got = await withNonce(async () =>
        oauth.processAuthorizationCodeResponse(server, client, await request(), checks),
      );
      made.tokens = got;
      show("Answer", got);
      if (got.id_token !== undefined) show("ID token, decoded", decodeJwt(got.id_token));
      return got;
    });
    const ask = (method: string, url: string, body: string | null) =>
      withNonce(() =>
        oauth.protectedResourceRequest(
          ...([tokens.access_token, method, new URL(url)] as const),
          new Headers(body === null ? {} : { "content-type": "application/json" }),
          ...([body, options] as const),
        ),
      );
    if (hasIdToken)
      await steps.run("Ask who you are", async (show) => {
        const url = server.userinfo_endpoint ?? "";
        show(`GET ${url}`, await (await ask("GET", url, null)).json());
      });
    if (scopes.includes("posts:read"))
      await steps.run("Read posts", async (show) => {
        const query = "{ posts(first: 3) { title } }";
        show(`POST ${graphqlUrl}`, query);
        show("Answer", await (await ask("POST", graphqlUrl, JSON.stringify({ query }))).json());
      });
  }

  /** The address of the sign-in page. Where the client wants it, the request is pushed first. */
  async #address(
    made: Made,
    options: oauth.PushedAuthorizationRequestOptions,
    parameters: Record<string, string>,
  ): Promise<URL> {
    const { server } = this.#ports;
    const client: oauth.Client = { client_id: this.#client.id };
    const address = new URL(server.authorization_endpoint ?? server.issuer);
    let shown = parameters;
    if (this.#client.mustPush) {
      const { request_uri } = await withNonce(async () =>
        oauth.processPushedAuthorizationResponse(
          server,
          client,
          await oauth.pushedAuthorizationRequest(server, client, this.#authentication(made), parameters, options),
        ),
      );
      shown = { client_id: client.client_id, request_uri };
    }
    for (const [name, value] of Object.entries(shown)) address.searchParams.set(name, value);
    return address;
  }

  async #revoke(made: Made, token: string): Promise<void> {
    const { server } = this.#ports;
    const client: oauth.Client = { client_id: this.#client.id };
    const answer = await oauth.revocationRequest(server, client, this.#authentication(made), token, this.#options);
    await oauth.processRevocationResponse(answer);
  }

  #authentication({ secret }: Made): oauth.ClientAuth {
    return secret === null ? oauth.None() : oauth.ClientSecretBasic(secret.text);
  }
}

/** Does it again where the server wants its nonce in the proof (RFC 9449 section 8). */
async function withNonce<Result>(work: () => Promise<Result>): Promise<Result> {
  return work().catch((error) => {
    if (oauth.isDPoPNonceError(error)) return work();
    throw describe(error);
  });
}

/** The error with the words of the server, where it has some. */
function describe(error: unknown): unknown {
  return error instanceof oauth.ResponseBodyError ? new Error(error.error_description ?? error.error) : error;
}
