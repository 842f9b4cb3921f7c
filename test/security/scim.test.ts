import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { after, before, describe, test } from "node:test";
import { shownEvents } from "../../src/authorization-server/pages/account-events.ts";
import type { NewClient } from "../../src/domain/clients/client.ts";
import type { NewUser, User } from "../../src/domain/people/user.ts";
import type { Store } from "../../src/domain/store/store.ts";
import { hashToken } from "../../src/secrets/token-hash.ts";
import { openStore } from "../../src/storage/open.ts";
import { openTestApp, type TestApp } from "../app.ts";
import { runCommand, runJson } from "../command.ts";
import { aClient, anArtifact, aPerson } from "../conformance/samples.ts";
import { sqlOn } from "../postgres.ts";
import { CLIENT_SECRET } from "./authorization-server.ts";
import { requestToken } from "./client.ts";

const USER = "urn:ietf:params:scim:schemas:core:2.0:User";
const PATCH = "urn:ietf:params:scim:api:messages:2.0:PatchOp";
const ENTERPRISE = "urn:ietf:params:scim:schemas:extension:enterprise:2.0:User";

const upstream = { name: "ACME", client_id: "content-api", client_secret: "s3cret-of-acme" };
const UPSTREAMS = [
  {
    ...upstream,
    ...{ id: "acme", issuer: "https://id.acme.example", domains: ["acme.example", "acme.test"], enforced: true },
    ...{ scim_client: "scim-acme", scim_subject: true },
  },
  {
    ...upstream,
    ...{ id: "guest", issuer: "https://id.guest.example", domains: ["guest.example", "acme.test"] },
    scim_client: "scim-guest",
  },
];

interface Answer {
  readonly status: number;
  readonly headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: any JSON may be answered, and a test reads what it expects
  readonly body: any;
}

let folder: string;
let app: TestApp;
let store: Store;
let acme: string;
let guest: string;

before(async () => {
  folder = await mkdtemp(join(tmpdir(), "content-api-scim-"));
  const file = join(folder, "upstreams.json");
  await writeFile(file, JSON.stringify(UPSTREAMS));
  app = await openTestApp({ SCIM: "on", UPSTREAMS: file });
  store = await openStore(app.environment.DATABASE_URL ?? "");
  for (const id of ["scim-acme", "scim-guest", "scim-nobody"]) await addClient({ id });
  [acme, guest] = [await tokenOf("scim-acme"), await tokenOf("scim-guest")];
});
after(async () => {
  await store?.close();
  await app?.close();
  await rm(folder, { recursive: true });
});

async function addClient(change: Partial<NewClient>): Promise<void> {
  const machine = {
    secretHash: hashToken(CLIENT_SECRET),
    redirectUris: [],
    grantTypes: ["client_credentials"],
  } as const;
  await store.clients.put(aClient({ ...machine, scopes: ["scim"], ...change }));
}

async function tokenOf(client: string): Promise<string> {
  const { body } = await requestToken(app.url, {
    grant_type: "client_credentials",
    client_id: client,
    client_secret: CLIENT_SECRET,
  });
  return body.access_token;
}

async function call(
  method: string,
  path: string,
  { body, token = acme, type = "application/scim+json" }: { body?: unknown; token?: string | null; type?: string } = {},
): Promise<Answer> {
  const response = await fetch(`${app.url}/scim/v2${path}`, {
    method,
    headers: {
      ...(token === null ? {} : { authorization: `Bearer ${token}` }),
      ...(body === undefined ? {} : { "content-type": type }),
    },
    ...(body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) }),
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, body: text === "" ? null : JSON.parse(text) };
}

function assertError({ status, headers, body }: Answer, expected: number, scimType?: string): void {
  assert.equal(status, expected, JSON.stringify(body));
  assert.match(headers.get("content-type") ?? "", /^application\/scim\+json/);
  assert.deepEqual(body.schemas, ["urn:ietf:params:scim:api:messages:2.0:Error"]);
  assert.equal(body.status, String(expected));
  assert.equal(body.scimType, scimType);
  assert.match(body.detail, /^\w.{5,300}[.…]$/s);
}

async function rowsOf(id: string): Promise<unknown[]> {
  const { DATABASE_URL = "" } = app.environment;
  const query = `SELECT provider FROM scim_users WHERE user_id = '${id}'`;
  if (!DATABASE_URL.startsWith("sqlite:")) return sqlOn(DATABASE_URL, query);
  const database = new DatabaseSync(DATABASE_URL.slice("sqlite:".length), { readOnly: true });
  try {
    return database.prepare(query).all();
  } finally {
    database.close();
  }
}

let count = 0;
const newAddress = (domain = "acme.example") => `p${++count}@${domain}`;

