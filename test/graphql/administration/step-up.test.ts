import assert from "node:assert/strict";
import { createHash, generateKeyPairSync, randomUUID } from "node:crypto";
import { after, before, describe, test } from "node:test";
import { SignJWT } from "jose";
import { MFA_ACR, PASSKEY_ACR, SFA_ACR } from "../../../src/domain/acr.ts";
import { createClient } from "../../../src/domain/clients/client.ts";
import { createUser, type User } from "../../../src/domain/people/user.ts";
import type { Store } from "../../../src/domain/store/store.ts";
import type { Viewer } from "../../../src/domain/viewer.ts";
import { challenge } from "../../../src/resource-server/challenge.ts";
import { hashToken } from "../../../src/secrets/token-hash.ts";
import { openStore } from "../../../src/storage/open.ts";
import { openTestApp, type TestApp } from "../../app.ts";
import { runJson } from "../../command.ts";
import { aPerson } from "../../conformance/samples.ts";
import { openTestStore, type TestStore } from "../../database.ts";
import { quickHash } from "../../quick-hash.ts";
import { openAuthenticator } from "../../security/authenticator.ts";
import { later } from "../../security/authorization-server.ts";
import { type AuthorizeOptions, authorize, Browser, exchange, getTokens, requestToken } from "../../security/client.ts";
import { addPasskey, answerWith } from "../../security/passkeys.ts";
import { openAccount, signedIn } from "../../security/people.ts";
import { openWebSocketClient, Results } from "../../subscriber.ts";
import { ada, openTestServer } from "../server.ts";

const NOW = Date.parse("2026-11-28T12:00:00.000Z");
const HOUR = 3_600;
const ID = "01a21efd-4214-7000-8474-a0573e6a4ee8";
const GUARDED = [
  `sendRecovery(id: "${ID}")`,
  `resetSecondStep(id: "${ID}")`,
  `unlockAccount(id: "${ID}")`,
  `setLocalSignIn(id: "${ID}", isAllowed: true)`,
  `unlinkUpstream(id: "${ID}", provider: "acme", subject: "x")`,
  `deleteAccount(id: "${ID}", posts: KEEP)`,
  `changeRole(id: "${ID}", role: ADMIN)`,
];
const OPEN = [
  `changeRole(id: "${ID}", role: EDITOR)`,
  `disableAccount(id: "${ID}")`,
  `endSessions(id: "${ID}")`,
  `undoDeletion(id: "${ID}")`,
];
const METADATA = "https://api.example.com/.well-known/oauth-protected-resource/graphql";

let store: Store;
let database: TestStore;
before(async () => {
  database = await openTestStore();
  store = database.store;
});
after(async () => {
  await database.close();
});

/** The GraphQL floor over a store without a person who is named: a change that gets through is NOT_FOUND. */
async function ask(mutation: string, viewer: Partial<Viewer>, headers = {}, base: Viewer = ada) {
  const server = openTestServer({
    store,
    viewer: { ...base, role: "admin", ...viewer },
    challenge: (error) => challenge(error, METADATA),
    now: () => NOW,
  });
  const { status, headers: answered, json } = await server.query(`mutation ${mutation}`, {}, headers);
  return { status, challenge: answered["www-authenticate"], json, error: json.errors?.[0] };
}

const fresh = { atSeconds: NOW / 1_000 - 10, acr: SFA_ACR };
const select = (field: string) => `{ ${field} { account { id } } }`;

