import assert from "node:assert/strict";
import { generateKeyPairSync, type KeyObject } from "node:crypto";
import { after, before, describe, test } from "node:test";
import { type JWTHeaderParameters, SignJWT, UnsecuredJWT } from "jose";
import * as openid from "openid-client";
import { openTestServer, type TestServer } from "../../security/authorization-server.ts";
import { openRelyingParty, type RelyingParty } from "./relying-party.ts";

const key = generateKeyPairSync("ec", { namedCurve: "P-256" });
const stranger = generateKeyPairSync("ec", { namedCurve: "P-256" });
const rsa = generateKeyPairSync("rsa", { modulusLength: 2048 });
const jwks = {
  keys: [
    { ...key.publicKey.export({ format: "jwk" }), kid: "ec" },
    { ...rsa.publicKey.export({ format: "jwk" }), kid: "rsa" },
  ],
};

const jarm = { id_token_signed_response_alg: "ES256", authorization_signed_response_alg: "ES256" };

async function authentication(): Promise<openid.ClientAuth> {
  const algorithm = { name: "ECDSA", namedCurve: "P-256" };
  const jwk = key.privateKey.export({ format: "jwk" });
  return openid.PrivateKeyJwt({
    key: await crypto.subtle.importKey("jwk", jwk, algorithm, false, ["sign"]),
    kid: "ec",
  });
}

type Claims = Record<string, unknown>;

