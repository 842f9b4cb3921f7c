import assert from "node:assert/strict";
import { createHash, generateKeyPairSync } from "node:crypto";
import { after, before, describe, test } from "node:test";
import {
  type GraphQLObjectType,
  type GraphQLOutputType,
  getNamedType,
  isLeafType,
  isListType,
  isNonNullType,
  isObjectType,
} from "graphql";
import { openAccessOverview } from "../../../src/authorization-server/account/access-overview.ts";
import { openMailedSecrets } from "../../../src/authorization-server/letters/mailed-secrets.ts";
import { openOutgoing } from "../../../src/authorization-server/letters/outgoing.ts";
import { openPeopleMail } from "../../../src/authorization-server/letters/people-mail.ts";
import { openKeyControl } from "../../../src/authorization-server/tokens/key-control.ts";
import { openChecks } from "../../../src/diagnosis/health.ts";
import { checkMigrations } from "../../../src/diagnosis/running.ts";
import { AUDIT_EVENTS, auditEvent, type NewAuditEvent } from "../../../src/domain/audit.ts";
import type { Id } from "../../../src/domain/id.ts";
import { MAIL_KINDS } from "../../../src/domain/people/mail.ts";
import type { Store } from "../../../src/domain/store/store.ts";
import type { Viewer } from "../../../src/domain/viewer.ts";
import type { AdministrationTools } from "../../../src/graphql/administration/field.ts";
import { loadSchema, requiredScopes } from "../../../src/graphql/documents/schema.ts";
import { openLog } from "../../../src/observe/log.ts";
import { openSealer } from "../../../src/secrets/seal.ts";
import { anArtifact, aPerson } from "../../conformance/samples.ts";
import { openTestStore, type TestStore } from "../../database.ts";
import { ada, administrationForTests, openTestServer, type TestServer } from "../server.ts";

const SEALER = openSealer(new Uint8Array(32).fill(7), null);
const NOBODY = "01a21efd-4214-7000-8474-a0573e6a4ee8" as Id;

