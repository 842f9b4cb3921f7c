import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { Client, type McpSubscription, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { openTestApp, type TestApp } from "../app.ts";
import { runCommand } from "../command.ts";
import { type RawAnswer, raw, stateless } from "../mcp/raw-client.ts";
import { openPostgres } from "../postgres.ts";
import { serverEnvironment, startServer } from "../server-process.ts";
import { addClient, addPerson, createToken, postTo } from "../subscriber.ts";
import { bestOfThree, livedTime } from "../timing.ts";

const server = await openPostgres();

async function callAt(url: string, token: string): Promise<RawAnswer> {
  const { headers, body } = stateless("tools/call", { name: "whoami", arguments: {} });
  return raw(`${url}/mcp`, { headers: { ...headers, authorization: `Bearer ${token}` }, body: body ?? "" });
}

interface Listener {
  readonly subscription: McpSubscription;
  /** Changes that it was told of. */
  readonly heard: string[];
  until(count: number): Promise<void>;
  close(): Promise<void>;
}

/** An agent of the official client that listens to posts. */
async function listenTo(app: TestApp, token: string, ...ids: string[]): Promise<Listener> {
  const client = new Client({ name: "listener", version: "1" }, { versionNegotiation: { mode: "auto" } });
  const heard: string[] = [];
  let told = Promise.withResolvers<void>();
  client.setNotificationHandler("notifications/resources/updated", ({ params }) => {
    heard.push(params.uri);
    told.resolve();
    told = Promise.withResolvers();
  });
  const authProvider = { token: async () => token };
  await client.connect(new StreamableHTTPClientTransport(new URL(`${app.url}/mcp`), { authProvider }));
  const subscription = await client.listen({ resourceSubscriptions: ids.map((id) => `post://${id}`) });
  return {
    ...{ subscription, heard },
    async until(count) {
      while (heard.length < count) await told.promise;
    },
    close: () => client.close(),
  };
}

describe("agents on two nodes on one PostgreSQL", { timeout: 180_000 }, () => {
  let near: TestApp;
  let far: TestApp;
  let ada: string;
  let quill: { id: string; token: string };
  let owl: { id: string; token: string };

  before(async () => {
    const settings = {
      DATABASE_URL: await server.createDatabase(),
      SECRET_KEY: randomBytes(32).toString("base64url"),
      LOG_LEVEL: "silent",
    };
    near = await openTestApp(settings);
    far = await openTestApp({ ...settings, BASE_URL: near.config.BASE_URL });
    ada = (await addPerson(near.environment, "ada@example.com")).email;
    [quill, owl] = [await anAgent(), await anAgent()];
  });
  after(() => Promise.all([near?.close(), far?.close()]));

  async function anAgent() {
    const id = await addClient(near.environment);
    return { id, token: await createToken(near.environment, { user: ada, client: id }) };
  }

  async function aPost(): Promise<string> {
    const mutation = 'mutation { createPost(input: { title: "t", body: "b", status: DRAFT }) { id } }';
    return (await postTo(near.url, owl.token, mutation)).data.createPost.id;
  }

  const publishAt = (node: TestApp, id: string) =>
    postTo(node.url, owl.token, "mutation ($id: ID!) { publishPost(id: $id) { post { status } } }", { id });

  async function stop(...words: string[]): Promise<void> {
    const { code, stderr } = await runCommand(["agent", "stop", ...words], near.environment);
    assert.equal(code, 0, stderr);
  }

  /** @returns milliseconds until both nodes give this answer to the token */
  async function untilBoth(token: string, status: number): Promise<number> {
    const began = livedTime();
    for (const node of [far, near])
      while ((await callAt(node.url, token)).status !== status) {
        assert.ok(livedTime() - began < 20_000, `never ${status}`);
        await pause(5);
      }
    return livedTime() - began;
  }

  test("A04 published at one node, told of at the other within a second", async () => {
    await bestOfThree(1_000, async () => {
      const id = await aPost();
      const listeners = [await listenTo(near, quill.token, id), await listenTo(far, quill.token, id)];
      assert.deepEqual(listeners[0]?.subscription.honoredFilter, { resourceSubscriptions: [`post://${id}`] });
      const began = livedTime();
      await publishAt(far, id);
      await Promise.all(listeners.map((listener) => listener.until(1)));
      const took = livedTime() - began;
      assert.deepEqual(
        listeners.map(({ heard }) => heard),
        [[`post://${id}`], [`post://${id}`]],
      );
      for (const listener of listeners) await listener.close();
      return took;
    });
  });

  test("A44 all agents are stopped at both nodes within 5 s, streams too; /graphql goes on; resumed, they go on", async () => {
    const id = await aPost();
    for (const { token } of [quill, owl]) assert.equal((await callAt(far.url, token)).status, 200);
    const listeners = [await listenTo(near, quill.token, id), await listenTo(far, owl.token, id)];
    await stop("--all");
    assert.ok((await untilBoth(quill.token, 503)) < 5_000);
    const refused = await callAt(far.url, owl.token);
    assert.equal(refused.status, 503);
    assert.match(refused.body, /An administrator has stopped all agents/);
    assert.equal(refused.headers["retry-after"], "60");
    const began = livedTime();
    assert.deepEqual(await Promise.all(listeners.map(({ subscription }) => subscription.closed)), [
      "graceful",
      "graceful",
    ]);
    assert.ok(livedTime() - began < 5_000);
    assert.equal((await publishAt(far, id)).data.publishPost.post.status, "PUBLISHED");
    assert.ok(listeners.every(({ heard }) => heard.length === 0));
    await assert.rejects(listenTo(near, quill.token, id));

    await stop("--all", "--resume");
    assert.ok((await untilBoth(quill.token, 200)) < 5_000);
    const again = await listenTo(far, quill.token, id);
    for (const listener of [...listeners, again]) await listener.close();
  });

  test("A44 one agent is stopped at both nodes within 5 s, its streams too; another goes on", async () => {
    const id = await aPost();
    const [stopped, other] = [await listenTo(far, quill.token, id), await listenTo(far, owl.token, id)];
    await stop(quill.id);
    assert.ok((await untilBoth(quill.token, 401)) < 5_000);
    const began = livedTime();
    assert.equal(await stopped.subscription.closed, "graceful");
    assert.ok(livedTime() - began < 5_000);
    for (const node of [near, far]) assert.equal((await callAt(node.url, owl.token)).status, 200);
    await publishAt(near, id);
    await other.until(1);
    assert.deepEqual(stopped.heard, []);

    await stop(quill.id, "--resume");
    assert.ok((await untilBoth(quill.token, 200)) < 5_000);
    for (const listener of [stopped, other]) await listener.close();
  });

  test("A04 a node that stops ends its streams with a closing result, and takes no new ones", async () => {
    const { PORT: _, ...settings } = near.environment;
    const leaving = await openTestApp({ ...settings, LOG_LEVEL: "silent" });
    const id = await aPost();
    const listener = await listenTo(leaving, quill.token, id);
    const closing = leaving.close(1_000);
    assert.equal(await listener.subscription.closed, "graceful");
    await closing;
    await listener.close();
    await assert.rejects(listenTo(leaving, quill.token, id));
  });
});

test("A44 all agents are stopped at every worker of a node within 5 s", async (t) => {
  const folder = await mkdtemp(join(tmpdir(), "content-api-"));
  const environment = await serverEnvironment(`sqlite:${join(folder, "content.db")}`, { WORKERS: "2" });
  const node = await startServer(environment);
  t.after(async () => {
    await node.stop("SIGKILL");
    await rm(folder, { recursive: true });
  });
  await addPerson(environment, "ada@example.com");
  const token = await createToken(environment, { user: "ada@example.com", client: await addClient(environment) });
  /** Connections of their own, so that both workers are asked. */
  const statuses = async () =>
    new Set(await Promise.all(Array.from({ length: 20 }, async () => (await callAt(node.baseUrl, token)).status)));
  assert.deepEqual(await statuses(), new Set([200]));
  assert.equal((await runCommand(["agent", "stop", "--all"], environment)).code, 0);
  const began = livedTime();
  while ((await statuses()).has(200)) assert.ok(livedTime() - began < 5_000);
  assert.deepEqual(await statuses(), new Set([503]));
});
