import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import * as openid from "openid-client";
import { openTestServer, type TestServer } from "../../security/authorization-server.ts";
import { Browser } from "../../security/client.ts";
import { CALLBACK, openRelyingParty, type RelyingParty } from "./relying-party.ts";

/**
 * What the FAPI 2.0 Security Profile wants to see refused, as far as pushed requests, PKCE, codes and clients go. The
 * rest is in the files beside this one.
 */
describe("fapi2-security-profile-final-test-plan, negative cases", () => {
  let server: TestServer;
  let party: RelyingParty;
  let other: RelyingParty;
  before(async () => {
    server = await openTestServer();
    party = await openRelyingParty(server, { id: "rp" });
    other = await openRelyingParty(server, { id: "second" });
  });
  after(() => server.close());
  const module = (name: string) => `fapi2-security-profile-final-${name}`;

  test(module("happy-flow"), async () => {
    const { params, request, tokens } = await pushedSignIn();
    assert.equal(params?.get("iss"), server.issuer);
    assert.equal(params?.get("state"), request.state);
    assert.ok(tokens.access_token);
  });

  test(module("user-rejects-authentication"), async () => {
    const fresh = await openRelyingParty(server, { id: "denied" });
    const request = await push(fresh);
    const { params } = await fresh.send(request, { decision: "deny" });
    assert.equal(params?.get("error"), "access_denied");
    assert.equal(params?.get("state"), request.state);
  });

  test(module("ensure-authorization-request-without-state-success"), async () => {
    const { params } = await pushedSignIn({ state: undefined });
    assert.equal(params?.has("state"), false);
  });

  test(module("ensure-authorization-request-without-nonce-success"), async () => {
    const { claims } = await pushedSignIn({ nonce: undefined });
    assert.equal("nonce" in claims, false);
  });

  for (const [name, nonce] of [
    ["ensure-authorization-request-with-64-char-nonce-success", "n".repeat(64)],
    ["ensure-authorization-request-with-long-nonce", "n".repeat(384)],
  ] as const)
    test(module(name), async () => {
      assert.equal((await pushedSignIn({ nonce })).tokens.claims()?.nonce, nonce);
    });

  test(module("ensure-authorization-request-with-long-state"), async () => {
    const state = "s".repeat(1_000);
    assert.equal((await pushedSignIn({ state })).params?.get("state"), state);
  });

  test(module("ensure-other-scope-order-succeeds"), async () => {
    assert.ok((await pushedSignIn({ scope: "profile openid" })).tokens.access_token);
  });

  test(module("par-without-duplicate-parameters"), async () => {
    const request = await push(party);
    assert.deepEqual([...request.url.searchParams.keys()].toSorted(), ["client_id", "request_uri"]);
    assert.ok((await party.send(request)).params?.has("code"));
  });

  test(module("state-only-outside-request-object-not-used"), async () => {
    const request = await push(party, { state: undefined });
    request.url.searchParams.set("state", "outside");
    const { params } = await party.send(request);
    assert.ok(params?.has("code"));
    assert.notEqual(params?.get("state"), "outside");
  });

  test(module("par-ensure-reused-request-uri-prior-to-auth-completion-succeeds"), async () => {
    const request = await push(party);
    await new Browser().follow(request.url);
    assert.ok((await party.send(request)).params?.has("code"));
  });

  test(module("par-attempt-reuse-request_uri"), async () => {
    const request = await push(party);
    const { browser } = await party.send(request);
    for (const again of [browser, new Browser()]) {
      const { params, stop } = await party.send(request, { browser: again });
      assert.equal(params?.has("code") ?? false, false);
      assert.match(params?.get("error") ?? stop.text, /invalid_request|made a mistake/);
    }
  });

  test(module("par-attempt-to-use-expired-request_uri"), async (t) => {
    const request = await push(party);
    t.mock.timers.enable({ apis: ["Date"], now: Date.now() + 120_000 });
    const { params, stop } = await party.send(request);
    assert.equal(params?.has("code") ?? false, false);
    assert.ok(params?.has("error") || stop.response.status === 400);
  });

  test(module("par-attempt-to-use-request_uri-for-different-client"), async () => {
    const { url } = await push(party);
    url.searchParams.set("client_id", "second");
    const { params, stop } = await other.send({ url, verifier: "", state: undefined, nonce: undefined });
    assert.deepEqual([params, stop.left, stop.response.status], [null, false, 400]);
  });

  test(module("par-attempt-invalid-http-method"), async () => {
    for (const method of ["GET", "PUT", "DELETE"]) {
      const answer = await fetch(`${server.issuer}/par`, { method });
      assert.equal(answer.status, 405);
      assert.match(answer.headers.get("allow") ?? "", /POST/);
    }
  });

  for (const name of [
    "par-authorization-request-containing-request_uri-form-param",
    "par-authorization-request-containing-request_uri",
  ]) {
    test(module(name), async () => {
      const answer = await pushRaw({ request_uri: "urn:ietf:params:oauth:request_uri:bwc4JK-ESC0w8acc191e-Y1LTC2" });
      assert.equal(answer.status, 400);
      assert.match(answer.error, /^(invalid_request|request_uri_not_supported)$/);
    });
  }

  test(module("par-ensure-pkce-required"), async () => {
    const answer = await pushRaw({ code_challenge: undefined, code_challenge_method: undefined });
    assert.deepEqual([answer.status, answer.error], [400, "invalid_request"]);
  });

  test(module("par-plain-pkce-rejected"), async () => {
    for (const method of ["plain", undefined]) {
      const answer = await pushRaw({ code_challenge_method: method });
      assert.deepEqual([answer.status, answer.error], [400, "invalid_request"], method);
    }
  });

  test(module("ensure-redirect-uri-in-authorization-request"), async () => {
    const answer = await pushRaw({ redirect_uri: undefined });
    assert.deepEqual([answer.status, answer.error], [400, "invalid_request"]);
  });

  for (const name of [
    "ensure-registered-redirect-uri",
    "plain-fapi-tolerate-unregistered-redirect-uri: refused here",
  ]) {
    test(module(name), async () => {
      const answer = await pushRaw({ redirect_uri: "https://rp.example.com/unregistered" });
      assert.equal(answer.status, 400);
      assert.match(answer.error, /^invalid_(request|redirect_uri)$/);
    });
  }

  for (const [name, response_type] of [
    ["ensure-response-type-code-idtoken-fails", "code id_token"],
    ["ensure-response-type-token-fails", "token"],
  ] as const) {
    test(module(name), async () => {
      const answer = await pushRaw({ response_type });
      assert.deepEqual([answer.status, answer.error], [400, "unsupported_response_type"]);
    });
  }

  test(module("ensure-client-id-in-token-endpoint"), async () => {
    const answer = await party.send(await push(party));
    const body = new URLSearchParams({
      grant_type: "authorization_code",
      code: answer.params?.get("code") ?? "",
      redirect_uri: CALLBACK,
      code_verifier: answer.request.verifier,
    });
    const refused = await fetch(`${server.issuer}/token`, { method: "POST", body });
    assert.equal(refused.status, 401);
    assert.equal(((await refused.json()) as { error: string }).error, "invalid_client");
    assert.ok((await party.exchange(answer)).access_token, "and the code is not burnt");
  });

  test(module("ensure-authorization-code-is-bound-to-client"), async () => {
    const answer = await party.send(await push(party));
    await assert.rejects(other.exchange({ ...answer, stop: { ...answer.stop } }), isError("invalid_grant"));
    assert.ok((await party.exchange(answer)).access_token, "and the code is not burnt");
  });

  test(module("attempt-reuse-authorization-code-after-one-second"), async (t) => {
    const answer = await pushedSignIn();
    t.mock.timers.enable({ apis: ["Date"], now: Date.now() + 1_000 });
    await assert.rejects(party.exchange(answer), isError("invalid_grant"));
    const headers = { authorization: `Bearer ${answer.tokens.access_token}` };
    assert.equal((await fetch(`${server.issuer}/userinfo`, { headers })).status, 401);
  });

  test(module("ensure-token-endpoint-fails-with-expired-auth-code"), async (t) => {
    const answer = await party.send(await push(party));
    t.mock.timers.enable({ apis: ["Date"], now: Date.now() + 62_000 });
    await assert.rejects(party.exchange(answer), isError("invalid_grant"));
  });

  for (const [name, verifier] of [
    ["ensure-pkce-code-verifier-required", undefined],
    ["incorrect-pkce-code-verifier-rejected", openid.randomPKCECodeVerifier()],
  ] as const) {
    test(module(name), async () => {
      const answer = await party.send(await push(party));
      const body = new URLSearchParams({
        grant_type: "authorization_code",
        code: answer.params?.get("code") ?? "",
        redirect_uri: CALLBACK,
        ...(verifier === undefined ? {} : { code_verifier: verifier }),
      });
      const refused = await fetch(`${server.issuer}/token`, { method: "POST", body, headers: basic("rp") });
      assert.equal(refused.status, 400);
      assert.equal(((await refused.json()) as { error: string }).error, "invalid_grant");
    });
  }

  test(module("refresh-token"), async () => {
    const { tokens } = await pushedSignIn();
    const refresh_token = tokens.refresh_token ?? "";
    await assert.rejects(openid.refreshTokenGrant(other.config, refresh_token), isError("invalid_grant"));
    const body = new URLSearchParams({ grant_type: "refresh_token", refresh_token, client_id: "rp" });
    assert.equal((await fetch(`${server.issuer}/token`, { method: "POST", body })).status, 401);
    const refreshed = await openid.refreshTokenGrant(party.config, refresh_token);
    assert.ok(refreshed.access_token);
    assert.notEqual(refreshed.refresh_token, refresh_token, "it rotates: nothing binds this client's tokens");
  });

  test(module("access-token-type-header-case-sensitivity"), async () => {
    const { tokens } = await pushedSignIn();
    for (const scheme of ["bearer", "BEARER", "Bearer"]) {
      const headers = { authorization: `${scheme} ${tokens.access_token}` };
      assert.equal((await fetch(`${server.issuer}/userinfo`, { headers })).status, 200, scheme);
    }
  });

  /** The request, pushed: what is left is its name. */
  async function push(by: RelyingParty, params: Record<string, string | undefined> = {}) {
    const request = await by.request(params);
    const url = await openid.buildAuthorizationUrlWithPAR(by.config, Object.fromEntries(request.url.searchParams));
    return { ...request, url };
  }

  async function pushedSignIn(params: Record<string, string | undefined> = {}) {
    const answer = await party.send(await push(party, params));
    const tokens = await party.exchange(answer);
    return { ...answer, tokens, claims: tokens.claims() ?? {} };
  }

  async function pushRaw(change: Record<string, string | undefined>) {
    const { url } = await party.request(change);
    const body = url.searchParams;
    for (const [name, value] of Object.entries(change)) if (value === undefined) body.delete(name);
    const answer = await fetch(`${server.issuer}/par`, { method: "POST", body, headers: basic("rp") });
    return { status: answer.status, error: String(((await answer.json()) as { error?: string }).error) };
  }
});

function basic(id: string): { authorization: string } {
  return { authorization: `Basic ${Buffer.from(`${id}:a-secret-of-the-relying-party`).toString("base64")}` };
}

function isError(error: string): (thrown: unknown) => boolean {
  return (thrown) => thrown instanceof openid.ResponseBodyError && thrown.error === error;
}
