import { type ReadonlySignal, type Signal, signal } from "@preact/signals";
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

/** One trial, and what it has to end. */
interface Run {
  readonly steps: Steps<StepName>;
  secret: { readonly id: string; readonly text: string } | null;
  tokens: oauth.TokenEndpointResponse | null;
}

/** The whole flow with one client, as its program would run it. */
export class ClientTrial {
  readonly #ports: TrialPorts;
  readonly #client: OwnClientFacts;
  /** The latest trial. One that was left goes on writing to its own steps, which nobody sees. */
  readonly #run: Signal<Run>;
  readonly #state = signal<TrialState>("idle");
  #isLeft = false;
  readonly #options: { readonly [oauth.allowInsecureRequests]: boolean };

  constructor(ports: TrialPorts, client: OwnClientFacts) {
    this.#ports = ports;
    this.#client = client;
    this.#run = signal(this.#newRun());
    this.#options = { [oauth.allowInsecureRequests]: new URL(ports.server.issuer).protocol === "http:" };
  }

  get steps(): Steps<StepName>["list"] {
    return this.#run.value.steps.list;
  }
  get state(): ReadonlySignal<TrialState> {
    return this.#state;
  }

  /** Has the server accept the page of the studio for a while, and makes a secret for the trial alone. Never throws. */
  async prepare(): Promise<void> {
    void this.#endOf(this.#run.peek());
    const { api, redirectUri } = this.#ports;
    const { id, hasSecret } = this.#client;
    const run = this.#newRun();
    this.#run.value = run;
    this.#state.value = "preparing";
    try {
      await run.steps.run("Prepare", async (show) => {
        await api.run(StartClientTrial, { id });
        show("The server accepts for 10 minutes, from you alone", redirectUri);
        if (!hasSecret) return;
        const { addOwnClientSecret } = await api.run(AddOwnClientSecret, { id }, { key: crypto.randomUUID() });
        const text = addOwnClientSecret?.clientSecret ?? "";
        const made = addOwnClientSecret?.client?.secrets[0];
        if (text === "" || made === undefined) throw new Error("The secret for the trial was lost. Try again.");
        run.secret = { id: made.id, text };
        show("A secret for this trial", `…${made.hint ?? "????"}`);
      });
      if (this.#isLeft) await this.#endOf(run);
      this.#become(run, "ready");
    } catch {
      this.#become(run, "failed"); // the step says why
    }
  }

  /** The rest, once there is a window. Never throws. */
  async signIn(opened: SignInWindow): Promise<void> {
    const run = this.#run.peek();
    this.#state.value = "away";
    try {
      await this.#flow(run, opened);
      this.#become(run, (await this.#endOf(run)) ? "done" : "failed");
    } catch {
      await this.#endOf(run);
      this.#become(run, "failed");
    } finally {
      opened.close();
    }
  }

  /** Revokes the tokens and ends the secret, where there are any, because nobody looks any more. Never throws. */
  async leave(): Promise<void> {
    this.#isLeft = true;
    await this.#endOf(this.#run.peek());
  }

  #newRun(): Run {
    const { scopes } = this.#client;
    const isShown = (name: StepName) =>
      (name !== "Ask who you are" || scopes.includes("openid")) &&
      (name !== "Read posts" || scopes.includes("posts:read"));
    return { steps: new Steps(STEPS.filter(isShown), wordsOf), secret: null, tokens: null };
  }

  #become(run: Run, state: TrialState): void {
    if (this.#run.peek() === run) this.#state.value = state;
  }

  /** @returns whether all is ended */
  async #endOf(run: Run): Promise<boolean> {
    const { secret, tokens } = run;
    if (secret === null && tokens === null) return true;
    run.tokens = null;
    run.secret = null;
    try {
      await run.steps.run("End all of it", async (show) => {
        for (const token of [tokens?.refresh_token, tokens?.access_token])
          if (token !== undefined) await this.#revoke(secret, token);
        if (tokens !== null) show("Revoked", "The tokens work no more.");
        if (secret === null) return;
        await this.#ports.api.run(EndOwnClientSecret, { id: this.#client.id, secret: secret.id });
        show("Ended", "The secret for this trial works no more.");
      });
      return true;
    } catch {
      return false;
    }
  }

  async #flow(run: Run, opened: SignInWindow): Promise<void> {
    const { server, redirectUri, newState, graphqlUrl } = this.#ports;
    const { id, scopes, dpopBound } = this.#client;
    const client: oauth.Client = { client_id: id };
    const { steps, secret } = run;
    const DPoP = dpopBound ? oauth.DPoP(client, await oauth.generateKeyPair("ES256")) : undefined;
    const options = { ...this.#options, ...(DPoP !== undefined && { DPoP }) };
    const verifier = oauth.generateRandomCodeVerifier();
    const state = newState();
    const nonce = oauth.generateRandomNonce();
    const hasIdToken = scopes.includes("openid");

    const answer = await steps.run("Sign in", async (show) => {
      const address = await this.#address(secret, options, {
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
    this.#become(run, "working");
    const callback = await steps.run("Come back", async (show) => {
      show("The server sends you back to", linesOf(answer));
      return oauth.validateAuthResponse(server, client, answer, state);
    });
    const tokens = await steps.run("Get tokens", async (show) => {
      const request = () =>
        oauth.authorizationCodeGrantRequest(
          ...([server, client, this.#authentication(secret), callback, redirectUri, verifier] as const),
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
      run.tokens = got;
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
    secret: Run["secret"],
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
          await oauth.pushedAuthorizationRequest(server, client, this.#authentication(secret), parameters, options),
        ),
      );
      shown = { client_id: client.client_id, request_uri };
    }
    for (const [name, value] of Object.entries(shown)) address.searchParams.set(name, value);
    return address;
  }

  async #revoke(secret: Run["secret"], token: string): Promise<void> {
    const { server } = this.#ports;
    const client: oauth.Client = { client_id: this.#client.id };
    const answer = await oauth.revocationRequest(server, client, this.#authentication(secret), token, this.#options);
    await oauth.processRevocationResponse(answer);
  }

  #authentication(secret: Run["secret"]): oauth.ClientAuth {
    return secret === null ? oauth.None() : oauth.ClientSecretBasic(secret.text);
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
function wordsOf(error: unknown): string {
  if (error instanceof oauth.ResponseBodyError || error instanceof oauth.AuthorizationResponseError)
    return error.error_description === undefined ? error.error : `${error.error}: ${error.error_description}`;
  return error instanceof TypeError ? "The server gave no answer." : (error as Error).message;
}
