import assert from "node:assert/strict";
import { type ClientRequest, type IncomingMessage, request as send } from "node:http";
import { afterEach, beforeEach, describe, test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { type FixtureServer, openFixtureServer } from "./fixture-server.ts";
import { eventsOf, handshake, raw, stateless } from "./raw-client.ts";

const TEXT = "test://static-text";
const WATCHED = "test://watched-resource";

interface Stream {
  readonly response: IncomingMessage;
  readonly request: ClientRequest;
  readonly ended: Promise<void>;
  text(): string;
  /** Waits until so many messages have come. */
  messages(count: number): Promise<Record<string, unknown>[]>;
}

async function listen(url: string, id: unknown, ...uris: unknown[]): Promise<Stream> {
  const { headers, body } = stateless("subscriptions/listen", { notifications: { resourceSubscriptions: uris } }, id);
  const all = { ...headers, "content-type": "application/json", accept: "text/event-stream" };
  const request = send(url, { method: "POST", headers: all, agent: false }).end(body);
  const response = await new Promise<IncomingMessage>((resolve, reject) =>
    request.once("response", resolve).once("error", reject),
  );
  let text = "";
  response.setEncoding("utf8").on("data", (chunk) => (text += chunk));
  const ended = new Promise<void>((resolve) => response.once("close", resolve));
  return {
    ...{ response, request, ended },
    text: () => text,
    async messages(count) {
      for (let tries = 0; eventsOf(text).length < count; tries++) {
        assert.ok(tries < 200, `only this came: ${text}`);
        await pause(5);
      }
      return eventsOf(text);
    },
  };
}

const marked = (id: unknown) => ({ "io.modelcontextprotocol/subscriptionId": id });
const acknowledged = (id: unknown, ...uris: string[]) => ({
  jsonrpc: "2.0",
  method: "notifications/subscriptions/acknowledged",
  params: { _meta: marked(id), notifications: uris.length === 0 ? {} : { resourceSubscriptions: uris } },
});
const updated = (id: unknown, uri: string) => ({
  jsonrpc: "2.0",
  method: "notifications/resources/updated",
  params: { _meta: marked(id), uri },
});
const closing = (id: unknown) => ({
  ...{ jsonrpc: "2.0", id },
  result: {
    resultType: "complete",
    _meta: {
      "io.modelcontextprotocol/serverInfo": { name: "fixture", title: "Fixture", version: "1.0.0" },
      ...marked(id),
    },
  },
});

describe("A04 subscriptions/listen", () => {
  let server: FixtureServer;
  beforeEach(async () => {
    server = await openFixtureServer();
  });
  afterEach(() => server.close());

  test("acknowledges first, then tells of what was asked for, and of nothing else", async () => {
    const stream = await listen(server.url, "s1", TEXT, "test://nothing", TEXT);
    assert.equal(stream.response.statusCode, 200);
    assert.equal(stream.response.headers["content-type"], "text/event-stream");
    assert.equal(stream.response.headers["x-accel-buffering"], "no");
    assert.match(String(stream.response.headers["cache-control"]), /no-store/);
    await stream.messages(1);
    server.service.change(WATCHED);
    server.service.change(TEXT);
    assert.deepEqual(await stream.messages(2), [acknowledged("s1", TEXT), updated("s1", TEXT)]);
  });

  test("each of several streams has its own id, a number or a string", async () => {
    const streams = await Promise.all([listen(server.url, 7, TEXT), listen(server.url, "7", TEXT, WATCHED)]);
    for (const stream of streams) await stream.messages(1);
    server.service.change(TEXT);
    assert.deepEqual((await streams[0].messages(2))[1], updated(7, TEXT));
    assert.deepEqual((await streams[1].messages(2))[1], updated("7", TEXT));
  });

  test("a client that goes away is forgotten", async () => {
    const stream = await listen(server.url, 1, TEXT);
    await stream.messages(1);
    assert.equal(server.service.listening, 1);
    stream.request.destroy();
    for (let tries = 0; server.service.listening > 0 && tries < 200; tries++) await pause(5);
    assert.equal(server.service.listening, 0);
    server.service.change(TEXT);
    assert.deepEqual(server.logged, []);
  });

  test("at shutdown each stream ends with a closing result", async () => {
    const stream = await listen(server.url, "s1", TEXT);
    await stream.messages(1);
    server.endStreams();
    await stream.ended;
    assert.equal(stream.response.complete, true);
    assert.deepEqual(await stream.messages(2), [acknowledged("s1", TEXT), closing("s1")]);
    assert.equal(server.service.listening, 0);
  });

  test("where the service ends it, as with a token, the result is the same", async () => {
    const stream = await listen(server.url, "s1", TEXT);
    await stream.messages(1);
    server.service.endListening();
    await stream.ended;
    assert.deepEqual((await stream.messages(2))[1], closing("s1"));
  });

  test("a server on its way out takes no new ones", async () => {
    server.drain();
    const answer = await raw(server.url, stateless("subscriptions/listen", { notifications: {} }));
    assert.equal(answer.status, 503);
    assert.equal(answer.headers["retry-after"], "1");
    assert.equal(answer.headers.connection, "close");
    const list = await raw(server.url, stateless("tools/list"));
    assert.equal(list.status, 200);
  });

  test("a filter of which nothing is offered is acknowledged as empty, and ends", async () => {
    for (const notifications of [{}, { toolsListChanged: true }, { resourceSubscriptions: ["test://nothing"] }]) {
      const { body } = await raw(server.url, stateless("subscriptions/listen", { notifications }, "s1"));
      assert.deepEqual(eventsOf(body), [acknowledged("s1"), closing("s1")]);
    }
    assert.equal(server.service.listening, 0);
  });

  test("more than 100 resources are too many", async () => {
    const resourceSubscriptions = Array.from({ length: 101 }, (_, index) => `test://${index}`);
    const answer = await raw(
      server.url,
      stateless("subscriptions/listen", { notifications: { resourceSubscriptions } }),
    );
    assert.equal(JSON.parse(answer.body).error.code, -32602);
  });

  test("a client that takes no event stream is answered 406", async () => {
    const request = stateless("subscriptions/listen", { notifications: {} });
    const answer = await raw(server.url, { ...request, headers: { ...request.headers, accept: "application/json" } });
    assert.equal(answer.status, 406);
  });

  test("earlier revisions have no such method", async () => {
    const answer = await raw(server.url, handshake("subscriptions/listen", { notifications: {} }));
    assert.equal(JSON.parse(answer.body).error.code, -32601);
  });

  test("a comment every 15 seconds keeps the stream open", async ({ mock }) => {
    mock.timers.enable({ apis: ["setInterval"] });
    const stream = await listen(server.url, 1, TEXT);
    await stream.messages(1);
    const before = stream.text();
    mock.timers.tick(14_999);
    await pause(30);
    assert.equal(stream.text(), before);
    mock.timers.tick(1);
    await pause(30);
    assert.equal(stream.text(), `${before}:\n\n`);
    mock.timers.tick(15_000);
    await pause(30);
    assert.equal(stream.text(), `${before}:\n\n:\n\n`);
  });

  test("a client that reads nothing is cut off once a megabyte waits for it", async () => {
    const stream = await listen(server.url, 1, TEXT);
    await stream.messages(1);
    stream.response.pause();
    for (let count = 0; server.service.listening > 0; count++) {
      assert.ok(count < 200_000, "it is still served");
      server.service.change(TEXT);
      if (count % 1_000 === 0) await pause(1);
    }
  });
});
