import assert from "node:assert/strict";
import { generateKeyPairSync, randomUUID } from "node:crypto";
import { after, before, describe, test } from "node:test";
import { UnsecuredJWT } from "jose";
import { openTestServer, SPA_CALLBACK, type TestServer } from "../../security/authorization-server.ts";
import { authorizationRequest } from "../../security/client.ts";
import { type Claims, ecPair, FapiParty, jwkOf, module, REFUSED, thumbprint } from "./fapi2-party.ts";

const [key, stranger] = [ecPair(), ecPair()];
const rsa = { ...generateKeyPairSync("rsa", { modulusLength: 2048 }), kid: "rsa" };

/** The modules of the FAPI 2.0 plan on private_key_jwt and DPoP, for a client that must push and binds all its tokens. */
describe("fapi2-security-profile-final-test-plan, private_key_jwt and DPoP", () => {
  let server: TestServer;
  let party: FapiParty;
  const options = () => ({ issuer: server.issuer, clientId: "rp", redirectUri: SPA_CALLBACK, scope: "openid" });
  const now = () => Math.floor(Date.now() / 1000);
  before(async () => {
    server = await openTestServer();
    party = new FapiParty(server.issuer, key);
    const jwks = {
      keys: [
        { ...jwkOf(key), kid: "1" },
        { ...jwkOf(rsa), kid: "rsa" },
      ],
    };
    await server.addClient({ id: "rp", type: "confidential", jwks, dpopBound: true, mustPush: true });
  });
  after(() => server.close());

  test(module("discovery-end-point-verification"), async () => {
    const response = await fetch(`${server.issuer}/.well-known/openid-configuration`);
    const metadata = (await response.json()) as Record<string, unknown>;
    for (const [name, values] of Object.entries({
      token_endpoint_auth_methods_supported: ["private_key_jwt"],
      token_endpoint_auth_signing_alg_values_supported: ["ES256", "PS256", "EdDSA"],
      dpop_signing_alg_values_supported: ["ES256", "PS256", "EdDSA"],
      response_types_supported: ["code"],
      grant_types_supported: ["authorization_code"],
      code_challenge_methods_supported: ["S256"],
      scopes_supported: ["openid"],
    }))
      for (const value of values) assert.ok((metadata[name] as string[]).includes(value), `${name}: ${value}`);
    assert.equal(metadata.issuer, server.issuer);
    assert.equal(metadata.authorization_response_iss_parameter_supported, true);
    assert.equal(metadata.claims_parameter_supported, true);
    for (const name of [
      "authorization_endpoint",
      "token_endpoint",
      "pushed_authorization_request_endpoint",
      "jwks_uri",
    ])
      assert.ok(String(metadata[name]).startsWith(`${server.issuer}/`), name);
  });

  test(module("happy-flow"), async () => {
    const pair = ecPair();
    const { status, access_token = "" } = await party.redeem(await party.signIn(), pair);
    assert.equal(status, 200);
    assert.equal(await party.userinfo(access_token, pair), 200);
    assert.equal(await party.userinfo(access_token, ecPair()), 401);
  });

  test(module("ensure-dpop-auth-code-binding-success"), async () => {
    const pair = ecPair();
    const code = await party.signIn({ dpop_jkt: await thumbprint(pair) });
    assert.equal((await party.redeem(code, pair)).status, 200);
  });

  test(module("ensure-dpopproof-at-par-endpoint-binding-success"), async () => {
    const pair = ecPair();
    const code = await party.signIn({}, await party.proof(pair, "/par"));
    assert.equal((await party.redeem(code, pair)).status, 200);
  });

  test(module("ensure-mismatched-dpop-jkt-fails"), async () => {
    const pushed = await party.push({ dpop_jkt: await thumbprint(ecPair()) }, await party.proof(ecPair(), "/par"));
    assert.equal(pushed.status, 400);
    assert.match(pushed.error ?? "", /^invalid_(request|dpop_proof)$/);
  });

  test(module("ensure-token-endpoint-fails-with-mismatched-dpop-jkt"), async () => {
    const code = await party.signIn({ dpop_jkt: await thumbprint(ecPair()) });
    assert.deepEqual(await party.redeem(code, ecPair()), { status: 400, error: "invalid_grant" });
  });

  test(module("ensure-token-endpoint-fails-with-mismatched-dpop-proof-jkt"), async () => {
    const code = await party.signIn({}, await party.proof(ecPair(), "/par"));
    assert.deepEqual(await party.redeem(code, ecPair()), { status: 400, error: "invalid_grant" });
  });

  for (const [name, seconds] of [
    ["ensure-dpopproof-with-iat-10seconds-before-succeeds", -10],
    ["ensure-dpopproof-with-iat-10seconds-after-succeeds", 10],
  ] as const)
    test(module(name), async () => {
      const pair = ecPair();
      assert.equal((await party.redeem(await party.signIn(), pair, { iat: now() + seconds })).status, 200);
    });

  test(module("check-dpop-proof-nbf-exp"), async () => {
    const pair = ecPair();
    const times = () => ({ nbf: now(), exp: now() + 300 });
    const { status, access_token = "" } = await party.redeem(await party.signIn(), pair, times());
    assert.equal(status, 200);
    assert.equal(await party.userinfo(access_token, pair, times()), 200);
    assert.equal(await party.userinfo(access_token, pair, { exp: now() - 60 }), 401);
    assert.equal(await party.userinfo(access_token, pair, { nbf: now() + 70 }), 401);
  });

  test(module("ensure-holder-of-key-required"), async () => {
    const { status, error } = await party.redeem(await party.signIn(), null);
    assert.equal(status, 400);
    assert.match(error ?? "", /^invalid_(grant|request|dpop_proof)$/);
  });

  test(module("dpop-negative-tests"), async () => {
    const code = await party.signIn();
    const pair = ecPair();
    const used = randomUUID();
    const wrong: Record<string, Claims> = {
      "another method": { htm: "GET" },
      "another address": { htu: `${server.issuer}/par` },
      "no address": { htu: undefined },
      "no jti": { jti: undefined },
      "no iat": { iat: undefined },
      "an old one": { iat: now() - 3_600 },
      "a future one": { iat: now() + 3_600 },
    };
    for (const [name, claims] of Object.entries(wrong))
      assert.deepEqual(await party.redeem(code, pair, claims), { status: 400, error: "invalid_dpop_proof" }, name);
    const unsigned = new UnsecuredJWT({ htm: "POST", htu: `${server.issuer}/token`, jti: used, iat: now() }).encode();
    assert.equal((await party.send("/token", code, { dpop: unsigned })).error, "invalid_dpop_proof");
    assert.equal((await party.redeem(code, pair, { jti: used })).status, 200, "and the code is not burnt");
    const again = await party.redeem(await party.signIn(), pair, { jti: used });
    assert.equal(again.status, 400, "a proof works once");
  });

  test(module("ensure-client-assertion-in-token-endpoint"), async () => {
    const code = await party.signIn();
    const headers = { dpop: await party.proof(ecPair(), "/token") };
    assert.deepEqual(await party.send("/token", { ...code, client_id: "rp" }, headers, null), REFUSED);
    assert.equal((await party.redeem(code, ecPair())).status, 200, "and the code is not burnt");
  });

  for (const [name, change] of [
    ["par-ensure-jwt-client-assertions-nbf-8-seconds-in-the-future-is-accepted", () => ({ nbf: now() + 8 })],
    ["par-ensure-jwt-client-assertions: iat 10 seconds in the future", () => ({ iat: now() + 10 })],
  ] as const)
    test(module(name), async () => {
      const { url } = authorizationRequest(options());
      const pushed = await party.send(
        "/par",
        Object.fromEntries(url.searchParams),
        {},
        await party.assertion(change()),
      );
      assert.equal(pushed.status, 201, pushed.error);
      const refused = await party.send("/token", { grant_type: "refresh_token" }, {}, await party.assertion(change()));
      assert.deepEqual(refused, { status: 400, error: "invalid_request" }, "let in");
    });

  test("a client that neither pushes nor signs its requests may name the token endpoint, and sign with RS256", async () => {
    const jwks = { keys: [{ ...jwkOf(rsa), kid: "rsa" }] };
    await server.addClient({ id: "plain", type: "confidential", jwks });
    const claims = { iss: "plain", sub: "plain", aud: [`${server.issuer}/token`] };
    const refused = await party.send(
      "/token",
      { grant_type: "refresh_token" },
      {},
      await party.assertion(claims, rsa, "RS256"),
    );
    assert.deepEqual(refused, { status: 400, error: "invalid_request" }, "let in");
  });

  test("a client that is registered for RS256 alone may sign with it", async () => {
    const jwks = { keys: [{ ...jwkOf(rsa), kid: "rsa" }] };
    const client = { id: "old", type: "confidential", jwks, mustPush: true, assertionAlgorithm: "RS256" } as const;
    await server.addClient(client);
    for (const [alg, expected] of [
      ["RS256", { status: 400, error: "invalid_request" }],
      ["PS256", REFUSED],
    ] as const) {
      const jwt = await party.assertion({ iss: "old", sub: "old" }, rsa, alg);
      assert.deepEqual(await party.send("/token", { grant_type: "refresh_token" }, {}, jwt), expected, alg);
    }
  });

  for (const [name, change, by, alg] of [
    ["ensure-signed-client-assertion-with-RS256-fails", () => ({}), rsa, "RS256"],
    ["par-ensure-jwt-client-assertions-nbf-over-60-seconds-in-the-future-fails", () => ({ nbf: now() + 70 }), key],
    ["par-ensure-jwt-client-assertions: iat over 60 seconds in the future", () => ({ iat: now() + 70 }), key],
    ["par-test-array-as-audience-fails", () => ({ aud: [server.issuer] }), key],
    ["par-test-par-endpoint-url-as-audience-fails", () => ({ aud: `${server.issuer}/par` }), key],
    ["par-test-token-endpoint-url-as-audience-fails", () => ({ aud: `${server.issuer}/token` }), key],
    ["ensure-client-assertion-with-exp-is-5-minutes-in-past-fails", () => ({ exp: now() - 300 }), key],
    ["ensure-client-assertion-with-wrong-aud-fails", () => ({ aud: "https://elsewhere.example" }), key],
    ["ensure-client-assertion-with-no-sub-fails", () => ({ sub: undefined }), key],
    ["ensure-invalid-client-assertions-fail: another key", () => ({}), stranger],
    ["ensure-invalid-client-assertions-fail: another issuer", () => ({ iss: "spa" }), key],
    ["ensure-invalid-client-assertions-fail: no jti", () => ({ jti: undefined }), key],
  ] as const)
    test(module(name), async () => {
      const jwt = await party.assertion(change(), by, alg);
      assert.deepEqual(await party.send("/par", { response_type: "code" }, {}, jwt), REFUSED);
      assert.deepEqual(await party.send("/token", { grant_type: "authorization_code", code: "x" }, {}, jwt), REFUSED);
    });
});