describe("administration", () => {
  let database: TestStore;
  let store: Store;
  let admin: Viewer;
  let server: TestServer;
  const recorded: NewAuditEvent[] = [];
  const asked = new Set<string>();
  const schema = loadSchema();

  before(async () => {
    database = await openTestStore();
    store = database.store;
    const { id } = await store.users.create(aPerson({ role: "admin" }));
    admin = { ...ada, userId: id, role: "admin" };
    server = open(admin);
  });
  after(async () => {
    await database.close();
  });

  function open(viewer: Viewer, sendsMail = true, on = store): TestServer {
    const administration = {
      ...administrationForTests,
      mail: openPeopleMail({
        settings: { AUTH_URL: "https://accounts.example.com" },
        outgoing: openOutgoing(sendsMail, on, Date.now),
        secrets: () => openMailedSecrets(on.accountTokens, new Uint8Array(32).fill(7), Date.now),
        now: Date.now,
      }),
      record: async (event: NewAuditEvent) => void recorded.push(event),
      access: {
        ...openAccessOverview({ store: on, sealer: SEALER, SESSION_MAX: 86_400, now: Date.now }),
        // Tests of the whole program end real ones: test/security/administered-access.test.ts.
        endSession: async () => true,
        endClient: on.artifacts.revokeClientOfUser,
      },
      health: openChecks(
        [
          ["migrations", () => checkMigrations(on)],
          ["mine", () => ({ check: "mine", result: "wrong", detail: "is broken" })],
        ],
        { log: openLog({ LOG_LEVEL: "fatal" }), now: Date.now },
      ),
      signingKeys: openKeyControl(on, { sealer: () => SEALER, maxAgeSeconds: 60, now: Date.now }),
    };
    return openTestServer({ store: on, viewer, administration });
  }

  async function data(query: string, variables: object = {}, headers = {}) {
    const { json, status } = await server.query(query, variables, headers);
    assert.deepEqual([json.errors, status], [undefined, 200]);
    return json.data;
  }

  test("every field of it needs the scope admin, and the role", async () => {
    const args: Record<string, string> = {
      webhook: "id: 1",
      createWebhook: 'input: {url: "https://receiver.example/"}',
      updateWebhook: "id: 1, input: {}",
      testWebhook: "id: 1, event: POST_CREATED",
      resendFailedDeliveries: 'webhook: 1, since: "2026-01-31T12:00:00Z", limit: 1',
      account: "id: 1",
      accountBy: "by: {id: 1}",
      createAccount: 'input: {name: "N", email: "n@example.com"}',
      changeRole: "id: 1, role: ADMIN",
      deleteAccount: "id: 1, posts: KEEP",
      setLocalSignIn: "id: 1, isAllowed: true",
      unlinkUpstream: 'id: 1, provider: "acme", subject: "1"',
      inviteAccount: 'input: {email: "n@example.com"}',
      sendTestMail: 'to: "n@example.com"',
      client: "id: 1",
      withdrawConsent: 'id: 1, clientId: "c"',
      revertAgentChanges: 'input: {clientId: "agent", since: "2026-01-31T12:00:00Z"}',
      createClient: 'input: {name: "C", redirectUris: ["https://client.example/"]}',
      updateClient: 'id: 1, input: {name: "C"}',
      endClientSecret: "id: 1, secret: 1",
    };
    const lists = ["webhooks", "webhookDeliveries", "accounts", "invitations", "mails", "clients", "auditEntries"];
    lists.push("agents", "stopAllAgents", "resumeAgents", "health", "settings", "signingKeys", "rotateSigningKeys");
    const fields = allFields().map(([root, name]) => {
      const given = lists.includes(name) ? "" : `(${args[name] ?? "id: 1"})`;
      const selection = whole(root, name) === "" ? "" : "{ __typename }";
      return `${root === "Query" ? "query" : "mutation"} { ${name}${given} ${selection} }`;
    });
    const scopes = new Set([...admin.scopes].filter((scope) => scope !== "admin"));
    const [unscoped, editor, client] = [
      open({ ...admin, scopes }),
      open({ ...admin, role: "editor" }),
      open({ ...admin, userId: null, role: null }),
    ];
    for (const query of fields) {
      const refused = await unscoped.query(query);
      assert.equal(refused.status, 403, query);
      assert.match(refused.headers["www-authenticate"] ?? "", /scope="admin( users:email)?"/);
      for (const other of [editor, client]) {
        const { json } = await other.query(query);
        assert.equal(json.errors[0].extensions.code, "FORBIDDEN", query);
        assert.ok(json.data === null || Object.values(json.data).every((value) => value === null));
      }
    }
    assert.deepEqual([await store.webhooks.list(), await store.clients.list()], [[], []]);
    assert.equal((await store.users.list()).length, 1);
    assert.deepEqual(recorded, []);
  });

  /** Everything that can be selected of what a field of the root answers with. */
  function whole(root: "Query" | "Mutation", name: string): string {
    const of = (type: GraphQLOutputType): string => {
      const named = getNamedType(type);
      if (!isObjectType(named)) return "";
      const fields = Object.values(named.getFields()).map((field) => `${field.name} ${of(field.type)}`);
      return `{ __typename ${fields.join(" ")} }`;
    };
    return of(fieldOf(root, name).type);
  }

  /** The fields of the root under the scope `admin`. */
  function allFields(): ["Query" | "Mutation", string][] {
    return (["Query", "Mutation"] as const).flatMap((root) =>
      Object.values((schema.getType(root) as GraphQLObjectType).getFields())
        .filter((field) => requiredScopes(field).includes("admin"))
        .map(({ name }): ["Query" | "Mutation", string] => [root, name]),
    );
  }

  function fieldOf(root: "Query" | "Mutation", name: string) {
    const field = (schema.getType(root) as GraphQLObjectType).getFields()[name];
    assert.ok(field !== undefined, `${root}.${name}`);
    return field;
  }

  /** Whether a value is what the schema promises. */
  function assertFits(value: unknown, type: GraphQLOutputType, place: string): void {
    if (isNonNullType(type)) {
      assert.ok(value != null, `${place} is null`);
      assertFits(value, type.ofType, place);
    } else if (value === null) return;
    else if (isListType(type)) {
      assert.ok(Array.isArray(value), place);
      for (const each of value) assertFits(each, type.ofType, place);
    } else if (isObjectType(type)) {
      for (const [name, field] of Object.entries(type.getFields()))
        assertFits((value as Record<string, unknown>)[name], field.type, `${place}.${name}`);
    } else if (isLeafType(type)) assert.equal(type.coerceOutputValue(value), value, place);
  }

  /** Asks for all that there is of a field, and sees to it that the answer is what the schema promises. */
  async function ask(root: "Query" | "Mutation", name: string, args = "") {
    const operation = root === "Query" ? "query" : "mutation";
    const answer = await data(`${operation} { ${name}${args === "" ? "" : `(${args})`} ${whole(root, name)} }`);
    assertFits(answer[name], fieldOf(root, name).type, `${root}.${name}`);
    asked.add(`${root}.${name}`);
    return answer[name];
  }

  test("all that there is of each of its fields is answered as the schema promises", async () => {
    const { webhook, secret } = await ask(
      "Mutation",
      "createWebhook",
      'input: {url: "https://receiver.example/", events: []}',
    );
    assert.ok(secret !== null && webhook !== null);
    const id = `id: "${webhook.id}"`;
    const event = { eventId: NOBODY, eventType: "user.updated", payload: "{}" } as const;
    const { cursor = "" } = (await store.webhooks.find(webhook.id)) ?? {};
    await store.webhooks.advance(webhook.id, { from: cursor, to: NOBODY }, [event], new Date().toISOString());
    const [claimed] = await store.webhooks.claim(webhook.id, {
      ...{ now: new Date().toISOString(), until: new Date().toISOString(), limit: 1 },
    });
    const failed = { state: "FAILED", dueAt: null, failures: 1, status: 500, error: "no" } as const;
    await store.webhooks.settle(
      ...([claimed?.id ?? NOBODY, claimed?.claim ?? ""] as const),
      { ...failed, attemptAt: new Date().toISOString() },
      {
        ...{ webhookId: webhook.id, number: 1, startedAt: new Date().toISOString(), durationMs: 3, status: 500 },
        ...{ answer: "no", error: "the receiver answered 500", headers: [{ name: "webhook-id", value: "1" }] },
      },
    );
    const { nodes } = await ask("Query", "webhookDeliveries");
    assert.equal(nodes[0].attemptLog.length, 1);
    await ask("Query", "webhookDelivery", `id: "${nodes[0].id}"`);
    await ask(
      "Mutation",
      "resendFailedDeliveries",
      `webhook: "${webhook.id}", since: "2026-01-31T12:00:00Z", limit: 0`,
    );
    await ask("Mutation", "updateWebhook", `${id}, input: {includesUnpublished: true}`);
    await ask("Mutation", "testWebhook", `${id}, event: USER_DELETED`);
    await ask("Mutation", "resendWebhookDelivery", `id: "${nodes[0].id}"`);
    await ask("Mutation", "rotateWebhookSecret", id);
    await ask("Mutation", "disableWebhook", id);
    assert.equal((await ask("Query", "webhooks")).length, 1);
    await ask("Query", "webhook", id);
    await ask("Mutation", "enableWebhook", id);
    await ask("Mutation", "deleteWebhook", id);

    const { account } = await ask("Mutation", "createAccount", 'input: {name: "Grace", email: "grace@example.com"}');
    await ask("Query", "account", 'email: "Grace@Example.com"');
    await ask("Query", "accountBy", `by: {id: "${account.id}"}`);
    assert.equal((await ask("Query", "accounts")).nodes.length, 2);
    await ask("Mutation", "changeRole", `id: "${account.id}", role: EDITOR`);
    await ask("Mutation", "disableAccount", `id: "${account.id}"`);
    await ask("Mutation", "enableAccount", `id: "${account.id}"`);
    await ask("Mutation", "sendRecovery", `id: "${account.id}"`);
    await ask("Mutation", "endSessions", `id: "${account.id}"`);
    await ask("Mutation", "resetSecondStep", `id: "${account.id}"`);
    await ask("Mutation", "unlockAccount", `id: "${account.id}"`);
    await ask("Mutation", "setLocalSignIn", `id: "${account.id}", isAllowed: true`);
    await ask("Query", "accountExport", `id: "${account.id}"`);
    const payload = {
      loginTs: Math.floor(Date.now() / 1_000),
      seen: { agent: "curl/8", address: "::1", atSeconds: 9 },
    };
    await store.artifacts.put({
      ...anArtifact({ kind: "Session", idHash: "s", uidHash: "u", userId: account.id, expiresAtSeconds: null }),
      payload: SEALER.seal(JSON.stringify(payload), "Session s"),
    });
    const { sessions } = await ask("Query", "account", `id: "${account.id}"`);
    assert.partialDeepStrictEqual(sessions, [{ id: "u", browser: "curl", lastUsedAt: "1970-01-01T00:00:09.000Z" }]);
    await ask("Mutation", "endSession", 'id: "u"');
    await ask("Mutation", "withdrawConsent", `id: "${account.id}", clientId: "c"`);
    const { credentialVersion } = (await store.users.find(account.id)) ?? assert.fail();
    for (const subject of ["1", "2"]) {
      const link = { provider: "acme", subject, userId: account.id, emailAtLink: null };
      await store.upstreamIdentities.link({ ...link, linkedAt: new Date().toISOString() }, credentialVersion);
    }
    await ask("Mutation", "unlinkUpstream", `id: "${account.id}", provider: "acme", subject: "1"`);
    await ask("Mutation", "deleteAccount", `id: "${account.id}", posts: DELETE`);
    await ask("Mutation", "undoDeletion", `id: "${account.id}"`);

    const { invitation } = await ask("Mutation", "inviteAccount", 'input: {email: "joan@example.com", role: EDITOR}');
    assert.equal((await ask("Query", "invitations")).nodes.length, 1);
    await ask("Mutation", "resendInvitation", `id: "${invitation.id}"`);
    await ask("Mutation", "withdrawInvitation", `id: "${invitation.id}"`);
    const { mail } = await ask("Mutation", "sendTestMail", 'to: "joan@example.com"');
    const [at, until] = [0, 60_000].map((later) => new Date(Date.now() + later).toISOString()) as [string, string];
    for (const { id, claim } of await store.mails.claim({ now: until, until: "9000", limit: 100 }))
      if (id === mail.id) await store.mails.settle(id, claim, { state: "FAILED", error: "550 no such person" }, at);
    await ask("Mutation", "retryMail", `id: "${mail.id}"`);
    for (const kind of MAIL_KINDS)
      await store.mails.add({
        ...{ kind, userId: account.id, address: account.email, language: "en", params: {} },
        expiresAt: new Date().toISOString(),
      });
    assert.equal((await ask("Query", "mails")).nodes.length, MAIL_KINDS.length + 11);

    const input =
      'input: {name: "C", redirectUris: ["https://client.example/"], grantTypes: [AUTHORIZATION_CODE, DEVICE_CODE]}';
    const { client, clientSecret } = await ask("Mutation", "createClient", input);
    assert.equal(clientSecret, "a new secret");
    await ask("Query", "client", `id: "${client.id}"`);
    assert.equal((await ask("Query", "clients")).length, 1);
    await ask("Mutation", "rotateClientSecret", `id: "${client.id}"`);
    await ask("Mutation", "updateClient", `id: "${client.id}", input: {name: "C", scopes: ["posts:read"]}`);
    const second = await ask("Mutation", "addClientSecret", `id: "${client.id}"`);
    await ask("Mutation", "endClientSecret", `id: "${client.id}", secret: "${second.client.secrets[0].id}"`);
    assert.equal((await ask("Mutation", "endClientTokens", `id: "${client.id}"`)).isComplete, true);
    const gone = await ask("Mutation", "createClient", input);
    assert.equal((await ask("Mutation", "deleteClient", `id: "${gone.client.id}"`)).deletedId, gone.client.id);
    await ask("Mutation", "disableClient", `id: "${client.id}"`);
    await ask("Mutation", "enableClient", `id: "${client.id}"`);

    const act = { userId: account.id, clientId: client.id, tool: "create_draft", traceId: null };
    await store.posts.create({ authorId: account.id, title: "T", body: "" }, undefined, null, act);
    await store.agents.noteUse({ userId: account.id, clientId: client.id, at: new Date().toISOString() });
    assert.partialDeepStrictEqual((await ask("Query", "agents")).nodes, [
      { clientId: client.id, clientName: "C", personId: account.id, personName: "Grace", writesLastDay: 1 },
    ]);
    assert.deepEqual((await ask("Query", "agents", 'clientId: "nobody"')).nodes, []);
    const reverting = `clientId: "${client.id}", since: "2026-01-31T12:00:00Z"`;
    for (const [dry, times] of [
      [true, 1],
      [false, 1],
      [false, 0],
    ] as const) {
      const done = await ask("Mutation", "revertAgentChanges", `input: {${reverting}, isDryRun: ${dry}}`);
      assert.deepEqual([done.reverted.length, done.left, done.isComplete], [times, [], true]);
    }
    assert.match((await ask("Mutation", "stopAllAgents")).stoppedAt, /Z$/);
    assert.notEqual((await ask("Query", "agents")).stoppedAt, null);
    assert.equal((await ask("Mutation", "resumeAgents")).stoppedAt, null);
    assert.notEqual((await ask("Mutation", "stopAgent", `id: "${client.id}"`)).client.disabledAt, null);
    assert.equal((await ask("Query", "agents")).nodes[0].isStopped, true);
    await store.audit.sweep(new Date(Date.now() + 1_000).toISOString(), 1_000);

    assert.equal((await ask("Mutation", "rotateSigningKeys", "isLeaked: true")).signingKeys.length, 2);
    assert.equal((await ask("Query", "signingKeys")).length, 2);
    assert.ok((await ask("Query", "settings")).length > 80);
    assert.equal((await ask("Query", "health")).checks[0].state, "FAILING");
    for (const event of AUDIT_EVENTS) await store.audit.add([auditEvent(Date.now(), { event, result: "ok" })]);
    assert.equal((await ask("Query", "auditEntries")).nodes.length, AUDIT_EVENTS.length);

    const all = allFields().map(([root, name]) => `${root}.${name}`);
    assert.deepEqual([...asked].sort(), all.sort());
    recorded.length = 0;
  });

  describe("webhooks", () => {
    const WEBHOOK = "id url events includesUnpublished previousUntil createdAt disabledAt disabledBy __typename";
    const CREATE = `mutation ($input: CreateWebhookInput!) {
      createWebhook(input: $input) { secret errors { code field message } made: webhook { ${WEBHOOK} } }
    }`;
    let id: Id;

    test("created, with the secret once, listed and found without", async () => {
      const input = { url: "https://receiver.example/hook", events: ["USER_UPDATED", "POST_CREATED"] };
      const { createWebhook } = await data(CREATE, { input });
      assert.match(createWebhook.secret, /^whsec_/);
      assert.deepEqual(createWebhook.errors, []);
      id = createWebhook.made.id;
      const { createdAt, ...made } = createWebhook.made;
      assert.match(createdAt, /Z$/);
      assert.deepEqual(made, {
        id,
        url: input.url,
        events: ["POST_CREATED", "USER_UPDATED"],
        includesUnpublished: false,
        previousUntil: null,
        disabledAt: null,
        disabledBy: null,
        __typename: "Webhook",
      });
      const read = await data(
        `query ($id: ID!) { webhooks { ${WEBHOOK} } webhook(id: $id) { ${WEBHOOK} } none: webhook(id: "x") { id } }`,
        { id },
      );
      assert.deepEqual(read, { webhooks: [createWebhook.made], webhook: createWebhook.made, none: null });
      assert.deepEqual(recorded.pop(), {
        event: "webhook",
        result: "ok",
        detail: `${id} created by ${admin.userId}`,
        actorId: admin.userId,
        requestId: "request-1",
        address: null,
      });
    });

    test("what a person can put right is in the payload, all of it", async () => {
      const { createWebhook } = await data(CREATE, { input: { url: "http://receiver.example/" } });
      assert.deepEqual(
        [createWebhook.secret, createWebhook.made, createWebhook.errors.map(({ field }: { field: string }) => field)],
        [null, null, ["input.url"]],
      );
    });

    test("rotated, disabled, enabled", async () => {
      const rotate =
        "mutation ($id: ID!, $leaked: Boolean!) { rotateWebhookSecret(id: $id, isLeaked: $leaked) { secret webhook { previousUntil } } }";
      const first = (await data(rotate, { id, leaked: false })).rotateWebhookSecret;
      assert.match(first.secret, /^whsec_/);
      assert.match(first.webhook.previousUntil, /Z$/);
      assert.equal((await data(rotate, { id, leaked: true })).rotateWebhookSecret.webhook.previousUntil, null);
      const change = (name: string) =>
        data(`mutation ($id: ID!) { ${name}(id: $id) { webhook { disabledBy } errors { code } } }`, { id });
      assert.deepEqual(await change("disableWebhook"), {
        disableWebhook: { webhook: { disabledBy: "ADMINISTRATOR" }, errors: [] },
      });
      assert.deepEqual(await change("enableWebhook"), { enableWebhook: { webhook: { disabledBy: null }, errors: [] } });
      const { json } = await server.query('mutation { disableWebhook(id: "x") { webhook { id } } }');
      assert.deepEqual([json.data.disableWebhook, json.errors[0].extensions.code], [null, "NOT_FOUND"]);
    });

    test("deliveries are walked newest first, by state, and sent again", async () => {
      const at = new Date().toISOString();
      const events = Array.from({ length: 5 }, (_, i) => ({
        eventId: `01a21efd-4214-7000-8474-${String(i).padStart(12, "0")}` as Id,
        eventType: "post.created" as const,
        payload: `{"number":${i}}`,
      }));
      const { cursor = "" } = (await store.webhooks.find(id)) ?? {};
      await store.webhooks.advance(id, { from: cursor, to: NOBODY }, events, at);
      const walk = `query ($after: String, $webhook: ID, $state: WebhookDeliveryState) {
        webhookDeliveries(first: 2, after: $after, webhook: $webhook, state: $state) {
          nodes { id payload state event eventId webhookId attempts nextAttemptAt lastStatus lastError lastAttemptAt createdAt }
          edges { cursor node { id } }
          pageInfo { hasNextPage hasPreviousPage startCursor endCursor }
        }
      }`;
      const seen: string[] = [];
      let after: string | null = null;
      do {
        const page: Awaited<ReturnType<typeof data>> = await data(walk, { after, webhook: id });
        const { nodes, edges, pageInfo } = page.webhookDeliveries;
        assert.deepEqual(
          edges.map(({ node }: { node: { id: string } }) => node.id),
          nodes.map((node: { id: string }) => node.id),
        );
        assert.deepEqual([pageInfo.startCursor, pageInfo.endCursor], [edges[0].cursor, edges.at(-1).cursor]);
        assert.equal(pageInfo.hasPreviousPage, after !== null);
        seen.push(...nodes.map(({ payload }: { payload: string }) => payload));
        after = pageInfo.hasNextPage ? pageInfo.endCursor : null;
      } while (after !== null);
      assert.deepEqual(seen, events.map(({ payload }) => payload).reverse());
      const count = async (variables: object) => (await data(walk, variables)).webhookDeliveries.nodes.length;
      assert.equal(await count({ state: "DELIVERED" }), 0);
      assert.equal(await count({ webhook: NOBODY }), 0);
      assert.equal(await count({ webhook: "x" }), 0);
      for (const [first, cursor, field] of [
        [-1, null, "first"],
        [101, null, "first"],
        [1, "x", "after"],
      ] as const) {
        const { json } = await server.query(
          "query ($first: Int!, $cursor: String) { webhookDeliveries(first: $first, after: $cursor) { nodes { id } } }",
          { first, cursor },
        );
        assert.deepEqual([json.errors[0].extensions.code, json.errors[0].extensions.field], ["BAD_USER_INPUT", field]);
      }
      const [delivery] = await store.webhooks.claim(id, { now: at, until: at, limit: 1 });
      assert.ok(delivery?.claim != null);
      const outcome = { state: "FAILED", dueAt: null, failures: 10, attemptAt: at, status: 500, error: "no" } as const;
      await store.webhooks.settle(delivery.id, delivery.claim, outcome);
      const { resendWebhookDelivery } = await data(
        "mutation ($id: ID!) { resendWebhookDelivery(id: $id) { delivery { state attempts lastStatus lastError } } }",
        { id: delivery.id },
      );
      assert.deepEqual(resendWebhookDelivery.delivery, {
        state: "PENDING",
        attempts: 1,
        lastStatus: 500,
        lastError: "no",
      });
    });

    test("S81 changed in part, by the rules of createWebhook; the audit names what was given", async () => {
      const update = `mutation ($id: ID!, $input: UpdateWebhookInput!) {
        updateWebhook(id: $id, input: $input) { webhook { ${WEBHOOK} } errors { code field message } }
      }`;
      const change = async (input: object) => (await data(update, { id, input })).updateWebhook;
      const before = (await data(`query ($id: ID!) { webhook(id: $id) { ${WEBHOOK} } }`, { id })).webhook;
      recorded.length = 0;
      const { webhook } = await change({ events: ["POST_DELETED", "POST_CREATED"], includesUnpublished: true });
      assert.deepEqual(webhook, { ...before, events: ["POST_CREATED", "POST_DELETED"], includesUnpublished: true });
      assert.equal(recorded.pop()?.detail, `${id} changed: eventTypes, includesUnpublished by ${admin.userId}`);
      const url = "https://other.example/hook";
      assert.deepEqual((await change({ url, events: null, includesUnpublished: null })).webhook, {
        ...{ ...webhook, url, events: [] },
      });
      const bad = { url: "ftp://receiver.example/#x" };
      const created = (await data(CREATE, { input: bad })).createWebhook.errors;
      assert.equal(created[0].field, "input.url");
      assert.deepEqual(await change(bad), { webhook: null, errors: created });
      assert.equal((await store.webhooks.find(id))?.url, url);
      const { json } = await server.query(update, { id: NOBODY, input: { url } });
      assert.equal(json.errors[0].extensions.code, "NOT_FOUND");
    });

    test("S82 a test says what was sent and what came back, and writes no delivery", async () => {
      const sent: { url: string; body: string; caller: string | null }[] = [];
      const tools: AdministrationTools = {
        ...administrationForTests,
        async callWebhook({ url }, body, caller) {
          sent.push({ url, body, caller });
          const headers = [{ name: "webhook-id", value: "1" }];
          const error = "the receiver answered 404";
          return { startedAt: "2026-01-31T12:00:00.000Z", durationMs: 31, status: 404, answer: "?", error, headers };
        },
        record: async (event) => void recorded.push(event),
      };
      const tested = openTestServer({ store, viewer: admin, administration: tools });
      recorded.length = 0;
      const before = (await store.webhooks.listDeliveries({ limit: 100 })).length;
      const last = await store.outbox.last();
      const { json } = await tested.query(
        `mutation ($id: ID!) { testWebhook(id: $id, event: POST_UNPUBLISHED) {
          test { event payload attempt { at durationMs status answer error headers { name value } } } errors { code }
        } }`,
        { id },
      );
      const { test: made, errors } = json.data.testWebhook;
      assert.deepEqual(errors, []);
      assert.deepEqual(made.attempt, {
        ...{ at: "2026-01-31T12:00:00.000Z", durationMs: 31, status: 404, answer: "?" },
        ...{ error: "the receiver answered 404", headers: [{ name: "webhook-id", value: "1" }] },
      });
      assert.equal(made.event, "POST_UNPUBLISHED");
      assert.deepEqual(sent, [{ url: "https://other.example/hook", body: made.payload, caller: admin.userId }]);
      assert.equal(JSON.parse(made.payload).test, true);
      assert.equal((await store.webhooks.listDeliveries({ limit: 100 })).length, before);
      assert.equal(await store.outbox.last(), last);
      assert.partialDeepStrictEqual(recorded, [
        {
          ...{ event: "webhook", result: "failed" },
          detail: `${id} tested with post.unpublished: the receiver answered 404 by ${admin.userId}`,
        },
      ]);
    });

    test("S83 the filter of deliveries, with what its arguments ask for too; S84 attempts of one delivery", async () => {
      const ask = async (args: string) =>
        (
          await data(
            `{ webhookDeliveries(${args}) { nodes { id event attempts attemptLog { error } headers { name } } } }`,
          )
        ).webhookDeliveries.nodes;
      const all = await ask("first: 10");
      assert.equal(all.length, 5);
      const count = async (args: string) => (await ask(args)).length;
      assert.equal(await count(`filter: {webhook: "${id}", event: POST_CREATED}`), 5);
      assert.equal(await count("filter: {event: POST_DELETED}"), 0);
      assert.equal(await count(`webhook: "${id}", filter: {webhook: "${id}"}`), 5);
      assert.equal(await count(`webhook: "${id}", filter: {webhook: "${NOBODY}"}`), 0);
      assert.equal(await count("state: PENDING, filter: {state: FAILED}"), 0);
      assert.equal(await count(`filter: {post: "${NOBODY}"}`), 0);
      assert.equal(await count('filter: {post: "no id"}'), 0);
      assert.equal(await count('filter: {since: "2026-01-31T12:00:00Z"}'), 5);
      assert.equal(await count('filter: {until: "2026-01-31T12:00:00Z"}'), 0);
      const { json } = await server.query('{ webhookDeliveries(filter: {since: "yesterday"}) { nodes { id } } }');
      assert.deepEqual(json.errors[0].extensions, { code: "BAD_USER_INPUT", field: "filter.since" });
      const one = await data("query ($id: ID!) { webhookDelivery(id: $id) { id attemptLog { error } } }", all[0]);
      assert.deepEqual(one.webhookDelivery, { id: all[0].id, attemptLog: [] });
      assert.equal((await data('{ webhookDelivery(id: "x") { id } }')).webhookDelivery, null);
    });

    test("S85 failed deliveries are counted, then sent again in steps; a retry with the same key sends none twice", async () => {
      const at = new Date().toISOString();
      for (const delivery of await store.webhooks.claim(id, { now: at, until: at, limit: 3 }))
        await store.webhooks.settle(delivery.id, delivery.claim ?? "", {
          ...{ state: "FAILED", dueAt: null, failures: 10, attemptAt: at, status: 500, error: "no" },
        });
      const again =
        'mutation ($id: ID!, $limit: Int!) { resendFailedDeliveries(webhook: $id, since: "2026-01-31T12:00:00+01:00", limit: $limit) { found resent errors { field } } }';
      const step = async (limit: number, headers = {}) =>
        (await data(again, { id, limit }, headers)).resendFailedDeliveries;
      recorded.length = 0;
      assert.deepEqual(await step(0), { found: 3, resent: 0, errors: [] });
      assert.deepEqual(recorded, []);
      const key = { "idempotency-key": '"two of them"' };
      assert.deepEqual(await step(2, key), { found: 3, resent: 2, errors: [] });
      assert.deepEqual(await step(2, key), { found: 3, resent: 2, errors: [] });
      assert.deepEqual(
        recorded.map(({ detail }) => detail),
        [`${id} failed deliveries since 2026-01-31T11:00:00.000Z sent again: 2 by ${admin.userId}`],
      );
      assert.deepEqual(await step(2), { found: 1, resent: 1, errors: [] });
      for (const limit of [-1, 101])
        assert.deepEqual(await step(limit), { found: null, resent: null, errors: [{ field: "limit" }] });
    });

    test("S80 numbers of a webhook; S81 disabling and enabling say how many deliveries wait", async () => {
      const numbers = "waiting oldestWaitingAt failingSince failingReason lastDay { delivered failed waiting }";
      const { webhook, webhooks } = await data(
        `query ($id: ID!) { webhook(id: $id) { ${numbers} } webhooks { id ${numbers} } }`,
        { id },
      );
      assert.match(webhook.oldestWaitingAt, /Z$/);
      assert.deepEqual(webhook, {
        ...{ waiting: 5, oldestWaitingAt: webhook.oldestWaitingAt, failingSince: null, failingReason: null },
        lastDay: { delivered: 0, failed: 0, waiting: 5 },
      });
      assert.deepEqual(
        webhooks.find((each: { id: string }) => each.id === id),
        { id, ...webhook },
      );
      for (const name of ["disableWebhook", "enableWebhook"]) {
        const changed = await data(`mutation ($id: ID!) { ${name}(id: $id) { webhook { waiting } } }`, { id });
        assert.equal(changed[name].webhook.waiting, 5);
      }
    });

    test("a page costs its entries, a mutation ten", async () => {
      const cost = async (query: string) =>
        (await server.query(query, {}, { "graphql-cost": "1" })).json.extensions.cost;
      assert.equal(await cost("{ webhookDeliveries(first: 7) { nodes { id } } }"), 8);
      assert.equal(await cost("{ webhookDeliveries { nodes { id } } }"), 51);
      assert.equal(await cost('{ webhook(id: "x") { id } }'), 1);
      assert.equal(await cost("{ webhooks { id } }"), 100);
      assert.equal(await cost("{ webhooks { id waiting lastDay { failed } } }"), 200);
      assert.equal(await cost('{ webhook(id: "x") { failingSince } }'), 2);
      assert.equal(
        await cost("{ webhookDeliveries(first: 7) { nodes { id headers { name } attemptLog { at } } } }"),
        78,
      );
      assert.equal(await cost('{ webhookDelivery(id: "x") { id } }'), 1);
      assert.equal(await cost('{ webhookDelivery(id: "x") { attemptLog { at } } }'), 11);
      assert.equal(await cost('mutation { createWebhook(input: {url: ""}) { secret } }'), 11);
    });

    test("A42 with an Idempotency-Key the secret comes again, byte for byte, and is nowhere in the database", async () => {
      const input = { url: "https://receiver.example/keyed" };
      const headers = { "idempotency-key": '"one webhook"' };
      const first = await server.query(CREATE, { input }, headers);
      const again = await server.query(CREATE, { input }, headers);
      assert.equal(again.body, first.body);
      assert.equal(again.headers["idempotency-replayed"], "true");
      const demoted = await open({ ...admin, role: "editor" }).query(CREATE, { input }, headers);
      assert.deepEqual([demoted.json.data.createWebhook, demoted.json.errors[0].extensions.code], [null, "FORBIDDEN"]);
      const { secret, made } = first.json.data.createWebhook;
      assert.equal((await store.webhooks.list()).filter(({ url }) => url === input.url).length, 1);
      const all = await database.readAll();
      assert.ok(all.includes(made.id));
      assert.ok(!all.includes(secret.slice("whsec_".length)));
      // Where there was no time to keep the answer, what is not secret is told.
      const lost = openTestServer({
        store: { ...store, idempotency: { ...store.idempotency, keepAnswer: async () => {} } } as Store,
        viewer: admin,
      });
      const other = { "idempotency-key": '"another"' };
      const once = await lost.query(CREATE, { input }, other);
      const recalled = await lost.query(CREATE, { input }, other);
      assert.match(once.json.data.createWebhook.secret, /^whsec_/);
      assert.deepEqual(recalled.json.data.createWebhook, { ...once.json.data.createWebhook, secret: null });
    });

    test("deleted, with what it was sent", async () => {
      const remove = "mutation ($id: ID!) { deleteWebhook(id: $id) { deletedId errors { code } } }";
      assert.deepEqual(await data(remove, { id }), { deleteWebhook: { deletedId: id, errors: [] } });
      assert.equal(await store.webhooks.find(id), null);
      const { json } = await server.query(remove, { id });
      assert.equal(json.errors[0].extensions.code, "NOT_FOUND");
    });
  });

  /** The code of the first error, and the argument that it names. */
  async function refusal(query: string, variables: object = {}) {
    const { json } = await server.query(query, variables);
    return [json.errors?.[0].extensions.code, json.errors?.[0].extensions.field];
  }

  describe("people", () => {
    const CREATE = `mutation ($input: CreateAccountInput!) {
      createAccount(input: $input) { account { id name email role hasPassword } errors { field } }
    }`;

    test("created with a role, and a password where one is given, which is nowhere in the database", async () => {
      const password = "seventeen tall birches";
      const input = { name: "Edith", email: "edith@example.com", role: "EDITOR", password };
      const headers = { "idempotency-key": '"edith"' };
      const { createAccount } = await data(CREATE, { input }, headers);
      const { id, ...account } = createAccount.account;
      assert.deepEqual(account, { name: "Edith", email: "edith@example.com", role: "EDITOR", hasPassword: true });
      assert.deepEqual((await data(CREATE, { input }, headers)).createAccount, createAccount);
      const user = await store.users.find(id);
      assert.deepEqual([user?.passwordHash, user?.emailVerified], [`hash of ${password.length}`, true]);
      assert.ok(!(await database.readAll()).includes(password));
      // Nor what it could be guessed by: the hash of the request is keyed.
      const request = JSON.stringify([CREATE, null, { input }]);
      assert.ok(!(await database.readAll()).includes(createHash("sha256").update(request).digest("base64url")));
      assert.match(recorded.at(-1)?.detail ?? "", /^created as editor by /);
    });

    test("what is wrong with the input is told at once, a taken address as a conflict", async () => {
      const fieldsOf = async (input: object) =>
        (await data(CREATE, { input })).createAccount.errors.map(({ field }: { field: string }) => field);
      assert.deepEqual(await fieldsOf({ name: "", email: "nobody" }), ["input.name", "input.email"]);
      assert.deepEqual(await fieldsOf({ name: "N", email: "n@example.com", password: "short" }), ["input.password"]);
      assert.equal(await store.users.findByEmail("n@example.com"), null);
      assert.deepEqual(await refusal(CREATE, { input: { name: "N", email: "ADA@example.com" } }), [
        "CONFLICT",
        "email",
      ]);
    });

    test("roles are changed, people locked out with all that they have, and let in again; oneself is not", async () => {
      const { id } = await store.users.create(aPerson({ email: "member@example.com" }));
      await store.artifacts.put(anArtifact({ idHash: "session", kind: "Session", userId: id }));
      const change = (name: string, more = "") =>
        data(`mutation ($id: ID!) { ${name}(id: $id${more}) { account { role disabledAt } } }`, { id });
      assert.equal((await change("changeRole", ", role: ADMIN")).changeRole.account.role, "ADMIN");
      assert.match((await change("disableAccount")).disableAccount.account.disabledAt, /Z$/);
      assert.equal(await store.artifacts.find("Session", "session"), null);
      assert.equal((await change("enableAccount")).enableAccount.account.disabledAt, null);
      for (const name of ["changeRole(id: $id, role: MEMBER)", "disableAccount(id: $id)"]) {
        const query = `mutation ($id: ID!) { ${name} { account { id } } }`;
        assert.deepEqual(await refusal(query, { id: admin.userId }), ["CONFLICT", undefined]);
        assert.deepEqual(await refusal(query, { id: NOBODY }), ["NOT_FOUND", undefined]);
        assert.deepEqual(await refusal(query, { id: "x" }), ["NOT_FOUND", undefined]);
      }
      assert.equal((await store.users.find(admin.userId as Id))?.role, "admin");
    });

    test("who was locked out half, because the first request broke off, is locked out whole by the same request again", async () => {
      const { id } = await store.users.create(aPerson({ email: "half@example.com" }));
      await store.artifacts.put(anArtifact({ idHash: "half", kind: "Session", userId: id }));
      let isBroken = true;
      const revokeUser: Store["artifacts"]["revokeUser"] = (userId) =>
        isBroken ? Promise.reject(new Error("broken off")) : store.artifacts.revokeUser(userId);
      const breaking = openTestServer({
        store: { ...store, artifacts: { ...store.artifacts, revokeUser } } as Store,
        viewer: admin,
      });
      const ask = () =>
        breaking.query(
          "mutation ($id: ID!) { disableAccount(id: $id) { account { disabledAt } } }",
          { id },
          { "idempotency-key": '"half"' },
        );
      assert.equal((await ask()).json.errors[0].extensions.code, "INTERNAL");
      isBroken = false;
      assert.match((await ask()).json.data.disableAccount.account.disabledAt, /Z$/);
      assert.equal(await store.artifacts.find("Session", "half"), null);
    });

    test("found by id or address, and walked newest first", async () => {
      const found = await data(
        'query ($id: ID) { a: account(id: $id) { name } b: account(email: "EDITH@example.com") { name } c: account(id: "x") { name } }',
        { id: admin.userId },
      );
      assert.deepEqual(found, { a: { name: "Ada Lovelace" }, b: { name: "Edith" }, c: null });
      assert.deepEqual(await refusal("{ account { name } }"), ["BAD_USER_INPUT", "id"]);
      const by = "query ($by: AccountKey!) { accountBy(by: $by) { id } }";
      for (const [key, id] of [
        [{ id: admin.userId }, admin.userId],
        [{ id: "x" }, undefined],
        [{ email: "nobody@example.com" }, undefined],
        [{ email: "EDITH@example.com" }, (await store.users.findByEmail("edith@example.com"))?.id],
      ] as const) {
        assert.equal((await data(by, { by: key })).accountBy?.id, id, JSON.stringify(key));
      }
      for (const key of [{}, { id: null }, { id: "x", email: "y" }, { id: "x", email: null }, { name: "Ada" }, null]) {
        const { status, json } = await server.query(by, { by: key });
        assert.deepEqual([status, json.errors[0].extensions], [400, { code: "BAD_USER_INPUT", field: "by" }]);
      }
      const everybody = (await store.users.list()).map(({ id }) => id).reverse();
      const walk =
        "query ($after: String) { accounts(first: 2, after: $after) { nodes { id } pageInfo { hasNextPage endCursor } } }";
      const seen: string[] = [];
      for (let after: string | null = null, more = true; more; ) {
        const page: Awaited<ReturnType<typeof data>> = await data(walk, { after });
        seen.push(...page.accounts.nodes.map(({ id }: { id: string }) => id));
        ({ hasNextPage: more, endCursor: after } = page.accounts.pageInfo);
      }
      assert.deepEqual(seen, everybody);
    });
  });

  describe("clients", () => {
    const CREATE = `mutation ($input: CreateClientInput!) {
      createClient(input: $input) { client { id type hasSecret grantTypes scopes } clientSecret errors { field } }
    }`;

    test("created with a secret, once, or without; sent again, the same one", async () => {
      const input = {
        name: "Server",
        redirectUris: ["https://client.example/"],
        scopes: ["openid", "admin", "openid"],
      };
      const headers = { "idempotency-key": '"client"' };
      const { createClient } = await data(CREATE, { input }, headers);
      const { id, ...client } = createClient.client;
      assert.deepEqual(client, {
        type: "CONFIDENTIAL",
        hasSecret: true,
        grantTypes: ["AUTHORIZATION_CODE", "REFRESH_TOKEN"],
        scopes: ["openid", "admin"],
      });
      assert.deepEqual((await data(CREATE, { input }, headers)).createClient, createClient);
      assert.equal((await store.clients.find(id))?.secretHash, `hash of ${createClient.clientSecret.length}`);
      assert.ok(!(await database.readAll()).includes(createClient.clientSecret));

      const open = await data(CREATE, {
        input: {
          name: "Page",
          type: "PUBLIC",
          redirectUris: ["https://page.example/"],
          grantTypes: ["AUTHORIZATION_CODE", "DEVICE_CODE"],
        },
      });
      assert.deepEqual(
        [open.createClient.clientSecret, open.createClient.client.hasSecret, open.createClient.client.grantTypes],
        [null, false, ["AUTHORIZATION_CODE", "DEVICE_CODE"]],
      );
      assert.ok(!open.createClient.client.scopes.includes("admin"));
      const rotate = "mutation ($id: ID!) { rotateClientSecret(id: $id) { clientSecret } }";
      assert.equal((await data(rotate, { id })).rotateClientSecret.clientSecret, "a new secret");
      assert.deepEqual(await refusal(rotate, { id: open.createClient.client.id }), ["NOT_FOUND", undefined]);
    });

    test("created with keys or a certificate instead of a secret, and held to what it is registered for", async () => {
      const jwk = generateKeyPairSync("ec", { namedCurve: "P-256" }).publicKey.export({ format: "jwk" });
      const keys = JSON.stringify({ keys: [{ ...jwk, x5c: ["AAAA"] }] });
      const no = { jwks: null, assertionAlgorithm: null, certificateSubject: null };
      const free = { selfSigned: false, certificateBound: false, mustPush: false, mustSign: false };
      for (const given of [
        { ...free, jwks: keys, assertionAlgorithm: "EdDSA", mustPush: true, mustSign: true },
        { ...free, jwks: keys, selfSigned: true, certificateBound: true },
        { ...free, certificateSubject: { kind: "SAN_DNS", value: "job.example.com" } },
        { ...free, mustPush: true },
      ]) {
        const input = { name: "C", redirectUris: ["https://client.example/"], ...given };
        const { createClient } = await data(
          `mutation ($input: CreateClientInput!) {
            createClient(input: $input) {
              client {
                jwks assertionAlgorithm certificateSubject { kind value } selfSigned certificateBound mustPush mustSign
                id hasSecret
              }
              errors { field message }
            }
          }`,
          { input },
        );
        assert.deepEqual(createClient.errors, []);
        const { id, hasSecret, ...client } = createClient.client;
        assert.deepEqual(client, { ...no, ...given });
        assert.equal(hasSecret, !("jwks" in given || "certificateSubject" in given));
        const stored = await store.clients.find(id);
        assert.equal(stored?.mustPush, given.mustPush);
        assert.equal(stored?.certificateSubject?.kind, "certificateSubject" in given ? "san_dns" : undefined);
      }
    });

    test("what is wrong with the input is in the payload", async () => {
      const own = { name: "C", redirectUris: ["https://client.example/"] };
      const jwksUri = "https://client.example/jwks";
      for (const [input, field] of [
        [{ ...own, jwks: "{" }, "input.jwks"],
        [{ ...own, jwks: "null" }, "input.jwks"],
        [{ ...own, jwks: '{"keys":[{"kty":"oct","k":"AAAA"}]}' }, "input.jwks"],
        [{ ...own, type: "PUBLIC", jwksUri }, "input.type"],
        [{ ...own, jwksUri, certificateSubject: { kind: "SAN_IP", value: "::1" } }, "input.type"],
        [{ ...own, certificateSubject: { kind: "SAN_IP", value: "x" } }, "input.certificateSubject"],
        [{ ...own, assertionAlgorithm: "ES256" }, "input.assertionAlgorithm"],
        [{ ...own, mustSign: true }, "input.mustSign"],
        [{ ...own, dpopBound: true, certificateBound: true }, "input.certificateBound"],
        [{ name: "" }, "input.name"],
        [{ name: "C" }, "input.redirectUris"],
        [{ name: "C", redirectUris: ["https://client.example/#x"] }, "input.redirectUris"],
        [{ name: "C", redirectUris: ["https://client.example/"], scopes: ["posts:burn"] }, "input.scopes"],
        [{ name: "C", type: "PUBLIC", grantTypes: ["CLIENT_CREDENTIALS"] }, "input.grantTypes"],
      ] as const) {
        const { createClient } = await data(CREATE, { input });
        assert.deepEqual(createClient, { client: null, clientSecret: null, errors: [{ field }] });
      }
    });

    test("listed newest first, disabled and enabled", async () => {
      const ids = (await store.clients.list()).map(({ id }) => id).reverse();
      const list = async (given: string) =>
        (await data(`{ clients${given} { id } }`)).clients.map((one: { id: string }) => one.id);
      assert.deepEqual(await list(""), ids);
      assert.deepEqual(await list("(first: 1)"), ids.slice(0, 1));
      assert.deepEqual(await list(`(first: 1, after: "${ids[0]}")`), ids.slice(1, 2));
      assert.deepEqual(await list('(after: "nobody")'), []);
      const change = async (name: string) =>
        (await data(`mutation { ${name}(id: "${ids[0]}") { client { disabledAt } } }`))[name];
      assert.match((await change("disableClient")).client.disabledAt, /Z$/);
      assert.equal((await change("enableClient")).client.disabledAt, null);
      assert.deepEqual(await refusal('mutation { disableClient(id: "nobody") { client { id } } }'), [
        "NOT_FOUND",
        undefined,
      ]);
    });
  });

  describe("audit entries", () => {
    test("walked newest first, those of one moment each once, by every filter", async () => {
      const at = Date.parse("2030-01-31T12:00:00.000Z");
      await store.audit.add([
        ...Array.from({ length: 5 }, (_, i) =>
          auditEvent(at, { event: "token", result: "reuse", clientId: "c", detail: `${i}` }),
        ),
        auditEvent(at + 1, { event: "sign-in", result: "ok", userId: NOBODY }),
      ]);
      const walk = `query ($after: String, $filter: AuditFilter) {
        auditEntries(first: 2, after: $after, filter: $filter) {
          nodes { at event result personId clientId detail } pageInfo { hasNextPage endCursor }
        }
      }`;
      const since = "2030-01-31T13:00:00+01:00";
      const seen: string[] = [];
      for (let after: string | null = null, more = true; more; ) {
        const page: Awaited<ReturnType<typeof data>> = await data(walk, { after, filter: { since } });
        seen.push(
          ...page.auditEntries.nodes.map((node: { detail: string; event: string }) => node.detail ?? node.event),
        );
        ({ hasNextPage: more, endCursor: after } = page.auditEntries.pageInfo);
      }
      assert.deepEqual(seen, ["SIGN_IN", "4", "3", "2", "1", "0"]);
      const first = async (filter: object) => (await data(walk, { filter })).auditEntries.nodes[0];
      assert.deepEqual(await first({ since, event: "TOKEN" }), {
        at: "2030-01-31T12:00:00.000Z",
        event: "TOKEN",
        result: "REUSE",
        personId: null,
        clientId: "c",
        detail: "4",
      });
      assert.equal((await first({ personId: NOBODY })).event, "SIGN_IN");
      assert.equal((await first({ clientId: "c" })).detail, "4");
      assert.equal(await first({ clientId: "nobody" }), undefined);
      assert.deepEqual(await refusal(walk, { filter: { since: "yesterday" } }), ["BAD_USER_INPUT", "filter.since"]);
      assert.deepEqual(await refusal(walk, { after: "x" }), ["BAD_USER_INPUT", "after"]);
    });
  });
});