function create(change: object = {}, token = acme): Promise<Answer> {
  return call("POST", "/Users", { token, body: { schemas: [USER], userName: newAddress(), ...change } });
}

async function made(change: object = {}, token = acme): Promise<{ id: User["id"]; userName: string }> {
  const { status, body } = await create(change, token);
  assert.equal(status, 201, JSON.stringify(body));
  return body;
}

function patch(id: string, ...Operations: object[]): Promise<Answer> {
  return call("PATCH", `/Users/${id}`, { body: { schemas: [PATCH], Operations } });
}

async function find(id: User["id"]): Promise<User> {
  return (await store.users.find(id)) ?? assert.fail("no such person");
}

function somebody(change: Partial<NewUser> = {}): Promise<User> {
  return store.users.create(aPerson({ email: newAddress("example.com"), ...change }));
}

describe("U69 a service makes and changes its people", () => {
  test("U69 a person is made as a member without a password, with the address as proved, and is found", async () => {
    const userName = newAddress();
    const name = { formatted: "Grace Hopper", givenName: "G.", familyName: "H." };
    const answer = await create({ userName, displayName: "Grace", name, externalId: "00uA1", password: "1mz050nq!x" });
    assert.equal(answer.status, 201);
    const { id, meta } = answer.body;
    const location = `${app.config.AUTH_URL}/scim/v2/Users/${id}`;
    assert.equal(answer.headers.get("location"), location);
    const resource = {
      ...{ schemas: [USER], id, externalId: "00uA1", userName, displayName: "Grace", name: { formatted: "Grace" } },
      ...{ emails: [{ value: userName, type: "work", primary: true }], active: true },
      meta: { resourceType: "User", created: meta.created, location },
    };
    assert.deepEqual(answer.body, resource);
    assert.deepEqual((await call("GET", `/Users/${id}`)).body, resource);
    const user = await find(id);
    assert.deepEqual(
      [user.name, user.email, user.emailVerified, user.role, user.passwordHash, user.createdAt],
      ["Grace", userName, true, "member", null, meta.created],
    );
    assert.equal((await store.upstreamIdentities.find("acme", "00uA1"))?.userId, id, "scim_subject links it");
    for (const filter of [
      `userName eq "${userName.toUpperCase()}"`,
      'EXTERNALID Eq "00uA1"',
      `${USER}:userName eq "${userName}"`,
    ]) {
      const { body } = await call("GET", `/Users?filter=${encodeURIComponent(filter)}`);
      assert.deepEqual(body, {
        schemas: ["urn:ietf:params:scim:api:messages:2.0:ListResponse"],
        ...{ totalResults: 1, startIndex: 1, itemsPerPage: 1, Resources: [resource] },
      });
    }
    assertError(await create({ userName: userName.toUpperCase() }), 409, "uniqueness");
    assertError(await create({ externalId: "00uA1" }), 409, "uniqueness");
  });

  test("the name comes from displayName, name.formatted, both parts, or the address", async () => {
    for (const [given, expected] of [
      [{ displayName: "D", name: { formatted: "F" } }, "D"],
      [{ displayName: " ", name: { formatted: "F" } }, "F"],
      [{ name: { givenName: "Ada", familyName: "Lovelace" } }, "Ada Lovelace"],
      [{ NAME: { GIVENNAME: "Ada", familyname: "Byron" }, displayName: null }, "Ada Byron"],
      [{ name: { givenName: "Ada" } }, null],
      [{}, null],
    ] as const) {
      const { id, userName } = await made(given);
      assert.equal((await find(id)).name, expected ?? userName);
    }
  });

  test("U69 a PATCH and a PUT change name, address and external id; what is not kept is ignored", async () => {
    const { id } = await made({ displayName: "Grace", externalId: "a-1" });
    const before = await store.outbox.last();
    const userName = newAddress("acme.test");
    const answer = await patch(
      id,
      { op: "Replace", path: "userName", value: userName },
      { op: "Add", path: "name.givenName", value: "Grace" },
      { op: "Replace", path: `${USER}:name.familyName`, value: "Hopper" },
      { op: "replace", value: { EXTERNALID: "a-2", title: "Admiral", [`${ENTERPRISE}:department`]: "Navy" } },
      { op: "Replace", path: 'emails[type eq "work"].value', value: "other@elsewhere.example" },
      { op: "Add", path: `${ENTERPRISE}:manager`, value: "x" },
      { op: "Remove", path: "nickName" },
    );
    assert.equal(answer.status, 200, JSON.stringify(answer.body));
    const { displayName, externalId, active } = answer.body;
    assert.deepEqual([answer.body.userName, displayName, externalId, active], [userName, "Grace Hopper", "a-2", true]);
    const { email, emailVerified, name, credentialVersion } = await find(id);
    assert.deepEqual([email, emailVerified, name, credentialVersion], [userName, true, "Grace Hopper", 1]);
    assert.equal(await store.upstreamIdentities.find("acme", "a-1"), null);
    assert.equal((await store.upstreamIdentities.find("acme", "a-2"))?.userId, id);
    const types = (await store.outbox.list(before, 9)).map(({ type }) => type);
    assert.deepEqual(types, ["user.updated", "user.email-changed"]);
    const put = await call("PUT", `/Users/${id}`, {
      body: { schemas: [USER, ENTERPRISE], userName, displayName: "G." },
    });
    assert.equal(put.status, 200, JSON.stringify(put.body));
    assert.deepEqual([put.body.displayName, put.body.externalId, put.body.active], ["G.", undefined, true]);
    assert.equal((await patch(id, { op: "remove", path: "displayName" })).body.displayName, "G.");
    assert.equal((await call("PUT", `/Users/${id}`, { body: { userName } })).body.displayName, "G.");
  });

  test("A17 U69 active=false in every form signs out and keeps out; active=true lets in again", async () => {
    for (const [form, off, on] of [
      [
        "a PATCH by path",
        { op: "replace", path: "active", value: false },
        { op: "replace", path: "active", value: true },
      ],
      ["Entra's text", { op: "Replace", path: "active", value: "False" }, { op: "Add", path: "active", value: "True" }],
      ["Okta's value", { op: "replace", value: { active: false } }, { op: "replace", value: { active: true } }],
    ] as const) {
      const { id } = await made();
      await store.artifacts.put(anArtifact({ kind: "Session", idHash: `session-${id}`, userId: id }));
      assert.equal((await patch(id, off)).body.active, false, form);
      assert.notEqual((await find(id)).disabledAt, null);
      assert.equal(await store.artifacts.find("Session", `session-${id}`), null);
      assert.equal((await patch(id, on)).body.active, true, form);
      assert.equal((await find(id)).disabledAt, null);
    }
    const { id, userName } = await made();
    const put = await call("PUT", `/Users/${id}`, { body: { userName, active: "false" }, type: "application/json" });
    assert.equal(put.body.active, false);
    const disabled = await made({ active: false });
    assert.notEqual((await find(disabled.id)).disabledAt, null);
    for (const value of ["no", 0, null, {}, [false]])
      assert.equal((await patch(id, { op: "replace", path: "active", value })).status, value === null ? 200 : 400);
  });

  test("R18 active=true does not undo what an administrator did", async () => {
    const { id, userName } = await made();
    const disabledAt = new Date().toISOString();
    await store.users.update(id, { disabledAt });
    assert.equal((await patch(id, { op: "replace", path: "active", value: true })).body.active, false);
    const put = await call("PUT", `/Users/${id}`, { body: { userName, active: true, displayName: "New" } });
    assert.deepEqual([put.status, put.body.active, put.body.displayName], [200, false, "New"]);
    assert.equal((await find(id)).disabledAt, disabledAt);
    const details = (await store.audit.list({ userId: id, limit: 9 })).map(({ detail }) => detail);
    assert.ok(!details.includes("enabled"), String(details));
  });

  test("P50 U69 a deleted person is nobody for SCIM, out at once, and goes after the delay", async () => {
    const { id, userName } = await made({ externalId: "gone" });
    await store.artifacts.put(anArtifact({ kind: "Session", idHash: "gone", userId: id }));
    const answers = await Promise.all([1, 2, 3].map(() => call("DELETE", `/Users/${id}`)));
    assert.deepEqual(answers.map(({ status }) => status).sort(), [204, 404, 404]);
    const user = await find(id);
    assert.notEqual(user.disabledAt, null, "so that the person cannot keep the account");
    const days = (Date.parse(user.deletesAt ?? "") - Date.now()) / 86_400_000;
    assert.ok(days > 6.9 && days <= 7, String(days));
    assert.equal(await store.artifacts.find("Session", "gone"), null);
    assertError(await call("GET", `/Users/${id}`), 404);
    assertError(await patch(id, { op: "replace", path: "active", value: true }), 404);
    assertError(await call("PUT", `/Users/${id}`, { body: { userName } }), 404);
    for (const filter of [`userName eq "${userName}"`, 'externalId eq "gone"'])
      assert.equal((await call("GET", `/Users?filter=${encodeURIComponent(filter)}`)).body.totalResults, 0);
    assertError(await create({ userName }), 409, "uniqueness");
    await store.deletions.begin(id, user.deletesAt ?? "");
    assert.equal(await store.deletions.finish(id, user.deletesAt ?? "", null), true);
    assert.deepEqual(await rowsOf(id), []);
    const anew = await made({ userName, externalId: "gone" });
    assert.notEqual(anew.id, id);
    assert.equal((await rowsOf(anew.id)).length, 1);
  });

  test("pages are bounded, and attributes can be chosen", async () => {
    for (let i = 0; i < 3; i++)
      await made({}, guest).catch(() => made({ userName: newAddress("guest.example") }, guest));
    const list = async (query: string) => (await call("GET", `/Users?${query}`, { token: guest })).body;
    const whole = await list("");
    assert.deepEqual([whole.totalResults, whole.startIndex, whole.itemsPerPage], [3, 1, 3]);
    const second = await list("startIndex=2&count=1");
    assert.deepEqual([second.totalResults, second.startIndex, second.itemsPerPage], [3, 2, 1]);
    assert.deepEqual(second.Resources, [whole.Resources[1]]);
    assert.deepEqual((await list("count=0")).Resources, []);
    assert.equal((await list("startIndex=-5&count=-1")).startIndex, 1);
    assert.equal((await list("count=9999999999")).itemsPerPage, 3);
    assert.deepEqual((await list("startIndex=9999999999")).Resources, []);
    const [only] = (await list("attributes=userName,name.formatted&count=1")).Resources;
    assert.deepEqual(Object.keys(only), ["schemas", "id", "userName", "name"]);
    const [without] = (await list("excludedAttributes=emails,meta,id&count=1")).Resources;
    assert.deepEqual(Object.keys(without), ["schemas", "id", "userName", "displayName", "name", "active"]);
    for (const query of ["count=x", "startIndex=1.5", "count=1&count=2", "attributes=a&attributes=b"])
      assertError(await call("GET", `/Users?${query}`), 400, "invalidValue");
  });

  test("it says what it can do", async () => {
    const { body } = await call("GET", "/ServiceProviderConfig");
    const { patch: patches, bulk, filter, changePassword, sort, etag } = body;
    assert.deepEqual(
      [patches, bulk.supported, filter, changePassword, sort, etag].map((one) => one.supported ?? one),
      [true, false, true, false, false, false],
    );
    assert.equal(filter.maxResults, 100);
    const types = (await call("GET", "/ResourceTypes")).body;
    assert.deepEqual([types.totalResults, types.Resources[0].endpoint], [1, "/Users"]);
    assert.deepEqual((await call("GET", "/ResourceTypes/User")).body, types.Resources[0]);
    const schemas = (await call("GET", "/Schemas")).body;
    const names = schemas.Resources[0].attributes.map(({ name }: { name: string }) => name);
    assert.deepEqual(names, ["userName", "displayName", "name", "active", "emails"]);
    assert.deepEqual((await call("GET", `/Schemas/${USER}`)).body, schemas.Resources[0]);
    for (const path of ["/Groups", "/Bulk", "/Me", "/Users/.search", "/Schemas/urn:x", "/"])
      assertError(await call("GET", path), 404);
  });

  test("each act is in the audit, with the client, and on the account page", async () => {
    const { id } = await made();
    await patch(id, { op: "replace", value: { displayName: "Other", active: false } });
    await patch(id, { op: "replace", path: "active", value: true });
    await patch(id, { op: "replace", path: "active", value: true });
    await patch(id, { op: "replace", path: "userName", value: "x@elsewhere.example" });
    await call("DELETE", `/Users/${id}`);
    const rows = await store.audit.list({ userId: id, limit: 20 });
    assert.deepEqual(rows.map(({ event, result, clientId, detail }) => [event, result, clientId, detail]).reverse(), [
      ["scim", "ok", "scim-acme", "created"],
      ["scim", "ok", "scim-acme", "disabled"],
      ["scim", "ok", "scim-acme", "changed"],
      ["scim", "ok", "scim-acme", "enabled"],
      ["scim", "refused", "scim-acme", "userName is not an e-mail address at your domains."],
      ["scim", "ok", "scim-acme", "deleted"],
    ]);
    assert.deepEqual(
      shownEvents(rows, 9).map(({ sentence }) => sentence),
      [
        "Deletion of the account asked for by your organisation",
        "Account enabled by your organisation",
        "Account changed by your organisation",
        "Account disabled by your organisation",
        "Account created by your organisation",
      ],
    );
  });
});

