import assert from "node:assert/strict";
import { generateKeyPairSync, randomUUID } from "node:crypto";
import { after, before, describe, test } from "node:test";
import fc from "fast-check";
import { SignJWT } from "jose";
import type { AuditEvent } from "../../src/domain/audit.ts";
import { hashToken } from "../../src/secrets/token-hash.ts";
import { later, listUntil, openTestServer, SPA_CALLBACK, type TestServer } from "./authorization-server.ts";
import { authorize, exchange, getTokens, requestToken } from "./client.ts";

const LOOPBACK = "http://127.0.0.1/cb";

describe("REFRESH_GRACE: processes of one program share a refresh token", () => {
  let server: TestServer;
  before(async () => {
    server = await openTestServer();
    await server.addClient({ id: "tool", redirectUris: [LOOPBACK, "http://localhost:1/cb", "http://[::1]/cb"] });
    await server.addClient({ id: "mixed", redirectUris: [LOOPBACK, SPA_CALLBACK] });
    await server.addClient({ id: "own-scheme", redirectUris: [LOOPBACK, "com.example.app:/cb"] });
    await server.addClient({
      id: "secret",
      type: "confidential",
      secretHash: hashToken("a secret"),
      redirectUris: [LOOPBACK],
    });
  });
  after(() => server.close());

  const login = (clientId = "tool", more: { clientSecret?: string } = {}) =>
    getTokens({ issuer: server.issuer, clientId, redirectUri: LOOPBACK, ...more });
  const refresh = (token: string, client_id = "tool", more: Record<string, string> = {}, at = server.issuer) =>
    requestToken(at, { grant_type: "refresh_token", refresh_token: token, client_id, ...more });
  const isLive = async (token: string) =>
    (await server.store.artifacts.findAccessToken(hashToken(token), Math.floor(Date.now() / 1000))) !== null;

  test("ten parallel refreshes at two nodes all succeed, and all that they gave works", async () => {
    const node = await server.openNode();
    const { refresh_token } = await login();
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, i) => refresh(refresh_token, "tool", {}, i % 2 ? node.url : server.issuer)),
    );
    assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200]));
    assert.equal(new Set(answers.map(({ body }) => body.refresh_token)).size, 10);
    for (const { body } of answers) assert.ok(await isLive(body.access_token));
    for (const { body } of answers) assert.equal((await refresh(body.refresh_token)).status, 200);
  });

  test("ten times after its rotation, then it is refused and revokes nothing while the grace lasts", async () => {
    const { refresh_token } = await login();
    const answers = [];
    for (let i = 0; i < 12; i++) answers.push(await refresh(refresh_token));
    assert.deepEqual(
      answers.map(({ status }) => status),
      [...Array.from({ length: 11 }, () => 200), 400],
    );
    for (const { body } of answers.slice(0, 11)) assert.ok(await isLive(body.access_token));
  });

  test("A27 after the grace it ends the family", async () => {
    const { refresh_token } = await login();
    const second = await refresh(refresh_token);
    await later(29, async () => assert.equal((await refresh(refresh_token)).status, 200));
    await later(32, async () => {
      const stolen = await refresh(refresh_token);
      assert.deepEqual([stolen.status, stolen.body.error], [400, "invalid_grant"]);
      assert.equal(await isLive(second.body.access_token), false);
      assert.equal((await refresh(second.body.refresh_token)).body.error, "invalid_grant");
    });
  });

  test("A27 a token before the last one gets no grace: refused at once, and later it ends the family", async () => {
    const first = await login();
    const second = await refresh(first.refresh_token);
    const third = await refresh(second.body.refresh_token);
    assert.equal((await refresh(first.refresh_token)).body.error, "invalid_grant");
    assert.ok(await isLive(third.body.access_token));
    await later(15, async () => {
      assert.equal((await refresh(first.refresh_token)).body.error, "invalid_grant");
      assert.equal(await isLive(third.body.access_token), false);
    });
  });

  test("A28 every other client has one winner: confidential, on the web, with a scheme of its own", async () => {
    for (const [clientId, more] of [
      ["mixed", {}],
      ["own-scheme", {}],
      ["secret", { client_secret: "a secret" }],
    ] as const) {
      const { refresh_token } = await login(clientId, clientId === "secret" ? { clientSecret: "a secret" } : {});
      const answers = await Promise.all(Array.from({ length: 10 }, () => refresh(refresh_token, clientId, more)));
      assert.equal(answers.filter(({ status }) => status === 200).length, 1, clientId);
    }
  });

  test("A28 another client gets nothing, and a revoked family has no grace", async () => {
    const first = await login();
    const second = await refresh(first.refresh_token);
    assert.equal((await refresh(first.refresh_token, "spa")).body.error, "invalid_grant");
    assert.equal((await refresh(first.refresh_token)).status, 200);
    const body = new URLSearchParams({ token: second.body.refresh_token, client_id: "tool" });
    assert.equal((await fetch(`${server.issuer}/revoke`, { method: "POST", body })).status, 200);
    assert.equal((await refresh(first.refresh_token)).body.error, "invalid_grant");
  });

  test("A34 a bound token works again with its own key alone", async () => {
    const [mine, thief] = [ecPair(), ecPair()];
    const options = { issuer: server.issuer, clientId: "tool", redirectUri: LOOPBACK };
    const { code, verifier } = await authorize(options);
    const first = await requestToken(server.issuer, exchange(options, code, verifier), await proof(mine));
    const ask = async (headers: Record<string, string>) =>
      requestToken(
        server.issuer,
        { grant_type: "refresh_token", refresh_token: first.body.refresh_token, client_id: "tool" },
        headers,
      );
    assert.equal((await ask(await proof(mine))).status, 200);
    assert.equal((await ask(await proof(thief))).body.error, "invalid_grant");
    assert.equal((await ask({})).status, 400);
    const again = await ask(await proof(mine));
    assert.deepEqual([again.status, again.body.token_type], [200, "DPoP"]);
  });

  const ecPair = () => generateKeyPairSync("ec", { namedCurve: "P-256" });
  async function proof({ privateKey, publicKey }: ReturnType<typeof ecPair>): Promise<Record<string, string>> {
    const claims = {
      jti: randomUUID(),
      iat: Math.floor(Date.now() / 1000),
      htm: "POST",
      htu: `${server.issuer}/token`,
    };
    const header = { typ: "dpop+jwt", alg: "ES256", jwk: publicKey.export({ format: "jwk" }) };
    return { DPoP: await new SignJWT(claims).setProtectedHeader(header).sign(privateKey) };
  }

  test("each use after the rotation is in the audit", async () => {
    const since = new Date().toISOString();
    const { refresh_token } = await login();
    await refresh(refresh_token);
    await refresh(refresh_token);
    const isRetry = ({ detail }: AuditEvent) => detail === "token.refresh.retried";
    const filter = { clientId: "tool", event: "token", since } as const;
    const retried = (await listUntil(server.store.audit, filter, (events) => events.some(isRetry))).filter(isRetry);
    assert.deepEqual(
      [retried[0]?.result, retried[0]?.userId, typeof retried[0]?.address],
      ["ok", server.ada.id, "string"],
    );
  });

  test("whatever the order of uses, a token gives something only while it is the last one or in its grace", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat({ max: 4 }), { minLength: 1, maxLength: 8 }), async (uses) => {
        const tokens = [(await login()).refresh_token];
        const parent = new Map<string, string>();
        const superseded = new Set<string>();
        const used = new Set<string>();
        for (const pick of uses) {
          const token = tokens[pick % tokens.length] as string;
          const { status, body } = await refresh(token);
          assert.equal(status, superseded.has(token) ? 400 : 200);
          if (status !== 200) continue;
          used.add(token);
          const before = parent.get(token);
          if (before !== undefined) superseded.add(before);
          parent.set(body.refresh_token, token);
          tokens.push(body.refresh_token);
        }
      }),
      { numRuns: 8 },
    );
  });

  test("REFRESH_GRACE=0: one winner for everybody", async () => {
    const strict = await openTestServer({ settings: { REFRESH_GRACE: 0 } });
    try {
      await strict.addClient({ id: "tool", redirectUris: [LOOPBACK] });
      const { refresh_token } = await getTokens({ issuer: strict.issuer, clientId: "tool", redirectUri: LOOPBACK });
      const answers = await Promise.all(
        Array.from({ length: 5 }, () => refresh(refresh_token, "tool", {}, strict.issuer)),
      );
      assert.equal(answers.filter(({ status }) => status === 200).length, 1);
    } finally {
      await strict.close();
    }
  });
});
