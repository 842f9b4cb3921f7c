import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import {
  type GraphQLObjectType,
  type GraphQLOutputType,
  getNamedType,
  isListType,
  isNonNullType,
  isObjectType,
} from "graphql";
import { serverInfoOf } from "../../../src/app/server-info.ts";
import { auditEvent, type NewAuditEvent } from "../../../src/domain/audit.ts";
import type { User } from "../../../src/domain/people/user.ts";
import type { Store } from "../../../src/domain/store/store.ts";
import type { Viewer } from "../../../src/domain/viewer.ts";
import { loadSchema, requiredScopes } from "../../../src/graphql/documents/schema.ts";
import { aClient, aPerson } from "../../conformance/samples.ts";
import { openTestStore, type TestStore } from "../../database.ts";
import { ada, administrationForTests, DEFAULTS, openTestServer, type TestServer } from "../server.ts";

const schema = loadSchema();
const EXAMPLES: Readonly<Record<string, string>> = {
  createOwnClient: 'input: {name: "C", redirectUris: ["https://client.example/"]}',
  updateOwnClient: 'id: "x", input: {name: "C"}',
  endOwnClientSecret: 'id: "x", secret: "x"',
};
const CREATE = `mutation ($input: CreateOwnClientInput!) {
  createOwnClient(input: $input) { client { id origin owner { id name } scopes firstParty } clientSecret errors { field message } }
}`;
const INPUT = { name: "Mine", redirectUris: ["https://client.example/callback"] };

