import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { after, before, describe, test } from "node:test";
import type { Client } from "graphql-ws";
import { openTestApp, type TestApp } from "../app.ts";
import { openPostgres } from "../postgres.ts";
import { addClient, addPerson, createToken, openWebSocketClient, postTo, Results } from "../subscriber.ts";

const FOLLOW =
  "subscription ($post: ID!) { workingCopyEvents(post: $post) { version workingVersion editing { name } } }";
const ANNOUNCE = "mutation ($id: ID!) { announceEditing(id: $id) }";
const SAVE = `mutation ($id: ID!, $body: String!, $workingVersion: Int!) {
  saveWorkingCopy(id: $id, input: { body: $body }, workingVersion: $workingVersion, baseVersion: 1) { workingCopy { version } }
}`;

const server = await openPostgres();

describe("people who write one post, on two nodes", { timeout: 120_000 }, () => {
  let near: TestApp;
  let far: TestApp;
  let client: string;
  const clients: Client[] = [];
  const tokens = { ada: "", ben: "", cara: "", eve: "" };

  before(async () => {
    const settings = {
      DATABASE_URL: await server.createDatabase(),
      SECRET_KEY: randomBytes(32).toString("base64url"),
      LOG_LEVEL: "silent",
    };
    near = await openTestApp(settings);
    far = await openTestApp(settings);
    client = await addClient(near.environment);
    for (const [name, role] of [
      ["ada", "member"],
      ["ben", "editor"],
      ["cara", "editor"],
      ["eve", "member"],
    ] as const) {
      await addPerson(near.environment, `${name}@example.com`, role);
      tokens[name] = await createToken(near.environment, { user: `${name}@example.com`, client });
    }
  });
  after(async () => {
    for (const one of clients) await one.dispose();
    await Promise.all([near.close(), far.close()]);
  });

  async function write(status: string): Promise<string> {
    const create = `mutation { createPost(input: { title: "T", body: "", status: ${status} }) { id } }`;
    return (await postTo(near.url, tokens.ada, create)).data.createPost.id;
  }

  async function follow(app: TestApp, token: string, post: string, query = FOLLOW): Promise<Results> {
    const results = new Results();
    const opened = await openWebSocketClient(app.url, token);
    clients.push(opened);
    opened.subscribe({ query, variables: { post } }, results.sink);
    return results;
  }

  const last = ({ all }: Results) => all.at(-1)?.data?.workingCopyEvents;
  const names = (results: Results) => last(results)?.editing.map(({ name }: { name: string }) => name);
  const code = ({ errors }: { readonly errors?: Results["all"][number]["errors"] }) => errors?.[0]?.extensions.code;

  test("S38 everybody but oneself is named, on every node, and a save tells its version", async () => {
    const id = await write("DRAFT");
    const [ada, ben] = [await follow(near, tokens.ada, id), await follow(far, tokens.ben, id)];
    await Promise.all([ada.untilCount(1), ben.untilCount(1)]);
    assert.deepEqual(last(ada), { version: 1, workingVersion: 0, editing: [] });
    assert.equal((await postTo(far.url, tokens.ben, ANNOUNCE, { id })).data.announceEditing, true);
    await ada.until((results) => names(results)?.length === 1);
    assert.deepEqual(names(ada), ["ben@example.com"]);
    await postTo(far.url, tokens.ada, ANNOUNCE, { id });
    await postTo(near.url, tokens.cara, ANNOUNCE, { id });
    await ben.until((results) => names(results)?.length === 2);
    assert.deepEqual(names(ben), ["ada@example.com", "cara@example.com"]);
    const count = ada.all.length;
    await postTo(near.url, tokens.ben, SAVE, { id, body: "new", workingVersion: 0 });
    await Promise.all([ada, ben].map((one) => one.until((results) => last(results)?.workingVersion === 1)));
    assert.deepEqual(names(ada), ["ben@example.com", "cara@example.com"]);
    assert.ok(ada.all.length > count);
    // Neither an announcement nor a save is an event of the post.
    const { data } = await postTo(near.url, tokens.ada, "query ($id: ID!) { post(id: $id) { version } }", { id });
    assert.equal(data.post.version, 1);
  });

  test("S38 an announcement with an Idempotency-Key is one, and is answered as before", async () => {
    const id = await write("DRAFT");
    const send = async () => {
      const answer = await fetch(`${near.url}/graphql`, {
        method: "POST",
        headers: {
          "content-type": "application/json",
          authorization: `Bearer ${tokens.ben}`,
          "idempotency-key": '"one"',
        },
        body: JSON.stringify({ query: ANNOUNCE, variables: { id } }),
      });
      return answer.text();
    };
    assert.equal(await send(), '{"data":{"announceEditing":true}}');
    assert.equal(await send(), '{"data":{"announceEditing":true}}');
  });

  test("S38 nobody who may not change the post is told anything, or can announce anything", async () => {
    const [draft, published] = [await write("DRAFT"), await write("PUBLISHED")];
    for (const [id, expected] of [
      [draft, "NOT_FOUND"],
      [published, "FORBIDDEN"],
      ["nothing", "NOT_FOUND"],
    ] as const) {
      assert.equal(code(await postTo(near.url, tokens.eve, ANNOUNCE, { id })), expected);
      const results = await follow(near, tokens.eve, id);
      await results.until(({ ended }) => ended === "error");
      assert.equal((results.error as { extensions: { code: string } }[])[0]?.extensions.code, expected);
      assert.deepEqual(results.all, []);
    }
  });

  test("S38 names need users:read, and announcing needs posts:write", async () => {
    const id = await write("DRAFT");
    const reader = await createToken(near.environment, { user: "ben@example.com", client, scope: "posts:read" });
    assert.equal(code(await postTo(near.url, reader, ANNOUNCE, { id })), "FORBIDDEN");
    const withNames = await follow(near, reader, id);
    await withNames.until(({ ended }) => ended === "error");
    const without = await follow(near, reader, id, FOLLOW.replace("editing { name }", ""));
    await without.untilCount(1);
    assert.deepEqual(last(without), { version: 1, workingVersion: 0 });
  });

  test("S38 it comes as Server-Sent Events without ids, because there is nothing to go on from", async () => {
    const id = await write("DRAFT");
    const stop = new AbortController();
    const answer = await fetch(`${far.url}/graphql`, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        accept: "text/event-stream",
        authorization: `Bearer ${tokens.ada}`,
      },
      body: JSON.stringify({ query: FOLLOW, variables: { post: id } }),
      signal: stop.signal,
    });
    let text = "";
    for await (const part of answer.body?.pipeThrough(new TextDecoderStream()) ?? []) {
      text += part;
      if (text.includes("data: ")) break;
    }
    stop.abort();
    assert.equal(
      text.replace(/^(:\n\n)+/, ""),
      'event: next\ndata: {"data":{"workingCopyEvents":{"version":1,"workingVersion":0,"editing":[]}}}\n\n',
    );
  });
});
