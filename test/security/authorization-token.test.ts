import assert from "node:assert/strict";
import { once } from "node:events";
import { connect } from "node:net";
import { after, before, describe, mock, test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { AppError } from "../../src/domain/errors.ts";
import { hashToken } from "../../src/secrets/token-hash.ts";
import {
  CLIENT_SECRET,
  later,
  openTestServer,
  SPA_CALLBACK,
  type TestServer,
  WEB_CALLBACK,
} from "./authorization-server.ts";
import { authorize, exchange, getTokens, requestToken, type TokenAnswer } from "./client.ts";

let server: TestServer;
before(async () => {
  server = await openTestServer({ briefScopes: { studio: ["admin"] } });
  await server.addClient({ id: "other" });
  await server.addClient({ id: "studio" });
});
after(() => server.close());

const spa = () => ({ issuer: server.issuer, clientId: "spa", redirectUri: SPA_CALLBACK });
const web = () => ({ issuer: server.issuer, clientId: "web", redirectUri: WEB_CALLBACK });

const refresh = (token: string, params: Record<string, string | undefined> = {}, headers?: Record<string, string>) =>
  requestToken(
    server.issuer,
    { grant_type: "refresh_token", refresh_token: token, client_id: "spa", ...params },
    headers,
  );

/** What the resource server sees. */
const isLive = async (token: string) =>
  (await server.store.artifacts.findAccessToken(hashToken(token), Math.floor(Date.now() / 1000))) !== null;

function assertError({ status, body, headers }: TokenAnswer, error: string, expected = 400) {
  assert.deepEqual([status, body.error], [expected, error], JSON.stringify(body));
  assert.equal(headers.get("cache-control"), "no-store");
}

describe("codes", () => {
  test("A20 a replayed code is refused, and what the first use gave is dead at once", async () => {
    const tokens = await getTokens(spa());
    assert.ok(await isLive(tokens.access_token));
    assertError(await requestToken(server.issuer, exchange(spa(), tokens.code, tokens.verifier)), "invalid_grant");
    assert.equal(await isLive(tokens.access_token), false);
    assertError(await refresh(tokens.refresh_token), "invalid_grant");
    const userinfo = await fetch(`${server.issuer}/userinfo`, {
      headers: { authorization: `Bearer ${tokens.access_token}` },
    });
    assert.equal(userinfo.status, 401);
  });

  test("A21 of twenty parallel redemptions one wins, on two nodes, and nothing of a code used twice stays alive", async () => {
    const node = await server.openNode();
    for (let round = 0; round < 3; round++) {
      const { code, verifier } = await authorize(spa());
      const answers = await Promise.all(
        Array.from({ length: 20 }, (_, i) =>
          requestToken(i % 2 === 0 ? server.issuer : node.url, exchange(spa(), code, verifier)),
        ),
      );
      const won = answers.filter(({ status }) => status === 200);
      assert.equal(won.length, 1);
      for (const answer of answers) if (answer.status !== 200) assertError(answer, "invalid_grant");
      assert.equal(await isLive(won[0]?.body.access_token ?? ""), false);
    }
  });

  test("A22 a code at another client, or with another redirect URI, is refused and not burnt", async () => {
    const { code, verifier } = await authorize(spa());
    const right = exchange(spa(), code, verifier);
    assertError(await requestToken(server.issuer, { ...right, client_id: "other" }), "invalid_grant");
    assertError(await requestToken(server.issuer, { ...right, redirect_uri: WEB_CALLBACK }), "invalid_grant");
    assertError(await requestToken(server.issuer, { ...right, redirect_uri: undefined }), "invalid_request");
    assert.equal((await requestToken(server.issuer, right)).status, 200);
  });

  test("A22 a code lives 60 seconds", async () => {
    const { code, verifier } = await authorize(spa());
    await later(61, async () =>
      assertError(await requestToken(server.issuer, exchange(spa(), code, verifier)), "invalid_grant"),
    );
  });

  test("A23 a wrong, malformed or missing verifier is refused", async () => {
    const { code, verifier } = await authorize(spa());
    const right = exchange(spa(), code, verifier);
    for (const wrong of ["x".repeat(43), "short", "x".repeat(129), `${verifier}!`, undefined])
      assertError(await requestToken(server.issuer, { ...right, code_verifier: wrong }), "invalid_grant");
    assert.equal((await requestToken(server.issuer, right)).status, 200);
  });
});

describe("client authentication", () => {
  test("the secret works in the form and in Basic", async () => {
    const inForm = await getTokens({ ...web(), clientSecret: CLIENT_SECRET });
    assert.ok(inForm.id_token);
    const { code, verifier } = await authorize(web());
    const { client_id: _, ...withoutId } = exchange(web(), code, verifier);
    const { status } = await requestToken(server.issuer, withoutId, basic("web", CLIENT_SECRET));
    assert.equal(status, 200);
  });

  test("A24 a wrong secret and an unknown client get the same answer", async () => {
    const { code, verifier } = await authorize(web());
    const right = exchange(web(), code, verifier);
    const answers = [
      await requestToken(server.issuer, { ...right, client_secret: "wrong" }),
      await requestToken(server.issuer, { ...right, client_id: "nobody", client_secret: CLIENT_SECRET }),
      await requestToken(server.issuer, right),
      await requestToken(server.issuer, { ...right, client_secret: CLIENT_SECRET.slice(1) }),
      // The stored form of the secret is no secret.
      await requestToken(server.issuer, {
        ...right,
        client_secret: (await server.store.clients.find("web"))?.secretHash ?? "",
      }),
    ];
    for (const answer of answers) {
      assertError(answer, "invalid_client", 401);
      assert.deepEqual(answer.body, answers[0]?.body);
    }
    const wrong = await requestToken(server.issuer, { ...right, client_id: undefined }, basic("web", "wrong"));
    const unknown = await requestToken(server.issuer, { ...right, client_id: undefined }, basic("nobody", "wrong"));
    assertError(wrong, "invalid_client", 401);
    assert.deepEqual(wrong.body, unknown.body);
    assert.match(wrong.headers.get("www-authenticate") ?? "", /^Basic /);
    assert.equal(wrong.headers.get("www-authenticate"), unknown.headers.get("www-authenticate"));
    assert.equal((await requestToken(server.issuer, { ...right, client_secret: CLIENT_SECRET })).status, 200);
  });

  test("A25 a public client with a secret, two methods at once, a secret in the query: refused", async () => {
    const pub = await authorize(spa());
    const publicly = exchange(spa(), pub.code, pub.verifier);
    assertError(await requestToken(server.issuer, { ...publicly, client_secret: "x" }), "invalid_client", 401);
    assertError(
      await requestToken(server.issuer, { ...publicly, client_id: undefined }, basic("spa", "x")),
      "invalid_client",
      401,
    );
    const { code, verifier } = await authorize(web());
    const right = exchange(web(), code, verifier);
    assertError(
      await requestToken(server.issuer, { ...right, client_secret: CLIENT_SECRET }, basic("web", CLIENT_SECRET)),
      "invalid_request",
    );
    assertError(
      await requestToken(server.issuer, { ...right, client_id: "spa" }, basic("web", CLIENT_SECRET)),
      "invalid_request",
    );
    const inQuery = await fetch(`${server.issuer}/token?client_secret=${CLIENT_SECRET}`, {
      method: "POST",
      body: new URLSearchParams(publicly),
    });
    assert.equal(inQuery.status, 400);
    const allInQuery = await fetch(
      `${server.issuer}/token?${new URLSearchParams({ ...right, client_secret: CLIENT_SECRET })}`,
      { method: "POST" },
    );
    assert.equal(allInQuery.status, 400);
    assert.equal((await requestToken(server.issuer, publicly)).status, 200);
  });

  test("A17 a disabled client gets nothing", async () => {
    await server.addClient({ id: "closed" });
    const closed = { ...spa(), clientId: "closed" };
    const { code, verifier } = await authorize(closed);
    const tokens = await getTokens(closed);
    await server.store.clients.update("closed", { disabledAt: new Date().toISOString() });
    assertError(await requestToken(server.issuer, exchange(closed, code, verifier)), "invalid_client", 401);
    assertError(await refresh(tokens.refresh_token, { client_id: "closed" }), "invalid_client", 401);
    await assert.rejects(authorize(closed), /400/);
  });
});

describe("the token request", () => {
  test("A26 JSON and multipart bodies are invalid, other grants unsupported", async () => {
    const { code, verifier } = await authorize(spa());
    const right = exchange(spa(), code, verifier);
    const multipart = new FormData();
    for (const [name, value] of Object.entries(right)) multipart.append(name, value);
    for (const init of [
      { body: JSON.stringify(right), headers: { "content-type": "application/json" } },
      { body: multipart },
      { body: new URLSearchParams(right).toString(), headers: { "content-type": "text/plain" } },
      { body: "x".repeat(100_000), headers: { "content-type": "application/x-www-form-urlencoded" } },
    ]) {
      const answer = await fetch(`${server.issuer}/token`, { method: "POST", ...init });
      assert.equal(((await answer.json()) as { error: string }).error, "invalid_request");
      assert.equal(answer.headers.get("cache-control"), "no-store");
    }
    for (const grant of ["password", "implicit", "x"])
      assertError(
        await requestToken(server.issuer, {
          grant_type: grant,
          username: "ada@example.com",
          password: "correct horse battery staple",
          client_id: "spa",
        }),
        "unsupported_grant_type",
      );
    assertError(await requestToken(server.issuer, { ...right, grant_type: undefined }), "invalid_request");
    assert.equal((await requestToken(server.issuer, right)).status, 200);
  });

  test("A08 a doubled parameter is invalid", async () => {
    const { code, verifier } = await authorize(spa());
    for (const name of ["code", "grant_type", "client_id", "code_verifier"]) {
      const body = new URLSearchParams(exchange(spa(), code, verifier));
      body.append(name, "x");
      const answer = await fetch(`${server.issuer}/token`, { method: "POST", body });
      assert.equal(((await answer.json()) as { error: string }).error, "invalid_request", name);
    }
  });

  test("A31 a resource that was not granted is an invalid target", async () => {
    const { code, verifier } = await authorize(spa());
    const right = exchange(spa(), code, verifier);
    assertError(
      await requestToken(server.issuer, { ...right, resource: "https://other.example.com" }),
      "invalid_target",
    );
    const answer = await requestToken(server.issuer, { ...right, resource: `${server.issuer}/graphql` });
    assert.equal(answer.status, 200);
    assertError(await refresh(answer.body.refresh_token, { resource: "https://other.example.com" }), "invalid_target");
    assert.equal((await refresh(answer.body.refresh_token)).status, 200);
  });

  test("A32 browsers of registered clients may read the answers, errors too, and no others", async () => {
    const origin = new URL(SPA_CALLBACK).origin;
    const allowed = (answer: { headers: Headers }) => answer.headers.get("access-control-allow-origin");
    const { code, verifier } = await authorize(spa());
    const right = exchange(spa(), code, verifier);

    const foreign = { origin: "https://evil.example.com" };
    const refused = await requestToken(server.issuer, right, foreign);
    assert.equal(refused.status, 400);
    assert.equal(allowed(refused), null);
    assert.equal(allowed(await requestToken(server.issuer, { ...right, client_id: "nobody" }, foreign)), null);
    assert.equal(allowed(await requestToken(server.issuer, right, { origin: "null" })), null);

    const wrong = await requestToken(server.issuer, { ...right, code: "x" }, { origin });
    assertError(wrong, "invalid_grant");
    assert.equal(allowed(wrong), origin);
    const good = await requestToken(server.issuer, right, { origin });
    assert.deepEqual([good.status, allowed(good), good.headers.get("cache-control")], [200, origin, "no-store"]);

    for (const path of ["/token", "/userinfo", "/revoke"]) {
      const preflight = (from: string) =>
        fetch(server.issuer + path, {
          method: "OPTIONS",
          headers: { origin: from, "access-control-request-method": "POST" },
        });
      assert.equal(allowed(await preflight(origin)), origin, path);
      assert.equal(allowed(await preflight("https://evil.example.com")), null, path);
    }
    const userinfo = await fetch(`${server.issuer}/userinfo`, { headers: { origin, authorization: "Bearer x" } });
    assert.deepEqual([userinfo.status, allowed(userinfo)], [401, origin]);
    assert.ok(allowed(await fetch(`${server.issuer}/jwks`, { headers: foreign })));
    assert.ok(allowed(await fetch(`${server.issuer}/.well-known/openid-configuration`, { headers: foreign })));
  });
});

describe("faults", () => {
  test("F05 while storage is away, clients and people are told so, and it is no error of theirs", async () => {
    const { code, verifier } = await authorize(spa());
    const away = () => Promise.reject(new AppError("UNAVAILABLE", "the disk is full"));
    const mocked = mock.method(server.store.artifacts, "find", away);
    try {
      const answer = await requestToken(server.issuer, exchange(spa(), code, verifier));
      assertError(answer, "temporarily_unavailable", 503);
      assert.ok(answer.headers.get("retry-after"));
      assert.doesNotMatch(JSON.stringify(answer.body), /disk/);
    } finally {
      mocked.mock.restore();
    }
    assert.equal((await requestToken(server.issuer, exchange(spa(), code, verifier))).status, 200);
  });

  test("F05 a grant that cannot be written gives no token, and can be used once more", async () => {
    const { code, verifier } = await authorize(spa());
    const full = () => Promise.reject(new AppError("UNAVAILABLE", "the disk is full"));
    const failing = async (ask: () => Promise<TokenAnswer>) => {
      const mocked = mock.method(server.store.artifacts, "redeem", full);
      const answer = await ask();
      mocked.mock.restore();
      assertError(answer, "temporarily_unavailable", 503);
      assert.equal(answer.body.access_token, undefined);
      const again = await ask();
      assert.equal(again.status, 200);
      assert.ok(await isLive(again.body.access_token));
      return again.body.refresh_token;
    };
    const token = await failing(() => requestToken(server.issuer, exchange(spa(), code, verifier)));
    await failing(() => refresh(token));
  });

  test("F05 A32 so are browsers, also when it is the clients that cannot be read", async () => {
    const origin = new URL(SPA_CALLBACK).origin;
    const from = (header: string) =>
      requestToken(
        server.issuer,
        { grant_type: "refresh_token", refresh_token: "x", client_id: "spa" },
        { origin: header },
      );
    assertError(await from(origin), "invalid_grant");
    const preflight = { origin, "access-control-request-method": "POST" };
    await fetch(`${server.issuer}/token`, { method: "OPTIONS", headers: preflight }); // known from now on
    await server.store.clients.update("spa", {}); // whoever keeps clients in memory reads them again
    const away = () => Promise.reject(new AppError("UNAVAILABLE", "the disk is full"));
    const mocked = [mock.method(server.store.clients, "find", away), mock.method(server.store.clients, "list", away)];
    mock.timers.enable({ apis: ["Date"], now: Date.now() + 60_000 });
    try {
      const answer = await from(origin);
      assertError(answer, "temporarily_unavailable", 503);
      assert.equal(answer.headers.get("access-control-allow-origin"), origin);
      const foreign = await from("https://evil.example.com");
      assertError(foreign, "temporarily_unavailable", 503);
      assert.equal(foreign.headers.get("access-control-allow-origin"), null);
    } finally {
      mock.timers.reset();
      for (const method of mocked) method.mock.restore();
    }
  });

  test("a fault of ours is a server_error without detail, and the log has it with the request id", async () => {
    const { code, verifier } = await authorize(spa());
    const mocked = mock.method(server.store.artifacts, "find", () => Promise.reject(new Error("private detail")));
    const answer = await requestToken(server.issuer, exchange(spa(), code, verifier));
    mocked.mock.restore();
    assertError(answer, "server_error", 500);
    assert.doesNotMatch(JSON.stringify(answer.body), /private/);
    assert.match(server.lines.at(-1) ?? "", /"requestId":"[\w-]+".*private detail/);
  });

  test("whose length is not told beforehand, or is too much, goes the longer way: the same answers", async () => {
    const fields = new URLSearchParams({ grant_type: "refresh_token", refresh_token: "x", client_id: "spa" });
    const headers = { "content-type": "application/x-www-form-urlencoded" };
    const post = async (body: RequestInit["body"]) => {
      const options = { method: "POST", headers, body, duplex: "half" } as RequestInit;
      const answer = await fetch(`${server.issuer}/token`, options);
      const { date: _date, "x-request-id": _id, ...rest } = Object.fromEntries(answer.headers);
      return { status: answer.status, headers: rest, body: await answer.json() };
    };
    const whole = await post(fields.toString());
    assert.equal(whole.status, 400);
    assert.deepEqual(await post(new Blob([fields.toString()]).stream()), whole);
    assert.equal((await post(`${fields}&padding=${"x".repeat(60_000)}`)).status, 413);
  });

  test("a client that goes away in the middle of its request takes nothing along", async () => {
    const { hostname, port } = new URL(server.issuer);
    const socket = connect(Number(port), hostname);
    const head = ["POST /token HTTP/1.1", "Host: x", "Content-Type: application/x-www-form-urlencoded"];
    socket.write(`${head.join("\r\n")}\r\nContent-Length: 100\r\n\r\ngrant_type=`);
    await once(socket, "connect");
    await pause(50);
    socket.destroy();
    await pause(50);
    assertError(await refresh("x"), "invalid_grant");
  });

  test("I10 ids that no database can hold are just unknown", async () => {
    const params = { grant_type: "refresh_token", refresh_token: "\0", client_id: "\0" };
    assertError(await requestToken(server.issuer, params), "invalid_client", 401);
  });
});

describe("refresh tokens", () => {
  test("they come without offline_access, rotate at every use, and keep their scope", async () => {
    const first = await getTokens(spa());
    const { status, body } = await refresh(first.refresh_token);
    assert.equal(status, 200);
    assert.notEqual(body.refresh_token, first.refresh_token);
    assert.equal(body.scope, first.scope);
    assert.ok(await isLive(body.access_token));
    await server.addClient({ id: "without", grantTypes: ["authorization_code"] });
    const none = await getTokens({ ...spa(), clientId: "without" });
    assert.equal(none.refresh_token, undefined);
  });

  test("S05 scopes that a client gets for a short time come without one, also on request, and others with it", async () => {
    const studio = { ...spa(), clientId: "studio", email: "ada@example.com" };
    for (const params of [{}, { prompt: "consent" }]) {
      const asked = await getTokens({ ...studio, scope: "openid offline_access posts:read admin", params });
      assert.equal(asked.refresh_token, undefined);
      assert.ok(String(asked.scope).includes("admin"));
    }
    const usual = await getTokens({ ...studio, scope: "openid posts:read" });
    const next = await refresh(usual.refresh_token as string, { client_id: "studio" });
    assert.equal(next.status, 200);
    assert.equal(
      (await refresh(next.body.refresh_token as string, { client_id: "studio", scope: "admin" })).status,
      400,
    );
    const other = await getTokens({ ...spa(), email: "ada@example.com", scope: "openid posts:read admin" });
    assert.notEqual(other.refresh_token, undefined);
  });

  test("A27 reuse within ten seconds is refused and revokes nothing", async () => {
    const first = await getTokens(spa());
    const second = await refresh(first.refresh_token);
    assertError(await refresh(first.refresh_token), "invalid_grant");
    await later(9, async () => assertError(await refresh(first.refresh_token), "invalid_grant"));
    assert.ok(await isLive(second.body.access_token));
    assert.equal((await refresh(second.body.refresh_token)).status, 200);
  });

  test("A27 later reuse kills the family, access tokens too", async () => {
    const first = await getTokens(spa());
    const second = await refresh(first.refresh_token);
    const third = await refresh(second.body.refresh_token);
    await later(12, async () => {
      assert.ok(await isLive(third.body.access_token));
      assertError(await refresh(first.refresh_token), "invalid_grant");
      for (const token of [first.access_token, second.body.access_token, third.body.access_token])
        assert.equal(await isLive(token), false);
      assertError(await refresh(third.body.refresh_token), "invalid_grant");
    });
  });

  test("A28 of ten parallel refreshes one wins, on two nodes", async () => {
    const node = await server.openNode();
    for (let round = 0; round < 5; round++) {
      const { refresh_token } = await getTokens(spa());
      const params = { grant_type: "refresh_token", refresh_token, client_id: "spa" };
      const answers = await Promise.all(
        Array.from({ length: 10 }, (_, i) => requestToken(i % 2 === 0 ? server.issuer : node.url, params)),
      );
      const won = answers.filter(({ status }) => status === 200);
      assert.equal(won.length, 1);
      for (const answer of answers) if (answer.status !== 200) assertError(answer, "invalid_grant");
      assert.ok(await isLive(won[0]?.body.access_token ?? ""), "the race revoked the winner");
      assert.equal((await refresh(won[0]?.body.refresh_token ?? "")).status, 200);
    }
  });

  test("A28 at another client it is refused, and still works for its owner", async () => {
    const { refresh_token } = await getTokens(spa());
    assertError(await refresh(refresh_token, { client_id: "other" }), "invalid_grant");
    assertError(await refresh(refresh_token, { client_id: "web", client_secret: CLIENT_SECRET }), "invalid_grant");
    assert.equal((await refresh(refresh_token)).status, 200);
  });

  test("A29 a wider scope is refused, a narrower one given and said, none means the same", async () => {
    const first = await getTokens(spa());
    assertError(await refresh(first.refresh_token, { scope: "openid posts:write" }), "invalid_scope");
    assertError(await refresh(first.refresh_token, { scope: "unheard:of" }), "invalid_scope");
    const narrow = await refresh(first.refresh_token, { scope: "posts:read" });
    assert.deepEqual([narrow.status, narrow.body.scope], [200, "posts:read"]);
    assert.equal((await refresh(narrow.body.refresh_token)).body.scope, first.scope);
  });

  test("A29 asking for less later in the same browser does not narrow what was given before", async () => {
    const wide = await getTokens({ ...spa(), scope: "openid posts:read posts:write" });
    await getTokens({ ...spa(), scope: "openid", browser: wide.browser });
    assert.equal((await refresh(wide.refresh_token)).body.scope, "openid posts:read posts:write");
  });

  test("A30 after revocation and sign-out everywhere they are dead; A17 so they are for a disabled person", async () => {
    const revoked = await getTokens(spa());
    const body = new URLSearchParams({ token: revoked.refresh_token, client_id: "spa" });
    assert.equal((await fetch(`${server.issuer}/revoke`, { method: "POST", body })).status, 200);
    assertError(await refresh(revoked.refresh_token), "invalid_grant");
    assert.equal(await isLive(revoked.access_token), false);

    const bob = { ...spa(), email: "bob@example.com" };
    const everywhere = await getTokens(bob);
    await server.store.artifacts.revokeUser(server.bob.id);
    assertError(await refresh(everywhere.refresh_token), "invalid_grant");
    assert.equal(await isLive(everywhere.access_token), false);

    const { refresh_token, access_token } = await getTokens(bob);
    const { code, verifier } = await authorize(bob);
    await server.store.users.update(server.bob.id, { disabledAt: new Date().toISOString() });
    assertError(await refresh(refresh_token), "invalid_grant");
    assertError(await requestToken(server.issuer, exchange(bob, code, verifier)), "invalid_grant");
    assert.equal(await isLive(access_token), false);
    await assert.rejects(authorize(bob), /400/);
    await server.store.users.update(server.bob.id, { disabledAt: null });
  });

  test("a family ends 30 days after its last use, and a year after its first", async () => {
    const day = 86_400;
    const idle = await getTokens(spa());
    await later(30 * day + 1, async () => assertError(await refresh(idle.refresh_token), "invalid_grant"));
    let { refresh_token } = await getTokens(spa());
    for (let days = 29; days < 365; days += 29) {
      await later(days * day, async () => {
        const { status, body } = await refresh(refresh_token);
        assert.equal(status, 200, `day ${days}`);
        refresh_token = body.refresh_token;
      });
    }
    await later(365 * day + 1, async () => assertError(await refresh(refresh_token), "invalid_grant"));
  });
});

function basic(id: string, secret: string): Record<string, string> {
  return { authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString("base64")}` };
}