/** The modules of the FAPI 2.0 plan that need signed requests, pushed, of a client that may send no others. */
describe("fapi2-security-profile-final-test-plan, signed requests", () => {
  let server: TestServer;
  let party: RelyingParty;
  before(async () => {
    server = await openTestServer({ settings: { SIGNED_REQUESTS: true, SIGNED_RESPONSES: true } });
    const change = { id: "rp", secretHash: null, jwks, mustPush: true, mustSign: true };
    const signing = await authentication();
    party = await openRelyingParty(server, change, "query", () => signing);
  });
  after(() => server.close());
  const module = (name: string) => `fapi2-security-profile-final-${name}`;
  const now = () => Math.floor(Date.now() / 1000);

  test(module("happy-flow, with a signed request"), async () => {
    const { request, object } = await make();
    const answer = await party.send(await pushed(request, await sign(object)));
    assert.ok((await party.exchange(answer)).access_token);
  });

  test(module("happy-flow, with a signed request and a signed answer"), async () => {
    const { request, object } = await make({ response_mode: "jwt" });
    const { params, stop } = await party.send(await pushed(request, await sign(object)));
    assert.deepEqual([...(params?.keys() ?? [])], ["response"]);
    const execute = [openid.allowInsecureRequests, openid.useJwtResponseMode];
    const config = await openid.discovery(new URL(server.issuer), "rp", jarm, await authentication(), { execute });
    const checks = { pkceCodeVerifier: request.verifier, idTokenExpected: true };
    const states = { expectedState: request.state ?? "", expectedNonce: request.nonce ?? "" };
    const tokens = await openid.authorizationCodeGrant(config, stop.url, { ...checks, ...states });
    assert.ok(tokens.access_token);
  });

  test(module("ensure-unsigned-authorization-request-without-using-par-fails"), async () => {
    const { params } = await party.send(await party.request());
    assert.equal(params?.get("error"), "invalid_request");
  });

  test(module("ensure-request-object-with-nbf-8-seconds-in-the-future-is-accepted"), async () => {
    const { request, object } = await make({ nbf: now() + 8 });
    const answer = await party.send(await pushed(request, await sign(object)));
    assert.ok((await party.exchange(answer)).access_token);
  });

  for (const [name, outside] of [
    ["ensure-different-nonce-inside-and-outside-request-object", { nonce: "outside" }],
    ["ensure-different-state-inside-and-outside-request-object", { state: "outside" }],
  ] as const)
    test(module(name), async () => {
      const { request, object } = await make();
      const push = await pushed(request, await sign(object), outside);
      for (const [parameter, value] of Object.entries(outside)) push.url.searchParams.set(parameter, value);
      // That openid-client takes state and nonce for its own is the proof that those inside count.
      assert.ok((await party.exchange(await party.send(push))).access_token);
    });

  test(module("ensure-request-object-with-multiple-aud-succeeds"), async () => {
    const { request, object } = await make({ aud: [server.issuer, "https://elsewhere.example"] });
    const answer = await party.send(await pushed(request, await sign(object)));
    assert.ok((await party.exchange(answer)).access_token);
  });

  test(module("ensure-unsigned-request-at-par-endpoint-fails"), async () => {
    const { request } = await make();
    const params = Object.fromEntries(request.url.searchParams);
    const thrown: unknown = await openid.buildAuthorizationUrlWithPAR(party.config, params).catch((e) => e);
    assert.ok(thrown instanceof openid.ResponseBodyError);
    assert.equal(thrown.error, "invalid_request");
  });

  test(module("test-claims-parameter-identity-claims"), async () => {
    const claims = { userinfo: { name: { essential: true } }, id_token: { email: null } };
    const { request, object } = await make({ claims });
    const tokens = await party.exchange(await party.send(await pushed(request, await sign(object))));
    assert.equal(tokens.claims()?.email, "ada@example.com");
    const info = await openid.fetchUserInfo(party.config, tokens.access_token, server.ada.id);
    assert.equal(info.name, "Ada");
  });

  const refused: [string, () => Claims, (JWTHeaderParameters | undefined)?, KeyObject?][] = [
    ["ensure-request-object-without-exp-fails", () => ({ exp: undefined })],
    ["ensure-request-object-without-nbf-fails", () => ({ nbf: undefined })],
    ["ensure-expired-request-object-fails", () => ({ exp: now() - 60, nbf: now() - 120 })],
    ["ensure-request-object-with-bad-aud-fails", () => ({ aud: "https://elsewhere.example" })],
    ["ensure-request-object-with-exp-over-60-fails", () => ({ exp: now() + 70 * 60 })],
    ["ensure-request-object-with-nbf-over-60-fails", () => ({ nbf: now() - 70 * 60 })],
    ["ensure-signed-request-object-with-RS256-fails", () => ({}), { alg: "RS256", kid: "rsa" }, rsa.privateKey],
    ["ensure-request-object-with-invalid-signature-fails", () => ({}), undefined, stranger.privateKey],
    ["ensure-matching-key-in-authorization-request", () => ({}), { alg: "ES256", kid: "x" }, stranger.privateKey],
  ];
  for (const [name, change, header, by] of refused)
    test(module(name), async () => {
      const { object } = await make(change());
      assert.equal(await pushError(await sign(object, header, by)), "invalid_request_object");
    });

  test(module("ensure-request-object-without-redirect-uri-fails"), async () => {
    const { object } = await make({ redirect_uri: undefined });
    assert.equal(await pushError(await sign(object)), "invalid_request");
  });

  test(module("ensure-request-object-signature-algorithm-is-not-none"), async () => {
    const { object } = await make();
    assert.equal(await pushError(new UnsecuredJWT(object).encode()), "invalid_request_object");
  });

  /** A request, and the claims that are to be signed for it. */
  async function make(change: Claims = {}) {
    const request = await party.request();
    const times = { iat: now(), nbf: now(), exp: now() + 300 };
    const object: Claims = {
      ...Object.fromEntries(request.url.searchParams),
      ...{ iss: "rp", aud: server.issuer, ...times, ...change },
    };
    return { request, object };
  }

  function sign(claims: Claims, header: JWTHeaderParameters = { alg: "ES256", kid: "ec" }, by = key.privateKey) {
    return new SignJWT(claims).setProtectedHeader({ typ: "oauth-authz-req+jwt", ...header }).sign(by);
  }

  async function pushed(request: Awaited<ReturnType<typeof party.request>>, object: string, outside: object = {}) {
    const url = await openid.buildAuthorizationUrlWithPAR(party.config, { request: object, ...outside });
    return { ...request, url };
  }

  async function pushError(object: string): Promise<string> {
    const thrown: unknown = await openid
      .buildAuthorizationUrlWithPAR(party.config, { request: object })
      .catch((e) => e);
    assert.ok(thrown instanceof openid.ResponseBodyError, "it was taken");
    assert.equal(thrown.status, 400);
    return thrown.error;
  }
});
