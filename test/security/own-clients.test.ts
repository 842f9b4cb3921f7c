import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import type { Client } from "../../src/domain/clients/client.ts";
import { deleteClient, endClientTokens } from "../../src/domain/clients/client-administration.ts";
import { listProblems } from "../../src/domain/clients/client-problems.ts";
import { CLIENT_CREDENTIALS } from "../../src/secrets/client-secret.ts";
import { hashToken } from "../../src/secrets/token-hash.ts";
import { aPerson } from "../conformance/samples.ts";
import { openTestServer, PASSWORD, SPA_CALLBACK, type TestServer, WEB_CALLBACK } from "./authorization-server.ts";
import { authorizationRequest, Browser, getTokens, requestToken } from "./client.ts";

const SECRETS = ["first-secret", "second-secret", "third-secret"] as const;
const CLIENTS_BY = "people";

let server: TestServer;
before(async () => {
  server = await openTestServer({ settings: { CLIENTS_BY } });
  await server.addClient({
    ...{ id: "own", name: "Notebook", type: "confidential", origin: "person", ownerId: server.bob.id },
    ...{ secretHash: hashToken(SECRETS[0]), redirectUris: [WEB_CALLBACK] },
    grantTypes: ["authorization_code", "refresh_token", "client_credentials"],
    scopes: ["openid", "profile", "offline_access", "posts:read"],
  });
});
after(() => server.close());

const options = () => ({
  ...{ issuer: server.issuer, clientId: "own", redirectUri: WEB_CALLBACK, scope: "openid posts:read" },
  ...{ email: "ada@example.com", password: PASSWORD },
});
const administration = () => ({
  ...{ store: server.store, actorId: null, now: Date.now, record: async () => {} },
  ...{ credentials: CLIENT_CREDENTIALS, nativeSchemes: [], resources: [], builtIn: [] },
});
const ask = (secret: string, params: Record<string, string> = { grant_type: "client_credentials" }) =>
  requestToken(server.issuer, { ...params, client_id: "own", client_secret: secret });
const own = async () => (await server.store.clients.find("own")) as Client;

async function isLive(token: string): Promise<boolean> {
  return (await server.store.artifacts.findAccessToken(hashToken(token), Math.floor(Date.now() / 1_000))) !== null;
}

