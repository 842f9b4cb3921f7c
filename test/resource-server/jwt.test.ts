import assert from "node:assert/strict";
import { createHmac, generateKeyPairSync, type KeyObject, sign } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { after, before, describe, test } from "node:test";
import type { ChangeListener } from "../../src/domain/change.ts";
import type { Id } from "../../src/domain/id.ts";
import { createUser } from "../../src/domain/people/user.ts";
import type { Role } from "../../src/domain/viewer.ts";
import { openIssuerKeys } from "../../src/resource-server/issuer-keys.ts";
import { openJwtVerifier } from "../../src/resource-server/jwt.ts";
import { type RefusalReason, TokenRefusal } from "../../src/resource-server/token-refusal.ts";
import { openStore } from "../../src/storage/open.ts";
import { openTestApp, type TestApp } from "../app.ts";
import { livedTime } from "../timing.ts";
import { liveOrNull } from "./live-or-null.ts";

const ISSUER = "https://id.example/tenant";
const BASE = "https://api.example";
const AUDIENCE = `${BASE}/graphql`;
const MCP = `${BASE}/mcp`;
const ADA = "01a21efd-4214-7000-8474-a0573e6a4ee8" as Id;
const NOW = Date.parse("2026-11-28T12:00:00Z");

interface Key {
  readonly kid: string;
  readonly alg: string;
  readonly privateKey: KeyObject;
  readonly jwk: object;
}

function makeKey(kid: string, alg: "ES256" | "RS256" | "EdDSA" = "ES256", bits = 2_048): Key {
  const { privateKey, publicKey } =
    alg === "ES256"
      ? generateKeyPairSync("ec", { namedCurve: "P-256" })
      : alg === "EdDSA"
        ? generateKeyPairSync("ed25519")
        : generateKeyPairSync("rsa", { modulusLength: bits });
  return { kid, alg, privateKey, jwk: { ...publicKey.export({ format: "jwk" }), kid, use: "sig" } };
}

function encode(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString("base64url");
}

function makeToken(key: Key, claims: object = {}, header: object = {}): string {
  const body = {
    iss: ISSUER,
    aud: AUDIENCE,
    exp: NOW / 1_000 + 600,
    iat: NOW / 1_000,
    jti: "j",
    sub: ADA,
    client_id: "c",
    scope: "posts:read openid",
    ...claims,
  };
  const input = `${encode({ typ: "at+jwt", alg: key.alg, kid: key.kid, ...header })}.${encode(body)}`;
  const signature =
    key.alg === "ES256"
      ? sign("sha256", Buffer.from(input), { key: key.privateKey, dsaEncoding: "ieee-p1363" })
      : sign(key.alg === "EdDSA" ? null : "sha256", Buffer.from(input), key.privateKey);
  return `${input}.${signature.toString("base64url")}`;
}

interface Person {
  readonly role: Role;
  readonly isDisabled: boolean;
  readonly hasSecondStep: boolean;
}

function person(role: Role, change: Partial<Person> = {}): Person {
  return { role, isDisabled: false, hasSecondStep: false, ...change };
}

function openIssuer(first: Key[], options: { metadata?: object; people?: Map<string, Person> } = {}) {
  const state = { keys: first, now: NOW, isAway: false, reads: 0, asked: 0 };
  const listeners: ChangeListener[] = [];
  const people = options.people ?? new Map([[ADA, person("editor")]]);
  const keys = openIssuerKeys({
    issuer: ISSUER,
    now: () => state.now,
    fetch: async (url) => {
      if (state.isAway) throw new Error("away");
      if (url === "https://id.example/.well-known/oauth-authorization-server/tenant")
        return Response.json(options.metadata ?? { issuer: ISSUER, jwks_uri: "https://id.example/keys" });
      if (url !== "https://id.example/keys") return new Response(null, { status: 404 });
      state.reads++;
      return Response.json({ keys: state.keys.map(({ jwk }) => jwk) });
    },
  });
  const verifyOrRefuse = openJwtVerifier({
    issuer: ISSUER,
    audiences: new Map([
      [AUDIENCE, "graphql"],
      [MCP, "mcp"],
      [BASE, null],
    ]),
    keys,
    findPerson: async (id) => {
      state.asked++;
      return people.get(id) ?? null;
    },
    watch: (listener) => listeners.push(listener),
    now: () => state.now,
  });
  return {
    state,
    people,
    verify: liveOrNull(verifyOrRefuse),
    /** The reason for refusing a token; null for one that is taken. */
    async refusalOf(token: string): Promise<RefusalReason | null> {
      const found = await verifyOrRefuse(token);
      return found instanceof TokenRefusal ? found.reason : null;
    },
    tell(id: string) {
      for (const listen of listeners) listen({ kind: "user", id });
    },
  };
}

