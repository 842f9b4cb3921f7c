import assert from "node:assert/strict";
import { createHash, generateKeyPairSync, randomUUID } from "node:crypto";
import { after, before, describe, test } from "node:test";
import { SignJWT } from "jose";
import * as oauth from "oauth4webapi";
import * as openid from "openid-client";
import { openTestApp, type TestApp } from "../app.ts";
import { runJson } from "../command.ts";
import { authorizationRequest, Browser, walk } from "./client.ts";

const PASSWORD = "seventeen tall birches";
const REDIRECT_URI = "http://localhost:9/callback";
const MINUTE = 60_000;

describe("DPoP nonces (RFC 9449 sections 8 and 9)", () => {
  let app: TestApp;
  let clientId: string;
  /** Milliseconds that the resource server's clock is ahead. */
  let ahead = 0;
  before(async () => {
    app = await openTestApp({ DPOP_NONCES: "true" }, { now: () => Date.now() + ahead });
    const person = ["user", "create", "--email", "ada@example.com", "--name", "Ada", "--password-stdin"];
    await runJson(person, app.environment, PASSWORD);
    const client = ["client", "create", "--name", "Site", "--redirect-uri", REDIRECT_URI, "--public", "--dpop"];
    clientId = (await runJson<{ client_id: string }>(client, app.environment)).client_id;
  });
  after(() => app.close());

  /** Signs Ada in. @returns where the answer went, and the verifier for its code */
  async function signIn(scope = "openid profile posts:read") {
    const options = { issuer: app.config.AUTH_URL, clientId, redirectUri: REDIRECT_URI, scope };
    const { url, verifier, state } = authorizationRequest(options);
    const browser = new Browser();
    const who = { email: "ada@example.com", password: PASSWORD };
    const end = await walk(browser, await browser.follow(url), { ...options, ...who });
    return { url: end.url, verifier, state };
  }

  test("openid-client does as it is told, at /token, /userinfo and /graphql", async () => {
    const config = await openid.discovery(new URL(app.config.AUTH_URL), clientId, {}, openid.None(), {
      execute: [openid.allowInsecureRequests],
    });
    const DPoP = openid.getDPoPHandle(config, await openid.randomDPoPKeyPair("ES256"));
    const { url, verifier, state } = await signIn();
    const checks = { pkceCodeVerifier: verifier, expectedState: state };
    const tokens = await openid.authorizationCodeGrant(config, url, checks, undefined, { DPoP });
    const info = await openid.fetchUserInfo(config, tokens.access_token, openid.skipSubjectCheck, { DPoP });
    assert.equal(info.name, "Ada");
    const body = JSON.stringify({ query: "{ posts { id } }" });
    const headers = new Headers({ "content-type": "application/json" });
    const at = new URL(`${app.config.BASE_URL}/graphql`);
    for (let i = 0; i < 2; i++) {
      const answer = await openid.fetchProtectedResource(config, tokens.access_token, at, "POST", body, headers, {
        DPoP,
      });
      assert.equal(answer.status, 200);
    }
    assert.ok((await openid.refreshTokenGrant(config, tokens.refresh_token ?? "", undefined, { DPoP })).access_token);
  });

  test("oauth4webapi is told so at /token: use_dpop_nonce, a nonce, and the code is not burnt", async () => {
    const [issuer, allow] = [new URL(app.config.AUTH_URL), { [oauth.allowInsecureRequests]: true }];
    const as = await oauth.processDiscoveryResponse(issuer, await oauth.discoveryRequest(issuer, allow));
    const client: oauth.Client = { client_id: clientId };
    const DPoP = oauth.DPoP(client, await oauth.generateKeyPair("ES256"));
    const { url, verifier, state } = await signIn();
    const params = oauth.validateAuthResponse(as, client, url, state);
    const ask = () =>
      oauth.authorizationCodeGrantRequest(as, client, oauth.None(), params, REDIRECT_URI, verifier, { DPoP, ...allow });
    const first = await ask();
    assert.match(first.headers.get("dpop-nonce") ?? "", /^[\w-]{20,}$/);
    const refused: unknown = await oauth.processAuthorizationCodeResponse(as, client, first).catch((error) => error);
    assert.ok(oauth.isDPoPNonceError(refused));
    const tokens = await oauth.processAuthorizationCodeResponse(as, client, await ask());
    assert.equal(tokens.token_type, "dpop");
  });

  describe("A34 at /graphql", () => {
    const pair = generateKeyPairSync("ec", { namedCurve: "P-256" });
    let token: string;

    async function proof(claims: Record<string, unknown>): Promise<string> {
      const payload = { jti: randomUUID(), iat: Math.floor((Date.now() + ahead) / 1000), htm: "POST", ...claims };
      const jwk = pair.publicKey.export({ format: "jwk" });
      return new SignJWT(payload).setProtectedHeader({ typ: "dpop+jwt", alg: "ES256", jwk }).sign(pair.privateKey);
    }

    async function call(nonce?: unknown, headers: Record<string, string> = {}) {
      const ath = createHash("sha256").update(token).digest("base64url");
      const dpop = await proof({ htu: `${app.config.BASE_URL}/graphql`, ath, nonce });
      const response = await fetch(`${app.config.BASE_URL}/graphql`, {
        method: "POST",
        headers: { authorization: `DPoP ${token}`, "content-type": "application/json", dpop, ...headers },
        body: JSON.stringify({ query: "{ posts { id } }" }),
      });
      const next = response.headers.get("dpop-nonce") ?? "";
      const challenge = response.headers.get("www-authenticate") ?? "";
      return { status: response.status, next, challenge, text: await response.text(), headers: response.headers };
    }

    before(async () => {
      const { url, verifier } = await signIn();
      const form = {
        ...{ grant_type: "authorization_code", client_id: clientId, redirect_uri: REDIRECT_URI },
        ...{ code: url.searchParams.get("code") ?? "", code_verifier: verifier },
      };
      const ask = async (nonce?: string) =>
        fetch(`${app.config.AUTH_URL}/token`, {
          method: "POST",
          headers: { dpop: await proof({ htu: `${app.config.AUTH_URL}/token`, nonce }) },
          body: new URLSearchParams(form),
        });
      const nonce = (await ask()).headers.get("dpop-nonce") ?? "";
      token = ((await (await ask(nonce)).json()) as { access_token: string }).access_token;
    });

    test("a proof without one, or with one of another, is refused and told the right one", async () => {
      for (const wrong of [undefined, "", "x".repeat(43), 7, ["x"]]) {
        const refused = await call(wrong);
        assert.equal(refused.status, 401);
        assert.match(refused.challenge, /^DPoP error="use_dpop_nonce", algs="/);
        assert.match(refused.next, /^[\w-]{43}$/);
        assert.ok(!refused.text.includes(refused.next));
      }
      const { next } = await call();
      assert.equal((await call(next)).status, 200);
      assert.equal((await call(next)).status, 200, "it is for many proofs, each of which works once");
    });

    test("one is taken for some minutes, and not before its time", async () => {
      const { next } = await call();
      try {
        ahead = 3 * MINUTE;
        assert.equal((await call(next)).status, 200);
        const { next: later } = await call();
        ahead = 7 * MINUTE;
        assert.equal((await call(next)).status, 401);
        ahead = 0;
        assert.equal((await call(later)).status, 401);
      } finally {
        ahead = 0;
      }
    });

    test("a page of another origin may read it", async () => {
      const { headers } = await call(undefined, { origin: new URL(REDIRECT_URI).origin });
      assert.match(headers.get("access-control-expose-headers") ?? "", /DPoP-Nonce/);
    });
  });
});
