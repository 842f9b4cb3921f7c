import { type ReadonlySignal, type Signal, signal } from "@preact/signals";
import type { AuthorizationServer } from "oauth4webapi";
import {
  AddOwnClientSecret,
  EndOwnClientSecret,
  type OwnClientFacts,
  StartClientTrial,
} from "../../documents/developers.ts";
import type { Api } from "../../ports.ts";
import { newStateFor, type SignInWindow } from "../../session/sign-in-window.ts";
import { ClientProtocol, protocolFailureWords } from "./client-protocol.ts";
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
  readonly server: AuthorizationServer;
  readonly graphqlUrl: string;
  /** The page of the studio that the answer comes to. */
  readonly redirectUri: string;
}

/** One trial, and what it has to end. */
interface Run {
  readonly steps: Steps<StepName>;
  secret: { readonly id: string; readonly text: string } | null;
  tokens: { readonly all: readonly (string | undefined)[]; revoke(token: string): Promise<void> } | null;
}

/** The whole flow with one client, as its program would run it. */
export class ClientTrial {
  readonly #ports: TrialPorts;
  readonly #client: OwnClientFacts;
  /** The latest trial. One that was left goes on writing to its own steps, which nobody sees. */
  readonly #run: Signal<Run>;
  readonly #state = signal<TrialState>("idle");
  #isLeft = false;

  constructor(ports: TrialPorts, client: OwnClientFacts) {
    this.#ports = ports;
    this.#client = client;
    this.#run = signal(this.#newRun());
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
        show("Redirect URI that the server accepts for 10 minutes, from you alone", redirectUri);
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
    return { steps: new Steps(STEPS.filter(isShown), protocolFailureWords), secret: null, tokens: null };
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
        for (const token of tokens?.all ?? []) if (token !== undefined) await tokens?.revoke(token);
        if (tokens !== null) show("Revoked", "The tokens no longer work.");
        if (secret === null) return;
        await this.#ports.api.run(EndOwnClientSecret, { id: this.#client.id, secret: secret.id });
        show("Ended", "The secret for this trial no longer works.");
      });
      return true;
    } catch {
      return false;
    }
  }

  async #flow(run: Run, opened: SignInWindow): Promise<void> {
    const { redirectUri, graphqlUrl, server } = this.#ports;
    const { scopes } = this.#client;
    const { steps } = run;
    const [protocol, request, answer] = await steps.run("Sign in", async (show) => {
      const opening = await ClientProtocol.open(server, this.#client, run.secret?.text ?? null);
      const made = await opening.request(redirectUri, newStateFor(opened.id));
      show("The program sends you to", linesOf(made.address));
      const back = await opened.visit(made.address);
      if (back === null) throw new Error("Another trial took its place.");
      return [opening, made, back] as const;
    });
    this.#become(run, "working");
    const checked = await steps.run("Come back", async (show) => {
      show("The server sends you back to", linesOf(answer));
      return protocol.check(answer, request);
    });
    const token = await steps.run("Get tokens", async (show) => {
      show(
        `POST ${server.token_endpoint}`,
        "grant_type=authorization_code, code, redirect_uri, code_verifier, and the client's credentials",
      );
      const tokens = await protocol.redeem(checked, request, redirectUri);
      run.tokens = { all: [tokens.refresh_token, tokens.access_token], revoke: (one) => protocol.revoke(one) };
      show("Answer", tokens);
      if (tokens.id_token !== undefined) show("ID token, decoded", decodeJwt(tokens.id_token));
      return tokens.access_token;
    });
    if (scopes.includes("openid"))
      await steps.run("Ask who you are", async (show) => {
        const url = server.userinfo_endpoint ?? "";
        show(`GET ${url}`, await protocol.ask(token, url, null));
      });
    if (scopes.includes("posts:read"))
      await steps.run("Read posts", async (show) => {
        const query = "{ posts(first: 3) { title } }";
        show(`POST ${graphqlUrl}`, query);
        show("Answer", await protocol.ask(token, graphqlUrl, JSON.stringify({ query })));
      });
  }
}