async function until(isTrue: () => Promise<boolean>): Promise<void> {
  const end = Date.now() + 5_000;
  while (!(await isTrue())) {
    assert.ok(Date.now() < end, "it did not come about within 5 seconds");
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

describe("clients that people own, at the authorization server", () => {
  test("S70 the consent page names the owner", async () => {
    const browser = new Browser();
    const page = await browser.follow(authorizationRequest(options()).url);
    const consent = await browser.submit(page, "/sign-in", { email: "ada@example.com", password: PASSWORD });
    assert.match(consent.text, /Made by <bdi>Bob<\/bdi>, not checked by <bdi>Example<\/bdi>/);
  });

  test("S70 the scope clients:own is offered where people own clients, and nowhere else", async () => {
    const scopesOf = async (issuer: string) => {
      const answer = await fetch(`${issuer}/.well-known/openid-configuration`);
      return ((await answer.json()) as { scopes_supported: string[] }).scopes_supported;
    };
    assert.ok((await scopesOf(server.issuer)).includes("clients:own"));
    const node = await server.openNode({ settings: { CLIENTS_BY: "admins" } });
    assert.ok(!(await scopesOf(node.url)).includes("clients:own"));
  });

  test("S76 each secret works beside the others until it ends, and its last use is noted", async () => {
    const { clients } = server.store;
    for (const secret of SECRETS.slice(1)) {
      assert.equal((await ask(secret)).status, 401);
      await clients.addSecret("own", { hash: hashToken(secret), hint: secret.slice(0, 4) }, 5);
    }
    for (const secret of SECRETS) {
      assert.equal((await ask(secret)).status, 200, secret);
      const basic = Buffer.from(`own:${secret}`).toString("base64");
      const answer = await fetch(`${server.issuer}/token`, {
        method: "POST",
        headers: { authorization: `Basic ${basic}` },
        body: new URLSearchParams({ grant_type: "client_credentials" }),
      });
      assert.equal(answer.status, 200, secret);
    }
    assert.equal((await ask(SECRETS.join(" "))).status, 401);
    assert.equal((await ask((await own()).otherSecretHashes.join(" "))).status, 401);
    const listed = () => clients.listSecrets(["own"]);
    await until(async () => (await listed()).every(({ lastUsedAt }) => lastUsedAt !== null));
    assert.notEqual((await own()).lastUsedAt, null);
    const second = (await listed()).find(({ hint }) => hint === "seco");
    assert.ok(second !== undefined);
    await clients.endSecret("own", second.id);
    assert.equal((await ask(SECRETS[1])).status, 401);
    for (const secret of [SECRETS[0], SECRETS[2]]) assert.equal((await ask(secret)).status, 200);
  });

  test("S70 it stops while its owner is locked out, with the tokens that others gave it", async () => {
    const tokens = await getTokens({ ...options(), clientSecret: SECRETS[0] });
    const refresh = { grant_type: "refresh_token", refresh_token: String(tokens.refresh_token) };
    assert.equal(await isLive(tokens.access_token), true);
    await server.store.users.update(server.bob.id, { disabledAt: new Date().toISOString() });
    try {
      assert.equal(await isLive(tokens.access_token), false);
      await until(async () => (await ask(SECRETS[0])).status === 401);
      assert.equal((await ask(SECRETS[0], refresh)).status, 401);
    } finally {
      await server.store.users.update(server.bob.id, { disabledAt: null });
    }
    assert.equal(await isLive(tokens.access_token), true);
    assert.equal((await ask(SECRETS[0], refresh)).status, 200);
  });

  test("S67 ending all tokens ends those of people and its own, and what people agreed to", async () => {
    const tokens = await getTokens({ ...options(), clientSecret: SECRETS[0] });
    const alone = (await ask(SECRETS[0])).body.access_token as string;
    const others = await getTokens({ ...options(), clientId: "spa", redirectUri: "https://spa.example.com/callback" });
    assert.equal((await endClientTokens(administration(), "own")).isComplete, true);
    for (const token of [tokens.access_token, alone]) assert.equal(await isLive(token), false);
    assert.equal(await isLive(others.access_token), true);
    const refresh = { grant_type: "refresh_token", refresh_token: String(tokens.refresh_token) };
    assert.equal((await ask(SECRETS[0], refresh)).body.error, "invalid_grant");
    assert.equal((await ask(SECRETS[0])).status, 200);
    const browser = new Browser();
    const page = await browser.follow(authorizationRequest(options()).url);
    const asked = await browser.submit(page, "/sign-in", { email: "ada@example.com", password: PASSWORD });
    assert.match(asked.text, /Allow <bdi>Notebook<\/bdi>/);
  });

  test("S74 the owner reads which redirect URI came, without the values of its query, and which is registered", async () => {
    const wrong = { ...options(), redirectUri: "https://web.example.com/callback/?code=secret-value" };
    assert.equal((await fetch(authorizationRequest(wrong).url)).status, 400);
    assert.equal((await ask("wrong")).status, 401);
    let messages: string[] = [];
    await until(async () => {
      const problems = await listProblems(server.store, await own(), 50);
      messages = problems.map(({ message }) => message);
      return messages.some((message) => message.includes("redirect_uri came as"));
    });
    const shown = messages.find((message) => message.includes("redirect_uri came as")) ?? "";
    const came = "redirect_uri came as https://web.example.com/callback/?code=…";
    assert.equal(shown, `${came}. Registered: ${WEB_CALLBACK}. It must not end with a slash.`);
    assert.ok(
      messages.some((message) => message.includes("did not prove who it is")),
      messages.join("\n"),
    );
    assert.ok(!messages.join().includes("secret-value"));
  });

  test("S70 with an account its clients go, and what other people gave them; the export has them before", async () => {
    const carol = await server.store.users.create(aPerson({ email: "carol@example.com", name: "Carol" }));
    await server.addClient({ id: "carol's", origin: "person", ownerId: carol.id, scopes: ["openid", "posts:read"] });
    await getTokens({ ...options(), clientId: "carol's", redirectUri: SPA_CALLBACK });
    const given = async () =>
      (await server.store.artifacts.listOfUser(server.ada.id, ["Grant", "Consent", "AccessToken"])).filter(
        ({ clientId }) => clientId === "carol's",
      ).length;
    assert.equal(await given(), 3);
    const pieces: string[] = [];
    for await (const piece of await server.server.exportAccount(carol)) pieces.push(piece);
    const { ownClients } = JSON.parse(pieces.join(""));
    assert.equal(ownClients.length, 1);
    assert.partialDeepStrictEqual(ownClients[0], {
      clientId: "carol's",
      name: "Another",
      redirectUris: [SPA_CALLBACK],
    });
    await server.store.deletions.ask(carol.id, { deletesAt: "2026-01-01T00:00:00.000Z", posts: "keep" });
    await server.server.deleteDueAccounts(10);
    assert.equal(await given(), 0);
    assert.equal(await server.store.clients.find("carol's"), null);
    assert.notEqual((await server.store.users.find(carol.id))?.deletedAt, null);
  });

  test("S75 a deleted client and its tokens are rejected", async () => {
    const tokens = await getTokens({ ...options(), clientSecret: SECRETS[0] });
    await deleteClient(administration(), "own");
    assert.equal(await isLive(tokens.access_token), false);
    await until(async () => (await ask(SECRETS[0])).status === 401);
  });
});
