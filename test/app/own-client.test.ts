import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { openStore } from "../../src/storage/open.ts";
import { openTestApp, type TestApp } from "../app.ts";
import { runJson } from "../command.ts";
import { aPerson } from "../conformance/samples.ts";
import { openPostgres } from "../postgres.ts";
import { quickHash } from "../quick-hash.ts";
import { authorizationRequest, Browser, exchange, requestToken, walk } from "../security/client.ts";

const postgres = await openPostgres();
const folder = await mkdtemp(join(tmpdir(), "own-client-"));
after(() => rm(folder, { recursive: true }));
const PASSWORD = "correct horse battery staple";
const SECRET_KEY = Buffer.alloc(32, 9).toString("base64url");

/** Signs in as the page of the explorer does. */
async function signIn({ config }: TestApp, redirectUri = `${config.BASE_URL}/explorer/callback`) {
  const options = { issuer: config.AUTH_URL, clientId: "explorer", redirectUri, password: PASSWORD };
  const { url, verifier } = authorizationRequest(options);
  const browser = new Browser();
  const end = await walk(browser, await browser.follow(url), options);
  const code = end.url.searchParams.get("code");
  if (code === null) return { status: end.response.status, at: end.url.href, text: end.text };
  const { status, body } = await requestToken(config.AUTH_URL, exchange(options, code, verifier));
  return { status, at: `${end.url.origin}${end.url.pathname}`, token: body.access_token };
}

for (const [name, url] of [
  ["SQLite", async () => `sqlite:${join(folder, "content.db")}`],
  ["PostgreSQL", () => postgres.createDatabase()],
] as const) {
  test(`two processes with different addresses on one database (${name}) both sign people in at their own explorer`, async (t) => {
    const DATABASE_URL = await url();
    const store = await openStore(DATABASE_URL);
    t.after(() => store.close());
    await store.users.create(aPerson({ email: "ada@example.com", passwordHash: quickHash(PASSWORD) }));
    const first = await openTestApp({ DATABASE_URL, SECRET_KEY });
    t.after(() => first.close());
    const kept = await store.clients.find("explorer");
    const second = await openTestApp({ DATABASE_URL, SECRET_KEY });
    t.after(() => second.close());
    assert.notEqual(first.config.BASE_URL, second.config.BASE_URL);
    assert.deepEqual(await store.clients.find("explorer"), kept, "the second start writes nothing");
    assert.ok(!JSON.stringify(kept).includes("http"), "no address is kept");

    for (const app of [first, second, first]) {
      const { status, at, token } = await signIn(app);
      assert.equal(at, `${app.config.BASE_URL}/explorer/callback`);
      assert.equal(status, 200);
      // The token is good everywhere: the database is one.
      for (const { url } of [first, second]) {
        const answer = await fetch(`${url}/graphql?query={viewer{name}}`, {
          headers: { authorization: `Bearer ${token}` },
        });
        assert.equal(answer.status, 200);
      }
    }
    // Ports of localhost may vary, so the foreign URL has another host.
    const foreign = await signIn(
      first,
      `${second.config.BASE_URL.replace("localhost", "127.0.0.1")}/explorer/callback`,
    );
    assert.equal(foreign.status, 400, "the URL of another process is not this one's");

    const { access_token: token } = await runJson<{ access_token: string }>(
      ["token", "create", "--user", "ada@example.com", "--client", "explorer", "--scope", "profile"],
      { ...first.environment },
    );
    const answer = await fetch(`${first.url}/graphql?query={viewer{name}}`, {
      headers: { authorization: `Bearer ${token}` },
    });
    assert.equal(answer.status, 200);

    await store.clients.update("explorer", { disabledAt: "2026-01-31T12:00:00.000Z" });
    const third = await openTestApp({ DATABASE_URL, SECRET_KEY });
    t.after(() => third.close());
    assert.equal((await signIn(third)).status, 400, "the operator has disabled it, and a start does not change that");
  });
}