describe("U61 changes that need a recent sign-in", () => {
  test("U61 a stale sign-in, or none, is refused with the challenge of RFC 9470; a recent one is not", async () => {
    for (const field of GUARDED) {
      const stale = await ask(select(field), { signIn: { ...fresh, atSeconds: NOW / 1_000 - HOUR - 1 } });
      assert.equal(stale.status, 401, field);
      assert.deepEqual(stale.json, {
        errors: [
          {
            message: "This needs a sign-in within the last hour. Sign in again.",
            extensions: { code: "UNAUTHENTICATED", maxAge: HOUR },
          },
        ],
      });
      assert.equal(
        stale.challenge,
        `Bearer error="insufficient_user_authentication", error_description="This needs a sign-in within the last hour. Sign in again.", max_age="3600", resource_metadata="${METADATA}", scope="admin"`,
      );
      for (const without of [{ signIn: null }, {}]) {
        const { signIn: _, ...rest } = ada;
        const { status, error, challenge } = await ask(select(field), without, {}, rest);
        assert.deepEqual([status, error.extensions.code], [401, "UNAUTHENTICATED"]);
        assert.match(error.message, /sign in in a browser/);
        assert.match(challenge ?? "", /^Bearer error="insufficient_user_authentication", /);
      }
      for (const atSeconds of [NOW / 1_000 - HOUR, NOW / 1_000 + 5]) {
        const passed = await ask(select(field), { signIn: { ...fresh, atSeconds } });
        assert.equal(passed.error.extensions.code, "NOT_FOUND", field);
      }
    }
    for (const field of OPEN) {
      const { status, error } = await ask(select(field), { signIn: null });
      assert.deepEqual([status, error.extensions.code], [200, "NOT_FOUND"], `${field} needs none`);
    }
  });

  test("U61 whoever has a second step on needs a sign-in with it", async () => {
    const [field = ""] = GUARDED;
    for (const acr of [SFA_ACR, null, "", "https://refeds.org/profile/mfa/", "urn:mfa"]) {
      const { status, error, challenge } = await ask(select(field), { signIn: { ...fresh, acr }, hasSecondStep: true });
      assert.equal(status, 401, String(acr));
      assert.deepEqual(error.extensions, { code: "UNAUTHENTICATED", maxAge: HOUR, acrValues: [MFA_ACR] });
      assert.equal(error.message, "This needs a sign-in with your second step. Sign in again.");
      assert.match(challenge ?? "", /, acr_values="https:\/\/refeds\.org\/profile\/mfa", max_age="3600", /);
    }
    for (const acr of [MFA_ACR, PASSKEY_ACR]) {
      const passed = await ask(select(field), { signIn: { ...fresh, acr }, hasSecondStep: true });
      assert.equal(passed.error.extensions.code, "NOT_FOUND");
    }
  });

  test("U61 nothing of the operation runs: by aliases, fragments, variables and conditions", async () => {
    const viewer = { signIn: null };
    const { id } = await store.users.create(aPerson({ email: "first@example.com" }));
    const first = `a: disableAccount(id: "${id}") { account { id } }`;
    for (const mutation of [
      `{ ${first} b: resetSecondStep(id: "${ID}") { account { id } } }`,
      `{ ${first} ...F } fragment F on Mutation { b: sendRecovery(id: "${ID}") { link } }`,
      `($role: Role! = ADMIN) { ${first} changeRole(id: "${ID}", role: $role) { account { id } } }`,
      `($yes: Boolean! = true) { ${first} deleteAccount(id: "${ID}", posts: KEEP) @include(if: $yes) { account { id } } }`,
    ]) {
      const { status, json } = await ask(mutation, viewer);
      assert.deepEqual([status, json.data], [401, undefined], mutation);
    }
    assert.equal((await store.users.find(id))?.disabledAt, null);
    const skipped = `($no: Boolean! = false) { deleteAccount(id: "${ID}", posts: KEEP) @include(if: $no) { account { id } } }`;
    assert.equal((await ask(skipped, viewer)).status, 200);
  });

  test("U61 the challenge has the scheme of the token, and whoever is no administrator is told that", async () => {
    const [field = ""] = GUARDED;
    const options = { viewer: { ...ada, role: "admin", signIn: null } as const, now: () => NOW };
    const server = openTestServer({
      ...options,
      challenge: (error) => challenge(error, METADATA),
      authenticate: () => options.viewer,
    });
    const { headers } = await server.query(`mutation ${select(field)}`, {}, { authorization: "DPoP t" });
    assert.match(headers["www-authenticate"] ?? "", /^DPoP error="insufficient_user_authentication", .*, algs="/);
    for (const role of ["editor", "member", null] as const)
      assert.equal((await ask(select(field), { role, signIn: null })).error.extensions.code, "FORBIDDEN");
  });
});

describe("U61 P48 a recent sign-in, in the real program", () => {
  let app: TestApp;
  let store: Store;
  let other: User;
  const redirectUri = "https://app.example.com/callback";
  const password = "correct horse battery staple";

  before(async () => {
    app = await openTestApp({ ACCESS_TOKEN_TTL: "3h" });
    store = await openStore(app.config.DATABASE_URL);
    other = await store.users.create(aPerson({ email: "other@example.com" }));
    await createClient(store.clients, {
      ...{ id: "console", name: "Console", type: "confidential", secretHash: hashToken("secret"), firstParty: true },
      ...{ redirectUris: [redirectUri], postLogoutRedirectUris: [] },
      grantTypes: ["authorization_code", "refresh_token", "client_credentials"],
      scopes: ["openid", "admin", "posts:read"],
    });
  });
  after(async () => {
    await store.close();
    await app.close();
  });

  function administrator(email: string): Promise<User> {
    const passwordHash = quickHash(password);
    return createUser(store.users, { name: "A", email, role: "admin", emailVerified: true, passwordHash });
  }

  const options = ({ email }: User, params: Record<string, string> = {}): AuthorizeOptions => ({
    ...{
      issuer: app.config.AUTH_URL,
      clientId: "console",
      redirectUri,
      scope: "openid admin",
      email,
      password,
      params,
    },
  });

  function tokensOf(person: User, browser = new Browser(), params: Record<string, string> = {}) {
    return getTokens({ ...options(person, params), browser, clientSecret: "secret" });
  }

  async function reset(token: string, id = other.id, headers: Record<string, string> = {}) {
    const response = await fetch(`${app.url}/graphql`, {
      method: "POST",
      headers: {
        ...{ accept: "application/graphql-response+json", "content-type": "application/json" },
        ...{ authorization: `Bearer ${token}`, ...headers },
      },
      body: JSON.stringify({ query: `mutation { resetSecondStep(id: "${id}") { account { id } } }` }),
    });
    // biome-ignore lint/suspicious/noExplicitAny: answers are as varied as the documents
    const json = (await response.json()) as any;
    const challenge = response.headers.get("www-authenticate") ?? "";
    return { status: response.status, challenge, json, code: json.errors?.[0].extensions.code ?? null };
  }

  test("P48 a stale sign-in is refused, a refreshed token too, until the person has signed in again", async () => {
    const person = await administrator("stale@example.com");
    const browser = new Browser();
    let tokens = await tokensOf(person, browser);
    assert.equal((await reset(tokens.access_token)).code, null);
    await later(-HOUR - 60, async () => {
      tokens = await tokensOf(person, browser, { prompt: "login" });
    });
    const stale = await reset(tokens.access_token);
    assert.deepEqual([stale.status, stale.code], [401, "UNAUTHENTICATED"]);
    assert.match(stale.challenge, /^Bearer error="insufficient_user_authentication", .*max_age="3600"/);
    const { body: refreshed } = await requestToken(app.config.AUTH_URL, {
      ...{ grant_type: "refresh_token", refresh_token: tokens.refresh_token },
      ...{ client_id: "console", client_secret: "secret" },
    });
    assert.equal((await reset(refreshed.access_token)).status, 401, "a new token of the old sign-in");
    assert.equal((await reset((await tokensOf(person, browser)).access_token)).status, 401, "of the old session");
    const again = await tokensOf(person, browser, { max_age: "3600" });
    assert.deepEqual([(await reset(again.access_token)).code, (await reset(tokens.access_token)).status], [null, 401]);
  });

  test("P48 U61 with a second step on, a password alone does not do; a passkey does", async () => {
    const person = await administrator("strong@example.com");
    const { AUTH_URL: issuer } = app.config;
    const browser = await signedIn({ issuer }, person);
    const device = openAuthenticator({ origin: issuer, rpId: "localhost" });
    await addPasskey({ issuer }, browser, device);
    const { access_token: weak } = await tokensOf(person, browser);
    assert.equal((await reset(weak)).code, null, "nothing more can be wanted");
    const found = async () => (await store.users.find(person.id)) ?? assert.fail();
    await store.secondSteps.replaceRecoveryCodes(await found(), ["a"], new Date().toISOString());
    assert.notEqual(await store.secondSteps.turnOn(await found(), "localhost"), null);
    await new Promise((resolve) => setTimeout(resolve, 600)); // as long as an answer about a token is believed
    const refused = await reset(weak);
    assert.match(refused.challenge, /acr_values="https:\/\/refeds\.org\/profile\/mfa", max_age="3600"/);
    assert.deepEqual(refused.json.errors[0].extensions.acrValues, [MFA_ACR]);

    const strong = new Browser();
    await answerWith(strong, await openAccount({ issuer }, strong), device);
    const { access_token } = await tokensOf(person, strong, { acr_values: MFA_ACR, max_age: "3600" });
    assert.equal((await reset(access_token)).code, null);
    assert.equal((await reset(access_token, person.id)).code, "CONFLICT", "not for oneself");
  });

  test("P48 neither an operator's token nor a client's own", async () => {
    const person = await administrator("operator@example.com");
    const args = ["token", "create", "--user", person.email, "--client", "console", "--scope", "admin"];
    const { access_token } = await runJson<{ access_token: string }>(args, app.environment);
    const refused = await reset(access_token);
    assert.deepEqual([refused.status, refused.code], [401, "UNAUTHENTICATED"]);
    assert.match(refused.json.errors[0].message, /made without one: sign in in a browser/);
    const own = await requestToken(app.config.AUTH_URL, {
      ...{ grant_type: "client_credentials", client_id: "console", client_secret: "secret" },
    });
    const { status, challenge } = await reset(own.body.access_token);
    assert.equal(status, 403);
    assert.match(challenge, /error="insufficient_scope", scope="admin"/);
  });

  test("U61 over WebSocket and as an event stream it is the same refusal", async () => {
    const person = await administrator("streams@example.com");
    let token = "";
    await later(-HOUR - 60, async () => {
      token = (await tokensOf(person)).access_token;
    });
    const client = await openWebSocketClient(app.url, token);
    const results = new Results();
    const query = `mutation { resetSecondStep(id: "${other.id}") { account { id } } }`;
    client.subscribe({ query }, results.sink);
    await results.until(({ ended }) => ended !== "open");
    const [error] = results.error as { extensions: object }[];
    assert.deepEqual(error?.extensions, { code: "UNAUTHENTICATED", maxAge: HOUR });
    await client.dispose();
    const streamed = await reset(token, other.id, { accept: "text/event-stream" });
    assert.deepEqual([streamed.status, streamed.code], [401, "UNAUTHENTICATED"]);
  });

  test("U61 a token that is bound to a key gets the challenge with its scheme", async () => {
    const person = await administrator("bound@example.com");
    const pair = generateKeyPairSync("ec", { namedCurve: "P-256" });
    const prove = (claims: object) =>
      new SignJWT({ jti: randomUUID(), iat: Math.floor(Date.now() / 1_000), htm: "POST", ...claims })
        .setProtectedHeader({ typ: "dpop+jwt", alg: "ES256", jwk: pair.publicKey.export({ format: "jwk" }) })
        .sign(pair.privateKey);
    let token = "";
    await later(-HOUR - 60, async () => {
      const { code, verifier } = await authorize({ ...options(person), browser: new Browser() });
      const params = { ...exchange(options(person), code, verifier), client_secret: "secret" };
      const DPoP = await prove({ htu: `${app.config.AUTH_URL}/token` });
      token = (await requestToken(app.config.AUTH_URL, params, { DPoP })).body.access_token;
    });
    const ath = createHash("sha256").update(token).digest("base64url");
    const dpop = await prove({ htu: `${app.config.BASE_URL}/graphql`, ath });
    const { status, challenge } = await reset(token, other.id, { authorization: `DPoP ${token}`, dpop });
    assert.equal(status, 401);
    assert.match(challenge, /^DPoP error="insufficient_user_authentication", error_description=".*max_age="3600"/);
  });
});
