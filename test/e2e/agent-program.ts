import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import {
  Client,
  type OAuthClientProvider,
  type OAuthDiscoveryState,
  type StoredOAuthClientInformation,
  type StoredOAuthTokens,
  StreamableHTTPClientTransport,
  UnauthorizedError,
} from "@modelcontextprotocol/client";
import { Client as EarlierClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport as EarlierTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import type { Page } from "playwright-core";

/** A request of the program and its answer. */
export interface Exchanged {
  readonly method: string;
  readonly url: URL;
  readonly request: string;
  readonly status: number;
  readonly headers: Headers;
  readonly answer: string;
}

export interface AgentProgramOptions {
  readonly name: string;
  /** All that it knows of the server. */
  readonly address: string;
  /** Where the program publishes a document about itself. Without one it registers. */
  readonly clientMetadataUrl?: string;
  /** Does what a person does on the pages of the server, until the browser is back at the program. */
  readonly person: (page: Page) => Promise<void>;
  readonly page: Page;
}

/**
 * An agent as its maker writes it with the official client: it is given an address, opens a browser when it is sent to one, and
 * waits on a random loopback port for the browser to come back.
 */
export class AgentProgram implements OAuthClientProvider {
  readonly name: string;
  readonly clientMetadataUrl?: string;
  /** Everything that went over the wire. */
  readonly exchanged: Exchanged[] = [];
  /** URLs that a browser was sent to, and URLs that it came back to. */
  readonly sentTo: URL[] = [];
  readonly cameBack: URL[] = [];
  /** Questions that the server had for the person. */
  readonly questions: string[] = [];
  information: StoredOAuthClientInformation | undefined;
  saved: StoredOAuthTokens | undefined;
  verifier = "";
  discovered: OAuthDiscoveryState | undefined;
  readonly #address: URL;
  readonly #options: AgentProgramOptions;
  readonly #callback: Server;
  readonly #ends: (() => Promise<void>)[] = [];
  #transport: { finishAuth(params: URLSearchParams): Promise<void> } | undefined;

  static async open(options: AgentProgramOptions): Promise<AgentProgram> {
    const callback = createServer();
    await new Promise<void>((done) => callback.listen(0, "127.0.0.1", done));
    return new AgentProgram(options, callback);
  }

  private constructor(options: AgentProgramOptions, callback: Server) {
    this.#options = options;
    this.#callback = callback;
    this.#address = new URL(options.address);
    this.name = options.name;
    if (options.clientMetadataUrl !== undefined) this.clientMetadataUrl = options.clientMetadataUrl;
    callback.on("request", ({ url = "" }, response) => {
      const at = new URL(url, this.redirectUrl);
      if (at.pathname === "/callback") this.cameBack.push(at);
      response.writeHead(200, { "content-type": "text/html" }).end("<!doctype html><h1>You may close this page</h1>");
    });
  }

  /** Connects as its maker's documentation says: if it is sent away, the person comes back with a code. */
  async connect(): Promise<Client> {
    for (;;) {
      const client = new Client(
        { name: this.name, version: "1.0.0" },
        { capabilities: { elicitation: { form: {} } }, versionNegotiation: { mode: "auto" } },
      );
      client.setRequestHandler("elicitation/create", ({ params }) => {
        this.questions.push(params.message);
        return { action: "accept" as const, content: { confirm: true } };
      });
      const transport = new StreamableHTTPClientTransport(this.#address, { authProvider: this, fetch: this.#fetch });
      this.#transport = transport;
      this.#ends.push(() => client.close());
      if (await this.askingThePerson(() => client.connect(transport))) return client;
    }
  }

  /** The same with the client of the earlier era. */
  async connectEarlier(): Promise<EarlierClient> {
    for (;;) {
      const client = new EarlierClient({ name: this.name, version: "1.0.0" }, { capabilities: { elicitation: {} } });
      const transport = new EarlierTransport(this.#address, {
        authProvider: this as unknown as NonNullable<
          ConstructorParameters<typeof EarlierTransport>[1]
        >["authProvider"] &
          object,
        fetch: this.#fetch,
      });
      this.#transport = { finishAuth: (params) => transport.finishAuth(params.get("code") ?? "") };
      this.#ends.push(() => client.close());
      // Its own class differs from its own interface under exactOptionalPropertyTypes.
      const connect = () => client.connect(transport as Parameters<typeof client.connect>[0]);
      if (await this.askingThePerson(connect)) return client;
    }
  }

  /** @returns whether it worked; false where the person was asked, so that it is worth another try */
  async askingThePerson(work: () => Promise<unknown>): Promise<boolean> {
    try {
      await work();
      return true;
    } catch (error) {
      if (!(error instanceof Error) || error.constructor.name !== UnauthorizedError.name) throw error;
      const { page, person } = this.#options;
      await page.goto((this.sentTo.at(-1) as URL).href);
      await person(page);
      await page.getByRole("heading", { name: "You may close this page" }).waitFor();
      await this.#transport?.finishAuth((this.cameBack.at(-1) as URL).searchParams);
      return false;
    }
  }

  async close(): Promise<void> {
    for (const end of this.#ends) await end();
    this.#callback.close();
    this.#callback.closeAllConnections();
  }

  /** Bodies of event streams that stay open are not waited for. */
  readonly #fetch = async (target: string | URL, init: RequestInit = {}): Promise<Response> => {
    const response = await fetch(target, init);
    const { body } = init;
    const isStream = response.headers.get("content-type")?.startsWith("text/event-stream") === true;
    this.exchanged.push({
      method: init.method ?? "GET",
      url: new URL(target),
      request: typeof body === "string" || body instanceof URLSearchParams ? body.toString() : "",
      status: response.status,
      headers: response.headers,
      answer: isStream ? "" : await response.clone().text(),
    });
    return response;
  };

  get redirectUrl() {
    return `http://127.0.0.1:${(this.#callback.address() as AddressInfo).port}/callback`;
  }
  get clientMetadata() {
    return {
      client_name: this.name,
      redirect_uris: [this.redirectUrl],
      grant_types: ["authorization_code", "refresh_token"],
      response_types: ["code"],
      token_endpoint_auth_method: "none",
    };
  }
  clientInformation() {
    return this.information;
  }
  saveClientInformation(information: StoredOAuthClientInformation) {
    this.information = information;
  }
  tokens() {
    return this.saved;
  }
  saveTokens(tokens: StoredOAuthTokens) {
    this.saved = tokens;
  }
  redirectToAuthorization(url: URL) {
    this.sentTo.push(url);
  }
  saveCodeVerifier(verifier: string) {
    this.verifier = verifier;
  }
  codeVerifier() {
    return this.verifier;
  }
  invalidateCredentials() {
    this.saved = undefined;
  }
  saveDiscoveryState(state: OAuthDiscoveryState) {
    this.discovered = state;
  }
  discoveryState() {
    return this.discovered;
  }
}