describe("P52 R18 a service touches its people alone", () => {
  test("P52 everybody else is 404, whatever is asked, and is not told from nobody", async () => {
    const strangers = [
      await somebody(),
      await somebody({ email: newAddress("sub.acme.example") }),
      await somebody({ email: newAddress("notacme.example") }),
      await somebody({ role: "admin" }),
      await find((await made({ userName: newAddress("guest.example") }, guest)).id),
    ];
    const nobody = await call("GET", "/Users/01890000-0000-7000-8000-000000000000");
    for (const stranger of strangers) {
      const { id, email } = stranger;
      for (const [method, body] of [
        ["GET", undefined],
        ["PUT", { userName: email, active: false }],
        ["PUT", "{"],
        ["PATCH", { schemas: [PATCH], Operations: [{ op: "replace", path: "active", value: false }] }],
        ["PATCH", {}],
        ["DELETE", undefined],
      ] as const) {
        const answer = await call(method, `/Users/${id}`, { body });
        assertError(answer, 404);
        assert.deepEqual(answer.body, nobody.body);
      }
      const filter = encodeURIComponent(`userName eq "${email}"`);
      assert.equal((await call("GET", `/Users?filter=${filter}`)).body.totalResults, 0);
      assert.deepEqual(await find(id), stranger);
    }
    for (const id of ["x", "1", "%00", "..%2f", "' or 1=1", "x".repeat(5_000)])
      assert.ok([400, 404, 414].includes((await call("GET", `/Users/${encodeURIComponent(id)}`)).status), id);
  });

  test("P52 somebody with an address that the service enforces is its own, and not that of another", async () => {
    const { id } = await somebody({ email: newAddress(), passwordHash: "$argon2id$x" });
    assertError(await call("GET", `/Users/${id}`, { token: guest }), 404);
    assert.equal((await call("GET", `/Users/${id}`)).status, 200);
    assert.equal((await patch(id, { op: "replace", path: "active", value: false })).body.active, false);
  });

  test("P52 nobody becomes an administrator, and no role is given", async () => {
    const { id } = await made({ roles: [{ value: "editor" }, "staff"] });
    assert.equal((await find(id)).role, "member");
    for (const roles of ["admin", ["Admin"], [{ value: "ADMIN", primary: true }], { value: " administrator " }]) {
      assertError(await create({ roles }), 403);
      assertError(await call("PUT", `/Users/${id}`, { body: { userName: newAddress(), roles } }), 403);
      for (const operation of [
        { op: "add", path: "roles", value: roles },
        { op: "Replace", path: 'roles[primary eq "True"].value', value: roles },
        { op: "add", value: { [`${USER}:ROLES`]: roles } },
      ])
        assertError(await patch(id, operation), 403);
    }
    assert.equal((await find(id)).role, "member");
    assert.equal((await store.users.list()).filter(({ role }) => role === "admin").length, 1);
  });

  test("P52 R7 an address at a foreign domain is given to nobody, so that none is proved by a claim", async () => {
    const { id, userName } = await made();
    for (const email of ["x@evil.example", "x@sub.acme.example", "x@acme.example.evil.example", "x@guest.example"]) {
      for (const verified of [{}, { emailVerified: true, email_verified: true }]) {
        assertError(await create({ userName: email, ...verified }), 403);
        assertError(await patch(id, { op: "replace", value: { userName: email, ...verified } }), 403);
        assertError(await call("PUT", `/Users/${id}`, { body: { userName: email, ...verified } }), 403);
      }
      assert.equal(await store.users.findByEmail(email), null);
    }
    assertError(await create({ userName: newAddress("acme.test") }, guest), 403); // which acme enforces
    assert.equal((await find(id)).email, userName);
    const moved = await made();
    const evil = { purpose: "email-change", email: newAddress("private.example"), userId: moved.id } as const;
    const about = { provesEmail: true, credentialVersion: 0, invitationId: null, codeMac: null, browserHash: null };
    const seconds = Math.floor(Date.now() / 1_000);
    const times = { createdAtSeconds: seconds, expiresAtSeconds: seconds + 60 };
    await store.accountTokens.put({ ...evil, ...about, ...times, hash: "moved", interaction: null });
    assert.notEqual(await store.accountTokens.changeEmail("moved", moved.id, seconds), null);
    assertError(await patch(moved.id, { op: "replace", path: "userName", value: newAddress() }), 403);
    assert.equal((await find(moved.id)).email, evil.email);
  });

  test("P52 R7 an account with an unproved address gets no link to the service's person", async () => {
    const { id } = await somebody({ email: newAddress(), emailVerified: false });
    assert.equal((await patch(id, { op: "add", path: "externalId", value: "victim" })).body.externalId, "victim");
    assert.equal(await store.upstreamIdentities.find("acme", "victim"), null);
    assert.equal((await find(id)).emailVerified, false);
  });

  test("U69 a password is never set", async () => {
    const { id, userName } = await made({ password: "correct horse battery" });
    assert.equal((await find(id)).passwordHash, null);
    const body = { userName, password: "correct horse battery" };
    assert.equal((await call("PUT", `/Users/${id}`, { body })).status, 200);
    for (const operation of [
      { op: "replace", path: "password", value: "correct horse battery" },
      { op: "add", path: `${USER}:PASSWORD`, value: "x" },
      { op: "add", value: { password: "x" } },
    ])
      assertError(await patch(id, operation), 400, "mutability");
    assert.equal((await find(id)).passwordHash, null);
  });

  test("P49 the last administrator stays in, also where two are disabled at once", async () => {
    const [admin] = await store.users.listAdministrators();
    assert.ok(admin);
    const [a, b] = [
      await somebody({ email: newAddress(), role: "admin" }),
      await somebody({ email: newAddress(), role: "admin" }),
    ];
    await store.users.update(admin.id, { role: "member" });
    const off = { op: "replace", path: "active", value: false };
    const answers = await Promise.all([patch(a.id, off), patch(b.id, off)]);
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 409]);
    const [last] = await store.users.listAdministrators();
    assert.ok(last);
    assertError(await patch(last.id, off), 409);
    assertError(await call("PUT", `/Users/${last.id}`, { body: { userName: last.email, active: false } }), 409);
    assertError(await call("DELETE", `/Users/${last.id}`), 409);
    assert.deepEqual(await find(last.id), last);
  });
});

