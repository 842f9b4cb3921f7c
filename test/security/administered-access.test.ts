import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { openAttemptLimit } from "../../src/authorization-server/sign-in/attempts.ts";
import { createClient } from "../../src/domain/clients/client.ts";
import { createUser, type User } from "../../src/domain/people/user.ts";
import type { Store } from "../../src/domain/store/store.ts";
import { hashToken } from "../../src/secrets/token-hash.ts";
import { openStore } from "../../src/storage/open.ts";
import { openTestApp, type TestApp } from "../app.ts";
import { runCommand, runJson } from "../command.ts";
import { quickHash } from "../quick-hash.ts";
import { later } from "./authorization-server.ts";
import { type AuthorizeOptions, Browser, getTokens } from "./client.ts";

const PASSWORD = "correct horse battery staple";
const REDIRECT_URI = "https://app.example.com/callback";
const METRICS_TOKEN = "a-metrics-token-of-at-least-32-characters";

describe("administration of the real program", () => {
  let app: TestApp;
  let store: Store;
  let admin: User;
  let token: string;

  before(async () => {
    app = await openTestApp({ ACCESS_TOKEN_TTL: "3h", METRICS_TOKEN, TIME_ZONE: "Europe/Paris" });
    store = await openStore(app.config.DATABASE_URL);
    admin = await somebody("admin@example.com", "admin");
    for (const [id, scopes] of [
      ["console", ["openid", "admin", "posts:read", "users:email", "offline_access"]],
      ["reader", ["openid", "posts:read", "offline_access"]],
    ] as const)
      await createClient(store.clients, {
        ...{ id, name: id === "reader" ? "The reader" : "Console", type: "confidential", firstParty: id === "console" },
        ...{ secretHash: hashToken("secret"), redirectUris: [REDIRECT_URI], postLogoutRedirectUris: [] },
        ...{ grantTypes: ["authorization_code", "refresh_token"], scopes: [...scopes] },
      });
    token = (await tokensOf(admin)).access_token;
  });
  after(async () => {
    await store.close();
    await app.close();
  });

  function somebody(email: string, role: User["role"] = "member"): Promise<User> {
    const name = `N ${email}`;
    return createUser(store.users, { name, email, role, emailVerified: true, passwordHash: quickHash(PASSWORD) });
  }

  function tokensOf({ email }: User, change: Partial<AuthorizeOptions> = {}) {
    return getTokens({
      ...{ issuer: app.config.AUTH_URL, clientId: "console", redirectUri: REDIRECT_URI, scope: "openid admin" },
      ...{ email, password: PASSWORD, browser: new Browser(), clientSecret: "secret", ...change },
    });
  }

  async function ask(query: string, variables: object = {}, bearer = token) {
    const response = await fetch(`${app.url}/graphql`, {
      method: "POST",
      headers: {
        ...{ accept: "application/graphql-response+json", "content-type": "application/json" },
        authorization: `Bearer ${bearer}`,
      },
      body: JSON.stringify({ query, variables }),
    });
    // biome-ignore lint/suspicious/noExplicitAny: answers are as varied as the documents
    const json = (await response.json()) as any;
    return { status: response.status, challenge: response.headers.get("www-authenticate") ?? "", json };
  }

  async function data(query: string, variables: object = {}) {
    const { json } = await ask(query, variables);
    assert.equal(json.errors, undefined, JSON.stringify(json.errors));
    return json.data;
  }

  const ACCOUNT = `account { sessions { id browser address signedInAt lastUsedAt }
    clients { clientId name scopes since lastUsedAt isGiven } }`;

  test("S66 sessions and clients of a person are shown without secrets, and end one by one", async () => {
    const person = await somebody("grace@example.com");
    const read = { clientId: "reader", scope: "openid posts:read offline_access", params: { prompt: "consent" } };
    const first = await tokensOf(person, read);
    const second = await tokensOf(person, { ...read, scope: "openid posts:read" });
    const query = `query ($id: ID!) { ${ACCOUNT.replace("account", "account(id: $id)")} }`;
    const { account } = await data(query, { id: person.id });
    assert.equal(account.sessions.length, 2);
    for (const session of account.sessions) assert.match(session.signedInAt, /Z$/);
    assert.equal(account.clients.length, 1);
    assert.partialDeepStrictEqual(account.clients[0], { clientId: "reader", name: "The reader", isGiven: false });
    assert.ok(account.clients[0].scopes.includes("posts:read"));
    assert.ok(Date.parse(account.clients[0].lastUsedAt) > Date.now() - 60_000);
    for (const secret of [first.access_token, first.refresh_token, second.access_token])
      assert.ok(!JSON.stringify(account).includes(secret ?? "-"));

    const posts = (bearer: string) => ask("{ posts(first: 1) { id } }", {}, bearer).then(({ status }) => status);
    assert.deepEqual([await posts(first.access_token), await posts(second.access_token)], [200, 200]);
    const end = `mutation ($id: ID!) { endSession(id: $id) { ${ACCOUNT} errors { code } } }`;
    const [{ id }] = account.sessions;
    const { endSession } = await data(end, { id });
    assert.deepEqual([endSession.errors, endSession.account.sessions.length], [[], 1]);
    assert.equal((await ask(end, { id })).json.errors[0].extensions.code, "NOT_FOUND");
    await until(async () => [await posts(first.access_token), await posts(second.access_token)].includes(401));

    const withdraw = `mutation ($id: ID!) { withdrawConsent(id: $id, clientId: "reader") { ${ACCOUNT} errors { code } } }`;
    const { withdrawConsent } = await data(withdraw, { id: person.id });
    assert.deepEqual([withdrawConsent.errors, withdrawConsent.account.clients], [[], []]);
    await until(async () => (await posts(first.access_token)) === 401 && (await posts(second.access_token)) === 401);
    assert.equal(withdrawConsent.account.sessions.length, 1, "the browser stays signed in");
  });

  test("S66 S90 the audit says who did it and to whom, by which client, with names", async () => {
    const person = await somebody("bob@example.com");
    const { createAccount } = await data(
      'mutation { createAccount(input: {name: "Made", email: "made@example.com"}) { account { id } } }',
    );
    await data(`mutation { changeRole(id: "${person.id}", role: EDITOR) { account { id } } }`);
    const entries = async (filter: object) =>
      (
        await data(
          `query ($filter: AuditFilter) { auditEntries(first: 5, filter: $filter) { nodes {
            event result person { id name email } actor { id name } actorId client { id name } requestId address } } }`,
          { filter },
        )
      ).auditEntries.nodes;
    const [changed] = await entries({ personId: person.id, event: "PERSON" });
    assert.partialDeepStrictEqual(changed, {
      ...{ event: "PERSON", result: "OK", actorId: admin.id, client: null },
      person: { id: person.id, name: person.name, email: person.email },
      actor: { id: admin.id, name: admin.name },
    });
    assert.ok(createAccount.account.id !== person.id);
    const byRequest = await entries({ requestId: changed.requestId });
    assert.deepEqual(byRequest, [changed]);
    assert.ok((await entries({ address: changed.address, result: "OK" })).length > 0);
    assert.deepEqual(await entries({ address: "192.0.2.77" }), []);
    assert.deepEqual(await entries({ until: "2020-01-01T00:00:00Z" }), []);
    const [issued] = await entries({ event: "TOKEN", personId: admin.id });
    assert.deepEqual([issued.client, issued.actor], [{ id: "console", name: "Console" }, null]);
    const listed = await runJson<{ actorId: string }[]>(
      ["audit", "--request", changed.requestId, "--result", "ok", "--until", "2999-01-01T00:00:00Z"],
      app.environment,
    );
    assert.deepEqual(
      listed.map(({ actorId }) => actorId),
      [admin.id],
    );
  });

  test("S65 accounts are searched for and filtered, in pages; a cursor of another list is rejected", async () => {
    for (let i = 0; i < 3; i++) await somebody(`zed${i}@example.com`);
    const query = `query ($filter: AccountFilter, $after: String) {
      accounts(first: 2, after: $after, filter: $filter) { nodes { email state } pageInfo { endCursor hasNextPage } } }`;
    const filter = { search: " ZED ", role: "MEMBER", state: "ACTIVE" };
    const { accounts: page } = await data(query, { filter });
    assert.deepEqual(page.nodes, [
      { email: "zed0@example.com", state: "ACTIVE" },
      { email: "zed1@example.com", state: "ACTIVE" },
    ]);
    const { accounts: rest } = await data(query, { filter, after: page.pageInfo.endCursor });
    assert.deepEqual(rest.nodes, [{ email: "zed2@example.com", state: "ACTIVE" }]);
    assert.equal(rest.pageInfo.hasNextPage, false);
    const foreign = await ask(query, { after: page.pageInfo.endCursor });
    assert.equal(foreign.json.errors[0].extensions.code, "BAD_USER_INPUT");
    const long = await ask(query, { filter: { search: "x".repeat(255) } });
    assert.equal(long.json.errors[0].extensions.code, "BAD_USER_INPUT");
  });

  test("S92 the health of the server: every check, the worst first, with what to do, and no secret", async () => {
    const { health } = await data("{ health { state checkedAt checks { name state detail advice } } }");
    const names = health.checks.map(({ name }: { name: string }) => name);
    for (const name of [
      "database",
      "migrations",
      "nodes",
      "scheduled posts",
      "events",
      "keys",
      "clock",
      "memory",
      "version",
    ])
      assert.ok(names.includes(name), `${name} in ${names}`);
    const order = ["FAILING", "WARNING", "OK"];
    const states = health.checks.map(({ state }: { state: string }) => order.indexOf(state));
    assert.deepEqual(states, states.toSorted());
    assert.equal(health.state, order[states[0]]);
    assert.ok(!states.includes(0), JSON.stringify(health.checks[0]));
    for (const { state, detail, advice } of health.checks) {
      assert.equal(advice === null, state === "OK");
      assert.match(detail, /^(?:https?:\/\/\S+$|[^a-z])/);
    }
    const again = await data("{ health { checkedAt } }");
    assert.equal(again.health.checkedAt, health.checkedAt, "one examination for all within a second");
    assertNoSecret(health);
  });

  test("S92 a scheduled post that is late is told", async () => {
    const past = new Date(Date.now() - 120_000).toISOString();
    const slow = await openStore(app.config.DATABASE_URL, { now: () => Date.now() - 3_600_000 });
    const { checkLatePosts } = await import("../../src/diagnosis/running.ts");
    await slow.posts.create({ authorId: admin.id, title: "T", body: "", status: "DRAFT", publishAt: past });
    const late = await checkLatePosts(slow, Date.now());
    await slow.close();
    assert.deepEqual([late.result, late.detail], ["wrong", "1 is late by more than a minute"]);
  });

  test("S68 every setting with its source; secrets are masked, whatever their length", async () => {
    const { settings } = await data("{ settings { name value isSecret default source help section } }");
    const of = (name: string) => settings.find((setting: { name: string }) => setting.name === name);
    assert.partialDeepStrictEqual(of("METRICS_TOKEN"), { value: "********", isSecret: true, source: "ENVIRONMENT" });
    assert.partialDeepStrictEqual(of("TIME_ZONE"), {
      value: "Europe/Paris",
      source: "ENVIRONMENT",
      section: "Content",
    });
    assert.partialDeepStrictEqual(of("MAX_DEPTH"), { value: "10", default: "10", source: "DEFAULT" });
    assert.equal(of("AUTH_URL").value, app.config.AUTH_URL);
    assertNoSecret(settings);
  });

  test("S68 signing keys are listed without their private part, and rotated", async () => {
    const KEYS = "signingKeys { kid algorithm state createdAt signsFrom retiredAt publishedUntil }";
    const { signingKeys: before } = await data(`{ ${KEYS} }`);
    assert.deepEqual(
      before.map(({ state }: { state: string }) => state),
      ["SIGNING", "SIGNING"],
    );
    const rotate = `mutation { rotateSigningKeys(algorithms: [ES256]) { ${KEYS} errors { code } } }`;
    const { rotateSigningKeys } = await data(rotate);
    assert.deepEqual(rotateSigningKeys.errors, []);
    const next = rotateSigningKeys.signingKeys.filter(({ state }: { state: string }) => state === "NEXT");
    assert.deepEqual(
      next.map(({ algorithm }: { algorithm: string }) => algorithm),
      ["ES256"],
    );
    const published = (await (await fetch(`${app.config.AUTH_URL}/jwks`)).json()) as { keys: { kid: string }[] };
    await until(async () => {
      const { keys } = (await (await fetch(`${app.config.AUTH_URL}/jwks`)).json()) as typeof published;
      return keys.some(({ kid }) => kid === next[0].kid);
    });
    assert.equal((await ask(rotate)).json.errors[0].extensions.code, "CONFLICT");
    const [entry] = await runJson<{ detail: string; actorId: string }[]>(["audit", "--event", "keys"], app.environment);
    assert.deepEqual([entry?.detail, entry?.actorId], [`ES256 rotated by ${admin.id}`, admin.id]);
  });

  test("S66 U73 an administrator gets the export of a person and resets failed attempts, without a terminal", async () => {
    const person = await somebody("hedy@example.com");
    const mine = (await tokensOf(person, { clientId: "reader", scope: "openid", params: { prompt: "consent" } }))
      .access_token;
    const limit = openAttemptLimit(store.attempts, Date.now);
    const mayTry = () => limit.begin({ email: person.email, address: "192.0.2.9", budget: null });
    for (let i = 0; i < 10; i++) await mayTry();
    const unlock = `mutation { unlockAccount(id: "${person.id}") { errors { code } } }`;
    assert.equal(await mayTry(), false);
    assert.deepEqual(await data(unlock), { unlockAccount: { errors: [] } });
    assert.equal(await mayTry(), true);

    const bearer = (await tokensOf(admin, { scope: "openid admin users:email" })).access_token;
    const { json } = await ask(`{ accountExport(id: "${person.id}") }`, {}, bearer);
    const file = JSON.parse(json.data.accountExport);
    assert.partialDeepStrictEqual(file.profile, { id: person.id, email: person.email });
    assert.deepEqual([file.sessions.length, file.apps[0].clientId], [1, "reader"]);
    for (const secret of [mine, quickHash(PASSWORD)]) assert.ok(!json.data.accountExport.includes(secret));
    const list = ["audit", "--event", "export", "--person", person.email];
    const [entry] = await runJson<{ detail: string; actorId: string }[]>(list, app.environment);
    assert.deepEqual([entry?.detail, entry?.actorId], [`downloaded by an administrator by ${admin.id}`, admin.id]);
    const printed = JSON.parse((await runCommand(["user", "export", person.email], app.environment)).stdout);
    assert.deepEqual([printed.profile, Object.keys(printed)], [file.profile, Object.keys(file)]);
  });

  test("S69 secrets, roles and keys want a sign-in of the last 15 minutes; the operator's token will do", async () => {
    const other = await somebody("other@example.com");
    const steps = [
      `changeRole(id: "${other.id}", role: EDITOR) { errors { code } }`,
      'rotateClientSecret(id: "reader") { errors { code } }',
      `rotateWebhookSecret(id: "${other.id}") { errors { code } }`,
      "rotateSigningKeys { errors { code } }",
    ];
    let old = "";
    await later(-16 * 60, async () => {
      old = (await tokensOf(admin)).access_token;
    });
    const operators = await runJson<{ access_token: string }>(
      ["token", "create", "--user", admin.email, "--client", "console", "--scope", "admin"],
      app.environment,
    );
    for (const step of steps) {
      const { status, challenge, json } = await ask(`mutation { ${step} }`, {}, old);
      assert.deepEqual([status, json.errors?.[0].extensions], [401, { code: "UNAUTHENTICATED", maxAge: 900 }], step);
      assert.match(challenge, /error="insufficient_user_authentication".*max_age="900"/);
      for (const bearer of [token, operators.access_token])
        assert.equal((await ask(`mutation { ${step} }`, {}, bearer)).status, 200, step);
    }
    const both = `mutation { disableAccount(id: "${other.id}") { account { id } } ${steps[1]} }`;
    assert.equal((await ask(both, {}, old)).status, 401);
    assert.equal((await store.users.find(other.id))?.disabledAt, null, "nothing of the operation ran");
    assert.equal((await ask(`mutation { endSessions(id: "${other.id}") { errors { code } } }`, {}, old)).status, 200);
  });

  function assertNoSecret(answer: unknown): void {
    const text = JSON.stringify(answer);
    const { password } = new URL(app.config.DATABASE_URL.replace(/^sqlite:.*/, "http://none/"));
    for (const secret of [METRICS_TOKEN, app.environment.SECRET_KEY, password && `:${password}@`, token])
      if (secret) assert.ok(!text.includes(secret));
  }
});

/** What ends is seen within a second. */
async function until(isThere: () => Promise<boolean>): Promise<void> {
  for (const deadline = Date.now() + 10_000; !(await isThere()); ) {
    assert.ok(Date.now() < deadline, "it does not come");
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}
