import assert from "node:assert/strict";
import { createHash, generateKeyPairSync, randomUUID } from "node:crypto";
import { after, before, describe, test } from "node:test";
import { SignJWT } from "jose";
import { type McpDoor, openMcpDoor } from "../../src/app/mcp-door.ts";
import { createClient, DEVICE_GRANT } from "../../src/domain/clients/client.ts";
import { AppError } from "../../src/domain/errors.ts";
import { createUser } from "../../src/domain/people/user.ts";
import type { Viewer } from "../../src/domain/viewer.ts";
import { openVerifier } from "../../src/resource-server/verify.ts";
import { hashPassword } from "../../src/secrets/passwords.ts";
import { hashToken } from "../../src/secrets/token-hash.ts";
import { openStore } from "../../src/storage/open.ts";
import { openTestApp, type TestApp } from "../app.ts";
import { runJson } from "../command.ts";
import { CLIENT_SECRET, PASSWORD, WEB_CALLBACK } from "./authorization-server.ts";
import {
  type AuthorizeOptions,
  authorizationRequest,
  authorize,
  Browser,
  exchange,
  requestToken,
  walk,
} from "./client.ts";

const SCOPES = "openid posts:read users:read posts:write admin";

interface Installation {
  readonly app: TestApp;
  readonly base: string;
  readonly door: McpDoor;
  readonly options: AuthorizeOptions & { clientSecret: string };
  /** The viewer of a token at /mcp, null with the `WWW-Authenticate` of a refusal. */
  atMcp(token: string | null, scheme?: string): Promise<{ viewer: Viewer | null; challenge: string }>;
  /** Status and `WWW-Authenticate` at /graphql. */
  atGraphql(token: string): Promise<{ status: number; challenge: string }>;
  close(): Promise<void>;
}

/** The program, and its door for agents on the same database. */
async function openInstallation(settings: Record<string, string> = {}): Promise<Installation> {
  const app = await openTestApp(settings);
  const { BASE_URL: base, DATABASE_URL } = app.config;
  const store = await openStore(DATABASE_URL);
  await createUser(store.users, {
    ...{ name: "Ada", email: "ada@example.com", role: "admin", emailVerified: true },
    passwordHash: await hashPassword(PASSWORD),
  });
  const usual = { name: "A client", scopes: SCOPES.split(" "), postLogoutRedirectUris: [], firstParty: false } as const;
  const server = { ...usual, type: "confidential", secretHash: hashToken(CLIENT_SECRET) } as const;
  const codes = ["authorization_code", "refresh_token"] as const;
  await createClient(store.clients, { ...server, id: "web", redirectUris: [WEB_CALLBACK], grantTypes: codes });
  await createClient(store.clients, { ...server, id: "job", redirectUris: [], grantTypes: ["client_credentials"] });
  const device = { id: "tv", redirectUris: [], grantTypes: [DEVICE_GRANT, "refresh_token"] } as const;
  await createClient(store.clients, { ...usual, ...device, type: "public", secretHash: null });
  const verify = openVerifier({
    findAccessToken: (token, nowSeconds) => store.artifacts.findAccessToken(hashToken(token), nowSeconds),
    watch: () => {},
    now: Date.now,
  });
  const log = { debug() {}, info() {}, warn() {}, error() {} };
  const door = openMcpDoor({ config: app.config, store, secret: Buffer.alloc(32), verify, log, now: Date.now });
  if (door === null) throw new Error("the door is off");
  return {
    app,
    base,
    door,
    options: {
      issuer: base,
      clientId: "web",
      redirectUri: WEB_CALLBACK,
      clientSecret: CLIENT_SECRET,
      scope: SCOPES,
      level: "write",
      browser: new Browser(),
    },
    async atMcp(token, scheme = "Bearer") {
      const headers = token === null ? {} : { authorization: `${scheme} ${token}` };
      try {
        return { viewer: await door.authenticate({ method: "POST", url: "/mcp", headers }), challenge: "" };
      } catch (error) {
        if (error instanceof AppError && error.code === "UNAUTHENTICATED")
          return { viewer: null, challenge: door.challenge(error) };
        throw error;
      }
    },
    async atGraphql(token) {
      const response = await fetch(`${base}/graphql`, {
        method: "POST",
        headers: { "content-type": "application/json", authorization: `Bearer ${token}` },
        body: JSON.stringify({ query: "{ posts { id } }" }),
      });
      return { status: response.status, challenge: response.headers.get("www-authenticate") ?? "" };
    },
    async close() {
      await store.close();
      await app.close();
    },
  };
}