describe("U69 only the client of the service has a say", () => {
  test("without a token there is a challenge, and a wrong one is refused", async () => {
    for (const path of ["/Users", "/Users/x", "/ServiceProviderConfig", "/Schemas", "/ResourceTypes"]) {
      const answer = await call("GET", path, { token: null });
      assertError(answer, 401);
      assert.equal(answer.headers.get("www-authenticate"), 'Bearer scope="scim"');
    }
    const wrong = await call("GET", "/Users", { token: "x".repeat(43) });
    assertError(wrong, 401);
    assert.equal(wrong.headers.get("www-authenticate"), 'Bearer error="invalid_token", scope="scim"');
    assertError(await call("GET", "/Users?access_token=x", { token: null }), 400);
    assertError(await call("POST", "/Users", { token: null, body: "{" }), 401);
  });

  test("a client that no entry names, a person's token, and one without the scope get 403", async () => {
    assertError(await call("GET", "/Users", { token: await tokenOf("scim-nobody") }), 403);
    await addClient({ id: "reader", scopes: ["posts:read"] });
    const scopeless = await call("GET", "/Users", { token: await tokenOf("reader") });
    assertError(scopeless, 403);
    assert.equal(scopeless.headers.get("www-authenticate"), 'Bearer error="insufficient_scope", scope="scim"');
    const { id: userId } = await somebody({ role: "admin" });
    const token = { clientId: "scim-acme", scope: "scim", userId, expiresAtSeconds: 9_999_999_999 };
    await store.artifacts.put(anArtifact({ ...token, idHash: hashToken("persons-token") }));
    assertError(await call("GET", "/Users", { token: "persons-token" }), 403);
    await store.artifacts.put(anArtifact({ ...token, userId: null, jkt: "key", idHash: hashToken("bound-token") }));
    assertError(await call("GET", "/Users", { token: "bound-token" }), 401);
    const own = { ...token, kind: "ClientCredentials", userId: null };
    for (const [audience, status] of [
      ["graphql", 200],
      ["mcp", 401],
    ] as const) {
      await store.artifacts.put(anArtifact({ ...own, audience, idHash: hashToken(`${audience}-token`) }));
      assert.equal((await call("GET", "/Users", { token: `${audience}-token` })).status, status, `A10 ${audience}`);
    }
  });

  test("U69 a token for SCIM opens nothing else", async () => {
    const graphql = await fetch(`${app.url}/graphql`, {
      method: "POST",
      headers: { "content-type": "application/json", authorization: `Bearer ${acme}` },
      body: JSON.stringify({ query: "{ accounts(first: 1) { nodes { id } } }" }),
    });
    assert.equal(graphql.status, 403);
  });

  test("a token that an operator made for the client works until the client revokes it", async () => {
    const run = (args: string[]) => runCommand(["client", "token", ...args], app.environment);
    const printed = await runJson<{ access_token: string; scope: string; expires_at: string }>(
      ["client", "token", "scim-acme", "--ttl", "180d"],
      app.environment,
    );
    const { access_token: token, scope, expires_at } = printed;
    assert.equal(scope, "scim");
    assert.ok(Math.abs(Date.parse(expires_at) - Date.now() - 180 * 86_400_000) < 60_000, expires_at);
    assert.equal((await call("GET", "/Users?count=1", { token })).status, 200);
    const [row] = await store.audit.list({ clientId: "scim-acme", event: "token", limit: 1 });
    assert.deepEqual([row?.result, row?.detail], ["ok", "operator: scim"]);
    const body = new URLSearchParams({ token, client_id: "scim-acme", client_secret: CLIENT_SECRET });
    assert.equal((await fetch(`${app.url}/revoke`, { method: "POST", body })).status, 200);
    assertError(await call("GET", "/Users?count=1", { token }), 401);
    await addClient({ id: "person", grantTypes: ["authorization_code"], redirectUris: ["https://a.example/cb"] });
    await addClient({ id: "bound", dpopBound: true });
    for (const [args, words] of [
      [["scim-acme", "--scope", "admin"], /may not have admin for itself/],
      [["scim-acme", "--scope", " "], /at least one scope/],
      [["scim-acme", "--ttl", "366d"], /at most 365d/],
      [["scim-acme", "--ttl", "soon"], /must be a duration/],
      [["person"], /does not have the grant client_credentials/],
      [["bound"], /bound to a key/],
      [["nobody-there"], /no active client/],
    ] as const) {
      const { code, stderr, stdout } = await run([...args]);
      assert.notEqual(code, 0);
      assert.equal(stdout, "");
      assert.match(stderr, words);
    }
  });

  test("a client that is disabled, or loses the scope, is out within a second", async () => {
    const end = {
      "scim-off": () => store.clients.update("scim-off", { disabledAt: new Date().toISOString() }),
      "scim-less": () => addClient({ id: "scim-less", scopes: ["posts:read"] }),
    };
    for (const [id, act] of Object.entries(end)) {
      await addClient({ id });
      const token = await tokenOf(id);
      assertError(await call("GET", "/Users", { token }), 403); // known, and named by no entry
      await act();
      await new Promise((resolve) => setTimeout(resolve, 1_000));
      const { status, body } = await call("GET", "/Users", { token });
      assert.deepEqual([status, /scope/.test(body.detail)], id === "scim-off" ? [401, false] : [403, true]);
    }
  });
});

