import assert from "node:assert/strict";
import { createHmac, createPublicKey, type JsonWebKey } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { after, before, describe, test } from "node:test";
import { CompactSign, exportJWK, generateKeyPair, importJWK, type JWK } from "jose";
import { keySet, type SigningJwk } from "../../src/authorization-server/tokens/keys.ts";
import { openSealer } from "../../src/secrets/seal.ts";
import { hashToken } from "../../src/secrets/token-hash.ts";
import { CLIENT_SECRET, openTestServer, SPA_CALLBACK, type TestServer, WEB_CALLBACK } from "./authorization-server.ts";
import { authorizationRequest, type Browser, getTokens } from "./client.ts";

let server: TestServer;
/** The server's own key: what only a server gone wrong could sign. */
let ours: SigningJwk;
let foreign: { privateKey: Awaited<ReturnType<typeof generateKeyPair>>["privateKey"]; jwk: JWK };
/** Everything that must not pass for an ID token of ours for the client `spa`. */
let forged: [name: string, jwt: string][];
let browser: Browser;
let good: { header: Record<string, unknown>; claims: Record<string, unknown> };
/** What was fetched from the address that forged headers name. */
let fetched = 0;
const bait = createServer((_request, response) => {
  fetched++;
  response.setHeader("content-type", "application/json").end(JSON.stringify({ keys: [foreign.jwk] }));
});

before(async () => {
  await new Promise<void>((resolve) => bait.listen(0, "127.0.0.1", resolve));
  server = await openTestServer({ privateHosts: ["127.0.0.1"] });
  await server.addClient({ id: "other" });
  await server.addClient({ id: "rsa", idTokenAlgorithm: "RS256" });
  const { keys } = keySet(await server.store.signingKeys.list(), openSealer(server.secret), Date.now());
  ours = keys[0] as SigningJwk;
  const { privateKey, publicKey } = await generateKeyPair("ES256", { extractable: true });
  foreign = { privateKey, jwk: { ...(await exportJWK(publicKey)), kid: ours.kid, alg: "ES256", use: "sig" } };
  const tokens = await getTokens(spa());
  browser = tokens.browser;
  const [header = "", payload = ""] = tokens.id_token.split(".");
  good = { header: parse(header), claims: parse(payload) };
  forged = Object.entries(await forgeries());
});
after(async () => {
  bait.close();
  await server.close();
});

const spa = () => ({ issuer: server.issuer, clientId: "spa", redirectUri: SPA_CALLBACK, scope: "openid" });
const parse = (part: string) => JSON.parse(Buffer.from(part, "base64url").toString()) as Record<string, unknown>;
const encode = (part: object) => Buffer.from(JSON.stringify(part)).toString("base64url");
type Change = Record<string, unknown>;

/** Signed as the server does, but for the changes. */
async function signedByUs(header: Change = {}, claims: Change = {}): Promise<string> {
  const payload = Buffer.from(JSON.stringify({ ...good.claims, ...claims }));
  const key = await importJWK(ours as JWK, "ES256");
  return new CompactSign(payload).setProtectedHeader({ alg: "ES256", kid: ours.kid, ...header }).sign(key);
}

async function signedByOthers(header: Change = {}): Promise<string> {
  const payload = Buffer.from(JSON.stringify(good.claims));
  return new CompactSign(payload).setProtectedHeader({ alg: "ES256", ...header }).sign(foreign.privateKey);
}

function unsigned(alg: unknown, signature = ""): string {
  return `${encode({ ...good.header, alg })}.${encode(good.claims)}.${signature}`;
}

function hmac(secret: string | Buffer, header: Change = {}): string {
  const input = `${encode({ ...good.header, alg: "HS256", ...header })}.${encode(good.claims)}`;
  return `${input}.${createHmac("sha256", secret).update(input).digest("base64url")}`;
}

