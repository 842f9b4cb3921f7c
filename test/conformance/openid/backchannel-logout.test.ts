import assert from "node:assert/strict";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { after, before, beforeEach, describe, test } from "node:test";
import { createRemoteJWKSet, decodeJwt, jwtVerify } from "jose";
import { openTestServer, type TestServer } from "../../security/authorization-server.ts";
import type { Browser, Stop } from "../../security/client.ts";
import { livedTime } from "../../timing.ts";
import { openRelyingParty, type RelyingParty } from "./relying-party.ts";

describe("oidcc-backchannel-rp-initiated-logout-certification-test-plan", () => {
  let server: TestServer;
  let party: RelyingParty;
  let other: RelyingParty;
  let uri: string;
  /** What came to each path, in order. */
  let calls: { path: string; type: string; logoutToken: string }[] = [];
  let answer: (response: ServerResponse) => void = () => {};
  const receiver = createServer(async (request: IncomingMessage, response) => {
    const form = new URLSearchParams(await text(request));
    const type = `${request.method} ${request.headers["content-type"]}`;
    calls.push({ path: request.url ?? "", type, logoutToken: form.get("logout_token") ?? "" });
    answer(response);
  });

  before(async () => {
    await new Promise<void>((resolve) => receiver.listen(0, "127.0.0.1", resolve));
    uri = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`;
    server = await openTestServer({ privateHosts: ["127.0.0.1"] });
    party = await openRelyingParty(server, { id: "rp", backchannelLogoutUri: `${uri}/rp?x=1` });
    other = await openRelyingParty(server, {
      id: "rsa",
      backchannelLogoutUri: `${uri}/rsa`,
      idTokenAlgorithm: "RS256",
    });
  });
  beforeEach(() => {
    calls = [];
    answer = (response) => response.end();
  });
  after(async () => {
    receiver.closeAllConnections();
    receiver.close();
    await server.close();
  });

  test("oidcc-backchannel-logout-discovery-endpoint-verification", () => {
    const metadata = party.config.serverMetadata();
    assert.equal(metadata.end_session_endpoint, `${server.issuer}/logout`);
    assert.equal(metadata.backchannel_logout_supported, true);
    assert.equal(metadata.backchannel_logout_session_supported, true);
  });

  test("oidcc-backchannel-rp-initiated-logout", async () => {
    const { browser, tokens, claims } = await party.signIn();
    assert.ok(claims.sid);
    const end = await signOut(browser, tokens.id_token);
    assert.equal(end.url.href, "https://rp.example.com/bye?state=s");
    const [call] = calls;
    assert.equal(calls.length, 1);
    assert.deepEqual([call?.path, call?.type], ["/rp?x=1", "POST application/x-www-form-urlencoded"]);
    await assertLogoutToken(call?.logoutToken ?? "", "rp", claims.sid);
  });

  test("oidcc-backchannel-rp-initiated-logout: every client of the session is told, each by its own algorithm", async () => {
    const { browser, tokens, claims } = await party.signIn();
    const second = await other.signIn({}, { browser });
    assert.notEqual(second.claims.sid, claims.sid);
    await signOut(browser, tokens.id_token);
    assert.deepEqual(calls.map(({ path }) => path).toSorted(), ["/rp?x=1", "/rsa"]);
    const rsa = calls.find(({ path }) => path === "/rsa")?.logoutToken ?? "";
    const { protectedHeader } = await assertLogoutToken(rsa, "rsa", second.claims.sid);
    assert.equal(protectedHeader.alg, "RS256");
  });

  test("A33 a logout token is no ID token: it does nothing as a hint", async () => {
    const first = await party.signIn();
    await signOut(first.browser, first.tokens.id_token);
    const logoutToken = calls[0]?.logoutToken ?? "";
    const { browser } = await party.signIn();
    const asked = await browser.follow(`${server.issuer}/logout?id_token_hint=${logoutToken}`);
    assert.equal(asked.response.status, 400);
    const hinted = await party.send(await party.request({ prompt: "none", id_token_hint: logoutToken }), { browser });
    assert.equal(hinted.params?.get("error"), "invalid_request");
  });

  for (const [name, respond] of Object.entries<(response: ServerResponse) => void>({
    "an error": (response) => response.writeHead(500).end(),
    "a redirect": (response) => response.writeHead(302, { location: "/elsewhere" }).end(),
    "an endless body": (response) => {
      const timer = setInterval(() => response.write("x".repeat(10_000)), 1);
      response.on("close", () => clearInterval(timer));
    },
    nothing: () => {},
  })) {
    test(`A37 a receiver that answers with ${name} holds up nobody for long, and the person is signed out`, async () => {
      answer = respond;
      const { browser, tokens } = await party.signIn();
      const began = livedTime();
      const end = await signOut(browser, tokens.id_token);
      assert.ok(end.left);
      assert.ok(livedTime() - began < 4_000);
      assert.deepEqual(
        calls.map(({ path }) => path),
        ["/rp?x=1"],
      );
      assert.ok(server.lines.some((line) => line.includes("could not be told")));
      assert.ok(!server.lines.some((line) => line.includes(calls[0]?.logoutToken ?? "")));
    });
  }

  test("A37 a receiver at a private address is not called unless the operator trusts it", async () => {
    const strict = await openTestServer();
    try {
      const hidden = await openRelyingParty(strict, { id: "rp", backchannelLogoutUri: `${uri}/hidden` });
      const secure = `${uri}/secure`.replace("http:", "https:");
      const tls = await openRelyingParty(strict, { id: "tls", backchannelLogoutUri: secure });
      const { browser } = await hidden.signIn();
      const { tokens } = await tls.signIn({}, { browser });
      const end = await signOut(browser, tokens.id_token, strict.issuer);
      assert.ok(end.left);
      assert.deepEqual(calls, []);
      assert.equal(strict.lines.filter((line) => line.includes("could not be told")).length, 2);
    } finally {
      await strict.close();
    }
  });

  async function signOut(browser: Browser, hint = "", issuer = server.issuer): Promise<Stop> {
    const params = { id_token_hint: hint, post_logout_redirect_uri: "https://rp.example.com/bye", state: "s" };
    const page = await browser.follow(`${issuer}/logout?${new URLSearchParams(params)}`);
    return browser.submit(page, "/logout/confirm", { logout: "yes" });
  }

  /** OpenID Connect Back-Channel Logout 1.0 section 2.6. */
  async function assertLogoutToken(token: string, audience: string, sid: unknown) {
    const keys = createRemoteJWKSet(new URL(`${server.issuer}/jwks`));
    const verified = await jwtVerify(token, keys, { issuer: server.issuer, audience, typ: "logout+jwt" });
    const { payload } = verified;
    assert.deepEqual(payload.events, { "http://schemas.openid.net/event/backchannel-logout": {} });
    assert.deepEqual([payload.sub, payload.sid], [server.ada.id, sid]);
    assert.ok(payload.jti && payload.iat && payload.exp);
    assert.equal("nonce" in decodeJwt(token), false);
    return verified;
  }
});
