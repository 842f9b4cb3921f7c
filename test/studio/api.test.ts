import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { openApi } from "../../src/studio/browser/api/client.ts";
import { readEvents } from "../../src/studio/browser/api/event-stream.ts";
import { openEvents, type PostEvent } from "../../src/studio/browser/api/events.ts";
import { ApiFailure, type StudioDocument } from "../../src/studio/browser/ports.ts";
import type { AccessToken } from "../../src/studio/browser/session/tokens.ts";

const DOCUMENT: StudioDocument<{ readonly a: unknown }, { readonly n: number }> = {
  text: "query A{a}",
  id: "sha256:a",
};

interface Sent {
  readonly token: string;
  readonly headers: Headers;
  readonly body: { readonly documentId?: string; readonly query?: string; readonly variables?: unknown };
}

/** An API whose answers are given, in their order. */
function openScripted(...answers: readonly (Response | Error)[]) {
  const sent: Sent[] = [];
  const token = (name: string): AccessToken => ({ token: name, expiresAt: 0, personId: "ada" });
  const api = openApi({
    graphqlUrl: new URL("https://example.com/graphql"),
    tokens: { get: async () => token("first"), replace: async () => token("second") },
    async send(used, _url, headers, body) {
      sent.push({ token: used, headers, body: JSON.parse(body) });
      const answer = answers[sent.length - 1];
      assert.ok(answer !== undefined, "one request too many");
      if (answer instanceof Error) throw answer;
      return answer;
    },
    now: () => Date.parse("2026-01-01T00:02:00Z"),
  });
  return { api, sent };
}

function answer(body: unknown, status = 200, headers: Record<string, string> = {}): Response {
  return new Response(typeof body === "string" ? body : JSON.stringify(body), { status, headers });
}

function failure(code: string, message = "words", more: object = {}) {
  return { errors: [{ message, extensions: { code, ...more } }] };
}

async function failed(work: Promise<unknown>): Promise<ApiFailure> {
  const error = await work.then(
    () => assert.fail("it did not fail"),
    (error: unknown) => error,
  );
  assert.ok(error instanceof ApiFailure, String(error));
  return error;
}

