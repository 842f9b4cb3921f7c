import assert from "node:assert/strict";
import { after, before, beforeEach, describe, test } from "node:test";
import { later, openTestServer, PASSWORD, SPA_CALLBACK, type TestServer } from "./authorization-server.ts";
import { authorize, exchange, getTokens, requestToken } from "./client.ts";

const CLAUDE = "https://claude.ai/api/mcp/auth_callback";
const DAY = 86_400;

interface Registered {
  readonly client_id: string;
  readonly client_secret: string;
  readonly grant_types: readonly string[];
  readonly error?: string;
}

let server: TestServer;
before(async () => {
  const settings = { REGISTRATION: "open", REGISTRATION_RATE: { count: 3, seconds: 3_600 } } as const;
  server = await openTestServer({ settings });
});
after(() => server.close());
/** Each test begins without a count of new clients. */
beforeEach(async () => {
  for (const agent of ["", " claude.ai", " claude.com", " www.cursor.com"])
    await server.store.attempts.clear(`registration 127.0.0.1${agent}`);
});

async function register(metadata: unknown) {
  const response = await fetch(`${server.issuer}/register`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: typeof metadata === "string" ? metadata : JSON.stringify(metadata),
  });
  return { status: response.status, headers: response.headers, body: (await response.json()) as Registered };
}
const open = (redirect_uris: readonly string[], more: object = {}) =>
  register({ client_name: "Claude", redirect_uris, token_endpoint_auth_method: "none", ...more });
/** As Claude does it, without a secret. */
const claude = () => open([CLAUDE]);
const walkOf = (clientId: string, redirectUri = CLAUDE) => ({
  ...{ issuer: server.issuer, clientId, redirectUri },
  ...{ email: "ada@example.com", password: PASSWORD },
});

describe("A25 agents register themselves", () => {
  test("one that leaves grant_types out stays connected; one that names them has what it names", async () => {
    const { body } = await claude();
    assert.deepEqual(body.grant_types, ["authorization_code", "refresh_token"]);
    const { refresh_token } = await getTokens(walkOf(body.client_id));
    const params = { grant_type: "refresh_token", client_id: body.client_id, refresh_token };
    assert.equal((await requestToken(server.issuer, params)).status, 200);
    const short = await open([CLAUDE], { grant_types: ["authorization_code"] });
    assert.deepEqual(short.body.grant_types, ["authorization_code"]);
    assert.equal((await getTokens(walkOf(short.body.client_id))).refresh_token, undefined);
  });

  test("one with a secret may send it in either way, whichever it has registered", async () => {
    for (const token_endpoint_auth_method of [undefined, "client_secret_basic", "client_secret_post"]) {
      await server.store.attempts.clear("registration 127.0.0.1 claude.ai");
      const { body } = await register({ redirect_uris: [CLAUDE], token_endpoint_auth_method });
      const { client_id, client_secret } = body;
      const basic = { authorization: `Basic ${Buffer.from(`${client_id}:${client_secret}`).toString("base64")}` };
      for (const way of ["basic", "post"]) {
        const { code, verifier } = await authorize(walkOf(client_id));
        const params = exchange(walkOf(client_id), code, verifier);
        const sent = way === "post" ? { ...params, client_secret } : params;
        const { status } = await requestToken(server.issuer, sent, way === "basic" ? basic : {});
        assert.equal(status, 200, `${token_endpoint_auth_method} ${way}`);
      }
    }
  });

  test("REGISTRATION_RATE for one network; ten times that for each host of KNOWN_AGENTS, counted apart", async () => {
    for (let i = 0; i < 3; i++) assert.equal((await open([SPA_CALLBACK])).status, 201);
    const refused = await open([SPA_CALLBACK]);
    assert.deepEqual([refused.status, refused.headers.get("retry-after")], [429, "3600"]);
    assert.equal(refused.body.error, "temporarily_unavailable");
    const statuses = await Promise.all(Array.from({ length: 31 }, async () => (await claude()).status));
    assert.deepEqual([statuses.filter((status) => status === 201).length, statuses.includes(429)], [30, true]);
    const cursor = ["cursor://anysphere.cursor-mcp/oauth/callback", "https://www.cursor.com/agents/mcp/oauth/callback"];
    assert.equal((await open([...cursor, "http://localhost:8787/callback"])).status, 201, "another host");
    // A host among others that are nobody's, and one's own device, count as any client.
    for (const uris of [[CLAUDE, SPA_CALLBACK], ["http://localhost/callback"], ["https://claude.ai.example/cb"]])
      assert.equal((await open(uris)).status, 429, uris[0]);
  });

  test("what is refused counts too", async () => {
    for (const wrong of ["{", "null", { redirect_uris: ["javascript:alert(1)"] }])
      assert.equal((await register(wrong)).status, 400);
    assert.equal((await open([SPA_CALLBACK])).status, 429);
    assert.equal((await register("{")).status, 429);
  });

  test("unused for 30 days it is deleted: 401 invalid_client, after which Claude registers anew and goes on", async () => {
    const [unused, used, operators] = [(await claude()).body, (await claude()).body, (await claude()).body];
    await getTokens(walkOf(used.client_id));
    const { id: userId } = server.bob;
    await server.server.createAccessToken({
      userId,
      clientId: operators.client_id,
      scope: "posts:read",
      ttlSeconds: 60,
    });
    const sweep = () => server.store.clients.sweepUnused(new Date(Date.now() - 30 * DAY * 1000).toISOString(), 100);
    const ask = (client_id: string) =>
      requestToken(server.issuer, { grant_type: "refresh_token", client_id, refresh_token: "x" });
    await later(29 * DAY, async () => void (await sweep()));
    assert.equal((await ask(unused.client_id)).body.error, "invalid_grant");
    await later(31 * DAY, async () => {
      assert.ok((await sweep()) >= 1);
      const gone = await ask(unused.client_id);
      assert.deepEqual([gone.status, gone.body.error], [401, "invalid_client"]);
      assert.match(gone.headers.get("content-type") ?? "", /^application\/json/);
      for (const { client_id } of [used, operators])
        assert.equal((await ask(client_id)).body.error, "invalid_grant", "somebody has let it in");
    });
    const again = (await claude()).body;
    assert.ok((await getTokens(walkOf(again.client_id))).access_token);
  });
});
