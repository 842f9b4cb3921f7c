import assert from "node:assert/strict";
import { after, before, beforeEach, describe, test } from "node:test";
import { generateKeyPair, type JWTPayload } from "jose";
import { UpstreamDown, UpstreamRefusal } from "../../../src/authorization-server/upstreams/refusal.ts";
import { openRelyingParty, type RelyingParty } from "../../../src/authorization-server/upstreams/relying-party.ts";
import type { Bound, Upstream, Visitor } from "../../../src/authorization-server/upstreams/upstream.ts";
import type { Id } from "../../../src/domain/id.ts";
import { AUTH_URL, anUpstream, BOUND, NOBODY, openPartyServices, type PartyServices } from "./party.ts";
import { CLIENT, openStandIn, type StandIn } from "./stand-in.ts";

const REFUSED = { name: "UpstreamRefusal", message: "This sign-in could not be completed. Try again." };

describe("sign-in at an OpenID provider", () => {
  let acme: StandIn;
  let other: StandIn;
  let services: PartyServices;
  let party: RelyingParty;
  let upstream: Upstream;

  before(async () => {
    [acme, other, services] = await Promise.all([openStandIn(), openStandIn(), openPartyServices()]);
  });
  beforeEach(() => {
    for (const one of [acme, other]) {
      one.metadata = {};
      one.idToken = (claims) => one.sign(claims);
      one.answers.clear();
      one.requests.length = 0;
    }
    services.ahead = 0;
    services.reasons.length = 0;
    services.lines.length = 0;
    party = openRelyingParty(services);
    upstream = anUpstream(acme.issuer);
  });
  after(() => Promise.all([acme.close(), other.close(), services.close()]));

  /** A whole trip, in which `change` may alter what the browser brings back. */
  async function trip({
    change = () => {},
    bound = BOUND,
    visitor = NOBODY,
    entry = upstream,
  }: {
    change?: (parameters: URLSearchParams) => void;
    bound?: Bound;
    visitor?: Visitor;
    entry?: Upstream;
  } = {}) {
    const { url, cookie } = await party.begin(entry, bound);
    const parameters = acme.authorize(url);
    change(parameters);
    return party.finish(entry, { parameters, cookie, visitor });
  }

  /** The reason in the log of the only refusal. */
  async function refusal(of: Promise<unknown>): Promise<string> {
    await assert.rejects(of, REFUSED);
    const reasons = services.reasons.splice(0);
    assert.equal(reasons.length, 1);
    return reasons[0] ?? "";
  }

  const calls = (standIn: StandIn) => standIn.requests.filter(({ path }) => path === "/token").length;

  test("U62 the way there has state, nonce, PKCE and a redirect URI of the settings", async () => {
    const { url, cookie } = await party.begin(upstream, BOUND);
    const { origin, pathname, searchParams } = new URL(url);
    assert.equal(origin + pathname, `${acme.issuer}/authorize`);
    const { state = "", nonce = "", code_challenge: challenge = "", ...rest } = Object.fromEntries(searchParams);
    for (const random of [state, nonce, challenge]) assert.match(random, /^[\w-]{43}$/);
    assert.deepEqual(rest, {
      client_id: CLIENT.id,
      response_type: "code",
      redirect_uri: `${AUTH_URL}/upstream/acme/callback`,
      scope: "openid profile email",
      code_challenge_method: "S256",
    });
    assert.ok(cookie.length < 1_000, `${cookie.length} characters`);
    for (const secret of [state, nonce, "interaction-1"]) assert.ok(!cookie.includes(secret), "it is sealed");
  });

  test("U62 the answer is an identity, and the client proves itself in the provider's own way", async () => {
    const { identity, bound } = await trip();
    assert.deepEqual(bound, BOUND);
    assert.deepEqual(identity, {
      provider: "acme",
      subject: "Ada-1",
      email: "ada@example.com",
      emailVerified: true,
      name: "Ada Lovelace",
      acr: "gold",
      amr: ["pwd", "otp"],
      sid: "session-1",
      signedInAtSeconds: null,
    });
    const token = acme.requests.find(({ path }) => path === "/token");
    const basic = Buffer.from(token?.headers.authorization?.slice("Basic ".length) ?? "", "base64").toString();
    const parts = basic.split(":").map((part) => new URLSearchParams(`part=${part}`).get("part")); // RFC 6749 section 2.3.1
    assert.deepEqual(parts, [CLIENT.id, CLIENT.secret]);
    acme.metadata = { token_endpoint_auth_methods_supported: ["client_secret_post"] };
    party = openRelyingParty(services);
    await trip();
    const form = new URLSearchParams(acme.requests.findLast(({ path }) => path === "/token")?.body);
    assert.equal(form.get("client_secret"), CLIENT.secret);
  });

  test("P38 state: another, absent, twice", async () => {
    assert.equal(await refusal(trip({ change: (p) => p.set("state", "x".repeat(43)) })), "another state");
    assert.equal(await refusal(trip({ change: (p) => p.delete("state") })), "another state");
    assert.equal(await refusal(trip({ change: (p) => p.append("state", p.get("state") ?? "") })), "another state");
    assert.equal(calls(acme), 0, "the code is sent nowhere");
  });

  test("P38 another browser, another upstream, another installation", async () => {
    const { url, cookie } = await party.begin(upstream, BOUND);
    const parameters = acme.authorize(url);
    const visitor = NOBODY;
    const none = "no transaction in this browser";
    assert.equal(await refusal(party.finish(upstream, { parameters, cookie: undefined, visitor })), none);
    assert.equal(await refusal(party.finish(upstream, { parameters, cookie: `${cookie}A`, visitor })), none);
    const second = await party.begin(upstream, BOUND);
    assert.equal(
      await refusal(party.finish(upstream, { parameters, cookie: second.cookie, visitor })),
      "another state",
    );
    const entry = anUpstream(other.issuer, { id: "other" });
    assert.equal(await refusal(party.finish(entry, { parameters, cookie, visitor })), "begun with another upstream");
    const foreign = openRelyingParty({
      ...services,
      sealer: (await import("../../../src/secrets/seal.ts")).openSealer(new Uint8Array(32)),
    });
    assert.equal(await refusal(foreign.finish(upstream, { parameters, cookie, visitor })), none);
    assert.deepEqual([calls(acme), calls(other)], [0, 0], "the code is sent nowhere");
    assert.equal((await party.finish(upstream, { parameters, cookie, visitor })).identity.subject, "Ada-1");
  });

  test("P38 a replay, also twenty at the same time, and one after ten minutes", async () => {
    const { url, cookie } = await party.begin(upstream, BOUND);
    const parameters = acme.authorize(url);
    const finish = () => party.finish(upstream, { parameters, cookie, visitor: NOBODY });
    const results = await Promise.allSettled(Array.from({ length: 20 }, finish));
    assert.equal(results.filter(({ status }) => status === "fulfilled").length, 1);
    assert.deepEqual(new Set(services.reasons.splice(0)), new Set(["used before"]));
    assert.equal(await refusal(finish()), "used before");
    assert.equal(calls(acme), 1);
    const late = await party.begin(upstream, BOUND);
    const brought = acme.authorize(late.url);
    services.ahead = 600_000;
    const after = party.finish(upstream, { parameters: brought, cookie: late.cookie, visitor: NOBODY });
    assert.equal(await refusal(after), "begun too long ago");
  });

  test("P38 mix-up: another iss in the callback, or none where one is announced; a code goes to its own provider alone", async () => {
    const wrong = /unexpected "iss"/;
    assert.match(await refusal(trip({ change: (p) => p.set("iss", other.issuer) })), wrong);
    assert.match(await refusal(trip({ change: (p) => p.set("iss", `${acme.issuer}/`) })), wrong);
    assert.equal((await trip({ change: (p) => p.set("iss", acme.issuer) })).identity.subject, "Ada-1");
    acme.metadata = { authorization_response_iss_parameter_supported: true };
    party = openRelyingParty(services);
    assert.match(await refusal(trip()), /"iss" \(issuer\) missing/);
    await trip({ change: (p) => p.set("iss", acme.issuer) });
    assert.equal(calls(acme), 2);
    // The code of another provider, in a trip to this one.
    party = openRelyingParty(services);
    const foreign = other.authorize((await party.begin(anUpstream(other.issuer, { id: "other" }), BOUND)).url);
    const reason = await refusal(
      trip({
        change: (p) => {
          p.set("iss", acme.issuer);
          p.set("code", foreign.get("code") ?? "");
        },
      }),
    );
    assert.match(reason, /invalid_grant/);
    assert.equal(calls(other), 0);
  });

  for (const [name, change, reason] of [
    ["no nonce", { nonce: undefined }, /nonce/],
    ["another nonce", { nonce: "x".repeat(43) }, /nonce/],
    ["another audience", { aud: "somebody" }, /aud/],
    ["no audience", { aud: undefined }, /aud/],
    ["audiences without azp", { aud: [CLIENT.id, "somebody"] }, /aud/],
    ["audiences with another azp", { aud: [CLIENT.id, "somebody"], azp: "somebody" }, /azp/],
    ["one audience with another azp", { azp: "somebody" }, /azp/],
    ["another issuer", { iss: "https://evil.example" }, /iss/],
    ["no issuer", { iss: undefined }, /iss/],
    ["expired", { exp: 1_700_000_000 }, /exp/],
    ["no end", { exp: undefined }, /exp/],
    ["an end in a text", { exp: "4000000000" }, /exp/],
    ["dated ahead", { iat: Math.floor(Date.now() / 1_000) + 600 }, /iat/],
    ["no date", { iat: undefined }, /iat/],
    ["sub a number", { sub: 17 }, /sub/],
    ["no sub", { sub: undefined }, /sub/],
    ["sub empty", { sub: "" }, /sub/],
    ["sub of 256 characters", { sub: "a".repeat(256) }, /sub/],
    ["sub with a zero", { sub: "a\0" }, /sub/],
    ["sub of other letters", { sub: "ａda" }, /sub/],
  ] as [string, Record<string, unknown>, RegExp][])
    test(`P38 R5 an ID token with ${name}`, async () => {
      acme.idToken = (claims) => acme.sign({ ...claims, ...change } as JWTPayload);
      assert.match(await refusal(trip()), reason);
    });

  test("P38 R5 an ID token without a signature that counts", async () => {
    const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
    const bad: Record<string, (claims: JWTPayload) => Promise<string | undefined>> = {
      "alg none": async (claims) => `${encode({ alg: "none" })}.${encode(claims)}.`,
      "the client's secret": (claims) =>
        acme.sign(claims, { alg: "HS256", key: new TextEncoder().encode(CLIENT.secret.padEnd(32, "\0")) }),
      "a key of somebody else": async (claims) =>
        acme.sign(claims, { key: (await generateKeyPair("ES256")).privateKey }),
      "another provider's key": (claims) => other.sign(claims),
      "an algorithm that the metadata lack": async (claims) =>
        acme.sign(claims, { alg: "ES384", key: (await generateKeyPair("ES384")).privateKey }),
      "a flipped bit": async (claims) =>
        (await acme.sign(claims)).replace(/.(?=[^.]{9}$)/, (one) => (one === "A" ? "B" : "A")),
      "no token": async () => undefined,
      "no JWT": async () => "id token",
    };
    for (const [name, idToken] of Object.entries(bad)) {
      acme.idToken = idToken;
      await assert.rejects(trip(), REFUSED, name);
    }
    acme.idToken = (claims) => acme.sign(claims);
    await trip();
  });

  test("P38 R5 a good signature with an algorithm that the metadata lack, or that is not their default", async () => {
    for (const list of [["RS256", "none"], undefined]) {
      acme.metadata = { id_token_signing_alg_values_supported: list };
      party = openRelyingParty(services);
      assert.match(await refusal(trip()), /"alg"/);
    }
  });

  test("P38 sub is kept as it is: another case is another subject", async () => {
    for (const sub of ["ada-1", "ADA-1", " Ada-1", "a".repeat(255)]) {
      acme.idToken = (claims) => acme.sign({ ...claims, sub });
      assert.equal((await trip()).identity.subject, sub);
    }
  });

  test("P38 an error instead of a code, and nothing that the upstream sent in the log", async () => {
    const declined = trip({
      change: (p) => {
        p.delete("code");
        p.set("error", "access_denied");
        p.set("error_description", "secret-description");
      },
    });
    assert.match(await refusal(declined), /access_denied/);
    acme.idToken = (claims) => acme.sign({ ...claims, nonce: "secret-nonce" });
    await refusal(trip());
    await refusal(trip({ change: (p) => p.set("code", "secret-code") }));
    assert.doesNotMatch(services.lines.join(), /secret|ada@|Ada|upstream-access-token|eyJ/);
  });

  for (const value of ["true", "false", 1, null, undefined, {}, []])
    test(`P36 R3 email_verified ${JSON.stringify(value)} is not true`, async () => {
      acme.idToken = (claims) => acme.sign({ ...claims, email_verified: value });
      const { identity } = await trip();
      assert.equal(identity.email, "ada@example.com");
      assert.equal(identity.emailVerified, false);
    });

  test("P36 what is no address, no name and no text is as good as absent", async () => {
    acme.idToken = (claims) =>
      acme.sign({
        ...claims,
        email: "a@evil@example.com",
        name: "Ada\nLovelace",
        acr: 1,
        amr: ["otp", 7, { pwd: 1 }],
        sid: "",
      } as unknown as JWTPayload);
    const { email, emailVerified, name, acr, amr, sid } = (await trip()).identity;
    assert.deepEqual(
      { email, emailVerified, name, acr, amr, sid },
      {
        email: null,
        emailVerified: false,
        name: null,
        acr: null,
        amr: ["otp"],
        sid: null,
      },
    );
  });

  test("an address that is in the userinfo alone is read there, for the same subject", async () => {
    acme.metadata = { userinfo_endpoint: `${acme.issuer}/userinfo` };
    acme.idToken = ({ email: _email, email_verified: _verified, ...claims }) => acme.sign(claims);
    const profile = { sub: "Ada-1", email: "ada@example.com", email_verified: true };
    acme.answers.set("/userinfo", () => ({ body: profile }));
    assert.equal((await trip()).identity.emailVerified, true);
    assert.equal(acme.requests.at(-1)?.headers.authorization, "Bearer upstream-access-token");
    acme.answers.set("/userinfo", () => ({ body: { ...profile, sub: "ada-1" } }));
    await assert.rejects(trip(), REFUSED);
    acme.answers.set("/userinfo", () => ({ body: { ...profile, email_verified: "true" } }));
    assert.equal((await trip()).identity.emailVerified, false);
  });

  test("P39 P40 R4 a trip that begins as a link ends for that person and session alone", async () => {
    const ada = { userId: "ada" as Id, session: "session-a" };
    const bound: Bound = { for: "link", ...ada };
    const wrong = "begun by another person or browser";
    for (const person of [null, { ...ada, userId: "bob" as Id }, { ...ada, session: "session-b" }])
      assert.equal(await refusal(trip({ bound, visitor: { browser: "b", person } })), wrong);
    assert.equal(calls(acme), 0);
    assert.deepEqual((await trip({ bound, visitor: { browser: "b", person: ada } })).bound, bound);
    // The attacker's callback in the victim's browser, which has a trip of its own under way.
    const attacker = acme.authorize((await party.begin(upstream, bound)).url);
    const victim = await party.begin(upstream, { for: "link", userId: "bob" as Id, session: "session-b" });
    const visitor = { browser: "v", person: { userId: "bob" as Id, session: "session-b" } };
    const given = party.finish(upstream, { parameters: attacker, cookie: victim.cookie, visitor });
    assert.equal(await refusal(given), "another state");
  });

  test("P38 a sign-in at /account ends in the browser in which it began", async () => {
    const bound: Bound = { for: "account", page: null, browser: "b" };
    for (const browser of [null, "c"]) await refusal(trip({ bound, visitor: { browser, person: null } }));
    assert.deepEqual((await trip({ bound, visitor: { browser: "b", person: null } })).bound, bound);
  });

  test("U67 an upstream that fails is named as such", async () => {
    const down = { name: "UpstreamDown", message: "ACME does not answer. Try again, or sign in another way." };
    acme.answers.set("/token", () => ({ status: 503, body: {} }));
    await assert.rejects(trip(), down);
    acme.answers.set("/token", () => ({ status: 302, headers: { location: `${other.issuer}/token` }, body: {} }));
    await assert.rejects(trip(), REFUSED);
    assert.equal(calls(other), 0, "no redirect is followed");
    acme.answers.set("/token", () => ({ body: "x".repeat(100_000) }));
    await assert.rejects(trip(), down);
    assert.ok(new UpstreamDown("ACME", "") instanceof Error && new UpstreamRefusal("") instanceof Error);
  });
});