let on: Installation;
before(async () => {
  on = await openInstallation();
});
after(() => on.close());

const credentials = { client_id: "web", client_secret: CLIENT_SECRET };

/** The answer to a code that was asked for with one `resource`, and redeemed with another; undefined for none. */
async function tokensFor(at: Installation, asked?: string | string[], named?: string) {
  const params = asked === undefined ? {} : { resource: asked };
  const { code, verifier } = await authorize({ ...at.options, params });
  const request = { ...exchange(at.options, code, verifier), ...credentials };
  return requestToken(at.base, named === undefined ? request : { ...request, resource: named });
}

const refresh = (at: Installation, token: string, resource?: string) =>
  requestToken(at.base, {
    ...{ grant_type: "refresh_token", refresh_token: token, ...credentials },
    ...(resource === undefined ? {} : { resource }),
  });

/** Where a token opens something: at /graphql, at /mcp, at the userinfo endpoint. */
async function opens(at: Installation, token: string): Promise<string> {
  const userinfo = await fetch(`${at.base}/userinfo`, { headers: { authorization: `Bearer ${token}` } });
  return [
    (await at.atGraphql(token)).status === 200 ? "graphql" : "",
    (await at.atMcp(token)).viewer !== null ? "mcp" : "",
    userinfo.status === 200 ? "userinfo" : "",
  ]
    .filter((door) => door !== "")
    .join(" ");
}

async function post(url: string, params: Record<string, string>) {
  const response = await fetch(url, { method: "POST", body: new URLSearchParams(params) });
  return (await response.json()) as Record<string, string>;
}

const BOTH = "graphql mcp userinfo";

