import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { createClient as createEventStreamClient, type Client as EventStreamClient } from "graphql-sse";
import type { Client as WebSocketClient } from "graphql-ws";
import WebSocket from "ws";
import { openStore } from "../../src/storage/open.ts";
import { openTestApp, type TestApp } from "../app.ts";
import {
  addClient,
  addPerson,
  createToken,
  openWebSocketClient,
  postTo,
  Results,
  untilSubscribed,
} from "../subscriber.ts";
import { livedTime } from "../timing.ts";

const EVENTS = `subscription ($filter: PostEventFilter, $after: ID) {
  postEvents(filter: $filter, after: $after) { id type postId post { title status } }
}`;
/** A second, and as much again for a machine with other things to do. */
const WITHIN = 2_000;

describe("subscriptions", { timeout: 120_000 }, () => {
  let app: TestApp;
  let client: string;
  let ada: string;
  let adaId: string;
  let grace: string;
  let editor: string;
  /** Milliseconds by which the server's clock is ahead. */
  let ahead = 0;
  const clients: (WebSocketClient | EventStreamClient)[] = [];

  before(async () => {
    app = await openTestApp({}, { now: () => Date.now() + ahead });
    const { environment } = app;
    client = await addClient(environment);
    adaId = (await addPerson(environment, "ada@example.com")).id;
    await addPerson(environment, "grace@example.com");
    await addPerson(environment, "edith@example.com", "editor");
    [ada, grace, editor] = (await Promise.all(
      ["ada", "grace", "edith"].map((name) => createToken(environment, { user: `${name}@example.com`, client })),
    )) as [string, string, string];
  });
  after(async () => {
    for (const opened of clients) await opened.dispose();
    await app.close();
  });

  const write = (token: string, mutation: string) => postTo(app.url, token, `mutation { ${mutation} }`);
  const create = async (token: string, title: string, more = ""): Promise<string> =>
    (await write(token, `createPost(input: { title: "${title}", body: "b"${more} }) { id }`)).data.createPost.id;

  /** Over WebSocket. Is there when the function resolves. */
  async function socket(token: string, variables: Record<string, unknown> = {}, query = EVENTS): Promise<Results> {
    const results = new Results();
    const opened = await openWebSocketClient(app.url, token);
    clients.push(opened);
    opened.subscribe({ query, variables }, results.sink);
    await untilSubscribed(opened);
    return results;
  }

  /** As Server-Sent Events. Is there when the function resolves. */
  async function stream(token: string, variables: Record<string, unknown> = {}, query = EVENTS): Promise<Results> {
    const results = new Results();
    const opened = createEventStreamClient({
      url: `${app.url}/graphql`,
      headers: { authorization: `Bearer ${token}` },
      retryAttempts: 0,
    });
    clients.push(opened);
    const connected = Promise.withResolvers<void>();
    opened.subscribe({ query, variables }, results.sink, { connected: () => connected.resolve() });
    await Promise.race([connected.promise, results.until(({ ended }) => ended !== "open")]);
    return results;
  }

  const transports = [
    ["graphql-transport-ws", socket],
    ["graphql-sse", stream],
  ] as const;

  for (const [name, open] of transports) {
    describe(name, () => {
      test("tells of each change of a post, in order, with what is selected of it", async () => {
        const results = await open(grace);
        const id = await create(ada, "first");
        await write(ada, `updatePost(id: "${id}", input: { title: "second" }) { errors { message } }`);
        await write(ada, `archivePost(id: "${id}") { errors { message } }`);
        await results.untilCount(3);
        const [created, updated, archived] = results.events;
        assert.deepEqual(
          [created.type, updated.type, archived.type],
          ["CREATED", "UPDATED", "ARCHIVED"],
          JSON.stringify(results.all),
        );
        assert.ok(created.id < updated.id && updated.id < archived.id);
        assert.deepEqual([created.postId, updated.postId, archived.postId], [id, id, id]);
        assert.equal(archived.post, null);
      });

      test("drafts of others never show; one's own do, and all of them to an editor", async () => {
        const [mine, theirs, all] = await Promise.all([ada, grace, editor].map((token) => open(token)));
        assert.ok(mine && theirs && all);
        const draft = await create(ada, "secret", ", status: DRAFT");
        await write(ada, `updatePost(id: "${draft}", input: { title: "still secret" }) { errors { message } }`);
        await write(ada, `deletePost(id: "${draft}") { errors { message } }`);
        const published = await create(ada, "public");
        await Promise.all([mine.untilCount(4), theirs.untilCount(1), all.untilCount(4)]);
        assert.deepEqual(
          theirs.events.map(({ postId }) => postId),
          [published],
        );
        for (const { events } of [mine, all])
          assert.deepEqual(
            events.map(({ type, postId }) => [type, postId]),
            [
              ["CREATED", draft],
              ["UPDATED", draft],
              ["DELETED", draft],
              ["CREATED", published],
            ],
          );
      });

      test("filters by author, post and type", async () => {
        const earlier = await open(editor);
        const kept = await create(ada, "kept");
        await earlier.untilCount(1); // a subscription begins after what its node has read
        const [byAuthor, byPost, byType, byNobody] = await Promise.all([
          open(editor, { filter: { author: adaId } }),
          open(editor, { filter: { post: kept } }),
          open(editor, { filter: { type: ["DELETED", "UPDATED"] } }),
          open(editor, { filter: { author: "nobody" } }),
        ]);
        await create(grace, "other");
        await create(ada, "another");
        await write(ada, `updatePost(id: "${kept}", input: { title: "new" }) { errors { message } }`);
        await Promise.all([byAuthor.untilCount(2), byPost.untilCount(1), byType.untilCount(1)]);
        assert.deepEqual(
          byAuthor.events.map(({ type }) => type),
          ["CREATED", "UPDATED"],
        );
        assert.deepEqual(
          byPost.events.map(({ type, postId }) => [type, postId]),
          [["UPDATED", kept]],
        );
        assert.deepEqual(
          byType.events.map(({ type, postId }) => [type, postId]),
          [["UPDATED", kept]],
        );
        assert.deepEqual(byNobody.all, []);
      });

      test("begins after an event", async () => {
        const first = await open(ada);
        await create(ada, "one");
        await create(ada, "two");
        await create(ada, "three");
        await first.untilCount(3);
        const again = await open(ada, { after: first.events[0].id });
        await create(ada, "four");
        await again.untilCount(3);
        assert.deepEqual(
          again.events.map(({ post }) => post.title),
          ["two", "three", "four"],
        );
      });

      test("answers queries and mutations too, and says what is wrong", async () => {
        const query = await open(ada, {}, "{ viewer: __typename }");
        await query.until(({ ended }) => ended !== "open");
        assert.deepEqual([query.ended, query.all], ["complete", [{ data: { viewer: "Query" } }]]);
        const mutation = await open(ada, {}, 'mutation { createPost(input: { title: "t", body: "" }) { title } }');
        await mutation.until(({ ended }) => ended !== "open");
        assert.deepEqual(mutation.all, [{ data: { createPost: { title: "t" } } }]);
        for (const [document, variables] of [
          ["subscription { postEvents { nothing } }", {}],
          ["subscription { postEvents { id } again: postEvents { id } }", {}],
          [EVENTS, { after: "nothing of ours" }],
        ] as const) {
          const wrong = await open(ada, variables, document);
          await wrong.until(({ ended }) => ended !== "open");
          const [error] = (wrong.all[0]?.errors ?? wrong.error) as { extensions: { code: string } }[];
          const code = document === EVENTS ? "BAD_USER_INPUT" : "GRAPHQL_VALIDATION_FAILED";
          assert.equal(error?.extensions.code, code, JSON.stringify(wrong));
        }
      });

      test("A30 ends within a second of the revocation of its token", async () => {
        const { environment } = app;
        const user = `leaver-${name}@example.com`;
        await addPerson(environment, user);
        const results = await open(await createToken(environment, { user, client }));
        assert.equal(results.ended, "open");
        const store = await openStore(app.config.DATABASE_URL);
        try {
          const { id } = (await store.users.findByEmail(user)) ?? assert.fail();
          const began = livedTime();
          await store.artifacts.revokeUser(id);
          await results.until(({ ended }) => ended !== "open");
          assert.ok(livedTime() - began < WITHIN, `${livedTime() - began} ms`);
        } finally {
          await store.close();
        }
        assertEnded(results);
      });
    });
  }

  /** By the end of its token. */
  function assertEnded(results: Results): void {
    if (results.ended === "error") assert.equal((results.error as { code: number }).code, 4403);
    else {
      assert.equal(results.ended, "complete");
      assert.equal(results.all.at(-1)?.errors?.[0]?.extensions.code, "UNAUTHENTICATED");
    }
  }

  describe("as Server-Sent Events", () => {
    const accept = { accept: "text/event-stream" };
    const get = (headers: Record<string, string>, query = "subscription { postEvents { type } }") =>
      fetch(`${app.url}/graphql?query=${encodeURIComponent(query)}`, { headers: { ...accept, ...headers } });
    const authorization = () => `Bearer ${ada}`;

    test("a browser goes on after Last-Event-ID", async () => {
      const first = await stream(ada);
      await create(ada, "seen");
      await create(ada, "missed");
      await first.untilCount(2);
      const response = await get({ authorization: authorization(), "last-event-id": first.events[0].id });
      assert.equal(response.headers.get("content-type"), "text/event-stream; charset=utf-8");
      let text = "";
      for await (const chunk of response.body ?? []) {
        text += Buffer.from(chunk);
        if (text.includes("data:")) break;
      }
      assert.equal(
        text,
        `:\n\nid: ${first.events[1].id}\nevent: next\ndata: {"data":{"postEvents":{"type":"CREATED"}}}\n\n`,
      );
      const wrong = await get({ authorization: authorization(), "last-event-id": "7" });
      assert.equal(wrong.status, 400);
    });

    test("I11 who may not is refused with the status; browser code of a known origin may read it", async () => {
      const nobody = await get({ origin: app.config.BASE_URL });
      assert.equal(nobody.status, 401);
      assert.match(nobody.headers.get("www-authenticate") ?? "", /^Bearer/);
      assert.equal(nobody.headers.get("access-control-allow-origin"), app.config.BASE_URL);
      const limited = await createToken(app.environment, { user: "ada@example.com", client, scope: "users:read" });
      assert.equal((await get({ authorization: `Bearer ${limited}` })).status, 403);
      const allowed = await get({ authorization: authorization(), origin: app.config.BASE_URL });
      assert.equal(allowed.headers.get("access-control-allow-origin"), app.config.BASE_URL);
      await allowed.body?.cancel();
    });

    test("who accepts JSON too gets JSON for a query, and a stream for a subscription", async () => {
      const headers = { authorization: authorization(), accept: "application/json, text/event-stream" };
      const query = await get(headers, "{ __typename }");
      assert.deepEqual(await query.json(), { data: { __typename: "Query" } });
      const subscription = await get(headers);
      assert.equal(subscription.headers.get("content-type"), "text/event-stream; charset=utf-8");
      await subscription.body?.cancel();
    });

    test("a type is accepted however its letters are written, and not with the weight 0", async () => {
      const accept = async (value: string) => {
        const response = await get({ authorization: authorization(), accept: value });
        await response.body?.cancel();
        return response.status;
      };
      assert.equal(await accept("application/json, Text/Event-Stream"), 200);
      assert.equal(await accept("application/json, text/event-stream;q=0"), 406);
    });

    test("without it, a subscription is refused, and told where to go", async () => {
      const response = await fetch(`${app.url}/graphql`, {
        method: "POST",
        headers: { "content-type": "application/json", authorization: authorization() },
        body: JSON.stringify({ query: "subscription { postEvents { type } }" }),
      });
      assert.equal(response.status, 406);
      assert.match(await response.text(), /text\/event-stream.*graphql-transport-ws/);
    });
  });

  describe("I12 sockets", () => {
    const init = () => JSON.stringify({ type: "connection_init", payload: { authorization: `Bearer ${ada}` } });
    const subscribe = (id: unknown, query = "subscription { postEvents { type } }") =>
      JSON.stringify({ id, type: "subscribe", payload: { query } });
    const ACK = '{"type":"connection_ack"}';

    /** Sends these, each one when as many messages have come as it is to wait for. @returns how the server closed */
    async function speak(
      messages: readonly (readonly [after: number, message: string | Buffer])[],
      options: { protocol?: string[]; headers?: Record<string, string> } = {},
    ): Promise<{ code: number; received: string[] }> {
      const { protocol = ["graphql-transport-ws"], headers = {} } = options;
      const webSocket = new WebSocket(`${app.url.replace("http", "ws")}/graphql`, protocol, { headers });
      const received: string[] = [];
      const waiting = [...messages];
      const go = () => {
        while (waiting[0] !== undefined && waiting[0][0] <= received.length) webSocket.send(waiting.shift()?.[1] ?? "");
      };
      webSocket.on("open", go);
      webSocket.on("message", (data: Buffer) => {
        received.push(data.toString());
        go();
      });
      const code = await new Promise<number>((resolve) => webSocket.on("close", resolve));
      return { code, received };
    }

    const cases: readonly (readonly [name: string, code: number, messages: () => Parameters<typeof speak>[0]])[] = [
      ["no JSON", 4400, () => [[0, "{"]]],
      ["no object", 4400, () => [[0, "[]"]]],
      ["an unknown type", 4400, () => [[0, '{"type":"start"}']]],
      ["a type of the server's", 4400, () => [[0, ACK]]],
      ["binary", 4400, () => [[0, Buffer.from(init())]]],
      ["no init", 4408, () => []],
      ["a payload that is none", 4400, () => [[0, '{"type":"connection_init","payload":"x"}']]],
      [
        "init twice",
        4429,
        () => [
          [0, init()],
          [1, init()],
        ],
      ],
      [
        "init twice at once",
        4429,
        () => [
          [0, init()],
          [0, init()],
        ],
      ],
      ["subscribe before init", 4401, () => [[0, subscribe("1")]]],
      [
        "a duplicate id",
        4409,
        () => [
          [0, init()],
          [1, subscribe("1")],
          [1, subscribe("1")],
        ],
      ],
      [
        "an id that is none",
        4400,
        () => [
          [0, init()],
          [1, subscribe(1)],
        ],
      ],
      [
        "no payload",
        4400,
        () => [
          [0, init()],
          [1, '{"type":"subscribe","id":"1"}'],
        ],
      ],
      [
        "over 64 KB",
        1009,
        () => [
          [0, init()],
          [1, subscribe("1", `{ __typename } #${"x".repeat(65_536)}`)],
        ],
      ],
      ["no token", 4403, () => [[0, '{"type":"connection_init"}']]],
      ["a wrong token", 4403, () => [[0, '{"type":"connection_init","payload":{"Authorization":"Bearer x"}}']]],
    ];
    for (const [name, code, messages] of cases) {
      test(`${name}: ${code}`, async () => {
        assert.equal((await speak(messages())).code, code);
      });
    }

    test("no subprotocol: 4406", async () => {
      assert.equal((await speak([], { protocol: [] })).code, 4406);
    });

    test("I11 a cookie and a foreign origin are no identity, a token of the handshake is", async () => {
      const foreign = { origin: "https://evil.example.com", cookie: "_session=x" };
      const closed = await speak([[0, '{"type":"connection_init"}']], { headers: foreign });
      assert.deepEqual(closed, { code: 4403, received: [] });
      const messages = [
        [0, '{"type":"connection_init"}'],
        [1, '{"type":"ping","payload":{"a":1}}'],
        [2, "{"],
      ] as const;
      const { received } = await speak(messages, { headers: { authorization: `Bearer ${ada}` } });
      assert.deepEqual(received, [ACK, '{"type":"pong","payload":{"a":1}}']);
    });

    test("an id may be used again when its operation is over; a completed one is told nothing more", async () => {
      const { code, received } = await speak([
        [0, init()],
        [1, subscribe("1", "{ __typename }")],
        [3, subscribe("1")],
        [3, '{"type":"complete","id":"1"}'],
        [3, subscribe("1", "{ a: __typename }")],
        [5, "{"],
      ]);
      assert.equal(code, 4400);
      assert.deepEqual(received.slice(1), [
        '{"id":"1","type":"next","payload":{"data":{"__typename":"Query"}}}',
        '{"id":"1","type":"complete"}',
        '{"id":"1","type":"next","payload":{"data":{"a":"Query"}}}',
        '{"id":"1","type":"complete"}',
      ]);
    });

    test("other paths and other protocols are no business of theirs", async () => {
      const elsewhere = new WebSocket(`${app.url.replace("http", "ws")}/livez`);
      const refused = await new Promise<Error>((resolve) => elsewhere.on("error", resolve));
      assert.match(refused.message, /200/);
    });
  });

  test("how many are open is counted", async () => {
    const open = async () =>
      Number(/^graphql_subscriptions (\d+)$/m.exec(await (await fetch(`${app.url}/metrics`)).text())?.[1]);
    let before = await open();
    // Until the ends of what other tests had open have all been noticed.
    for (let same = 0; same < 5; await pause(50)) {
      const now = await open();
      same = now === before ? same + 1 : 0;
      before = now;
    }
    const opened = await openWebSocketClient(app.url, ada);
    clients.push(opened);
    const results = new Results();
    const unsubscribe = opened.subscribe({ query: EVENTS }, results.sink);
    await create(ada, "counted");
    await results.untilCount(1);
    assert.equal(await open(), before + 1);
    unsubscribe();
    while ((await open()) !== before);
  });

  test("A30 ends when its token is over", async () => {
    const opened = await Promise.all([socket(grace), stream(grace)]);
    ahead = 2 * 60 * 60 * 1_000;
    for (const results of opened) {
      await results.until(({ ended }) => ended !== "open");
      assertEnded(results);
    }
  });
});
