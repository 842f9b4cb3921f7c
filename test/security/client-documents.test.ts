import assert from "node:assert/strict";
import { generateKeyPairSync, randomUUID } from "node:crypto";
import { after, before, describe, test } from "node:test";
import { SignJWT } from "jose";
import { openTestServer, type TestServer } from "./authorization-server.ts";
import { authorizationRequest, authorize, exchange, getTokens, requestToken } from "./client.ts";
import { type DocumentSite, openDocumentSite } from "./document-site.ts";

const CALLBACK = "https://chatgpt.com/connector/oauth/abc";
const DAY = 86_400_000;
const ASSERTION = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer";
const rsa = generateKeyPairSync("rsa", { modulusLength: 2048 });

let site: DocumentSite;
let server: TestServer;
/** Milliseconds that the server's clock is ahead. */
let ahead = 0;
before(async () => {
  site = await openDocumentSite();
  site.answer("/jwks.json", {
    body: JSON.stringify({
      keys: [{ ...rsa.publicKey.export({ format: "jwk" }), kid: "1", alg: "RS256", use: "sig" }],
    }),
  });
  server = await openTestServer({ privateHosts: ["127.0.0.1"], now: () => Date.now() + ahead });
});
after(async () => {
  site.close();
  await server.close();
});

let count = 0;
function publish(change: Record<string, unknown> = {}): { id: string; path: string } {
  const path = `/client-${++count}.json`;
  const document = { client_name: "A tool", redirect_uris: [CALLBACK] };
  const grant_types = ["authorization_code", "refresh_token"];
  return { path, id: site.put(path, { ...document, grant_types, ...change }) };
}

const BOTH = {
  token_endpoint_auth_methods_supported: ["private_key_jwt", "none"],
  get jwks_uri() {
    return `${site.origin}/jwks.json`;
  },
};

async function assertion(id: string) {
  const claims = { iss: id, sub: id, aud: server.issuer, jti: randomUUID() };
  const jwt = new SignJWT(claims).setProtectedHeader({ alg: "RS256", kid: "1" }).setIssuedAt().setExpirationTime("60s");
  return { client_assertion_type: ASSERTION, client_assertion: await jwt.sign(rsa.privateKey) };
}

const walkOf = (clientId: string, issuer = server.issuer) => ({ issuer, clientId, redirectUri: CALLBACK });
/** Whether a request of the client begins: with a redirect to the sign-in page. */
async function isKnown(id: string, issuer = server.issuer, redirectUri = CALLBACK): Promise<boolean> {
  const { url } = authorizationRequest({ issuer, clientId: id, redirectUri });
  const { status } = await fetch(url, { redirect: "manual" });
  assert.ok(status === 303 || status === 400, `${status}`);
  return status === 303;
}
const refresh = (client_id: string, refresh_token: string, more: Record<string, string> = {}, issuer = server.issuer) =>
  requestToken(issuer, { grant_type: "refresh_token", client_id, refresh_token, ...more });

/** The server's own pages and endpoints, at another node that has no memory. */
async function freshNode(): Promise<string> {
  return (await server.openNode({ now: () => Date.now() + ahead })).url;
}

describe("A21 documents that let a client choose how it authenticates", () => {
  test("private_key_jwt with RS256 and a jwks_uri, as ChatGPT does; then nothing less, at every node", async () => {
    const { id } = publish(BOTH);
    const { code, verifier } = await authorize(walkOf(id));
    const first = await requestToken(server.issuer, {
      ...exchange(walkOf(id), code, verifier),
      ...(await assertion(id)),
    });
    assert.equal(first.status, 200, JSON.stringify(first.body));
    const fresh = await freshNode();
    for (const issuer of [server.issuer, fresh]) {
      const refused = await refresh(id, first.body.refresh_token, {}, issuer);
      assert.deepEqual([refused.status, refused.body.error], [401, "invalid_client"]);
    }
    const second = await refresh(id, first.body.refresh_token, await assertion(id));
    assert.equal(second.status, 200, JSON.stringify(second.body));
    assert.equal((await server.store.clients.find(id))?.type, "confidential");
    // A later consent does not open it again.
    await getTokens({ ...walkOf(id), params: { prompt: "consent" } }).catch(() => {});
    assert.equal((await refresh(id, second.body.refresh_token)).status, 401);
  });

  test("nothing, while it has never used an assertion; a wrong assertion changes nothing", async () => {
    const { id } = publish(BOTH);
    const { refresh_token } = await getTokens(walkOf(id));
    const wrong = generateKeyPairSync("rsa", { modulusLength: 2048 }).privateKey;
    const claims = { iss: id, sub: id, aud: server.issuer, jti: randomUUID() };
    const jwt = await new SignJWT(claims).setProtectedHeader({ alg: "RS256" }).setExpirationTime("60s").sign(wrong);
    const forged = await refresh(id, refresh_token, { client_assertion_type: ASSERTION, client_assertion: jwt });
    assert.equal(forged.body.error, "invalid_client");
    assert.equal((await refresh(id, refresh_token)).status, 200);
    assert.equal((await server.store.clients.find(id))?.type, "public");
  });

  test("an assertion at /par counts too, before anybody has let the client in", async () => {
    const { id } = publish(BOTH);
    const { url, verifier } = authorizationRequest(walkOf(id));
    for (const [name, value] of Object.entries(await assertion(id))) url.searchParams.set(name, value);
    const pushed = await fetch(`${server.issuer}/par`, { method: "POST", body: url.searchParams });
    assert.equal(pushed.status, 201, await pushed.clone().text());
    const { code, verifier: other } = await authorize(walkOf(id));
    assert.notEqual(verifier, other);
    const open = await requestToken(server.issuer, exchange(walkOf(id), code, other));
    assert.deepEqual([open.status, open.body.error], [401, "invalid_client"]);
  });

  test("beside or instead of the singular; what the keys allow; no secrets", async () => {
    const jwks_uri = BOTH.jwks_uri;
    for (const [metadata, ways] of [
      [{ token_endpoint_auth_methods_supported: ["none"] }, "open"],
      [{ token_endpoint_auth_methods_supported: ["private_key_jwt", "none"] }, "open"],
      [
        { token_endpoint_auth_methods_supported: ["private_key_jwt", "none", "client_secret_post", "x"], jwks_uri },
        "both",
      ],
      [{ token_endpoint_auth_methods_supported: ["private_key_jwt"], jwks_uri }, "signed"],
      [
        { token_endpoint_auth_method: "none", token_endpoint_auth_methods_supported: ["private_key_jwt"], jwks_uri },
        "both",
      ],
      [
        { token_endpoint_auth_method: "private_key_jwt", token_endpoint_auth_methods_supported: ["none"], jwks_uri },
        "both",
      ],
      [{ token_endpoint_auth_method: "private_key_jwt", jwks_uri }, "signed"],
      [{ token_endpoint_auth_method: null, token_endpoint_auth_methods_supported: null }, "open"],
      [{ token_endpoint_auth_methods_supported: ["client_secret_basic"] }, "none"],
      [{ token_endpoint_auth_methods_supported: [] }, "none"],
      [{ token_endpoint_auth_methods_supported: "none" }, "none"],
      [{ token_endpoint_auth_methods_supported: ["private_key_jwt"] }, "none"],
    ] as const) {
      const { id } = publish(metadata);
      const name = JSON.stringify(metadata);
      assert.equal(await isKnown(id), ways !== "none", name);
      const open = (await refresh(id, "x")).body.error === "invalid_grant";
      const signed = (await refresh(id, "x", await assertion(id))).body.error === "invalid_grant";
      assert.deepEqual({ open, signed }, { open: /open|both/.test(ways), signed: /signed|both/.test(ways) }, name);
    }
  });
});