describe("A10 the doors of the API", () => {
  /** Every form in which a client names the API, and what the token opens, with MCP_AUDIENCE=any and strict. */
  const forms: [string | undefined, string, string][] = [
    [undefined, BOTH, "graphql userinfo"],
    ["", BOTH, "graphql userinfo"],
    ["/", BOTH, "graphql userinfo"],
    ["/graphql", "graphql userinfo", "graphql userinfo"],
    ["/graphql/", "graphql userinfo", "graphql userinfo"],
    ["/mcp", "mcp", "mcp"],
    ["/mcp/", "mcp", "mcp"],
  ];

  test("A10 each form of the identifier, by code and by refresh token, opens its door and no other", async () => {
    for (const [form, doors] of forms) {
      const resource = form === undefined ? undefined : on.base + form;
      for (const named of [undefined, resource]) {
        const { status, body } = await tokensFor(on, resource, named);
        assert.equal(status, 200, `${form}: ${JSON.stringify(body)}`);
        assert.equal(await opens(on, body.access_token), doors, `${form}, named again: ${named !== undefined}`);
        const again = await refresh(on, body.refresh_token, named);
        assert.equal(await opens(on, again.body.access_token), doors, `${form} refreshed`);
        const third = await refresh(on, again.body.refresh_token);
        assert.equal(await opens(on, third.body.access_token), doors, `${form} refreshed twice`);
      }
    }
  });

  test("A10 so do pushed requests, clients that act for themselves, and devices", async () => {
    for (const [form, doors] of forms) {
      const named: Record<string, string> = form === undefined ? {} : { resource: on.base + form };
      const { url, verifier } = authorizationRequest({ ...on.options, params: named });
      const pushed = await post(`${on.base}/par`, {
        ...Object.fromEntries(url.searchParams),
        client_secret: CLIENT_SECRET,
      });
      const start = new URL(`${on.base}/authorize`);
      start.search = `${new URLSearchParams({ client_id: "web", request_uri: pushed.request_uri ?? "" })}`;
      const browser = new Browser();
      const end = await walk(browser, await browser.follow(start), on.options);
      const code = end.url.searchParams.get("code") ?? "";
      const { body } = await requestToken(on.base, { ...exchange(on.options, code, verifier), ...credentials });
      assert.equal(await opens(on, body.access_token), doors, `${form} pushed`);

      const job = { grant_type: "client_credentials", client_id: "job", client_secret: CLIENT_SECRET, ...named };
      const own = await requestToken(on.base, job);
      assert.equal(await opens(on, own.body.access_token), doors.replace(/ ?userinfo/, ""), `${form} for itself`);

      const device = await post(`${on.base}/device/auth`, { client_id: "tv", scope: SCOPES, ...named });
      const page = await browser.follow(device.verification_uri ?? "");
      const confirm = await browser.submit(page, "/device", { user_code: device.user_code ?? "" });
      const next = await browser.submit(confirm, "/device", { confirm: "yes" });
      await walk(browser, next, { ...on.options, clientId: "tv" });
      const polled = await requestToken(on.base, {
        ...{ grant_type: DEVICE_GRANT, client_id: "tv", device_code: device.device_code ?? "" },
      });
      assert.equal(await opens(on, polled.body.access_token), doors, `${form} by device`);
    }
  });

  test("A10 a token request narrows to a door that was granted, and names no other", async () => {
    const cases: [string | string[] | undefined, string, string][] = [
      [undefined, "/mcp", "mcp"],
      [undefined, "/graphql/", "graphql userinfo"],
      ["/", "/mcp/", "mcp"],
      ["/mcp", "", "mcp"],
      ["/mcp", "/", "mcp"],
      ["/graphql", "/", "graphql userinfo"],
      ["/mcp", "/graphql", "invalid_target"],
      ["/graphql", "/mcp", "invalid_target"],
      [["/graphql", "/mcp"], "/mcp", "mcp"],
      [["/graphql", "/mcp/"], "/graphql", "graphql userinfo"],
      [undefined, "//", "invalid_target"],
      [undefined, "/mcp//", "invalid_target"],
      [undefined, "/mcpx", "invalid_target"],
    ];
    const at = (form: string | string[] | undefined) =>
      Array.isArray(form) ? form.map((one) => on.base + one) : form === undefined ? undefined : on.base + form;
    for (const [asked, named, expected] of cases) {
      const { body } = await tokensFor(on, at(asked), on.base + named);
      const found = body.error ?? (await opens(on, body.access_token));
      assert.equal(found, expected, `${asked} then ${named}`);
    }
    const { body } = await tokensFor(on, at(["/graphql", "/mcp"]) as string[]);
    assert.equal(await opens(on, body.access_token), "graphql userinfo", "the first of ours");
    const agents = await refresh(on, body.refresh_token, `${on.base}/mcp`);
    assert.equal(await opens(on, agents.body.access_token), "mcp", "by the same refresh token");
    const again = await refresh(on, agents.body.refresh_token);
    assert.equal(await opens(on, again.body.access_token), "graphql userinfo");
  });

  test("A10 introspection says what a token is for", async () => {
    for (const [form, , aud] of [
      [undefined, "", undefined],
      ["/graphql/", "", `${on.base}/graphql`],
      ["/mcp/", "", `${on.base}/mcp`],
    ] as const) {
      const { body } = await tokensFor(on, form === undefined ? undefined : on.base + form);
      const answer = await post(`${on.base}/introspect`, { token: body.access_token, ...credentials });
      assert.deepEqual([answer.active, answer.aud], [true, aud]);
    }
  });

  test("A10 a token of one door gets 401 invalid_token at the other, a subscription too", async () => {
    const agent = (await tokensFor(on, `${on.base}/mcp`)).body.access_token;
    const { status, challenge } = await on.atGraphql(agent);
    assert.equal(status, 401);
    assert.match(challenge, /^Bearer error="invalid_token", resource_metadata="[^"]+\/graphql", /);
    const stream = await fetch(`${on.base}/graphql`, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        accept: "text/event-stream",
        authorization: `Bearer ${agent}`,
      },
      body: JSON.stringify({ query: "subscription { postEvents { id } }" }),
    });
    assert.equal(stream.status, 401);
    await stream.body?.cancel();
    const page = (await tokensFor(on, `${on.base}/graphql`)).body.access_token;
    assert.match((await on.atMcp(page)).challenge, /^Bearer error="invalid_token", resource_metadata="[^"]+\/mcp", /);
  });

  test("A10 A11 a proof of a key names the door, and is used once at both together", async () => {
    const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
    const prove = (claims: Record<string, unknown>) =>
      new SignJWT({ jti: randomUUID(), htm: "POST", ...claims })
        .setIssuedAt()
        .setProtectedHeader({ typ: "dpop+jwt", alg: "ES256", jwk: publicKey.export({ format: "jwk" }) })
        .sign(privateKey);
    const job = { grant_type: "client_credentials", client_id: "job", client_secret: CLIENT_SECRET };
    const { body } = await requestToken(on.base, job, { dpop: await prove({ htu: `${on.base}/token` }) });
    assert.equal(body.token_type, "DPoP");
    const authorization = `DPoP ${body.access_token}`;
    const ath = createHash("sha256").update(body.access_token).digest("base64url");
    const enter = async (dpop: string) =>
      on.door.authenticate({ method: "POST", url: "/mcp", headers: { authorization, dpop } });
    const foreign = await prove({ ath, htu: `${on.base}/graphql` });
    await assert.rejects(enter(foreign), /htu is not/);
    const right = await prove({ ath, htu: `${on.base}/mcp` });
    assert.equal((await enter(right)).clientId, "job");
    await assert.rejects(enter(right), /used before/);
    const jti = randomUUID();
    await enter(await prove({ ath, htu: `${on.base}/mcp`, jti }));
    const answer = await fetch(`${on.base}/graphql?query={posts{id}}`, {
      headers: { authorization, dpop: await prove({ ath, htu: `${on.base}/graphql`, htm: "GET", jti }) },
    });
    assert.equal(answer.status, 401);
    assert.match((await on.atMcp(body.access_token)).challenge, /^DPoP error=/, "as Bearer it is stolen");
  });

  test("A10 MCP_AUDIENCE=strict: what names no door is not for agents", async () => {
    const strict = await openInstallation({ MCP_AUDIENCE: "strict" });
    try {
      for (const [form, , doors] of forms) {
        const { body } = await tokensFor(strict, form === undefined ? undefined : strict.base + form);
        assert.equal(await opens(strict, body.access_token), doors, String(form));
      }
      const { body } = await tokensFor(strict, `${strict.base}/`, `${strict.base}/mcp`);
      assert.equal(body.error, "invalid_target");
    } finally {
      await strict.close();
    }
  });

  test("A01 A10 MCP=off: the door has no identifier and no metadata", async () => {
    const app = await openTestApp({ MCP: "off" });
    try {
      const { BASE_URL: base } = app.config;
      const metadata = await fetch(`${base}/.well-known/oauth-protected-resource/mcp`);
      assert.equal(metadata.status, 404);
      const server = await (await fetch(`${base}/.well-known/oauth-authorization-server`)).json();
      const { protected_resources: named, ...more } = server as Record<string, unknown>;
      assert.deepEqual(named, [`${base}/graphql`]);
      assert.equal(more.client_id_metadata_document_supported, undefined);
      const args = ["client", "create", "--name", "A page", "--redirect-uri", WEB_CALLBACK];
      const { client_id: clientId } = await runJson<{ client_id: string }>(args, app.environment);
      const asked = { issuer: base, clientId, redirectUri: WEB_CALLBACK, scope: "posts:read" };
      for (const resource of [`${base}/mcp`, `${base}/mcp/`]) {
        const end = await new Browser().follow(authorizationRequest({ ...asked, params: { resource } }).url);
        assert.equal(end.url.searchParams.get("error"), "invalid_target");
      }
    } finally {
      await app.close();
    }
  });
});