const EC = makeKey("ec");
const RSA = makeKey("rsa", "RS256");
const ED = makeKey("ed", "EdDSA");

describe("JWT access tokens of another issuer", () => {
  test("RFC 9068 one that is right is its person, its client and its scopes that exist here", async () => {
    for (const key of [EC, RSA, ED]) {
      const { verify } = openIssuer([EC, RSA, ED]);
      const live = await verify(makeToken(key, { scope: "posts:read admin something:else" }));
      assert.equal(live?.viewer.userId, ADA);
      assert.equal(live?.viewer.role, "editor");
      assert.equal(live?.viewer.clientId, `${ISSUER} c`);
      assert.deepEqual(live?.viewer.scopes, new Set(["posts:read"]), "admin is for administrators");
      assert.equal(live?.jkt, null);
    }
    const { verify } = openIssuer([EC]);
    assert.ok(await verify(makeToken(EC, { aud: ["x", AUDIENCE] }, { typ: "application/AT+JWT" })));
    assert.equal(
      (await verify(makeToken(EC, { cnf: { jkt: "thumb" } })))?.jkt,
      "thumb",
      "RFC 9449 a bound one stays bound",
    );
    const ofCertificate = await verify(makeToken(EC, { cnf: { "x5t#S256": "print" } }));
    assert.equal(ofCertificate?.x5t, "print", "RFC 8705 to a certificate as well");
  });

  test("A10 one names the door of its aud, and none with the public address or both", async () => {
    const { verify } = openIssuer([EC]);
    const doorOf = async (aud: string | string[]) => (await verify(makeToken(EC, { aud })))?.audience;
    assert.equal(await doorOf(AUDIENCE), "graphql");
    assert.equal(await doorOf([MCP, "https://elsewhere.example"]), "mcp");
    for (const aud of [BASE, [BASE, MCP], [AUDIENCE, MCP]]) assert.equal(await doorOf(aud), null, String(aud));
  });

  test("whoever is nobody here has no person and no role; who is disabled is refused", async () => {
    const { verify, refusalOf, people } = openIssuer([EC]);
    for (const sub of ["auth0|1", "01a21efd-4214-7000-8474-a0573e6a4ee9"]) {
      const { viewer } = (await verify(makeToken(EC, { sub, scope: "admin posts:read" }))) ?? {};
      assert.deepEqual([viewer?.userId, viewer?.role, viewer?.scopes], [null, null, new Set(["posts:read"])]);
    }
    people.set(ADA, person("admin", { isDisabled: true }));
    assert.equal(await verify(makeToken(EC)), null);
    assert.equal(await refusalOf(makeToken(EC)), "person-disabled");
  });

  test("U61 RFC 9068 when and how the person signed in is known, if the issuer tells it and it can be", async () => {
    const { verify, people, state } = openIssuer([EC]);
    const at = state.now / 1_000 - 60;
    const signInOf = async (claims: object) => (await verify(makeToken(EC, claims)))?.viewer.signIn;
    assert.deepEqual(await signInOf({ auth_time: at, acr: "phr" }), { atSeconds: at, acr: "phr" });
    assert.deepEqual(await signInOf({ auth_time: at, acr: 3 }), { atSeconds: at, acr: null });
    for (const auth_time of [undefined, null, `${at}`, at + 3_600]) assert.equal(await signInOf({ auth_time }), null);
    assert.equal(await signInOf({ auth_time: at, sub: "auth0|1" }), null, "nobody here");
    people.set(ADA, person("admin", { hasSecondStep: true }));
    assert.equal((await verify(makeToken(EC, { auth_time: at + 1 })))?.viewer.hasSecondStep, true);
  });

  test("A33 everything that is not such a token is refused", async () => {
    const { verify, refusalOf } = openIssuer([EC, RSA]);
    const pem = RSA.jwk as { n: string };
    const weak = makeKey("weak", "RS256", 1_024);
    const hmac = (() => {
      const input = `${encode({ typ: "at+jwt", alg: "HS256", kid: "rsa" })}.${makeToken(RSA).split(".")[1]}`;
      return `${input}.${createHmac("sha256", Buffer.from(pem.n, "base64url")).update(input).digest("base64url")}`;
    })();
    const none = (alg: string) => `${encode({ typ: "at+jwt", alg, kid: "ec" })}.${makeToken(EC).split(".")[1]}.`;
    const [head = "", body = "", signature = ""] = makeToken(EC).split(".");
    const wrong: Record<string, [RefusalReason, string]> = {
      "alg none": ["not-a-jwt", none("none")],
      "alg NONE with a signature": ["signature", `${none("None")}${signature}`],
      "HMAC with the public key": ["signature", hmac],
      "the algorithm of another type of key": [
        "signature",
        makeToken({ ...EC, alg: "RS256" }, {}).replace(/^[^.]+/, encode({ typ: "at+jwt", alg: "RS256", kid: "ec" })),
      ],
      "another key under a known name": ["signature", makeToken({ ...makeKey("x"), kid: "ec" })],
      "a key that brings itself": ["key-id", makeToken(makeKey("x"), {}, { jwk: makeKey("x").jwk, kid: undefined })],
      "a key from an address": ["unknown-key", makeToken(makeKey("x"), {}, { jku: "https://evil.example/keys" })],
      "no kid": ["key-id", makeToken(EC, {}, { kid: undefined })],
      "kid of no text": ["key-id", makeToken(EC, {}, { kid: 5 })],
      crit: ["critical-header", makeToken(EC, {}, { crit: ["exp"] })],
      "typ of an ID token": ["type", makeToken(EC, {}, { typ: "JWT" })],
      "no typ": ["type", makeToken(EC, {}, { typ: undefined })],
      "another issuer": ["issuer", makeToken(EC, { iss: "https://id.example/tenan" })],
      "the issuer with a slash": ["issuer", makeToken(EC, { iss: `${ISSUER}/` })],
      "another audience": ["audience", makeToken(EC, { aud: "https://api.example/" })],
      "no audience": ["audience", makeToken(EC, { aud: undefined })],
      expired: ["expired", makeToken(EC, { exp: NOW / 1_000 })],
      "no exp": ["expired", makeToken(EC, { exp: undefined })],
      "exp as text": ["expired", makeToken(EC, { exp: "9999999999" })],
      "not yet": ["not-yet-valid", makeToken(EC, { nbf: NOW / 1_000 + 31 })],
      "no client": ["claim", makeToken(EC, { client_id: undefined })],
      "no subject": ["claim", makeToken(EC, { sub: undefined })],
      "scope as a list": ["claim", makeToken(EC, { scope: ["posts:read"] })],
      "a binding that we cannot check": ["confirmation", makeToken(EC, { cnf: { jwk: {} } })],
      "one that we can, beside it": ["confirmation", makeToken(EC, { cnf: { "x5t#S256": "x", jwk: {} } })],
      "a binding to nothing": ["confirmation", makeToken(EC, { cnf: {} })],
      "a changed payload": [
        "signature",
        `${head}.${encode({ ...JSON.parse(Buffer.from(body, "base64url").toString()), scope: "admin" })}.${signature}`,
      ],
      "four parts": ["not-a-jwt", `${makeToken(EC)}.x`],
      "two parts": ["not-a-jwt", `${head}.${body}`],
      "an empty signature": ["not-a-jwt", `${head}.${body}.`],
      "no JSON": ["not-a-jwt", `${head}.x.${signature}`],
      "JSON that is no object": ["not-a-jwt", `${encode([])}.${encode([])}.x`],
      "too long": ["too-long", makeToken(EC, { more: "x".repeat(9_000) })],
    };
    for (const [name, [reason, token]] of Object.entries(wrong)) {
      assert.equal(await verify(token), null, name);
      assert.equal(await refusalOf(token), reason, name);
    }
    const { verify: other } = openIssuer([weak]);
    assert.equal(await other(makeToken(weak)), null, "an RSA key of 1024 bits");
    assert.ok(await verify(makeToken(EC)), "and the right one is taken");
    assert.ok(await verify(makeToken(EC, { nbf: NOW / 1_000 + 30 })), "from a clock that is ahead");
  });

  test("keys are read once, and anew for an unknown kid, but no more often than every five seconds", async () => {
    const { state, verify } = openIssuer([EC]);
    for (let i = 0; i < 3; i++) assert.ok(await verify(makeToken(EC, { jti: `${i}` })));
    assert.equal(state.reads, 1);
    const fresh = makeKey("fresh");
    state.keys = [EC, fresh];
    assert.equal(await verify(makeToken(fresh)), null, "asked a moment ago");
    state.now += 5_000;
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, i) => Promise.resolve(verify(makeToken(fresh, { jti: `${i}` })))),
    );
    assert.ok(answers.every((live) => live !== null));
    assert.equal(state.reads, 2);
    for (let i = 0; i < 50; i++) await verify(makeToken(makeKey(`unknown-${i % 2}`)));
    assert.equal(state.reads, 2);
  });

  test("a key that the issuer has withdrawn is not believed for longer than five minutes, though its tokens are remembered", async () => {
    const { state, verify } = openIssuer([EC, ED]);
    const token = makeToken(EC, { exp: NOW / 1_000 + 86_400 });
    assert.ok(await verify(token));
    state.keys = [ED];
    state.now += 300_001;
    await verify(makeToken(ED, { exp: NOW / 1_000 + 86_400 }));
    assert.equal(await verify(token), null);
  });

  test("while the issuer is away its keys are believed for an hour, and without any the answer is UNAVAILABLE", async () => {
    const { state, verify } = openIssuer([EC]);
    state.isAway = true;
    await assert.rejects(async () => verify(makeToken(EC)), { code: "UNAVAILABLE" });
    state.isAway = false;
    state.now += 5_000;
    const token = (jti: string) => makeToken(EC, { jti, exp: NOW / 1_000 + 86_400 });
    assert.ok(await verify(token("1")));
    state.isAway = true;
    state.now += 1_800_000;
    assert.ok(await verify(token("2")));
    state.now += 3_600_000;
    await assert.rejects(async () => verify(token("3")), { code: "UNAVAILABLE" });
  });

  test("metadata of another issuer are not believed", async () => {
    const { verify } = openIssuer([EC], {
      metadata: { issuer: "https://evil.example", jwks_uri: "https://id.example/keys" },
    });
    await assert.rejects(async () => verify(makeToken(EC)), { code: "UNAVAILABLE" });
  });

  test("a token is checked once while it is believed, and a person who changes is seen at once", async () => {
    const { state, people, verify, tell } = openIssuer([EC]);
    const token = makeToken(EC);
    await verify(token);
    assert.ok(!(verify(token) instanceof Promise), "the hot path is synchronous");
    assert.equal(state.asked, 1);
    state.now += 500;
    await verify(token);
    assert.equal(state.asked, 2);
    people.set(ADA, person("editor", { isDisabled: true }));
    tell(ADA);
    assert.equal(await verify(token), null);
    people.set(ADA, person("editor"));
    await verify(token);
    state.now += 600_000;
    assert.equal(await verify(token), null, "A30 no longer than it lives");
  });
});