describe("P52 input of any size and form is answered quickly", () => {
  const SOON = 1_000;

  async function quickly(act: () => Promise<Answer>, statuses: readonly number[]): Promise<void> {
    const start = performance.now();
    const answer = await act();
    const took = performance.now() - start;
    assert.ok(statuses.includes(answer.status), `${answer.status} ${JSON.stringify(answer.body)}`);
    assertError(answer, answer.status, answer.body.scimType);
    assert.ok(took < SOON, `${took} ms`);
  }

  test("P52 filter bombs", async () => {
    const bombs = [
      `userName eq "${"\\a".repeat(250)}`,
      `userName eq "${"\\\\".repeat(250)}`,
      `externalId eq ${'\\"'.repeat(200)}`,
      Array(20).fill('(userName eq "a" or externalId eq "b")').join(" and "),
      `${"(".repeat(300)}userName eq "a"${")".repeat(300)}`,
      `${"not ".repeat(100)}userName eq "a"`,
      `emails[${'type eq "work" and '.repeat(20)}value eq "x"]`,
      `userName eq "${"a".repeat(5_000)}"`,
      `${" ".repeat(500)}userName${" ".repeat(50)}x`,
      ...['userName co "a"', "userName pr", "userName eq 1", 'id eq "x"', 'password eq "x"', "x", 'userName eq "a" or'],
      ...['userName eq "a\\u0000"', 'userName eq "a" and active eq true', "userName eq 'a'", '__proto__ eq "x"'],
    ];
    for (const bomb of bombs)
      await quickly(() => call("GET", `/Users?filter=${encodeURIComponent(bomb)}`), [400, 414, 431]);
    await quickly(() => call("GET", `/Users?filter=a&filter=b`), [400]);
    const odd = ["%", "_", "a@b@acme.example", "'; drop table users; --", '\\"', "é", "\u{1f600}"];
    for (const text of odd) {
      const { status, body } = await call("GET", `/Users?filter=${encodeURIComponent(`userName eq "${text}"`)}`);
      assert.deepEqual([status, body.totalResults], [200, 0], text);
    }
  });

  test("P52 bodies that are large, deep, or have many operations", async () => {
    const { id } = await made();
    const operations = Array(10_000).fill({ op: "add", path: "x", value: 1 });
    await quickly(() => call("PATCH", `/Users/${id}`, { body: { schemas: [PATCH], Operations: operations } }), [413]);
    await quickly(() => patch(id, ...Array(101).fill({ op: "add", path: "x", value: 1 })), [400]);
    assert.equal((await patch(id, ...Array(100).fill({ op: "add", path: "x", value: 1 }))).status, 200);
    await quickly(() => create({ displayName: "x".repeat(1_048_576) }), [413]);
    const deep = `${'{"a":'.repeat(10_000)}1${"}".repeat(10_000)}`;
    const lists = `{"userName":${"[".repeat(30_000)}${"]".repeat(30_000)}}`;
    for (const body of [deep, lists]) {
      await quickly(() => call("POST", "/Users", { body }), [400]);
      await quickly(() => call("PATCH", `/Users/${id}`, { body }), [400]);
    }
    const wide = JSON.stringify(Object.fromEntries(Array.from({ length: 6_000 }, (_, i) => [`k${i}`, i])));
    await quickly(() => call("POST", "/Users", { body: wide }), [400, 413]);
    await quickly(() => patch(id, { op: "add", path: `name.${"x.".repeat(20_000)}`, value: 1 }), [400]);
    await quickly(() => patch(id, { op: "add", path: `userName[${'type eq "\\a'.repeat(20)}`, value: 1 }), [400]);
  });

  test("P52 bodies of other kinds", async () => {
    const { id, userName } = await made();
    const user = await find(id);
    for (const body of ["", "{", "null", "[]", "1", '"x"', '{"userName":"x"', "{}"])
      assertError(
        await call("POST", "/Users", { body }),
        400,
        /^(\{\})$/.test(body) ? "invalidValue" : "invalidSyntax",
      );
    for (const value of [
      1,
      true,
      {},
      [],
      null,
      "",
      " ",
      "x",
      "a b@acme.example",
      "a\0@acme.example",
      "\ud800@acme.example",
    ])
      assertError(await create({ userName: value }), 400, "invalidValue");
    for (const change of [
      { displayName: 1 },
      { displayName: "x".repeat(201) },
      { displayName: "a\nb" },
      { name: "Ada" },
      { name: { formatted: {} } },
      { externalId: 5 },
      { externalId: "x".repeat(256) },
      { externalId: "a\u0001" },
      { externalId: "ä" },
      { active: "perhaps" },
    ])
      assertError(await create(change), 400, "invalidValue");
    assertError(await create({ schemas: USER }), 400, "invalidSyntax");
    for (const [operation, scimType] of [
      [{ op: "replace", path: "userName", value: null }, "invalidValue"],
      [{ op: "remove", path: "userName" }, "invalidValue"],
      [{ op: "remove" }, "noTarget"],
      [{ op: "move", path: "userName", value: "x" }, "invalidSyntax"],
      [{ path: "userName", value: "x" }, "invalidValue"],
      [{ op: "replace", path: 5, value: "x" }, "invalidPath"],
      [{ op: "replace", path: "", value: "x" }, "invalidPath"],
      [{ op: "replace", path: 'userName[type eq "x"]', value: "x" }, "invalidPath"],
      [{ op: "replace", path: "userName" }, "invalidValue"],
      [{ op: "replace", value: null }, "invalidValue"],
      [{ op: "replace", value: [1] }, "invalidValue"],
      [{ op: "replace", path: "name", value: "x" }, "invalidValue"],
      [null, "invalidValue"],
      [[], "invalidValue"],
    ] as const)
      assertError(await patch(id, operation as object), 400, scimType);
    for (const body of [
      { Operations: [{ op: "add", path: "x", value: 1 }] },
      { schemas: [USER], Operations: [{ op: "add", path: "x", value: 1 }] },
      { schemas: [PATCH] },
      { schemas: [PATCH], Operations: [] },
      { schemas: [PATCH], Operations: "x" },
      { schemas: 1, Operations: {} },
    ])
      assert.equal((await call("PATCH", `/Users/${id}`, { body })).status, 400, JSON.stringify(body));
    assertError(await call("POST", "/Users", { body: "userName=x", type: "application/x-www-form-urlencoded" }), 415);
    for (const name of ["__proto__", "constructor", "prototype", "toString"]) {
      const body = `{"userName":"${userName}","${name}":{"active":false,"userName":"x"}}`;
      assert.equal((await call("PUT", `/Users/${id}`, { body })).status, 200);
      assert.equal((await patch(id, { op: "add", path: `${name}.active`, value: false })).status, 200);
    }
    assert.deepEqual(await find(id), user);
    assert.equal(({} as { active?: unknown }).active, undefined);
  });
});

describe("U69 where SCIM is off", () => {
  test("U69 there is nothing at its paths, and the start says what is missing where it cannot work", async () => {
    const off = await openTestApp({});
    assert.equal((await fetch(`${off.url}/scim/v2/Users`)).status, 404);
    await off.close();
    await assert.rejects(openTestApp({ SCIM: "on" }), /SCIM=on needs an entry of UPSTREAMS that has a scim_client/);
  });

  test("U69 below the mount of AUTH_URL", async () => {
    const port = new URL(app.url).port;
    const other = await openTestApp({
      ...{ SCIM: "on", UPSTREAMS: join(folder, "upstreams.json") },
      AUTH_URL: `http://localhost:${port}/auth`,
    });
    const { status } = await fetch(`${other.url}/auth/scim/v2/Users`);
    assert.equal(status, 401);
    assert.equal((await fetch(`${other.url}/scim/v2/Users`)).status, 404);
    await other.close();
  });
});
