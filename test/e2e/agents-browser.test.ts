import assert from "node:assert/strict";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { after, before, describe, test } from "node:test";
import { openTestApp, type TestApp } from "../app.ts";
import { openBrowser, type TestBrowser } from "../browser.ts";
import { STATELESS_META } from "../mcp/raw-client.ts";
import { addClient, addPerson, createToken } from "../subscriber.ts";
import { openVisitor } from "./visitor.ts";

/** An agent that runs in a page, at an origin of its own. */
async function openPage(): Promise<{ origin: string; server: Server }> {
  const server = createServer((_request, response) => {
    response.writeHead(200, { "content-type": "text/html" }).end("<!doctype html><title>Agent</title>");
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  return { origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, server };
}

describe("A03 an agent in a browser", () => {
  let own: { origin: string; server: Server };
  let strange: { origin: string; server: Server };
  let app: TestApp;
  let chromium: TestBrowser;
  let token: string;
  before(async () => {
    [own, strange, chromium] = await Promise.all([openPage(), openPage(), openBrowser()]);
    app = await openTestApp({ CORS_ORIGINS: own.origin });
    await addPerson(app.environment, "ada@example.com");
    token = await createToken(app.environment, {
      user: "ada@example.com",
      client: await addClient(app.environment),
      scope: "posts:read",
    });
  });
  after(async () => {
    own?.server.close();
    strange?.server.close();
    await chromium?.close();
    await app?.close();
  });

  /** Calls a tool as a page at the origin, after the browser's own preflight. @returns null where the browser forbids it */
  async function callFrom(origin: string, authorization: string, name: string) {
    const visitor = await openVisitor(chromium.browser);
    try {
      await visitor.page.goto(origin);
      const params = { name, arguments: {}, _meta: STATELESS_META };
      return await visitor.page.evaluate(
        async ({ url, headers, body }) => {
          const response = await fetch(url, { method: "POST", headers, body }).catch(() => null);
          if (response === null) return null;
          const seen = ["www-authenticate", "retry-after"].map((header) => response.headers.get(header));
          return { status: response.status, text: await response.text(), seen };
        },
        {
          url: `${app.config.BASE_URL}/mcp`,
          headers: {
            ...{ authorization, "content-type": "application/json", accept: "application/json, text/event-stream" },
            ...{ "mcp-protocol-version": "2026-07-28", "mcp-method": "tools/call", "mcp-name": name },
            ...{ "idempotency-key": "k", dpop: "none" },
          },
          body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params }),
        },
      );
    } finally {
      await visitor.close();
    }
  }

  test("of an origin that the operator lists calls tools, and can read why it may not", async () => {
    const called = await callFrom(own.origin, `Bearer ${token}`, "whoami");
    assert.equal(called?.status, 200, called?.text);
    assert.match(called.text, /"structuredContent"/);
    const unknown = await callFrom(own.origin, "Bearer nothing", "whoami");
    assert.equal(unknown?.status, 401);
    assert.match(unknown.seen[0] ?? "", /resource_metadata="[^"]+"/);
    const refused = await callFrom(own.origin, `Bearer ${token}`, "publish_post");
    assert.equal(refused?.status, 403);
    assert.match(refused.seen[0] ?? "", /error="insufficient_scope"/);
  });

  test("of another origin calls nothing", async () => {
    assert.equal(await callFrom(strange.origin, `Bearer ${token}`, "whoami"), null);
  });
});