describe("A11 the challenge at /mcp", () => {
  const ALGS = 'DPoP algs="';

  test("A11 byte by byte: no token, a bad one by either scheme, and a scope that is missing", async () => {
    const metadata = `resource_metadata="${on.base}/.well-known/oauth-protected-resource/mcp"`;
    const scope = 'scope="posts:read users:read posts:write"';
    const algs = /algs="[^"]+"/.exec((await on.atMcp(null)).challenge)?.[0] ?? "";
    assert.match(algs, /^algs="ES256 /);
    assert.equal((await on.atMcp(null)).challenge, `Bearer ${metadata}, ${scope}, DPoP ${algs}`);
    assert.equal((await on.atMcp("YTpi", "Basic")).challenge, `Bearer ${metadata}, ${scope}, DPoP ${algs}`);
    assert.equal((await on.atMcp("nobodys")).challenge, `Bearer error="invalid_token", ${metadata}, ${scope}`);
    assert.equal(
      (await on.atMcp("nobodys", "DPoP")).challenge,
      `DPoP error="invalid_token", ${algs}, ${metadata}, ${scope}`,
    );
    const scopes = ["posts:read", "posts:write"];
    assert.equal(
      on.door.challenge(new AppError("FORBIDDEN", "This needs a scope.", { scopes })),
      `Bearer error="insufficient_scope", scope="posts:read posts:write", ${metadata}`,
      "A13 all scopes of the operation",
    );
    assert.ok((await on.atMcp(null)).challenge.includes(ALGS));
  });

  test("A11 PUBLIC_READ does not open the door for agents", async () => {
    const open = await openInstallation({ PUBLIC_READ: "true" });
    try {
      assert.match((await open.atMcp(null)).challenge, /^Bearer resource_metadata=/);
    } finally {
      await open.close();
    }
  });

  test("A10 A20 the metadata lead from the challenge to the authorization server, by each form of the identifier", async () => {
    for (const form of ["/mcp", "/mcp/"]) {
      const answer = await fetch(`${on.base}/.well-known/oauth-protected-resource${form}`);
      assert.equal(answer.headers.get("cache-control"), "public, max-age=300", "A26");
      const metadata = (await answer.json()) as Record<string, unknown>;
      assert.equal(metadata.resource, on.base + form);
      assert.deepEqual(metadata.authorization_servers, [on.base]);
      assert.deepEqual(metadata.scopes_supported, ["posts:read", "users:read", "posts:write"], "A12");
      assert.deepEqual(metadata.bearer_methods_supported, ["header"]);
    }
    for (const form of ["", "/", "/graphql", "/graphql/"]) {
      const answer = await fetch(`${on.base}/.well-known/oauth-protected-resource${form}`);
      const { resource, scopes_supported: scopes } = (await answer.json()) as Record<string, string[]>;
      assert.equal(resource, on.base + form);
      assert.ok(scopes?.includes("admin") && scopes.includes("offline_access"), "as ever");
    }
    for (const name of ["oauth-authorization-server", "openid-configuration"]) {
      const server = (await (await fetch(`${on.base}/.well-known/${name}`)).json()) as Record<string, unknown>;
      assert.deepEqual(server.protected_resources, [`${on.base}/graphql`, `${on.base}/mcp`]);
      assert.equal(server.client_id_metadata_document_supported, true);
      assert.ok((server.token_endpoint_auth_methods_supported as string[]).includes("none"));
    }
  });
});