describe("TRUSTED_ISSUER", () => {
  const key = makeKey("k");
  let issuer: string;
  let app: TestApp;
  const lines: { level: string; fields: Record<string, unknown> }[] = [];
  const at = (level: string) => (fields: object) => void lines.push({ level, fields: { ...fields } });
  const http = createServer((request, response) => {
    response.setHeader("content-type", "application/json");
    if (request.url === "/.well-known/openid-configuration")
      response.end(JSON.stringify({ issuer, jwks_uri: `${issuer}/keys` }));
    else if (request.url === "/keys") response.end(JSON.stringify({ keys: [key.jwk] }));
    else response.writeHead(404).end();
  });

  before(async () => {
    await new Promise<void>((resolve) => http.listen(0, "127.0.0.1", resolve));
    issuer = `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
    const log = { debug: at("debug"), info: at("info"), warn: at("warn"), error: at("error") };
    app = await openTestApp({ TRUSTED_ISSUER: issuer }, { log });
  });
  after(async () => {
    await app.close();
    http.closeAllConnections();
    http.close();
  });

  const ask = (token: string, query = "{ viewer { id } }") =>
    fetch(`${app.url}/graphql`, {
      method: "POST",
      headers: { "content-type": "application/json", authorization: `Bearer ${token}` },
      body: JSON.stringify({ query }),
    });
  const token = (claims: object) =>
    makeToken(key, { iss: issuer, aud: `${app.config.BASE_URL}/graphql`, exp: Date.now() / 1_000 + 60, ...claims });

  test("its tokens open the API for the person that they name; the metadata name it", async () => {
    const store = await openStore(app.config.DATABASE_URL);
    const user = await createUser(store.users, {
      name: "Eve",
      email: "eve@example.com",
      role: "member",
      emailVerified: true,
      passwordHash: null,
    });
    const answer = await ask(token({ sub: user.id, scope: "openid profile users:read" }));
    assert.deepEqual([answer.status, await answer.json()], [200, { data: { viewer: { id: user.id } } }]);
    const other = await ask(token({ sub: "somebody else", scope: "posts:read" }), "{ posts { id } }");
    assert.deepEqual([other.status, await other.json()], [200, { data: { posts: [] } }]);
    assert.equal((await ask(token({ aud: "https://elsewhere.example" }))).status, 401);
    const { BASE_URL: base } = app.config;
    assert.equal((await ask(token({ sub: user.id, aud: `${base}/mcp`, scope: "users:read" }))).status, 401, "A10");
    assert.equal((await ask(token({ sub: user.id, aud: base, scope: "users:read" }))).status, 200);
    await store.users.update(user.id, { disabledAt: new Date().toISOString() });
    const began = livedTime();
    while ((await ask(token({ sub: user.id, jti: "1", scope: "users:read" }))).status !== 401)
      assert.ok(livedTime() - began < 1_000);
    await store.close();
    const metadata = (await (await fetch(`${app.url}/.well-known/oauth-protected-resource`)).json()) as {
      authorization_servers: string[];
    };
    assert.deepEqual(metadata.authorization_servers, [app.config.AUTH_URL, issuer]);
  });

  test("a refused token leaves its reason in the log at debug, nothing at info, and A42 nothing of itself", async () => {
    const audience = `${app.config.BASE_URL}/graphql`;
    const wrong: Record<string, [string, object]> = {
      audience: [
        token({ aud: "https://elsewhere.example" }),
        { expected: audience, found: "https://elsewhere.example" },
      ],
      issuer: [token({ iss: "https://id.example" }), { expected: issuer, found: "https://id.example" }],
      expired: [token({ exp: 1 }), { found: 1 }],
      "unknown-key": [makeToken(makeKey("other"), { iss: issuer, aud: audience, exp: 9e9 }), { kid: "other" }],
    };
    for (const [reason, [bad, facts]] of Object.entries(wrong)) {
      lines.length = 0;
      const { status, headers } = await ask(bad);
      assert.equal(status, 401);
      assert.match(headers.get("www-authenticate") ?? "", /^Bearer error="invalid_token"/);
      const [line, ...more] = lines;
      assert.deepEqual([line?.level, line?.fields.reason, more], ["debug", reason, []]);
      assert.deepEqual({ ...line?.fields, ...facts }, line?.fields);
      assert.equal(typeof line?.fields.requestId, "string");
      for (const part of bad.split(".")) assert.ok(!JSON.stringify(lines).includes(part));
    }
  });
});
