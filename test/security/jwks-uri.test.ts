import assert from "node:assert/strict";
import { generateKeyPairSync, type KeyObject, randomUUID } from "node:crypto";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { after, before, beforeEach, describe, test } from "node:test";
import { SignJWT } from "jose";
import * as oauth from "oauth4webapi";
import { openTestServer, SPA_CALLBACK, type TestServer } from "./authorization-server.ts";
import { authorizationRequest, Browser, requestToken } from "./client.ts";

const ASSERTION = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer";
const MINUTE = 60_000;

interface Pair {
  readonly publicKey: KeyObject;
  readonly privateKey: KeyObject;
}
const [first, second]: [Pair, Pair] = [
  generateKeyPairSync("ec", { namedCurve: "P-256" }),
  generateKeyPairSync("ec", { namedCurve: "P-256" }),
];
const jwk = ({ publicKey }: Pair, kid: string) => ({ ...publicKey.export({ format: "jwk" }), kid });

describe("keys of clients at an address of theirs (jwks_uri)", () => {
  let server: TestServer;
  let site: Server;
  let uri: string;
  let asked = 0;
  /** The server's clock stands still, unless a test moves it by so many milliseconds. */
  const start = Date.now();
  let ahead = 0;
  let answer: { status?: number; headers?: Record<string, string>; body: string };
  const publish = (...keys: object[]) => {
    answer = { body: JSON.stringify({ keys }) };
  };

  before(async () => {
    site = createServer((_request, response) => {
      asked++;
      const headers = { "content-type": "application/json", ...answer.headers };
      response.writeHead(answer.status ?? 200, headers).end(answer.body);
    });
    await new Promise<void>((done) => site.listen(0, "127.0.0.1", done));
    uri = `http://127.0.0.1:${(site.address() as AddressInfo).port}/jwks`;
    server = await openTestServer({
      privateHosts: ["127.0.0.1"],
      now: () => start + ahead,
      settings: { REGISTRATION: "open", SIGNED_REQUESTS: true },
    });
  });
  after(async () => {
    site.close();
    await server.close();
  });

  let id: string;
  beforeEach(async () => {
    [asked, ahead] = [0, 0];
    publish(jwk(first, "1"));
    id = await addClient(`${uri}?${randomUUID()}`); // nothing of it is remembered
  });

  async function addClient(jwksUri: string): Promise<string> {
    const client = { id: randomUUID(), type: "confidential", jwksUri } as const;
    await server.addClient({ ...client, grantTypes: ["authorization_code", "client_credentials"] });
    return client.id;
  }

  /** Asks for a token with an assertion that the key has signed. */
  async function sign(pair: Pair, kid: string, clientId = id): Promise<number> {
    const jwt = new SignJWT({ jti: randomUUID() })
      .setProtectedHeader({ alg: "ES256", kid })
      .setIssuer(clientId)
      .setSubject(clientId)
      .setAudience(server.issuer)
      .setExpirationTime("1m");
    const assertion = { client_assertion_type: ASSERTION, client_assertion: await jwt.sign(pair.privateKey) };
    const { status, body } = await requestToken(server.issuer, { grant_type: "client_credentials", ...assertion });
    if (status !== 200) assert.deepEqual([status, body.error], [401, "invalid_client"]);
    return status;
  }

  test("oauth4webapi, a client by its keys alone, gets a token; they are read once", async () => {
    const key = await crypto.subtle.importKey(
      "jwk",
      first.privateKey.export({ format: "jwk" }),
      { name: "ECDSA", namedCurve: "P-256" },
      false,
      ["sign"],
    );
    const [issuer, options] = [new URL(server.issuer), { [oauth.allowInsecureRequests]: true }];
    const as = await oauth.processDiscoveryResponse(issuer, await oauth.discoveryRequest(issuer, options));
    const client = { client_id: id };
    for (let i = 0; i < 2; i++) {
      const authentication = oauth.PrivateKeyJwt({ key, kid: "1" });
      const scope = new URLSearchParams({ scope: "posts:read" });
      const response = await oauth.clientCredentialsGrantRequest(as, client, authentication, scope, options);
      const tokens = await oauth.processClientCredentialsResponse(as, client, response);
      assert.equal(tokens.scope, "posts:read");
    }
    assert.equal(asked, 1);
  });

  test("a new key is found by its unknown kid; however many unknown ones come, the address is asked once in 5 s", async () => {
    assert.equal(await sign(first, "1"), 200);
    publish(jwk(second, "2"));
    for (let i = 0; i < 5; i++) assert.equal(await sign(second, "unknown"), 401);
    assert.equal(asked, 1);
    ahead = 6_000;
    assert.equal(await sign(second, "2"), 200);
    assert.equal(await sign(first, "1"), 401, "the old one is gone with it");
    for (let i = 0; i < 5; i++) assert.equal(await sign(second, "unknown"), 401);
    assert.equal(asked, 2);
  });

  test("twenty at the same moment are one request to the address, and all of them are let in", async () => {
    const statuses = await Promise.all(Array.from({ length: 20 }, () => sign(first, "1")));
    assert.deepEqual(new Set(statuses), new Set([200]));
    assert.equal(asked, 1);
  });

  test("a key that was taken away ends with the cache: after a minute at the least, an hour at the most", async () => {
    for (const [cacheControl, still, over] of [
      ["max-age=1", 50_000, 61_000],
      ["no-store", 50_000, 61_000],
      ["", 4 * MINUTE, 6 * MINUTE],
      ["max-age=999999999", 59 * MINUTE, 61 * MINUTE],
    ] as const) {
      ahead = 0;
      publish(jwk(first, "1"));
      answer.headers = { "cache-control": cacheControl };
      const own = await addClient(`${uri}?${randomUUID()}`);
      assert.equal(await sign(first, "1", own), 200);
      publish(jwk(second, "1"));
      ahead = still;
      assert.equal(await sign(first, "1", own), 200, `${cacheControl}, still`);
      ahead = over;
      assert.equal(await sign(first, "1", own), 401, `${cacheControl}, over`);
    }
  });

  test("while the address is away its keys are good for an hour, and it is asked every 5 s only", async () => {
    assert.equal(await sign(first, "1"), 200);
    answer = { status: 503, body: "" };
    ahead = 10 * MINUTE;
    for (let i = 0; i < 3; i++) assert.equal(await sign(first, "1"), 200);
    assert.equal(asked, 2);
    ahead = 61 * MINUTE;
    for (let i = 0; i < 3; i++) assert.equal(await sign(first, "1"), 401);
    assert.equal(asked, 3);
    publish(jwk(first, "1"));
    ahead += 6_000;
    assert.equal(await sign(first, "1"), 200);
  });

  test("A37 what is no answer for us is none: redirects, faults, other texts, too much, private keys", async () => {
    const key = jwk(first, "1");
    const wrong: Record<string, typeof answer> = {
      redirect: { status: 302, headers: { location: `${uri}/elsewhere` }, body: "" },
      fault: { status: 500, body: JSON.stringify({ keys: [key] }) },
      "no JSON": { body: "<p>" },
      "no set": { body: JSON.stringify([key]) },
      null: { body: "null" },
      "too much": { body: JSON.stringify({ keys: [key], more: "x".repeat(70_000) }) },
      "a private key": {
        body: JSON.stringify({ keys: [{ ...first.privateKey.export({ format: "jwk" }), kid: "1" }] }),
      },
      "a key for encryption": { body: JSON.stringify({ keys: [{ ...key, use: "enc" }] }) },
      "a key for another algorithm": { body: JSON.stringify({ keys: [{ ...key, alg: "ES384" }] }) },
      nonsense: { body: JSON.stringify({ keys: [null, 7, "x", {}, { kty: "EC", kid: "1", crv: "P-256" }] }) },
    };
    for (const [name, given] of Object.entries(wrong)) {
      answer = given;
      asked = 0;
      assert.equal(await sign(first, "1", await addClient(`${uri}?${randomUUID()}`)), 401, name);
      assert.equal(asked, 1, name);
    }
  });

  test("A37 addresses in private networks are not called", async () => {
    const port = new URL(uri).port;
    for (const host of ["localhost", "[::1]"]) {
      const own = await addClient(`http://${host}:${port}/jwks`);
      assert.equal(await sign(first, "1", own), 401, host);
    }
    assert.equal(await sign(first, "1", await addClient("https://10.0.0.1/jwks")), 401);
    assert.equal(asked, 0);
    await assert.rejects(addClient("http://example.com/jwks"), /https/);
    await assert.rejects(addClient("com.example:/jwks"), /https/);
  });

  test("signed authorization requests are checked with them too (RFC 9101)", async () => {
    const ask = async (pair: Pair, kid: string) => {
      const options = { issuer: server.issuer, clientId: id, redirectUri: SPA_CALLBACK, scope: "openid" };
      const params = Object.fromEntries(authorizationRequest(options).url.searchParams);
      const request = await new SignJWT({ ...params, client_id: id })
        .setProtectedHeader({ alg: "ES256", kid })
        .setIssuer(id)
        .setAudience(server.issuer)
        .setNotBefore("0s")
        .setExpirationTime("1m")
        .sign(pair.privateKey);
      const query = new URLSearchParams({ ...params, request });
      return (await new Browser().follow(`${server.issuer}/authorize?${query}`)).url.searchParams.get("error");
    };
    assert.equal(await ask(first, "1"), null);
    for (let i = 0; i < 5; i++) assert.equal(await ask(second, "unknown"), "invalid_request_object");
    assert.equal(asked, 1);
    publish(jwk(second, "2"));
    ahead = 6_000;
    assert.equal(await ask(second, "2"), null);
  });

  test("a client registers itself with it (RFC 7591), and not with jwks as well", async () => {
    const register = async (more: object) => {
      const metadata = {
        redirect_uris: [SPA_CALLBACK],
        grant_types: ["authorization_code"],
        token_endpoint_auth_method: "private_key_jwt",
        jwks_uri: uri,
        token_endpoint_auth_signing_alg: "PS256",
        ...more,
      };
      const response = await fetch(`${server.issuer}/register`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify(metadata),
      });
      return { status: response.status, body: (await response.json()) as Record<string, string> };
    };
    const { status, body } = await register({});
    assert.equal(status, 201);
    assert.deepEqual([body.token_endpoint_auth_method, body.jwks_uri], ["private_key_jwt", uri]);
    const { jwksUri, assertionAlgorithm } = (await server.store.clients.find(body.client_id ?? "")) ?? {};
    assert.deepEqual([jwksUri, assertionAlgorithm, body.token_endpoint_auth_signing_alg], [uri, "PS256", "PS256"]);
    for (const wrong of [
      { jwks: { keys: [jwk(first, "1")] } },
      { jwks_uri: 7 },
      { jwks_uri: "http://example.com/" },
      { token_endpoint_auth_signing_alg: "HS256" },
    ]) {
      const refused = await register(wrong);
      assert.deepEqual([refused.status, refused.body.error], [400, "invalid_client_metadata"], JSON.stringify(wrong));
    }
  });
});