async function forgeries(): Promise<Record<string, string>> {
  const url = `http://127.0.0.1:${(bait.address() as AddressInfo).port}/jwks`;
  const { kty, crv, x = "", y } = ours;
  const publicJwk: JsonWebKey = { kty: kty ?? "", crv: crv ?? "", x, y: y ?? "" };
  const pem = createPublicKey({ key: publicJwk, format: "jwk" }).export({ type: "spki", format: "pem" });
  const [ourHeader = "", ourPayload = "", ourSignature = ""] = (await signedByUs()).split(".");
  const web = await getTokens({ ...spa(), clientId: "web", redirectUri: WEB_CALLBACK, clientSecret: CLIENT_SECRET });
  const other = await getTokens({ ...spa(), clientId: "other" });
  return {
    "alg none": unsigned("none"),
    "alg none, written otherwise": unsigned("nOnE"),
    "alg none with a signature": unsigned("none", ourSignature),
    "no alg": unsigned(undefined, ourSignature),
    "an empty signature": `${ourHeader}.${ourPayload}.`,
    "no signature at all": `${ourHeader}.${ourPayload}`,
    "HS256 with the public key as PEM": hmac(String(pem)),
    "HS256 with the public key as DER": hmac(createPublicKey(String(pem)).export({ type: "spki", format: "der" })),
    "HS256 with the public key as JSON": hmac(JSON.stringify(publicJwk)),
    "HS256 with the key id": hmac(ours.kid),
    "HS256 with nothing": hmac(""),
    "HS256 without kid": hmac(String(pem), { kid: undefined }),
    "RS256 named, ES256 signed": unsigned("RS256", ourSignature),
    "ES384 named": unsigned("ES384", ourSignature),
    "another one's key under our kid": await signedByOthers({ kid: ours.kid }),
    "another one's key under its own kid": await signedByOthers({ kid: "foreign" }),
    "another one's key without kid": await signedByOthers(),
    "another one's key in the header": await signedByOthers({ jwk: foreign.jwk, kid: ours.kid }),
    "another one's key by jku": await signedByOthers({ jku: url, kid: "foreign" }),
    "another one's key by x5u": await signedByOthers({ x5u: url, kid: ours.kid }),
    "another one's certificate": await signedByOthers({ x5c: ["MIIB"], kid: ours.kid }),
    "kid as a path": await signedByOthers({ kid: "../../../../dev/null" }),
    "kid as SQL": await signedByOthers({ kid: "' OR 1=1 --" }),
    "kid that is no text": `${encode({ alg: "ES256", kid: { $ne: "" } })}.${ourPayload}.${ourSignature}`,
    "another issuer": await signedByUs({}, { iss: "https://evil.example.com" }),
    "an issuer with a slash": await signedByUs({}, { iss: `${server.issuer}/` }),
    "no issuer": await signedByUs({}, { iss: undefined }),
    "another audience": await signedByUs({}, { aud: "web" }),
    "no audience": await signedByUs({}, { aud: undefined }),
    "other audiences": await signedByUs({}, { aud: ["web", "other"] }),
    "no subject": await signedByUs({}, { sub: undefined }),
    "typ of a logout token": await signedByUs({ typ: "logout+jwt" }),
    "typ of an access token": await signedByUs({ typ: "at+jwt" }),
    "typ that is no text": await signedByUs({ typ: 1 }),
    "a critical extension": `${encode({ alg: "ES256", kid: ours.kid, crit: ["exp"], exp: 1 })}.${ourPayload}.${ourSignature}`,
    "not valid yet": await signedByUs({}, { nbf: Math.floor(Date.now() / 1_000) + 3_600 }),
    "of another client": other.id_token,
    "of a client with a secret": web.id_token,
    "an access token": web.access_token,
    "no JWT": "x",
    "five parts": "a.b.c.d.e",
    "not base64": "!.!.!",
    "not JSON": "eA.eA.eA",
    "JSON null": "bnVsbA.bnVsbA.bnVsbA",
  };
}