describe("requests of the studio", () => {
  test("go by the document's identifier, with the key that makes a repetition harmless", async () => {
    const { api, sent } = openScripted(answer({ data: { a: 1 } }));
    assert.deepEqual(await api.run(DOCUMENT, { n: 1 }, { key: "k" }), { a: 1 });
    assert.deepEqual(sent[0]?.body, { documentId: DOCUMENT.id, variables: { n: 1 } });
    assert.equal(sent[0]?.headers.get("idempotency-key"), "k");
  });

  test("go by their text from then on where a server does not know the identifier", async () => {
    const unknown = answer(failure("PERSISTED_QUERY_NOT_FOUND"), 400);
    const { api, sent } = openScripted(unknown, answer({ data: { a: 1 } }), answer({ data: { a: 2 } }));
    await api.run(DOCUMENT, { n: 1 });
    await api.run(DOCUMENT, { n: 2 });
    assert.deepEqual(
      sent.map(({ body }) => body.query ?? body.documentId),
      [DOCUMENT.id, DOCUMENT.text, DOCUMENT.text],
    );
  });

  test("are sent once more with another token when the API rejects the first", async () => {
    const { api, sent } = openScripted(answer(failure("UNAUTHENTICATED"), 401), answer({ data: { a: 1 } }));
    await api.run(DOCUMENT, { n: 1 });
    assert.deepEqual(
      sent.map(({ token }) => token),
      ["first", "second"],
    );
    const rejected = openScripted(answer(failure("UNAUTHENTICATED"), 401), answer(failure("UNAUTHENTICATED"), 401));
    assert.equal((await failed(rejected.api.run(DOCUMENT, { n: 1 }))).kind, "failed", "no sign-out by a wrong clock");
  });

  for (const [code, status, kind] of [
    ["FORBIDDEN", 403, "forbidden"],
    ["NOT_FOUND", 200, "not-found"],
    ["CONFLICT", 200, "conflict"],
    ["BAD_USER_INPUT", 200, "bad-input"],
    ["RATE_LIMITED", 429, "busy"],
    ["UNAVAILABLE", 503, "busy"],
    ["INTERNAL", 500, "failed"],
  ] as const)
    test(`${code} is "${kind}"`, async () => {
      const { api } = openScripted(
        answer(failure(code, "words", { version: 7, field: "input.slug" }), status, {
          "retry-after": "9",
          "x-request-id": "id",
        }),
      );
      const {
        kind: found,
        code: named,
        extensions,
        field,
        requestId,
        retryAfter,
      } = await failed(api.run(DOCUMENT, { n: 1 }));
      assert.deepEqual([found, named, extensions.version, field, requestId], [kind, code, 7, "input.slug", "id"]);
      assert.equal(retryAfter, kind === "busy" ? 9 : null);
    });

  test("fail with the first error of a payload", async () => {
    const errors = [{ code: "BAD_USER_INPUT", message: "The slug is taken.", field: "input.slug" }];
    const { kind, message, field } = await failed(
      openScripted(answer({ data: { a: { post: null, errors } } })).api.run(DOCUMENT, { n: 1 }),
    );
    assert.deepEqual([kind, message, field], ["bad-input", "The slug is taken.", "input.slug"]);
  });

  test("fail with words where the answer is another program's", async () => {
    const { api } = openScripted(answer("<h1>Bad gateway</h1>", 502), answer("<h1>Wait</h1>", 503));
    assert.equal((await failed(api.run(DOCUMENT, { n: 1 }))).kind, "failed");
    assert.equal((await failed(api.run(DOCUMENT, { n: 1 }))).kind, "busy");
  });

  test("tell how far the clock of this device is ahead", async () => {
    const { api } = openScripted(answer({ data: { a: 1 } }, 200, { date: "Thu, 01 Jan 2026 00:00:00 GMT" }));
    await api.run(DOCUMENT, { n: 1 });
    assert.equal(api.clockAhead.value, 120_000);
  });

  test("S12 each field of a bulk change fails for itself", async () => {
    const data = {
      p0: { post: { version: 2 }, errors: [] },
      p1: null,
      p2: { post: null, errors: [{ code: "BAD_USER_INPUT", message: "no", field: null }] },
    };
    const errors = [{ message: "changed", path: ["p1"], extensions: { code: "CONFLICT", version: 9 } }];
    const { failures } = await openScripted(answer({ data, errors })).api.runEach(DOCUMENT, { n: 1 });
    assert.deepEqual(
      [...failures].map(([name, { kind }]) => [name, kind]),
      [
        ["p1", "conflict"],
        ["p2", "bad-input"],
      ],
    );
    const whole = openScripted(answer(failure("RATE_LIMITED"), 429));
    assert.equal((await failed(whole.api.runEach(DOCUMENT, { n: 1 }))).kind, "busy");
  });
});

describe("S13 events", () => {
  const frame = (id: string, postId: string) =>
    `event: next\ndata: ${JSON.stringify({ data: { postEvents: { id, type: "UPDATED", postId, post: { version: 2 } } } })}\n\n`;

  test("are read however the network cuts them", async () => {
    const bytes = new TextEncoder().encode(`: hello\n\n${frame("1", "ä")}${frame("2", "b")}event: complete\ndata:\n\n`);
    for (const size of [1, 3, 50, bytes.length]) {
      const stream = new ReadableStream<Uint8Array>({
        start(controller) {
          for (let at = 0; at < bytes.length; at += size) controller.enqueue(bytes.slice(at, at + size));
          controller.close();
        },
      });
      const found: string[] = [];
      for await (const { data } of readEvents<{ postEvents: { postId: string } }>(new Response(stream)))
        if (data) found.push(data.postEvents.postId);
      assert.deepEqual(found, ["ä", "b"]);
    }
  });

  test("are told to all tabs, and go on after the last one when the connection breaks", async () => {
    const asked: unknown[] = [];
    const told: unknown[] = [];
    const heard: PostEvent[] = [];
    const answers = [new Response(frame("1", "a")), new Response(frame("2", "b"))];
    const events = openEvents({
      api: {
        async stream(_document, variables) {
          asked.push(variables);
          const next = answers.shift();
          if (next === undefined) throw new ApiFailure({ kind: "signed-out", message: "over" });
          return next;
        },
      },
      lead: (work) => work(),
      channel: { postMessage: (message) => told.push(message), addEventListener: () => undefined },
      wait: async () => undefined,
    });
    events.on((event) => heard.push(event));
    await events.begin();
    assert.deepEqual(asked, [{ after: null }, { after: "1" }, { after: "2" }]);
    assert.deepEqual(
      heard.map(({ postId }) => postId),
      ["a", "b"],
    );
    assert.equal(told.length, 2);
  });
});