describe("clients that people own", () => {
  let database: TestStore;
  let store: Store;
  let [adaUser, bobUser]: User[] = [];
  const recorded: NewAuditEvent[] = [];

  before(async () => {
    database = await openTestStore();
    store = database.store;
    adaUser = await store.users.create(aPerson({ email: "ada@example.com", name: "Ada" }));
    bobUser = await store.users.create(aPerson({ email: "bob@example.com", name: "Bob" }));
  });
  after(() => database.close());

  function open(change: Partial<Viewer>, clientsBy: "admins" | "people" = "people"): TestServer {
    const administration = {
      ...administrationForTests,
      clientsBy,
      record: async (event: NewAuditEvent) => void recorded.push(event),
    };
    return openTestServer({ store, administration, viewer: { ...ada, ...change } });
  }
  const asAda = () => open({ userId: adaUser?.id ?? null });
  const asBob = () => open({ userId: bobUser?.id ?? null });

  async function data(server: TestServer, query: string, variables: object = {}, headers = {}) {
    const { json, status } = await server.query(query, variables, headers);
    assert.deepEqual([json.errors, status], [undefined, 200]);
    return json.data;
  }

  async function create(server = asAda(), input: object = INPUT) {
    const made = (await data(server, CREATE, { input })).createOwnClient;
    assert.deepEqual(made.errors, []);
    return { ...made.client, secret: made.clientSecret };
  }

  async function refused(server: TestServer, query: string) {
    const { json } = await server.query(query);
    return json.errors?.[0].extensions.code;
  }

  function ownFields() {
    return (["Query", "Mutation"] as const).flatMap((root) =>
      Object.values((schema.getType(root) as GraphQLObjectType).getFields())
        .filter((field) => requiredScopes(field).includes("clients:own"))
        .map((field) => {
          const given = field.args.length === 0 ? "" : `(${EXAMPLES[field.name] ?? 'id: "x"'})`;
          const text = `${root === "Query" ? "query" : "mutation"} { ${field.name}${given} { __typename } }`;
          return { root, field, text };
        }),
    );
  }

  test("S70 every field needs the scope, a person, and CLIENTS_BY=people; an administrator has no more", async () => {
    const scopes = new Set([...ada.scopes].filter((scope) => scope !== "clients:own"));
    assert.equal(ownFields().length, 10);
    for (const { text } of ownFields()) {
      const unscoped = await open({ userId: adaUser?.id ?? null, role: "admin", scopes }).query(text);
      assert.equal(unscoped.status, 403, text);
      assert.match(unscoped.headers["www-authenticate"] ?? "", /scope="clients:own"/);
      assert.equal(await refused(open({ userId: null, role: null }), text), "FORBIDDEN", text);
      assert.equal(await refused(open({ userId: adaUser?.id ?? null, role: "admin" }, "admins"), text), "FORBIDDEN");
    }
    assert.deepEqual(await store.clients.list(), []);
    assert.deepEqual(recorded, []);
  });

  test("S70 serverInfo says who registers clients, without a scope", async () => {
    for (const by of ["admins", "people"] as const) {
      const serverInfo = serverInfoOf({ ...DEFAULTS, CLIENTS_BY: by });
      const server = openTestServer({ viewer: { ...ada, scopes: new Set() }, serverInfo });
      assert.deepEqual(await data(server, "{ serverInfo { clientsBy } }"), {
        serverInfo: { clientsBy: by.toUpperCase() },
      });
    }
    assert.equal(DEFAULTS.CLIENTS_BY, "admins");
  });

  test("S70 all that there is of each field is answered as the schema promises", async () => {
    const asked = new Set<string>();
    const whole = (type: GraphQLOutputType): string => {
      const named = getNamedType(type);
      if (!isObjectType(named)) return "";
      return `{ __typename ${Object.values(named.getFields())
        .map((field) => `${field.name} ${whole(field.type)}`)
        .join(" ")} }`;
    };
    const conforms = (value: unknown, type: GraphQLOutputType, path: string): void => {
      if (isNonNullType(type)) {
        assert.notEqual(value, null, path);
        conforms(value, type.ofType, path);
      } else if (value === null) return;
      else if (isListType(type)) for (const one of value as unknown[]) conforms(one, type.ofType, path);
      else if (isObjectType(type))
        for (const field of Object.values(type.getFields()))
          conforms((value as Record<string, unknown>)[field.name], field.type, `${path}.${field.name}`);
    };
    const ask = async (root: "query" | "mutation", name: string, args = "") => {
      asked.add(name);
      const parent = schema.getType(root === "query" ? "Query" : "Mutation") as GraphQLObjectType;
      const { type } = parent.getFields()[name] as NonNullable<ReturnType<typeof parent.getFields>[string]>;
      const answer = await data(asAda(), `${root} { ${name}${args && `(${args})`} ${whole(type)} }`);
      conforms(answer[name], type, name);
      return answer[name];
    };
    const { client, clientSecret } = await ask("mutation", "createOwnClient", EXAMPLES.createOwnClient);
    assert.equal(clientSecret, "a new secret");
    assert.deepEqual(client.owner, { __typename: "ClientOwner", id: adaUser?.id, name: "Ada", isActive: true });
    assert.equal(client.secrets[0].hint, "cret");
    const id = `id: "${client.id}"`;
    await ask("mutation", "updateOwnClient", `${id}, input: {name: "Other", backchannelLogoutUri: null}`);
    const more = await ask("mutation", "addOwnClientSecret", id);
    await ask("mutation", "endOwnClientSecret", `${id}, secret: "${more.client.secrets[0].id}"`);
    assert.equal((await ask("mutation", "disableOwnClient", id)).client.disabledByOwner, true);
    assert.equal((await ask("mutation", "enableOwnClient", id)).client.disabledAt, null);
    const { trialUntil } = (await ask("mutation", "startClientTrial", id)).client;
    assert.ok(Math.abs(Date.parse(trialUntil) - Date.now() - 10 * 60_000) < 60_000);
    await store.audit.add([auditEvent(Date.now(), { event: "token", result: "refused", clientId: client.id })]);
    assert.equal((await ask("query", "ownClientProblems", id)).length, 1);
    assert.equal((await ask("query", "ownClients")).length, 1);
    assert.equal((await ask("mutation", "deleteOwnClient", id)).deletedId, client.id);
    assert.deepEqual(await ask("query", "ownClients"), []);
    assert.deepEqual(
      [...asked].sort(),
      ownFields()
        .map(({ field }) => field.name)
        .sort(),
    );
    const details = recorded.splice(0).map(({ event, userId, clientId, detail }) => [event, userId, clientId, detail]);
    const by = ` by ${adaUser?.id}`;
    assert.deepEqual(
      details,
      [
        ...["created", "changed name, backchannelLogoutUri", "given another secret, …cret", "secret …cret ended"],
        ...["disabled", "enabled", "trial of its sign-in started", "deleted: Other"],
      ].map((detail) => ["client", adaUser?.id, client.id, detail + by]),
    );
  });

  test("S70 nobody reaches the client of another person, nor one of the operator", async () => {
    const { id } = await create();
    await store.clients.create(aClient({ id: "operator's" }));
    for (const { field, text } of ownFields().filter(({ field }) => field.args.some(({ name }) => name === "id")))
      for (const [server, target] of [
        [asBob(), id],
        [asAda(), "operator's"],
        [asAda(), "nobody"],
      ] as const)
        assert.equal(await refused(server, text.replace('id: "x"', `id: "${target}"`)), "NOT_FOUND", field.name);
    assert.deepEqual(await data(asBob(), "{ ownClients { id } }"), { ownClients: [] });
    assert.notEqual(await store.clients.find(id), null);
    await store.clients.delete("operator's");
    await store.clients.delete(id);
  });

  test("S70 such a client is never first-party and never has privileged scopes, nor when an administrator changes it", async () => {
    const { id, ...client } = await create();
    assert.deepEqual([client.origin, client.firstParty], ["PERSON", false]);
    for (const scope of ["admin", "users:email", "clients:own", "scim"]) {
      assert.ok(!client.scopes.includes(scope));
      const { createOwnClient } = await data(asAda(), CREATE, { input: { ...INPUT, scopes: ["openid", scope] } });
      assert.equal(createOwnClient.errors[0].field, "input.scopes", scope);
      const change = `mutation { updateOwnClient(id: "${id}", input: {scopes: ["${scope}"]}) { errors { field } } }`;
      assert.equal((await data(asAda(), change)).updateOwnClient.errors[0].field, "input.scopes");
    }
    const admin = open({ userId: bobUser?.id ?? null, role: "admin" });
    for (const given of ["firstParty: true", 'scopes: ["admin"]', 'resourceServer: "https://orders.example.com"']) {
      const change = `mutation { updateClient(id: "${id}", input: {${given}}) { errors { field } } }`;
      assert.equal((await data(admin, change)).updateClient.errors.length, 1, given);
    }
    for (const name of ["firstParty", "resourceServer", "certificateSubject"])
      assert.equal((await asAda().query(CREATE, { input: { ...INPUT, [name]: true } })).status, 400, name);
    assert.deepEqual((await store.clients.find(id))?.firstParty, false);
    await store.clients.delete(id);
  });

  test("S70 the same rules and words as for every other client", async () => {
    for (const [input, field, message] of [
      [{ ...INPUT, redirectUris: ["http://client.example/"] }, "input.redirectUris", /must use https/],
      [{ ...INPUT, redirectUris: [] }, "input.redirectUris", /needs at least one redirect URI/],
      [{ ...INPUT, name: "\n" }, "input.name", /one line/],
      [{ ...INPUT, type: "PUBLIC", grantTypes: ["CLIENT_CREDENTIALS"] }, "input.grantTypes", /needs a secret/],
      [{ ...INPUT, jwks: "no JSON" }, "input.jwks", /JWK Set/],
    ] as const) {
      const { createOwnClient } = await data(asAda(), CREATE, { input });
      assert.equal(createOwnClient.errors[0].field, field);
      assert.match(createOwnClient.errors[0].message, message);
    }
  });

  test("S70 20 clients each, and a request with an Idempotency-Key makes one", async () => {
    const headers = { "idempotency-key": '"own"' };
    const server = asAda();
    const first = await data(server, CREATE, { input: INPUT }, headers);
    assert.deepEqual(await data(server, CREATE, { input: INPUT }, headers), first);
    for (let i = 1; i < 20; i++) await create();
    const { json } = await asAda().query(CREATE, { input: INPUT });
    assert.equal(json.errors[0].extensions.code, "CONFLICT");
    assert.match(json.errors[0].message, /at most 20 clients/);
    await create(asBob());
    const listed = (await data(asAda(), "{ ownClients { id } }")).ownClients;
    assert.equal(listed.length, 20);
    for (const client of await store.clients.list()) await store.clients.delete(client.id);
  });

  test("S69 deleting and new secrets need a sign-in of the last 15 minutes; the rest does not", async () => {
    const { id } = await create();
    const signIn = { atSeconds: Date.now() / 1_000 - 16 * 60, acr: null };
    const stale = open({ userId: adaUser?.id ?? null, signIn });
    for (const field of ["deleteOwnClient", "addOwnClientSecret"])
      assert.equal((await stale.query(`mutation { ${field}(id: "${id}") { __typename } }`)).status, 401, field);
    for (const field of ["disableOwnClient", "enableOwnClient"])
      assert.equal((await stale.query(`mutation { ${field}(id: "${id}") { __typename } }`)).status, 200, field);
    const admin = open({ userId: bobUser?.id ?? null, role: "admin", signIn });
    for (const field of ["deleteClient", "addClientSecret"])
      assert.equal((await admin.query(`mutation { ${field}(id: "${id}") { __typename } }`)).status, 401, field);
    await store.clients.delete(id);
  });

  test("S73 only a client with which people sign in can be tried, and only by its owner", async () => {
    const job = await create(asAda(), { name: "Job", grantTypes: ["CLIENT_CREDENTIALS"], scopes: ["posts:read"] });
    const trial = `mutation { startClientTrial(id: "${job.id}") { __typename } }`;
    assert.equal(await refused(asAda(), trial), "CONFLICT");
    assert.equal(await refused(asBob(), trial), "NOT_FOUND");
    assert.equal((await store.clients.find(job.id))?.trialUntil, null);
    await store.clients.delete(job.id);
  });

  test("S75 what an administrator has disabled stays so; the owner sees it", async () => {
    const { id } = await create();
    const admin = open({ userId: bobUser?.id ?? null, role: "admin" });
    await data(admin, `mutation { disableClient(id: "${id}") { client { id } } }`);
    for (const field of ["disableOwnClient", "enableOwnClient", "startClientTrial"])
      assert.equal(await refused(asAda(), `mutation { ${field}(id: "${id}") { __typename } }`), "CONFLICT", field);
    const [shown] = (await data(asAda(), "{ ownClients { disabledAt disabledByOwner } }")).ownClients;
    assert.match(shown.disabledAt, /Z$/);
    assert.equal(shown.disabledByOwner, false);
    await store.clients.delete(id);
  });

  test("S74 refusals in words, with the registered URI and the usual mistake, and without persons and addresses", async () => {
    const { id } = await create(asAda(), { ...INPUT, redirectUris: ["https://client.example/callback"] });
    const add = (detail: string, result: "refused" | "ok" = "refused") =>
      store.audit.add([
        auditEvent(Date.now(), { event: "authorization", result, clientId: id, address: "192.0.2.1", detail }),
      ]);
    const cases = [
      [
        "https://client.example/callback/",
        /^redirect_uri came as .*callback\/\. Registered: .*callback\. It must not end with a slash\.$/,
      ],
      ["https://client.example/Callback", /Upper and lower case/],
      ["http://client.example/callback", /It must begin with https:\/\/\.$/],
      ["https://client.example:8443/callback", /The port must be left out\.$/],
      ["https://other.example/x", /Registered: https:\/\/client\.example\/callback\.$/],
    ] as const;
    for (const [uri, message] of cases) {
      await add(`invalid_redirect_uri: it came as ${uri}`);
      const query = `{ ownClientProblems(id: "${id}", first: 1) { message event result } }`;
      const [problem] = (await data(asAda(), query)).ownClientProblems;
      assert.match(problem.message, message);
      assert.deepEqual([problem.event, problem.result], ["AUTHORIZATION", "REFUSED"]);
    }
    await add("invalid_client: client authentication failed");
    await add("nothing", "ok");
    const { json, body } = await asAda().query(`{ ownClientProblems(id: "${id}") { message } }`);
    assert.equal(json.data.ownClientProblems.length, cases.length + 1);
    assert.match(json.data.ownClientProblems[0].message, /did not prove who it is.* invalid_client: client auth/);
    assert.doesNotMatch(String(body), /192\.0\.2/);
    await store.clients.delete(id);
  });

  test("S67 administrators change and delete clients, but not those of the program or of documents", async () => {
    const admin = open({ userId: bobUser?.id ?? null, role: "admin" });
    await store.clients.create(aClient({ id: "studio", type: "public", secretHash: null }));
    await store.clients.create(
      aClient({ id: "https://d.example/x", origin: "document", type: "public", secretHash: null }),
    );
    await store.clients.create(aClient({ id: "web" }));
    const change = (id: string, input: string) =>
      `mutation { updateClient(id: "${id}", input: {${input}}) { client { name scopes redirectUris mustPush resourceServer } errors { field } } }`;
    assert.equal(await refused(admin, change("studio", 'name: "X"')), "CONFLICT");
    assert.equal(await refused(admin, 'mutation { deleteClient(id: "studio") { deletedId } }'), "CONFLICT");
    assert.equal(await refused(admin, change("https://d.example/x", 'name: "X"')), "CONFLICT");
    assert.equal(await refused(admin, change("nobody", 'name: "X"')), "NOT_FOUND");
    const given =
      'name: "New", scopes: ["admin"], mustPush: true, resourceServer: "https://orders.example.com", redirectUris: null';
    const { client, errors } = (await data(admin, change("web", given))).updateClient;
    assert.deepEqual(errors, []);
    assert.deepEqual(client, {
      ...{ name: "New", scopes: ["admin"], mustPush: true, resourceServer: "https://orders.example.com" },
      redirectUris: ["https://client.example/callback"],
    });
    assert.equal((await data(admin, change("web", "resourceServer: null"))).updateClient.client.resourceServer, null);
    for (const [input, field] of [
      ['redirectUris: ["https://client.example/#x"]', "input.redirectUris"],
      ["redirectUris: []", "input.redirectUris"],
      ['jwksUri: "https://client.example/jwks"', "input.type"],
      ['resourceServer: "https://unknown.example"', "input.resourceServer"],
    ])
      assert.deepEqual((await data(admin, change("web", input ?? ""))).updateClient.errors, [{ field }]);
    const filter = (text: string) => `{ clients(filter: {${text}}) { id } }`;
    const ids = async (text: string) =>
      (await data(admin, filter(text))).clients.map(({ id }: { id: string }) => id).sort();
    assert.deepEqual(await ids("origin: DOCUMENT"), ["https://d.example/x"]);
    assert.deepEqual(await ids('search: "ne"'), ["web"]);
    assert.deepEqual(await ids("state: DISABLED"), []);
    assert.deepEqual(await ids('ownerId: "nobody"'), []);
    assert.equal(
      (await data(admin, 'mutation { deleteClient(id: "web") { deletedId } }')).deleteClient.deletedId,
      "web",
    );
    for (const id of ["studio", "https://d.example/x"]) await store.clients.delete(id);
  });
});