describe("A33 what must not pass for a JWT of ours", () => {
  test("A33 the real one does, so that what follows says something", async () => {
    for (const jwt of [await signedByUs(), await signedByUs({ typ: "JWT" }), await signedByUs({}, { exp: 1 })]) {
      const end = await browser.follow(authorizationRequest({ ...spa(), params: hint(jwt) }).url);
      assert.ok(end.url.searchParams.has("code"), `${end.url}`);
      assert.equal((await browser.follow(`${server.issuer}/logout?id_token_hint=${jwt}`)).response.status, 200);
    }
  });

  test("A33 id_token_hint at /authorize: invalid_request, and no code", async () => {
    for (const [name, jwt] of forged) {
      const { url, state } = authorizationRequest({ ...spa(), params: hint(jwt) });
      const end = await browser.follow(url);
      assert.equal(end.url.searchParams.get("error"), "invalid_request", `${name}: ${end.url}`);
      assert.equal(end.url.searchParams.get("state"), state);
      assert.equal(end.url.searchParams.has("code"), false);
    }
    assert.equal(fetched, 0);
  });

  test("A33 id_token_hint at /par: invalid_request", async () => {
    for (const [name, jwt] of forged) {
      const { searchParams } = authorizationRequest({ ...spa(), params: hint(jwt) }).url;
      const answer = await fetch(`${server.issuer}/par`, { method: "POST", body: searchParams });
      assert.equal(answer.status, 400, name);
      assert.equal(((await answer.json()) as { error: string }).error, "invalid_request", name);
    }
    assert.equal(fetched, 0);
  });

  test("A33 A41 id_token_hint at /logout: a page, no redirect, and the session goes on", async () => {
    for (const [name, jwt] of forged) {
      // With its own client's id beside it, as that is what a forger would say.
      const params = { id_token_hint: jwt, client_id: "spa", post_logout_redirect_uri: "https://spa.example.com/bye" };
      const page = await browser.follow(`${server.issuer}/logout?${new URLSearchParams(params)}`);
      assert.deepEqual([page.left, page.response.status], [false, 400], name);
      assert.doesNotMatch(page.text, /<form/, name);
    }
    const still = await browser.follow(authorizationRequest({ ...spa(), params: { prompt: "none" } }).url);
    assert.ok(still.url.searchParams.has("code"));
    assert.equal(fetched, 0);
  });

  test("A33 a hint signed with a key of ours for another algorithm than the client's", async () => {
    const tokens = await getTokens({ ...spa(), clientId: "rsa" });
    assert.equal(parse(tokens.id_token.split(".")[0] ?? "").alg, "RS256");
    const params = hint(await signedByUs({}, { aud: "rsa" }));
    const end = await tokens.browser.follow(authorizationRequest({ ...spa(), clientId: "rsa", params }).url);
    assert.equal(end.url.searchParams.get("error"), "invalid_request");
    const own = await tokens.browser.follow(
      authorizationRequest({ ...spa(), clientId: "rsa", params: hint(tokens.id_token) }).url,
    );
    assert.ok(own.url.searchParams.has("code"));
  });

  test("A33 as client_assertion: no way to authenticate here, whatever is signed by whom", async () => {
    await server.addClient({
      id: "asserting",
      type: "confidential",
      secretHash: hashToken(CLIENT_SECRET),
    });
    const about = { iss: "asserting", sub: "asserting", aud: server.issuer, jti: "1", exp: 4_000_000_000 };
    const claims = encode(about);
    const hs256 = `${encode({ alg: "HS256" })}.${claims}`;
    const assertions = [
      `${encode({ alg: "none" })}.${claims}.`,
      `${hs256}.${createHmac("sha256", CLIENT_SECRET).update(hs256).digest("base64url")}`,
      `${hs256}.${createHmac("sha256", hashToken(CLIENT_SECRET)).update(hs256).digest("base64url")}`,
      await signedByUs({}, about),
    ];
    for (const client_assertion of assertions) {
      for (const client of [{}, { client_id: "asserting" }]) {
        const body = new URLSearchParams({
          grant_type: "refresh_token",
          refresh_token: "x",
          client_assertion_type: "urn:ietf:params:oauth:client-assertion-type:jwt-bearer",
          client_assertion,
          ...client,
        });
        const answer = await fetch(`${server.issuer}/token`, { method: "POST", body });
        assert.equal(answer.status, 401);
        assert.equal(((await answer.json()) as { error: string }).error, "invalid_client");
      }
    }
  });

  test("A33 I02 as a bearer token, an authorization code, a refresh token, at introspection: it opens nothing", async () => {
    const own = { client_id: "web", client_secret: CLIENT_SECRET };
    for (const [name, jwt] of [["real", await signedByUs()] as const, ...forged]) {
      if (name === "an access token") continue;
      const headers = { authorization: `Bearer ${jwt}` };
      const info = await fetch(`${server.issuer}/userinfo`, { headers });
      assert.ok([400, 401].includes(info.status), name);
      const post = (path: string, params: Record<string, string>) =>
        fetch(server.issuer + path, { method: "POST", body: new URLSearchParams({ ...own, ...params }) });
      assert.deepEqual(await (await post("/introspect", { token: jwt })).json(), { active: false }, name);
      const revoked = await post("/revoke", { token: jwt });
      assert.deepEqual([revoked.status, await revoked.text()], [200, ""], name);
      const grants: Record<string, string>[] = [
        { grant_type: "refresh_token", refresh_token: jwt },
        { grant_type: "authorization_code", code: jwt, redirect_uri: WEB_CALLBACK, code_verifier: "v".repeat(43) },
      ];
      for (const grant of grants) {
        const answer = await post("/token", grant);
        assert.equal(((await answer.json()) as { error: string }).error, "invalid_grant", name);
      }
    }
    const jwtBearer = await fetch(`${server.issuer}/token`, {
      method: "POST",
      body: new URLSearchParams({
        ...own,
        grant_type: "urn:ietf:params:oauth:grant-type:jwt-bearer",
        assertion: await signedByUs(),
      }),
    });
    assert.equal(((await jwtBearer.json()) as { error: string }).error, "unsupported_grant_type");
  });
});

function hint(jwt: string): Record<string, string> {
  return { prompt: "none", id_token_hint: jwt };
}
