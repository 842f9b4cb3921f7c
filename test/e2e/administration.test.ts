import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import type { Id } from "../../src/domain/id.ts";
import type { Store } from "../../src/domain/store/store.ts";
import { verifyPassword } from "../../src/secrets/passwords.ts";
import { openStore } from "../../src/storage/open.ts";
import { openTestApp, type TestApp } from "../app.ts";
import { runCommand, runJson } from "../command.ts";

const PASSWORD = "seventeen tall birches";
const BREACHED = "eighteen tall birches";

describe("administration by GraphQL, in the real program", () => {
  let folder: string;
  let app: TestApp;
  let store: Store;
  let token: string;
  let adminId: Id;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), "administration-"));
    const file = join(folder, "breached.txt");
    await writeFile(file, `${createHash("sha1").update(BREACHED).digest("hex").toUpperCase()}:12\n`);
    app = await openTestApp({ BREACHED_PASSWORDS: file });
    store = await openStore(app.config.DATABASE_URL);
    const person = ["user", "create", "--email", "ada@example.com", "--name", "Ada", "--role", "admin"];
    adminId = (await runJson<{ id: Id }>(person, app.environment)).id;
    const client = [
      "client",
      "create",
      "--name",
      "C",
      "--redirect-uri",
      "https://c.example/",
      "--scope",
      "admin posts:read",
    ];
    const { client_id } = await runJson<{ client_id: string }>(client, app.environment);
    const create = ["token", "create", "--user", "ada@example.com", "--client", client_id, "--scope", "admin"];
    token = (await runJson<{ access_token: string }>(create, app.environment)).access_token;
  });
  after(async () => {
    await store.close();
    await app.close();
    await rm(folder, { recursive: true });
  });

  async function graphql(query: string, bearer = token) {
    const response = await fetch(`${app.url}/graphql`, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        accept: "application/graphql-response+json",
        authorization: `Bearer ${bearer}`,
      },
      body: JSON.stringify({ query }),
    });
    // biome-ignore lint/suspicious/noExplicitAny: answers are as varied as the documents
    return { status: response.status, ...((await response.json()) as { data: any; errors?: any[] }) };
  }

  async function askForToken(id: string, secret: string) {
    const response = await fetch(`${app.url}/token`, {
      method: "POST",
      headers: { authorization: `Basic ${btoa(`${id}:${secret}`)}` },
      body: new URLSearchParams({ grant_type: "client_credentials", scope: "posts:read" }),
    });
    return { status: response.status, ...((await response.json()) as { access_token?: string }) };
  }

  test("U22 a new person's password must not be on a list of known passwords, built in or of BREACHED_PASSWORDS", async () => {
    for (const password of ["Stairway to Heaven", BREACHED]) {
      const { data } = await graphql(`mutation {
        createAccount(input: {name: "Bob", email: "bob@example.com", password: "${password}"}) {
          account { id } errors { field message }
        }
      }`);
      const message = "This password is on a list of known passwords. Choose another.";
      assert.deepEqual(data.createAccount, { account: null, errors: [{ field: "input.password", message }] }, password);
      assert.equal(await store.users.findByEmail("bob@example.com"), null);
    }
  });

  test("a new person's password must not contain their name or the operator's", async () => {
    for (const password of ["my name is Bob, as you know", "this is my content api login"]) {
      const create = await graphql(`mutation {
        createAccount(input: {name: "Bob", email: "bob@example.com", password: "${password}"}) {
          account { id } errors { field message }
        }
      }`);
      assert.match(JSON.stringify(create), /must not contain/, password);
      assert.equal(await store.users.findByEmail("bob@example.com"), null);
    }
  });

  test("A42 a client that was made there gets tokens with its secret, not with the old one, and none once disabled", async () => {
    const create = await graphql(`mutation {
      createClient(input: {name: "Robot", grantTypes: [CLIENT_CREDENTIALS], scopes: ["posts:read"]}) {
        client { id } clientSecret errors { message }
      }
    }`);
    const { client, clientSecret } = create.data.createClient;
    const first = await askForToken(client.id, clientSecret);
    assert.equal(first.status, 200);
    const posts = () => graphql("{ posts { id } }", first.access_token);
    assert.equal((await posts()).status, 200);

    const rotate = await graphql(`mutation { rotateClientSecret(id: "${client.id}") { clientSecret } }`);
    assert.equal((await askForToken(client.id, clientSecret)).status, 401);
    assert.equal((await askForToken(client.id, rotate.data.rotateClientSecret.clientSecret)).status, 200);

    await graphql(`mutation { disableClient(id: "${client.id}") { client { id } } }`);
    for (const deadline = Date.now() + 30_000; (await posts()).status !== 401; await pause(20))
      assert.ok(Date.now() < deadline, "its token is still taken");
    const { data } = await graphql(`{ auditEntries(first: 3, filter: {clientId: "${client.id}", event: CLIENT}) {
      nodes { result detail address requestId }
    } }`);
    assert.deepEqual(
      data.auditEntries.nodes.map(({ result, detail }: { result: string; detail: string }) => `${result} ${detail}`),
      ["disabled", "given a new secret", "created"].map((what) => `OK ${what} by ${adminId}`),
    );
    for (const { address, requestId } of data.auditEntries.nodes) assert.ok(address !== null && requestId !== null);
  });

  test("S82 a test of a webhook goes through the guard of deliveries, is audited, and leaves nothing behind", async () => {
    const created = await graphql(
      'mutation { createWebhook(input: {url: "https://127.0.0.1:9/"}) { webhook { id } errors { message } } }',
    );
    const { id } = created.data.createWebhook.webhook;
    const { data } = await graphql(`mutation { testWebhook(id: "${id}", event: POST_PUBLISHED) {
      test { attempt { status answer error durationMs } payload } errors { message }
    } }`);
    const { attempt, payload } = data.testWebhook.test;
    assert.deepEqual([attempt.status, attempt.answer, attempt.error], [null, null, "the address is not a public one"]);
    assert.deepEqual([JSON.parse(payload).test, data.testWebhook.errors], [true, []]);
    assert.deepEqual(await store.webhooks.listDeliveries({ webhookId: id, limit: 1 }), []);
    const audit = await graphql("{ auditEntries(first: 1, filter: {event: WEBHOOK}) { nodes { result detail } } }");
    assert.deepEqual(audit.data.auditEntries.nodes, [
      {
        result: "FAILED",
        detail: `${id} tested with post.published: the address is not a public one by ${adminId}`,
      },
    ]);
    await graphql(`mutation { deleteWebhook(id: "${id}") { deletedId } }`);
  });

  test("a person who was made there has the password, and an administrator who is one no more may do nothing here", async () => {
    const weak = await graphql(
      'mutation { createAccount(input: {name: "G", email: "g@example.com", password: "short"}) { errors { field message } } }',
    );
    assert.deepEqual(weak.data.createAccount.errors, [
      { field: "input.password", message: "The password must have at least 15 characters." },
    ]);
    const create = (role: string) =>
      graphql(`mutation {
        createAccount(input: {name: "Grace", email: "grace@example.com", role: ${role}, password: "${PASSWORD}"}) { account { id } }
      }`);
    assert.equal((await create("ADMIN")).status, 401, "its token has no sign-in");
    const { data } = await create("EDITOR");
    const grace = await store.users.find(data.createAccount.account.id);
    assert.ok(await verifyPassword(grace?.passwordHash ?? null, PASSWORD));

    assert.equal((await graphql("{ webhooks { id } }")).errors, undefined);
    assert.equal((await runCommand(["user", "set-role", "grace@example.com", "admin"], app.environment)).code, 0);
    assert.equal((await runCommand(["user", "set-role", "ada@example.com", "king"], app.environment)).code, 2);
    assert.equal((await runCommand(["user", "set-role", "ada@example.com", "editor"], app.environment)).code, 0);
    let answer = await graphql("{ webhooks { id } }");
    for (
      const deadline = Date.now() + 30_000;
      answer.errors === undefined;
      answer = await graphql("{ webhooks { id } }")
    )
      assert.ok(Date.now() < deadline, "still an administrator");
    assert.equal(answer.errors[0].extensions.code, "FORBIDDEN");
  });
});
