import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { listUntil, openTestServer, SPA_CALLBACK, type TestServer } from "./authorization-server.ts";
import { authorizationRequest } from "./client.ts";

let server: TestServer;
before(async () => {
  server = await openTestServer();
});
after(() => server.close());

function parameters(more: Record<string, string> = {}): URLSearchParams {
  const { url } = authorizationRequest({ issuer: server.issuer, clientId: "spa", redirectUri: SPA_CALLBACK });
  for (const [name, value] of Object.entries(more)) url.searchParams.set(name, value);
  return url.searchParams;
}

const push = (more?: Record<string, string>) =>
  fetch(`${server.issuer}/par`, { method: "POST", body: parameters(more) });

describe("A46 what callers without credentials can store is bounded", () => {
  test("a parameter of a pushed request has a few KiB; a request within that is taken", async () => {
    assert.equal((await push({ state: "s".repeat(4_096) })).status, 201);
    for (const name of ["state", "nonce", "login_hint", "claims", "ui_locales"]) {
      const answer = await push({
        [name]: name === "claims" ? `{"id_token":{"${"a".repeat(4_100)}":null}}` : "s".repeat(4_097),
      });
      const { error, error_description } = (await answer.json()) as { error: string; error_description: string };
      assert.deepEqual([answer.status, error], [400, "invalid_request"], name);
      assert.match(error_description, /at most 4096 characters/);
    }
  });

  test("all parameters together are bounded", async () => {
    const names = ["state", "nonce", "login_hint", "ui_locales", "acr_values"];
    const most = await push(Object.fromEntries(names.map((name) => [name, "s".repeat(4_090)])));
    assert.equal(most.status, 400);
    assert.match(((await most.json()) as { error_description: string }).error_description, /together/);
  });

  test("the same at the authorization endpoint, and nothing is stored", async () => {
    const url = `${server.issuer}/authorize?${parameters({ state: "z".repeat(5_000) })}`;
    const answer = await fetch(url, { redirect: "manual" });
    assert.equal(new URL(answer.headers.get("location") ?? "").searchParams.get("error"), "invalid_request");
    assert.ok(!(await server.readAll()).includes("z".repeat(100)));
  });

  test("a flood of refused requests is a few rows of the audit", async () => {
    const since = new Date().toISOString();
    for (let i = 0; i < 200; i++) await push({ response_type: "token" });
    await push({ redirect_uri: "https://elsewhere.example.com/" }); // written after all of them
    const events = await listUntil(server.store.audit, { since, event: "authorization" }, (found) =>
      found.some(({ detail }) => detail?.includes("redirect_uri") === true),
    );
    const refused = events.filter(({ detail }) => detail?.startsWith("unsupported_response_type") === true);
    assert.equal(refused.length, 10);
  });
});
