import { createClient, type Client as WebSocketClient } from "graphql-ws";
import WebSocket from "ws";
import { runJson } from "./command.ts";

/** An execution result of `postEvents`. */
export interface Result {
  // biome-ignore lint/suspicious/noExplicitAny: results are as varied as the documents
  readonly data?: any;
  readonly errors?: readonly { readonly message: string; readonly extensions: { readonly code: string } }[];
}

/** What has come of a subscription; a sink for the clients of both protocols. */
export class Results {
  readonly all: Result[] = [];
  ended: "open" | "complete" | "error" = "open";
  error: unknown = null;
  #heard = Promise.withResolvers<void>();

  next(result: unknown): void {
    this.all.push(result as Result);
    this.#tell();
  }

  complete(): void {
    if (this.ended === "open") this.ended = "complete";
    this.#tell();
  }

  fail(error: unknown): void {
    this.ended = "error";
    this.error = error;
    this.#tell();
  }

  get sink() {
    return {
      next: (result: unknown) => this.next(result),
      error: (error: unknown) => this.fail(error),
      complete: () => this.complete(),
    };
  }

  get events() {
    return this.all.map(({ data }) => data?.postEvents);
  }

  /** Waits until this is so; ends at the test's time limit otherwise. */
  async until(isSo: (results: this) => boolean): Promise<void> {
    while (!isSo(this)) await this.#heard.promise;
  }

  async untilCount(count: number): Promise<void> {
    await this.until(({ all }) => all.length >= count);
  }

  #tell(): void {
    this.#heard.resolve();
    this.#heard = Promise.withResolvers();
  }
}

/** A client that is connected: what happens from now on, its subscriptions are told of. */
export async function openWebSocketClient(
  url: string,
  token: string | (() => string),
  options: Partial<Parameters<typeof createClient>[0]> = {},
): Promise<WebSocketClient> {
  const bearer = () => `Bearer ${typeof token === "string" ? token : token()}`;
  const client = createClient({
    url: `${url.replace("http", "ws")}/graphql`,
    webSocketImpl: WebSocket,
    connectionParams: () => ({ Authorization: bearer() }),
    lazy: false,
    onNonLazyError: () => {},
    retryAttempts: 0,
    ...options,
  });
  await new Promise<void>((resolve, reject) => {
    client.on("connected", () => resolve());
    client.on("closed", reject);
  });
  return client;
}

/** Resolves when what has been subscribed to is there: a connection is answered in order. */
export async function untilSubscribed(client: WebSocketClient): Promise<void> {
  for await (const _ of client.iterate({ query: "{ __typename }" }));
}

export async function postTo(url: string, token: string, query: string, variables: object = {}): Promise<Result> {
  const response = await fetch(`${url}/graphql`, {
    method: "POST",
    headers: { "content-type": "application/json", authorization: `Bearer ${token}` },
    body: JSON.stringify({ query, variables }),
  });
  return (await response.json()) as Result;
}

/** A person by the command line. */
export async function addPerson(
  environment: Record<string, string>,
  email: string,
  role = "member",
): Promise<{ id: string; email: string }> {
  return runJson(["user", "create", "--email", email, "--name", email, "--role", role], environment);
}

export async function addClient(environment: Record<string, string>): Promise<string> {
  const client = ["client", "create", "--name", "C", "--redirect-uri", "https://app.example.com/"];
  return (await runJson<{ client_id: string }>(client, environment)).client_id;
}

export async function createToken(
  environment: Record<string, string>,
  options: { user: string; client: string; scope?: string; ttl?: string },
): Promise<string> {
  const { user, client, scope = "posts:read posts:write users:read", ttl = "1h" } = options;
  const command = ["token", "create", "--user", user, "--client", client, "--scope", scope, "--ttl", ttl];
  return (await runJson<{ access_token: string }>(command, environment)).access_token;
}
