import assert from "node:assert/strict";
import { generateKeyPairSync } from "node:crypto";
import { DatabaseSync } from "node:sqlite";
import { after, before, describe, test } from "node:test";
import { decodeJwt, decodeProtectedHeader, SignJWT } from "jose";
import * as oidc from "openid-client";
import { openTestApp, type TestApp } from "../app.ts";
import { runCommand, runJson } from "../command.ts";
import { freePort } from "../port.ts";
import { sqlOn } from "../postgres.ts";
import { Browser, walk } from "../security/client.ts";
import { livedTime } from "../timing.ts";

const PASSWORD = "seventeen tall birches";
const REDIRECT_URI = "http://localhost:9/callback";
const OTHER = "https://other.example.com";
const SCOPE = "openid profile posts:read posts:write users:read";

/** Two copies of the program, each with a database of its own: one signs people in, the other trusts it. */
describe("one copy of the program is the issuer of another (RFC 8707, RFC 9068, RFC 9728)", () => {
  let issuer: TestApp;
  let api: TestApp;
  let resource: string;
  let client: oidc.Configuration;
  let browser: Browser;
  let ada: string;
  /** Milliseconds by which the clocks of the two are ahead. */
  const ahead = { issuer: 0, api: 0 };

  before(async () => {
    const port = await freePort();
    resource = `http://localhost:${port}/graphql`;
    issuer = await openTestApp({ RESOURCES: `${resource}, ${OTHER} RS256` }, { now: () => Date.now() + ahead.issuer });
    api = await openTestApp(
      { PORT: String(port), TRUSTED_ISSUER: issuer.config.AUTH_URL },
      { now: () => Date.now() + ahead.api },
    );
    const person = ["user", "create", "--email", "ada@example.com", "--name", "Ada", "--password-stdin"];
    ada = (await runJson<{ id: string }>(person, issuer.environment, PASSWORD)).id;
    const site = ["client", "create", "--name", "Site", "--redirect-uri", REDIRECT_URI, "--public", "--scope", SCOPE];
    const { client_id: id } = await runJson<{ client_id: string }>(site, issuer.environment);
    client = await discover(id);
    browser = new Browser();
  });
  after(async () => {
    await api.close();
    await issuer.close();
  });

  const discover = (id: string) =>
    oidc.discovery(new URL(issuer.config.AUTH_URL), id, {}, oidc.None(), { execute: [oidc.allowInsecureRequests] });

  async function signIn(target: string, options: oidc.DPoPOptions = {}) {
    const verifier = oidc.randomPKCECodeVerifier();
    const state = oidc.randomState();
    const url = oidc.buildAuthorizationUrl(client, {
      redirect_uri: REDIRECT_URI,
      scope: SCOPE,
      state,
      resource: target,
      code_challenge: await oidc.calculatePKCECodeChallenge(verifier),
      code_challenge_method: "S256",
    });
    const end = await walk(browser, await browser.follow(url), {
      issuer: issuer.config.AUTH_URL,
      clientId: client.clientMetadata().client_id,
      redirectUri: REDIRECT_URI,
      password: PASSWORD,
    });
    const checks = { pkceCodeVerifier: verifier, expectedState: state };
    return oidc.authorizationCodeGrant(client, end.url, checks, { resource: target }, options);
  }

  async function ask(token: string, query = "{ posts { id } }", at = api) {
    const response = await fetch(`${at.config.BASE_URL}/graphql`, {
      method: "POST",
      headers: { "content-type": "application/json", authorization: `Bearer ${token}` },
      body: JSON.stringify({ query }),
    });
    const body = (await response.json()) as { data?: unknown; errors?: { extensions: { code: string } }[] };
    return { status: response.status, challenge: response.headers.get("www-authenticate") ?? "", ...body };
  }

  /** A person comes to the other copy, with the id that they have at the issuer. */
  async function movePerson(email: string, id: string): Promise<void> {
    const person = ["user", "create", "--email", email, "--name", "Ada", "--password-stdin"];
    const { id: before } = await runJson<{ id: string }>(person, api.environment, PASSWORD);
    const change = `UPDATE users SET id = '${id}' WHERE id = '${before}'`;
    const { DATABASE_URL: url } = api.config;
    if (url.startsWith("postgres")) await sqlOn(url, change);
    else {
      const database = new DatabaseSync(url.replace("sqlite:", ""));
      database.exec(change);
      database.close();
    }
  }

  /** How often the issuer's keys have been read. */
  async function keyReads(): Promise<number> {
    const metrics = await (await fetch(`${issuer.url}/metrics`)).text();
    const lines = metrics.split("\n").filter((line) => line.includes('"/jwks"') && line.includes("_count"));
    return lines.reduce((sum, line) => sum + Number(line.split(" ").at(-1)), 0);
  }

  test("a client that knows the API alone finds the issuer, signs a person in there, and uses the token here", async () => {
    const refused = await fetch(resource, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: "{}",
    });
    const metadataUrl = /resource_metadata="([^"]+)"/.exec(refused.headers.get("www-authenticate") ?? "")?.[1] ?? "";
    const metadata = (await (await fetch(metadataUrl)).json()) as { resource: string; authorization_servers: string[] };
    assert.equal(metadata.resource, resource);
    assert.ok(metadata.authorization_servers.includes(issuer.config.AUTH_URL));

    const tokens = await signIn(metadata.resource);
    assert.equal(decodeProtectedHeader(tokens.access_token).typ, "at+jwt");
    assert.equal(tokens.claims()?.sub, ada);
    assert.deepEqual(await ask(tokens.access_token), { status: 200, challenge: "", data: { posts: [] } });
    const nobody = await ask(tokens.access_token, "{ viewer { id } }");
    assert.equal(nobody.status, 200);
    assert.deepEqual(nobody.data, { viewer: null }, "whom nobody here has as an id is nobody here");
    const write = 'mutation { createPost(input: { title: "a", body: "b" }) { author { id } } }';
    assert.equal((await ask(tokens.access_token, write)).errors?.[0]?.extensions.code, "FORBIDDEN");

    await movePerson("ada@example.com", ada);
    const again = await oidc.refreshTokenGrant(client, tokens.refresh_token ?? "", { resource });
    assert.deepEqual((await ask(again.access_token, "{ viewer { id name } }")).data, {
      viewer: { id: ada, name: "Ada" },
    });
    assert.deepEqual((await ask(again.access_token, write)).data, { createPost: { author: { id: ada } } });
  });

  test("A31 it is refused where it was not made for: at the issuer, and here what was made for others", async () => {
    const { access_token: token } = await signIn(resource);
    const atIssuer = await ask(token, "{ posts { id } }", issuer);
    assert.equal(atIssuer.status, 401);
    assert.match(atIssuer.challenge, /error="invalid_token"/);
    const others = await signIn(OTHER);
    const own = await signIn(`${issuer.config.BASE_URL}/graphql`);
    assert.equal((await ask(own.access_token, "{ posts { id } }", issuer)).status, 200);
    for (const wrong of [others.access_token, own.access_token, others.id_token ?? "", String(decodeJwt(token).jti)])
      assert.equal((await ask(wrong)).status, 401);
  });

  test("A33 another key under the issuer's name for it, and what was changed, are refused", async () => {
    const { access_token: token } = await signIn(resource);
    const { privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
    const sign = (header: object) =>
      new SignJWT(decodeJwt(token)).setProtectedHeader({ alg: "ES256", typ: "at+jwt", ...header }).sign(privateKey);
    const { kid = "" } = decodeProtectedHeader(token);
    const [header = "", , signature = ""] = token.split(".");
    const claims = Buffer.from(JSON.stringify({ ...decodeJwt(token), scope: "admin" })).toString("base64url");
    assert.equal((await ask(token)).status, 200);
    for (const forged of [
      await sign({ kid }),
      await sign({}),
      `${header}.${claims}.${signature}`,
      `${token.slice(0, -4)}AAAA`,
    ])
      assert.equal((await ask(forged)).status, 401);
    const reads = await keyReads();
    assert.ok(reads > 0, "the metrics count them");
    const startedAt = Date.now();
    for (let i = 0; i < 40; i++) assert.equal((await ask(await sign({ kid: `unknown-${i}` }))).status, 401);
    const most = 1 + Math.floor((Date.now() - startedAt) / 5_000);
    assert.ok((await keyReads()) - reads <= most, "however many unknown names come, it is asked every five seconds");
  });

  test("A34 one for a DPoP key needs a proof here", async () => {
    const DPoP = oidc.getDPoPHandle(client, await oidc.randomDPoPKeyPair("ES256"));
    const { access_token: token } = await signIn(resource, { DPoP });
    assert.equal((await ask(token)).status, 401);
    const headers = new Headers({ "content-type": "application/json" });
    const body = JSON.stringify({ query: "{ posts { id } }" });
    const use = { DPoP };
    const answer = await oidc.fetchProtectedResource(client, token, new URL(resource), "POST", body, headers, use);
    assert.equal(answer.status, 200);
  });

  test("what the issuer revokes lasts here until it expires, as documented, and no longer", async () => {
    const tokens = await signIn(resource);
    assert.equal((await ask(tokens.access_token)).status, 200);
    await oidc.tokenRevocation(client, tokens.access_token);
    await assert.rejects(oidc.refreshTokenGrant(client, tokens.refresh_token ?? "", { resource }), {
      error: "invalid_grant",
    });
    assert.equal((await ask(tokens.access_token)).status, 200);
    ahead.api += 901_000;
    const expired = await ask(tokens.access_token);
    ahead.api -= 901_000;
    assert.equal(expired.status, 401);
    assert.match(expired.challenge, /error="invalid_token"/);
  });

  test("F15 keys that rotate at the issuer: tokens of before and after are good here; withdrawn ones are not", async () => {
    const before = await signIn(resource);
    assert.equal((await ask(before.access_token)).status, 200);
    await runJson(["keys", "rotate"], issuer.environment);
    ahead.issuer += 601_000; // when the new ones begin to sign
    const second = await signWithOther(before.access_token);
    ahead.api += 5_000; // since the keys were read last
    assert.equal((await ask(second)).status, 200);
    assert.equal((await ask(before.access_token)).status, 200);

    await runJson(["keys", "rotate", "--at-once"], issuer.environment);
    const third = await signWithOther(second);
    ahead.api += 5_000;
    assert.equal((await ask(third)).status, 200);
    for (const withdrawn of [before.access_token, second]) assert.equal((await ask(withdrawn)).status, 401);
  });

  /** A token of the next key. */
  async function signWithOther(token: string): Promise<string> {
    const { kid } = decodeProtectedHeader(token);
    for (const deadline = Date.now() + 20_000; ; ) {
      const { access_token: next } = await signIn(resource);
      if (decodeProtectedHeader(next).kid !== kid) return next;
      assert.ok(Date.now() < deadline, "the next key does not sign");
    }
  }

  test("A17 a person who is disabled here is refused within a second, whatever the issuer says", async () => {
    const { access_token: token } = await signIn(resource);
    assert.equal((await ask(token)).status, 200);
    assert.equal((await runCommand(["user", "disable", "ada@example.com"], api.environment)).code, 0);
    const began = livedTime();
    while ((await ask(token)).status !== 401) assert.ok(livedTime() - began < 2_000);
    await signIn(`${issuer.config.BASE_URL}/graphql`); // there she is as she was
  });
});