describe("A12 scopes at /mcp", () => {
  test("A12 an administrator's token is narrowed to what agents may have, whichever way it came", async () => {
    for (const form of [undefined, "/", "/mcp"]) {
      const { body } = await tokensFor(on, form === undefined ? undefined : on.base + form);
      const { viewer } = await on.atMcp(body.access_token);
      assert.ok(viewer !== null);
      assert.deepEqual([...viewer.scopes].sort(), ["posts:read", "posts:write", "users:read"], String(form));
      if (form === "/mcp") assert.equal(body.scope, "posts:read users:read posts:write");
    }
    const operators = [
      "token",
      "create",
      "--user",
      "ada@example.com",
      "--client",
      "web",
      "--scope",
      "admin posts:read",
    ];
    const { access_token: token } = await runJson<{ access_token: string }>(operators, on.app.environment);
    const { viewer } = await on.atMcp(token);
    assert.ok(viewer !== null, "a token that exists stays valid");
    assert.deepEqual([...viewer.scopes], ["posts:read"]);
  });

  test("A01 MCP=read: nothing can be changed, whatever the token has", async () => {
    const reading = await openInstallation({ MCP: "read" });
    try {
      for (const form of [undefined, "/mcp"]) {
        const { body } = await tokensFor(reading, form === undefined ? undefined : reading.base + form);
        const { viewer } = await reading.atMcp(body.access_token);
        assert.ok(viewer !== null);
        assert.deepEqual([...viewer.scopes].sort(), ["posts:read", "users:read"], String(form));
      }
      assert.match((await reading.atMcp(null)).challenge, / scope="posts:read users:read",/);
    } finally {
      await reading.close();
    }
  });

  test("A10 consent for /mcp stands apart: what was agreed to at /graphql is asked again", async () => {
    const browser = new Browser();
    const ask = (form: string) => {
      const params = { resource: on.base + form };
      return browser.follow(authorizationRequest({ ...on.options, clientId: "web", scope: "posts:read", params }).url);
    };
    const store = await openStore(on.app.config.DATABASE_URL);
    const person = await store.users.findByEmail("ada@example.com");
    assert.ok(person !== null);
    await store.artifacts.revokeClientOfUser(person.id, "web");
    await store.close();
    const signIn = await ask("/graphql");
    const first = await browser.submit(signIn, "/sign-in", { email: "ada@example.com", password: PASSWORD });
    assert.ok((await browser.submit(first, "/consent", { decision: "approve" })).left);
    assert.ok((await ask("/")).left, "the same consent");
    const other = await ask("/mcp");
    assert.equal(other.left, false);
    assert.ok((await browser.submit(other, "/consent", { decision: "approve" })).left);
    assert.ok((await ask("/mcp/")).left, "remembered");
  });
});
