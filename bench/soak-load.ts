/**
 * The load of the soak: a process of its own, so that it can be kept on its own core. It takes one `SoakLoad`, and answers
 * it with a `SoakResult`. Each client sends one request after another, and goes on after one that failed.
 */
import { Agent } from "node:http";
import { inspect } from "node:util";
import { send, type Target } from "../test/faults/writers.ts";
import { authorizationRequest, authorize, Browser, exchange, requestToken } from "../test/security/client.ts";
import { openWebSocketClient } from "../test/subscriber.ts";
import { cursorAt, PERSON, postId, REDIRECT_URI, type Shape } from "./database.ts";
import { firstTimeBody, LIST, PAGE, READ, SMALL } from "./queries.ts";

export interface SoakLoad extends Target {
  readonly userIds: readonly string[];
  readonly shape: Shape;
  readonly client: { readonly id: string; readonly secret: string };
  readonly seconds: number;
}

export interface SoakResult {
  /** Answered or failed, by kind. */
  readonly requests: Readonly<Record<string, number>>;
  /** Events that the streams had. */
  readonly events: number;
  readonly failed: number;
  /** The first request that failed: its kind, when, and all that is known of its end; null where none did. */
  readonly firstFailure: string | null;
}

const READERS = 4;
const WRITERS = 2;
/** Refreshes after each sign-in, with which a browser is signed in. */
const REFRESHES = 10;
/** One read in so many has a document that nobody sent before. */
const NEW_DOCUMENT_EVERY = 200;
/** A post that is created is changed so many requests later, and deleted after as many again. */
const KEPT = 20;

const POST = "query Post($id: ID!) { post(id: $id) { id title status createdAt body author { id name } } }";
const SEARCH = "query Search($words: String!) { posts(filter: { search: $words }, first: 10) { id title } }";
const CREATE = "mutation Create($input: CreatePostInput!) { createPost(input: $input) { id title } }";
const UPDATE =
  "mutation Update($id: ID!, $input: UpdatePostInput!) { updatePost(id: $id, input: $input) { post { id title } errors { message } } }";
const DELETE = "mutation Delete($id: ID!) { deletePost(id: $id) { deletedId errors { message } } }";
const EVENTS = "subscription { postEvents { id type postId } }";

class Soak {
  readonly #load: SoakLoad;
  readonly #end: number;
  readonly #requests: Record<string, number> = {};
  #events = 0;
  #failed = 0;
  #firstFailure: string | null = null;

  constructor(load: SoakLoad) {
    this.#load = load;
    this.#end = performance.now() + load.seconds * 1_000;
  }