describe("A21 a document that cannot be read", () => {
  const WRONG = {
    "a bot check": { status: 403, type: "text/html", body: "<h1>Are you human?</h1>" },
    "too many requests": { status: 429, body: "{}" },
    "an error": { status: 500, body: "" },
    "a gateway's error": { status: 503, type: "text/html", body: "<h1>503</h1>" },
    "a page": { type: "text/html", body: "<h1>Hello</h1>" },
    "broken JSON": { body: '{"client_id":' },
    "another document": { body: '{"error":"blocked"}' },
    "no object": { body: "null" },
    "a redirect": { status: 302, headers: { location: "/challenge" } },
    silence: { never: true },
  } as const;

  for (const [name, answer] of Object.entries(WRONG))
    test(`${name}: the last good copy counts for 7 days, at nodes without memory too`, async () => {
      ahead = 0;
      const { id, path } = publish();
      const { refresh_token } = await getTokens(walkOf(id));
      site.answer(path, answer);
      ahead = 6.9 * DAY;
      assert.equal(await isKnown(id), true, "with the copy in memory");
      const fresh = await freshNode();
      assert.equal(await isKnown(id, fresh), true, "with the stored one");
      const kept = await refresh(id, refresh_token, {}, fresh);
      assert.equal(kept.status, 200, JSON.stringify(kept.body));
      ahead = 7.1 * DAY;
      assert.equal(await isKnown(id), false);
      const over = await refresh(id, kept.body.refresh_token);
      assert.deepEqual([over.status, over.body.error], [401, "invalid_client"]);
      ahead = 0;
    });

  test("each good read makes it last, and the newest counts", async () => {
    const { id, path } = publish();
    await getTokens(walkOf(id));
    ahead = 5 * DAY;
    site.put(path, { client_name: "A tool", redirect_uris: ["https://chatgpt.com/new"] });
    assert.equal(await isKnown(id), false, "the redirect is gone");
    site.answer(path, WRONG["an error"]);
    ahead = 11 * DAY;
    for (const issuer of [server.issuer, await freshNode()]) {
      assert.equal(await isKnown(id, issuer), false, "an older copy is not what counts");
      assert.equal(await isKnown(id, issuer, "https://chatgpt.com/new"), true);
    }
    ahead = 0;
  });

  test("taken away, or no client any more: it ends at once, and an error afterwards brings nothing back", async () => {
    for (const answer of [
      { status: 404, body: "" },
      { status: 410, body: "" },
      null, // its own document, with redirects that nobody can register
    ]) {
      ahead = 0;
      const { id, path } = publish();
      await getTokens(walkOf(id));
      if (answer === null) site.put(path, { redirect_uris: ["javascript:alert(1)"] });
      else site.answer(path, answer);
      ahead = 2 * DAY;
      assert.equal(await isKnown(id), false);
      site.answer(path, WRONG["an error"]);
      ahead += 3_600_000;
      for (const issuer of [server.issuer, await freshNode()]) assert.equal(await isKnown(id, issuer), false);
    }
    ahead = 0;
  });

  test("a document of a client that nobody has let in is written nowhere", async () => {
    const { id, path } = publish();
    assert.equal(await isKnown(id), true);
    site.answer(path, WRONG["an error"]);
    ahead = DAY;
    assert.equal(await isKnown(id), true, "remembered");
    assert.equal(await isKnown(id, await freshNode()), false);
    assert.ok(!(await server.readAll()).includes(id));
    ahead = 0;
  });
});
