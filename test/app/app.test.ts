import assert from "node:assert/strict";
import { once } from "node:events";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, test } from "node:test";
import { openStore } from "../../src/storage/open.ts";
import { openTestApp, type TestApp } from "../app.ts";

async function ask(app: TestApp, query: string, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(`${app.config.BASE_URL}/graphql`, {
    method: "POST",
    headers: { "content-type": "application/json", accept: "application/graphql-response+json", ...headers },
    body: JSON.stringify({ query }),
  });
}

interface Refused {
  readonly errors: readonly { readonly extensions: object }[];
}

describe("the program", () => {
  test("F03 a connection that never asked anything does not hold up the end", async () => {
    const app = await openTestApp();
    const silent = connect(Number(new URL(app.url).port), "127.0.0.1");
    silent.on("error", () => {});
    await once(silent, "connect");
    await (await fetch(`${app.url}/livez`)).text(); // by now it was accepted
    const began = performance.now();
    await app.close();
    assert.ok(performance.now() - began < 5_000);
    silent.destroy();
  });

  test("I01 with PUBLIC_READ a request that needs more says which scopes", async () => {
    const app = await openTestApp({ PUBLIC_READ: "true" });
    try {
      const refused = await ask(app, 'mutation { createPost(input: {title: "a", body: "b"}) { id title } }');
      assert.equal(refused.status, 401);
      assert.match(refused.headers.get("www-authenticate") ?? "", / scope="posts:write",/);
      assert.deepEqual(Object.keys(((await refused.json()) as Refused).errors[0]?.extensions ?? {}), ["code"]);
    } finally {
      await app.close();
    }
  });

  test("the resource's metadata name the resource as the client wrote it (RFC 9728 section 3.3)", async () => {
    const app = await openTestApp();
    const { BASE_URL } = app.config;
    try {
      for (const [path, resource] of [
        ["", BASE_URL],
        ["/", `${BASE_URL}/`],
        ["/graphql", `${BASE_URL}/graphql`],
        ["/graphql/", `${BASE_URL}/graphql/`],
      ]) {
        const metadata = await (await fetch(`${BASE_URL}/.well-known/oauth-protected-resource${path}`)).json();
        assert.equal((metadata as { resource: string }).resource, resource);
      }
    } finally {
      await app.close();
    }
  });

  test("I01 no token → 401 with a bare challenge that leads to the resource's metadata; bad token → invalid_token", async () => {
    const app = await openTestApp();
    try {
      const none = await ask(app, "{ posts { id } }");
      assert.equal(none.status, 401);
      const challenge = none.headers.get("www-authenticate") ?? "";
      const scope = "profile:write posts:read posts:write users:read";
      const [, address = "", asked] =
        /^Bearer resource_metadata="([^"]+)", scope="([^"]+)", DPoP algs="ES256 [A-Za-z0-9 ]+"$/.exec(challenge) ?? [];
      assert.equal(asked, scope);
      assert.ok(address, challenge);
      const metadata = (await (await fetch(address)).json()) as Record<string, unknown>;
      assert.equal(metadata.resource, `${app.config.BASE_URL}/graphql`);
      assert.deepEqual(metadata.authorization_servers, [app.config.AUTH_URL]);

      const bad = await ask(app, "{ posts { id } }", { authorization: "bearer nobody-gave-this" });
      assert.equal(bad.status, 401);
      const refused = bad.headers.get("www-authenticate") ?? "";
      assert.match(refused, /^Bearer error="invalid_token", /);
      assert.match(refused, new RegExp(`scope="${scope}"$`));
      const dpop = await ask(app, "{ posts { id } }", { authorization: "DPoP nobody-gave-this" });
      assert.match(dpop.headers.get("www-authenticate") ?? "", new RegExp(`^DPoP error=.*scope="${scope}"$`));
      for (const authorization of ["Bearer", "Bearer a b", "DPoP"]) {
        const malformed = await ask(app, "{ posts { id } }", { authorization });
        assert.match(malformed.headers.get("www-authenticate") ?? "", /error="invalid_token"/, authorization);
      }
      for (const authorization of ["Basic x", "Basic YTpi", "Digest username=a", "Bearerx y", "token"]) {
        const other = await ask(app, "{ posts { id } }", { authorization });
        assert.equal(other.status, 401, authorization);
        assert.equal(other.headers.get("www-authenticate"), challenge, "no token came");
      }
      const inTheAddress = await fetch(`${app.config.BASE_URL}/graphql?query={posts{id}}&access_token=x`);
      assert.equal(inTheAddress.status, 400, "I02 a token in the query is refused");
    } finally {
      await app.close();
    }
  });

  test("PUBLIC_READ lets anybody read posts and names, but not addresses, and not write", async () => {
    const app = await openTestApp({ PUBLIC_READ: "true" });
    try {
      assert.equal((await ask(app, "{ posts { id author { name } } }")).status, 200);
      assert.equal((await ask(app, "{ posts { author { email } } }")).status, 401);
      assert.equal((await ask(app, 'mutation { createPost(input: { title: "t", body: "" }) { id } }')).status, 401);
    } finally {
      await app.close();
    }
  });

  test("only with PUBLIC_READ may shared caches keep an answer, for PUBLIC_MAX_AGE, apart by Origin", async () => {
    const open = await openTestApp({ PUBLIC_READ: "true", PUBLIC_MAX_AGE: "20" });
    const closed = await openTestApp({ PUBLIC_MAX_AGE: "20" });
    try {
      const kept = await fetch(`${open.config.BASE_URL}/graphql?query={posts{id}}`);
      assert.equal(kept.headers.get("cache-control"), "public, max-age=0, s-maxage=20");
      assert.equal(kept.headers.get("vary"), "Origin, Accept, Authorization, GraphQL-Cost");
      assert.equal(kept.headers.get("ratelimit"), null);
      const refused = await fetch(`${closed.config.BASE_URL}/graphql?query={posts{id}}`);
      assert.equal(refused.status, 401);
      assert.equal(refused.headers.get("cache-control"), "no-store");
    } finally {
      await Promise.all([open.close(), closed.close()]);
    }
  });

  test("trusted documents come from a folder, and nothing else is answered where only they are", async () => {
    const folder = await mkdtemp(join(tmpdir(), "content-api-documents-"));
    await writeFile(join(folder, "newest.graphql"), "{ posts(first: 1) { id } }");
    const app = await openTestApp({
      PUBLIC_READ: "true",
      TRUSTED_DOCUMENTS: folder,
      TRUSTED_DOCUMENTS_ONLY: "true",
    });
    try {
      assert.equal((await fetch(`${app.config.BASE_URL}/graphql?documentId=newest`)).status, 200);
      assert.equal((await ask(app, "{ posts(first: 2) { id } }")).status, 400);
    } finally {
      await app.close();
      await rm(folder, { recursive: true });
    }
  });

  test("the rate is limited in points, said on every answer, and 429 says when to come back", async () => {
    const app = await openTestApp({ PUBLIC_READ: "true", RATE_LIMIT_ADDRESS: "150/60" });
    try {
      const first = await ask(app, "{ posts { id } }");
      assert.equal(first.status, 200);
      assert.match(first.headers.get("ratelimit") ?? "", /r=50/);
      const second = await ask(app, "{ posts { id } }");
      assert.equal(second.status, 429);
      assert.ok(Number(second.headers.get("retry-after")) > 0);
    } finally {
      await app.close();
    }
  });

  test("the schema is at /schema.graphql for tools, and is not where introspection is off", async () => {
    const open = await openTestApp();
    const closed = await openTestApp({ INTROSPECTION: "false" });
    try {
      const address = `${open.config.BASE_URL}/schema.graphql`;
      const answer = await fetch(address);
      assert.match(answer.headers.get("content-type") ?? "", /^text\/plain/);
      assert.equal(await answer.text(), await readFile(new URL("../../schema.graphql", import.meta.url), "utf8"));
      const again = await fetch(address, { headers: { "if-none-match": answer.headers.get("etag") ?? "" } });
      assert.equal(again.status, 304);
      assert.equal((await fetch(`${closed.config.BASE_URL}/schema.graphql`)).status, 404);
    } finally {
      await open.close();
      await closed.close();
    }
  });

  test("I04 encoded NUL and line breaks in the address → 400; a way up → 404; unknown → 404, a page for browsers", async () => {
    const app = await openTestApp();
    try {
      for (const [path, status] of [
        ["/%00", 400],
        ["/gra%0d%0aphql", 400],
        ["/graphql?query=%00", 400],
        ["/..%2f", 404],
        ["/nothing", 404],
      ] as const) {
        assert.equal((await fetch(`${app.config.BASE_URL}${path}`)).status, status, path);
      }
      for (const path of ["/livez", "/readyz", "/metrics", "/.well-known/oauth-protected-resource"]) {
        const response = await fetch(`${app.config.BASE_URL}${path}`, { method: "DELETE" });
        assert.equal(response.status, 405, path);
        assert.equal(response.headers.get("allow"), "GET, HEAD");
      }
      const page = await fetch(`${app.config.BASE_URL}/nothing`, { headers: { accept: "text/html" } });
      assert.match(page.headers.get("content-type") ?? "", /^text\/html/);
      assert.match(page.headers.get("content-security-policy") ?? "", /default-src 'none'/);
    } finally {
      await app.close();
    }
  });

  test("I11 a foreign origin gets nothing; a registered client's gets its headers on errors too", async () => {
    const app = await openTestApp({ CORS_ORIGINS: "https://app.example.com" });
    try {
      const foreign = await ask(app, "{ posts { id } }", { origin: "https://evil.example.com" });
      assert.equal(foreign.headers.get("access-control-allow-origin"), null);
      const allowed = await ask(app, "{", { origin: "https://app.example.com" });
      assert.equal(allowed.headers.get("access-control-allow-origin"), "https://app.example.com");
      const preflight = await fetch(`${app.config.BASE_URL}/graphql`, {
        method: "OPTIONS",
        headers: { origin: "https://app.example.com", "access-control-request-method": "POST" },
      });
      assert.equal(preflight.status, 204);
      assert.match(preflight.headers.get("access-control-allow-headers") ?? "", /Authorization/);
    } finally {
      await app.close();
    }
  });

  test("I11 the origin of a disabled client is foreign within a second", async () => {
    let now = Date.now();
    const app = await openTestApp({}, { now: () => now });
    const store = await openStore(app.config.DATABASE_URL);
    try {
      const client = { id: "page", name: "Page", type: "public", secretHash: null, firstParty: false } as const;
      const redirectUris = ["https://page.example.com/callback"];
      await store.clients.create({ ...client, redirectUris, postLogoutRedirectUris: [], grantTypes: [], scopes: [] });
      const allowed = async () => {
        now += 1_000;
        const answer = await ask(app, "{ posts { id } }", { origin: "https://page.example.com" });
        return answer.headers.get("access-control-allow-origin");
      };
      assert.equal(await allowed(), "https://page.example.com");
      await store.clients.update("page", { disabledAt: new Date(now).toISOString() });
      assert.equal(await allowed(), null);
    } finally {
      await store.close();
      await app.close();
    }
  });

  test("I03 a body of 300,000 chunks of one byte takes time that grows with its length only", async () => {
    const app = await openTestApp({ PUBLIC_READ: "true", HOST: "127.0.0.1" });
    const socket = connect(app.config.PORT, "127.0.0.1");
    try {
      const head =
        "POST /graphql HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n";
      socket.write(`${head}${"1\r\n[\r\n".repeat(300_000)}0\r\n\r\n`);
      const [answer] = (await once(socket, "data", { signal: AbortSignal.timeout(15_000) })) as [Buffer];
      assert.match(answer.toString(), /^HTTP\/1.1 400 /);
    } finally {
      socket.destroy();
      await app.close();
    }
  });

  test("health and metrics answer, with series by route and not by address", async () => {
    const app = await openTestApp();
    try {
      assert.equal((await fetch(`${app.config.BASE_URL}/livez`)).status, 200);
      assert.equal((await fetch(`${app.config.BASE_URL}/readyz`)).status, 200);
      await fetch(`${app.config.BASE_URL}/some/secret/path`);
      const metrics = await (await fetch(`${app.config.BASE_URL}/metrics`)).text();
      assert.match(metrics, /http_request_duration_seconds_count\{method="GET",route="\/livez",status="200"\} 1/);
      assert.ok(!metrics.includes("secret"));
    } finally {
      await app.close();
    }
  });
});