  async run(): Promise<SoakResult> {
    const streams = [this.#eventStream(), this.#eventStream(), this.#webSocket()];
    await Promise.all([
      ...Array.from({ length: READERS }, (_, i) => this.#reader(i)),
      ...Array.from({ length: WRITERS }, (_, i) => this.#writer(i)),
      this.#signIns(),
    ]);
    for (const stream of streams) await (await stream)();
    return {
      requests: this.#requests,
      events: this.#events,
      failed: this.#failed,
      firstFailure: this.#firstFailure,
    };
  }

  get #isOver(): boolean {
    return performance.now() >= this.#end;
  }

  /** The first one is printed immediately: a run may take hours. */
  #fail(kind: string, what: unknown): void {
    if (this.#failed++ > 0) return;
    const left = Math.round((this.#end - performance.now()) / 1_000);
    const told = typeof what === "string" ? what : inspect(what, { depth: 6, maxStringLength: 4_000 });
    this.#firstFailure = `${new Date().toISOString()}, ${left} s before the end: ${kind}\n${told}`;
    console.error(`A request failed. ${this.#firstFailure}`);
  }

  #count(kind: string): void {
    this.#requests[kind] = (this.#requests[kind] ?? 0) + 1;
  }

  /** @returns the data; null where the request failed, which is noted */
  async #ask(kind: string, agent: Agent, body: object): Promise<Record<string, { id?: string }> | null> {
    const reply = await send(agent, this.#load, body);
    this.#count(kind);
    if ("error" in reply || reply.status !== 200 || reply.text.includes('"errors":[{')) {
      this.#fail(kind, { sent: body, reply });
      return null;
    }
    return kind === "create" ? JSON.parse(reply.text).data : {};
  }

  async #reader(number: number): Promise<void> {
    const { userIds, shape } = this.#load;
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const posts = shape.people * shape.postsEach;
    for (let i = number * 101; !this.#isOver; i++) {
      const id = userIds[(i * 7) % userIds.length] ?? "";
      const post = (i * 13) % posts;
      const body = [
        { query: READ, variables: { id } },
        { query: SMALL, variables: { id } },
        { query: POST, variables: { id: postId(shape, post) } },
        { query: PAGE, variables: { after: cursorAt(shape, post) } },
        { query: LIST },
        { query: READ, variables: { id: userIds[(i * 11) % userIds.length] } },
        { query: SEARCH, variables: { words: `post ${post}` } },
      ][i % 7] as object;
      const isNew = i % NEW_DOCUMENT_EVERY === 0;
      await this.#ask("read", agent, isNew ? JSON.parse(firstTimeBody(1_000_000 * number + i, id)) : body);
    }
    agent.destroy();
  }

  async #writer(number: number): Promise<void> {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const text = (i: number) =>
      `## Part ${i}\n\n${"A paragraph of *text*, with a [link](https://example.com/). ".repeat(1 + (i % 40))}`;
    const created: string[] = [];
    for (let i = 0; !this.#isOver; i++) {
      const input = { title: `Soaked ${number} ${i}`, body: text(i) };
      const made = (await this.#ask("create", agent, { query: CREATE, variables: { input } }))?.createPost?.id;
      if (made !== undefined) created.push(made);
      const changed = created[created.length - KEPT];
      if (changed !== undefined)
        await this.#ask("update", agent, { query: UPDATE, variables: { id: changed, input: { body: text(i + 1) } } });
      if (created.length > 2 * KEPT)
        await this.#ask("delete", agent, { query: DELETE, variables: { id: created.shift() } });
    }
    agent.destroy();
  }

  /** Browsers that sign in, one after another; the tokens of each are refreshed in turn. */
  async #signIns(): Promise<void> {
    const { client, url } = this.#load;
    const issuer = url;
    const options = { issuer, clientId: client.id, redirectUri: REDIRECT_URI, scope: "openid posts:read" };
    const { email, password } = PERSON;
    while (!this.#isOver) {
      try {
        this.#count("sign-in");
        const { code, verifier, browser } = await authorize({ ...options, browser: new Browser(), email, password });
        let token = await this.#token({ ...exchange(options, code, verifier) });
        for (let i = 0; i < REFRESHES && !this.#isOver; i++)
          token = await this.#token({ grant_type: "refresh_token", client_id: client.id, refresh_token: token });
        this.#count("known browser"); // it is signed in, so nobody is asked for a password
        await browser.fetch(authorizationRequest(options).url);
      } catch (error) {
        this.#fail("sign-in", error);
      }
    }
  }

  /** @returns the refresh token */
  async #token(parameters: Record<string, string>): Promise<string> {
    this.#count("token");
    const { secret } = this.#load.client;
    const { status, headers, body } = await requestToken(this.#load.url, { ...parameters, client_secret: secret });
    if (status === 200) return body.refresh_token;
    throw new Error(
      `/token answered ${status} ${inspect(headers)} ${JSON.stringify(body)} to ${parameters.grant_type}`,
    );
  }

  /** @returns how to end it */
  async #eventStream(): Promise<() => Promise<void>> {
    const end = new AbortController();
    const response = await fetch(`${this.#load.url}/graphql`, {
      method: "POST",
      headers: {
        accept: "text/event-stream",
        "content-type": "application/json",
        authorization: `Bearer ${this.#load.token}`,
      },
      body: JSON.stringify({ query: EVENTS }),
      signal: end.signal,
    });
    if (response.status !== 200) this.#fail("event stream", `${response.status} ${await response.text()}`);
    const reading = (async () => {
      for await (const chunk of response.body ?? [])
        this.#events += Buffer.from(chunk).toString().split("event: next").length - 1;
      throw new Error("The server ended the stream.");
    })().catch((error) => {
      if (!end.signal.aborted) this.#fail("event stream", error);
    });
    return async () => {
      end.abort();
      await reading;
    };
  }

  /** @returns how to end it */
  async #webSocket(): Promise<() => Promise<void>> {
    const client = await openWebSocketClient(this.#load.url, this.#load.token);
    let isEnding = false;
    const ended = (what: unknown) => {
      if (!isEnding) this.#fail("WebSocket", what);
    };
    client.subscribe(
      { query: EVENTS },
      {
        next: () => {
          this.#events++;
        },
        error: ended,
        complete: () => ended("The server ended the subscription."),
      },
    );
    return async () => {
      isEnding = true;
      await client.dispose();
    };
  }
}

process.once("message", async (load: SoakLoad) => {
  process.send?.(await new Soak(load).run(), () => process.exit());
});
process.on("disconnect", () => process.exit());
