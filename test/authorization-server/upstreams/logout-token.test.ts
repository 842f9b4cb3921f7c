import assert from "node:assert/strict";
import { after, before, beforeEach, describe, test } from "node:test";
import { generateKeyPair, type JWTPayload } from "jose";
import { openLogoutTokens } from "../../../src/authorization-server/upstreams/logout-token.ts";
import { openProviderMetadata } from "../../../src/authorization-server/upstreams/provider-metadata.ts";
import { anUpstream, openPartyServices, type PartyServices } from "./party.ts";
import { CLIENT, openStandIn, type SignOptions, type StandIn } from "./stand-in.ts";

const EVENT = "http://schemas.openid.net/event/backchannel-logout";
const REFUSED = { name: "UpstreamRefusal" };

describe("a sign-out that an upstream tells (U66)", () => {
  let acme: StandIn;
  let other: StandIn;
  let services: PartyServices;
  let count = 0;

  before(async () => {
    [acme, other, services] = await Promise.all([openStandIn(), openStandIn(), openPartyServices()]);
  });
  beforeEach(() => {
    services.ahead = 0;
    acme.answers.clear();
  });
  after(() => Promise.all([acme.close(), other.close(), services.close()]));

  function goodClaims(): JWTPayload {
    const iat = Math.floor(Date.now() / 1_000);
    const events = { [EVENT]: {} };
    return { iss: acme.issuer, aud: CLIENT.id, iat, exp: iat + 120, jti: `jti ${count++}`, events, sub: "Ada-1" };
  }

  function open() {
    const logoutTokens = openLogoutTokens({ ...services, metadata: openProviderMetadata(services) });
    return (token: string) => logoutTokens.judge(anUpstream(acme.issuer), token);
  }

  const sign = (change: Record<string, unknown> = {}, options: SignOptions = { typ: "logout+jwt" }) =>
    acme.sign({ ...goodClaims(), ...change } as JWTPayload, options);

  test("names the subject, the session, or both", async () => {
    const judge = open();
    assert.deepEqual(await judge(await sign()), { provider: "acme", subject: "Ada-1", sid: null });
    assert.deepEqual(await judge(await sign({ sub: undefined, sid: "s" })), {
      provider: "acme",
      subject: null,
      sid: "s",
    });
    assert.deepEqual(await judge(await sign({ sid: "s" }, {})), { provider: "acme", subject: "Ada-1", sid: "s" });
    assert.deepEqual(await judge(await sign({}, { typ: "JWT" })), { provider: "acme", subject: "Ada-1", sid: null });
  });

  test("counts once, by ten at the same time too", async () => {
    const judge = open();
    const token = await sign();
    const results = await Promise.allSettled(Array.from({ length: 10 }, () => judge(token)));
    assert.equal(results.filter(({ status }) => status === "fulfilled").length, 1);
    await assert.rejects(judge(token), REFUSED);
    await assert.rejects(open()(token), REFUSED, "another process");
  });

  test("R5 counts for nothing when anything about it is wrong", async () => {
    const judge = open();
    const now = Math.floor(Date.now() / 1_000);
    for (const change of [
      { iss: other.issuer },
      { iss: undefined },
      { aud: "somebody" },
      { aud: undefined },
      { iat: undefined },
      { iat: now + 600 },
      { iat: now - 700 },
      { exp: undefined },
      { exp: now - 1 },
      { jti: undefined },
      { jti: 1 },
      { jti: "" },
      { nonce: "n" },
      { nonce: "" },
      { events: undefined },
      { events: { other: {} } },
      { events: { [EVENT]: true } },
      { events: [EVENT] },
      { sub: undefined },
      { sub: 1 },
      { sub: "", sid: "s" },
      { sub: "a".repeat(256) },
      { sid: 1 },
    ])
      await assert.rejects(judge(await sign(change)), REFUSED, JSON.stringify(change));
    await judge(await sign());
  });

  test("R5 counts for nothing without the provider's signature, or as another kind of token", async () => {
    const judge = open();
    const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
    const foreign = (await generateKeyPair("ES256")).privateKey;
    for (const token of [
      `${encode({ alg: "none", typ: "logout+jwt" })}.${encode(goodClaims())}.`,
      await sign({}, { key: foreign }),
      await sign({}, { key: foreign, kid: "2" }),
      await other.sign(goodClaims(), { typ: "logout+jwt" }),
      await sign({}, { alg: "HS256", key: new TextEncoder().encode(CLIENT.secret.padEnd(32, "\0")) }),
      await sign({}, { typ: "at+jwt" }),
      await acme.sign(acme.goodClaims("nonce")),
      await acme.sign(acme.goodClaims(null)),
      "",
      "a.b.c",
      "x".repeat(20_000),
    ])
      await assert.rejects(judge(token), REFUSED, token.slice(0, 60));
    await judge(await sign());
  });

  test("R5 counts for nothing with an algorithm that the metadata lack", async () => {
    acme.metadata = { id_token_signing_alg_values_supported: ["RS256"] };
    await assert.rejects(open()(await sign()), REFUSED);
    acme.metadata = {};
    await open()(await sign());
  });

  test("keys that cannot be read are no refusal, so that the upstream retries", async () => {
    acme.answers.set("/keys", () => ({ status: 503, body: {} }));
    const judge = open();
    const token = await sign();
    await assert.rejects(judge(token), { name: "UpstreamDown" });
    acme.answers.clear();
    assert.equal((await open()(token)).subject, "Ada-1");
  });

  test("a service without ID tokens tells no sign-out", async () => {
    const logoutTokens = openLogoutTokens({ ...services, metadata: openProviderMetadata(services) });
    await assert.rejects(logoutTokens.judge(anUpstream(null), await sign()), REFUSED);
  });
});
