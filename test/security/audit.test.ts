import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { openAudit } from "../../src/authorization-server/engine/audit.ts";
import type { AuditEvent, AuditStore } from "../../src/domain/audit.ts";
import { AppError } from "../../src/domain/errors.ts";
import {
  CLIENT_SECRET,
  listUntil,
  openTestServer,
  PASSWORD,
  SPA_CALLBACK,
  type TestServer,
  WEB_CALLBACK,
} from "./authorization-server.ts";
import { authorize, Browser, exchange, getTokens, requestToken } from "./client.ts";

const SPA = { clientId: "spa", redirectUri: SPA_CALLBACK, email: "bob@example.com", password: PASSWORD } as const;

let server: TestServer;

before(async () => {
  server = await openTestServer();
});
after(() => server.close());

function names(events: readonly AuditEvent[]): string[] {
  return events.map(({ event, result }) => `${event} ${result}`).reverse();
}

describe("audit events", () => {
  test("each decision of a sign-in and of its tokens, with person, client and address; A42 and nothing that opens anything", async () => {
    const since = new Date().toISOString();
    const browser = new Browser();
    const login = { issuer: server.issuer, ...SPA, browser };
    const secrets = [PASSWORD, CLIENT_SECRET, "a-wrong-password-of-bob", "not-the-secret-of-web"];
    await authorize({ ...login, password: "a-wrong-password-of-bob" }).catch(() => {});
    await authorize({ ...login, decision: "deny" });
    const tokens = await getTokens(login);
    const { body: next } = await requestToken(server.issuer, {
      grant_type: "refresh_token",
      refresh_token: tokens.refresh_token,
      client_id: "spa",
    });
    await requestToken(server.issuer, exchange(SPA, tokens.code, tokens.verifier));
    await requestToken(server.issuer, {
      grant_type: "authorization_code",
      code: "x",
      client_id: "web",
      client_secret: "not-the-secret-of-web",
    });
    secrets.push(
      tokens.code,
      tokens.verifier,
      tokens.access_token,
      tokens.refresh_token,
      tokens.id_token,
      next.access_token,
      next.refresh_token,
    );
    for (const name of ["content-api-session", "content-api-session.sig"]) secrets.push(browser.cookie(name) ?? "");

    const events = await listUntil(server.store.audit, { since }, (found) =>
      found.some(({ clientId, result }) => clientId === "web" && result === "refused"),
    );
    const all = names(events);
    for (const name of [
      "sign-in refused",
      "sign-in ok",
      "consent denied",
      "authorization denied",
      "consent ok",
      "authorization ok",
      "token ok",
      "token reuse",
      "revocation ok",
      "token refused",
    ])
      assert.ok(all.includes(name), `${name} of ${all.join(", ")}`);
    assert.equal(all.filter((name) => name === "token ok").length, 2, "the code, and the refresh");
    for (const event of events.filter(({ clientId }) => clientId === "spa")) {
      assert.equal(event.address, "127.0.0.1");
      assert.ok(event.requestId !== null);
      // Whose code was replayed the engine does not say; the request's other events do.
      if (!["authorization", "token", "revocation"].includes(event.event))
        assert.equal(event.userId, server.bob.id, JSON.stringify(event));
    }
    const text = JSON.stringify(events);
    for (const secret of secrets) assert.ok(secret.length > 9 && !text.includes(secret), "a secret in the audit");
  });

  test("A39 A40 attempts on an address that nobody has, and too many on one that somebody has", async () => {
    const since = new Date().toISOString();
    const browser = new Browser();
    const attempt = (email: string) =>
      authorize({
        issuer: server.issuer,
        ...SPA,
        clientId: "web",
        redirectUri: WEB_CALLBACK,
        browser,
        email,
        password: "wrong",
      }).catch(() => {});
    await attempt("a-secret-typed-in-the-wrong-field");
    for (let i = 0; i < 4; i++) await attempt("ADA@example.com");
    const events = await listUntil(server.store.audit, { since, event: "sign-in" }, (found) =>
      found.some(({ result }) => result === "limited"),
    );
    assert.ok(!JSON.stringify(events).includes("wrong-field"), "what was typed is not kept");
    assert.deepEqual(new Set(events.map(({ userId }) => userId)), new Set([null, server.ada.id]));
  });

  test("what a person ends at /account is durable before they are told", async () => {
    const browser = new Browser();
    const tokens = await getTokens({ issuer: server.issuer, ...SPA, browser });
    assert.ok(tokens.access_token);
    const since = new Date().toISOString();
    await browser.submit(await browser.follow(`${server.issuer}/account`), "/account/end-client");
    assert.deepEqual(
      names(await server.store.audit.list({ since, userId: server.bob.id, event: "session", limit: 9 })),
      ["session ok"],
    );
    const [ended] = await server.store.audit.list({ since, event: "session", limit: 1 });
    assert.equal(ended?.clientId, "spa");
    await browser.submit(await browser.follow(`${server.issuer}/account`), "/account/sign-out-everywhere");
    assert.deepEqual(names(await server.store.audit.list({ since, event: "sign-out", limit: 9 })), ["sign-out ok"]);
  });
});

describe("the queue of audit events", () => {
  const log = { debug() {}, info() {}, warn() {}, error() {} };
  const open = (add: AuditStore["add"], days = 1) =>
    openAudit({ add, list: async () => [], sweep: async () => 0 }, { days, now: () => 0, log });
  const EVENT = { event: "token", result: "ok" } as const;

  test("gathers what is noted, writes it in order with what is recorded, and leaves nothing behind when it closes", async () => {
    const written: (string | null)[][] = [];
    const audit = open(async (events) => {
      written.push(events.map(({ detail }) => detail));
    });
    for (const detail of ["1", "2"]) audit.note({ ...EVENT, detail });
    await audit.record({ ...EVENT, detail: "3" });
    assert.deepEqual(written, [["1", "2", "3"]]);
    audit.note({ ...EVENT, detail: "4" });
    await audit.close();
    assert.deepEqual(written[1], ["4"]);
  });

  test("keeps what could not be written, tells whoever has to know, and says how much it lost", async () => {
    const written: (string | null)[] = [];
    let isAway = true;
    const audit = open(async (events) => {
      if (isAway) throw new AppError("UNAVAILABLE", "away");
      written.push(...events.map(({ detail }) => detail));
    });
    await assert.rejects(audit.record({ ...EVENT, detail: "first" }), { code: "UNAVAILABLE" });
    for (let i = 0; i < 20_004; i++) audit.note(EVENT);
    isAway = false;
    await audit.close();
    assert.equal(written[0], "first");
    assert.equal(written.length, 20_001);
    assert.equal(written.at(-1), "5 events were lost while the database was away");
  });

  test("AUDIT_DAYS=0 writes nothing", async () => {
    const audit = open(async () => assert.fail("it was written"), 0);
    audit.note(EVENT);
    await audit.record(EVENT);
    await audit.close();
  });
});