describe("sign-in at a service in the shape of GitHub's", () => {
  let hub: StandIn;
  let services: PartyServices;
  let party: RelyingParty;
  let upstream: Upstream;
  const user: { body: Record<string, unknown> } = { body: {} };
  const emails: { body: unknown; status?: number } = { body: [] };

  before(async () => {
    [hub, services] = await Promise.all([openStandIn(), openPartyServices()]);
    party = openRelyingParty(services);
    const oauth2 = {
      authorize: `${hub.issuer}/login/oauth/authorize`,
      token: `${hub.issuer}/token`,
      user: `${hub.issuer}/user`,
      emails: `${hub.issuer}/user/emails`,
    };
    upstream = anUpstream(null, { id: "hub", name: "Hub", oauth2, scopes: ["read:user"] });
    hub.idToken = async () => undefined;
    hub.answers.set("/user", () => user);
    hub.answers.set("/user/emails", () => emails);
  });
  beforeEach(() => {
    user.body = { id: 583_231, login: "ada", name: null };
    emails.status = 200;
    emails.body = [
      { email: "other@example.com", primary: false, verified: true },
      { email: "ada@example.com", primary: true, verified: true },
    ];
  });
  after(() => Promise.all([hub.close(), services.close()]));

  async function trip(change: (parameters: URLSearchParams) => void = () => {}) {
    const { url, cookie } = await party.begin(upstream, BOUND);
    assert.equal(new URL(url).searchParams.get("nonce"), null);
    const parameters = hub.authorize(url);
    change(parameters);
    return (await party.finish(upstream, { parameters, cookie, visitor: NOBODY })).identity;
  }

  test("U62 the number is the subject, the primary address is known, and the secret stands in the form", async () => {
    const { subject, email, emailVerified, name, provider } = await trip();
    assert.deepEqual(
      [provider, subject, email, emailVerified, name],
      ["hub", "583231", "ada@example.com", true, "ada"],
    );
    const form = new URLSearchParams(hub.requests.find(({ path }) => path === "/token")?.body);
    assert.equal(form.get("client_secret"), CLIENT.secret);
    const asked = hub.requests.find(({ path }) => path === "/user");
    assert.equal(asked?.headers.authorization, "Bearer upstream-access-token");
    assert.ok(asked?.headers["user-agent"]);
  });

  test("P36 an address counts when it is primary and verified, each with the boolean true", async () => {
    for (const entry of [
      { primary: true, verified: false },
      { primary: true, verified: "true" },
      { primary: 1, verified: true },
      { verified: true },
    ]) {
      emails.body = [{ email: "ada@example.com", ...entry }];
      const { email, emailVerified } = await trip();
      assert.deepEqual([email, emailVerified], [null, false], JSON.stringify(entry));
    }
    for (const [status, body] of [
      [200, { email: "ada@example.com" }],
      [200, "["],
      [404, {}],
    ] as const) {
      Object.assign(emails, { status, body });
      assert.equal((await trip()).email, null);
    }
  });

  test("P38 a user whose number is a text, missing or too large to be exact", async () => {
    for (const id of ["583231", undefined, null, 0, -1, 1.5, 2 ** 53]) {
      user.body = { id, login: "ada" };
      await assert.rejects(trip(), REFUSED, String(id));
    }
  });

  test("P38 an iss that is not above the endpoint, an error in an answer of 200, a replay", async () => {
    assert.equal((await trip((p) => p.set("iss", `${hub.issuer}/login/oauth`))).subject, "583231");
    for (const iss of ["https://evil.example", `${hub.issuer}/login/o`, "http:", `${hub.issuer}/other`])
      await assert.rejects(
        trip((p) => p.set("iss", iss)),
        REFUSED,
        iss,
      );
    const { url, cookie } = await party.begin(upstream, BOUND);
    const parameters = hub.authorize(url);
    await party.finish(upstream, { parameters, cookie, visitor: NOBODY });
    await assert.rejects(party.finish(upstream, { parameters, cookie, visitor: NOBODY }), REFUSED);
    hub.answers.set("/token", () => ({ body: { error: "bad_verification_code" } }));
    await assert.rejects(trip(), REFUSED);
    hub.answers.delete("/token");
  });
});
