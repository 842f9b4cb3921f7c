import assert from "node:assert/strict";
import { createHash, generateKeyPairSync, randomBytes, randomUUID } from "node:crypto";
import { after, before, describe, test } from "node:test";
import { SignJWT } from "jose";
import { createUser } from "../../src/domain/people/user.ts";
import type { Store } from "../../src/domain/store/store.ts";
import { hashPassword } from "../../src/secrets/passwords.ts";
import { openStore } from "../../src/storage/open.ts";
import { openTestApp, type TestApp } from "../app.ts";
import type { RecordedAgent } from "./agents/agent.ts";
import { CHATGPT, OLD_CHATGPT } from "./agents/chatgpt.ts";
import { CLAUDE_AI } from "./agents/claude-ai.ts";
import { CLAUDE_CODE, CLAUDE_CODE_WITHOUT_RESOURCE } from "./agents/claude-code.ts";
import { CURSOR, VS_CODE, VS_CODE_WEB } from "./agents/editors.ts";
import { CODEX, GEMINI_CLI } from "./agents/terminals.ts";
import { PASSWORD } from "./authorization-server.ts";
import { Browser, requestToken, walk } from "./client.ts";
import { type DocumentSite, openDocumentSite } from "./document-site.ts";

const AGENTS = [
  ...[CLAUDE_AI, CLAUDE_CODE, CLAUDE_CODE_WITHOUT_RESOURCE, CHATGPT, OLD_CHATGPT],
  ...[VS_CODE, VS_CODE_WEB, CURSOR, GEMINI_CLI, CODEX],
];
const ASSERTION = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer";
const rsa = generateKeyPairSync("rsa", { modulusLength: 2048 });

let app: TestApp;
let store: Store;
let site: DocumentSite;
before(async () => {
  site = await openDocumentSite();
  app = await openTestApp({ REGISTRATION: "open", PRIVATE_HOSTS: "127.0.0.1" });
  store = await openStore(app.config.DATABASE_URL);
  await createUser(store.users, {
    ...{ name: "Ada", email: "ada@example.com", role: "admin", emailVerified: true },
    passwordHash: await hashPassword(PASSWORD),
  });
});
after(async () => {
  await store.close();
  await app.close();
  site.close();
});

interface Metadata {
  readonly issuer: string;
  readonly authorization_endpoint: string;
  readonly token_endpoint: string;
  readonly registration_endpoint: string;
  readonly code_challenge_methods_supported: readonly string[];
  readonly token_endpoint_auth_methods_supported: readonly string[];
  readonly client_id_metadata_document_supported?: boolean;
  readonly authorization_response_iss_parameter_supported?: boolean;
}

const getJson = async <T>(url: string) => (await (await fetch(url)).json()) as T;
const callMcp = (token?: string) =>
  fetch(`${app.config.BASE_URL}/mcp`, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    },
    body: JSON.stringify({
      ...{ jsonrpc: "2.0", id: 1, method: "initialize" },
      params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "test", version: "1" } },
    }),
  });

/** What a client finds out from a 401, up to the authorization server's metadata. */
async function discover(): Promise<{ metadata: Metadata; scope: string; resource: string }> {
  const refused = await callMcp();
  assert.equal(refused.status, 401);
  const header = refused.headers.get("www-authenticate") ?? "";
  const [, address = ""] = /resource_metadata="([^"]+)"/.exec(header) ?? [];
  const [, scope = ""] = /scope="([^"]+)"/.exec(header) ?? [];
  const { resource, authorization_servers: servers } = await getJson<{
    resource: string;
    authorization_servers: string[];
  }>(address);
  assert.equal(resource, `${app.config.BASE_URL}/mcp`, "as the person has typed it");
  const issuer = new URL(servers[0] ?? "");
  const metadata = await getJson<Metadata>(`${issuer.origin}/.well-known/oauth-authorization-server`);
  assert.equal(metadata.issuer, servers[0]);
  assert.ok(metadata.code_challenge_methods_supported.includes("S256"));
  return { metadata, scope, resource };
}

interface Identity {
  readonly clientId: string;
  /** The parameters with which it proves itself at the token endpoint. */
  prove(): Promise<Record<string, string>>;
}

/** Publishes its document at the double, where everything else of it stays as it was recorded. */
function byDocument({ document, assertion }: RecordedAgent, issuer: string): Identity {
  if (document === null) throw new Error("it has none");
  const { url, metadata } = document;
  if (assertion !== undefined) {
    const key = { ...rsa.publicKey.export({ format: "jwk" }), alg: assertion.alg, use: "sig", kid: "1" };
    site.answer(assertion.keysAt, { body: JSON.stringify({ keys: [key] }) });
  }
  const keys = assertion === undefined ? {} : { jwks_uri: site.origin + assertion.keysAt };
  const clientId = site.put(new URL(url).pathname, { ...metadata, ...keys });
  return {
    clientId,
    async prove() {
      if (assertion === undefined) return { client_id: clientId };
      const claims = { iss: clientId, sub: clientId, aud: issuer, jti: randomUUID() };
      const jwt = new SignJWT(claims).setProtectedHeader({ alg: assertion.alg, kid: "1" }).setExpirationTime("60s");
      const client_assertion = await jwt.sign(rsa.privateKey);
      return { client_id: clientId, client_assertion_type: ASSERTION, client_assertion };
    },
  };
}

async function byRegistration(
  agent: RecordedAgent,
  port: number,
  { registration_endpoint }: Metadata,
): Promise<Identity> {
  const response = await fetch(registration_endpoint, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(agent.registration(port)),
  });
  const text = await response.text();
  assert.equal(response.status, 201, text);
  const { client_id, client_secret, redirect_uris } = JSON.parse(text) as {
    client_id: string;
    client_secret?: string;
    redirect_uris: string[];
  };
  assert.deepEqual(redirect_uris, agent.registration(port).redirect_uris, "none is refused");
  const secret = client_secret === undefined ? {} : { client_secret };
  return { clientId: client_id, prove: async () => ({ client_id, ...secret }) };
}

/** From the browser back to the agent, with tokens. @param port where it listens now */
async function signIn(agent: RecordedAgent, identity: Identity, port: number) {
  const { metadata, scope, resource: typed } = await discover();
  const resource = agent.resource(typed);
  const named: Record<string, string> = resource === undefined ? {} : { resource };
  const [verifier, state] = [randomBytes(32).toString("base64url"), randomBytes(8).toString("hex")];
  const redirect_uri = agent.redirectUri(port);
  const url = new URL(metadata.authorization_endpoint);
  url.search = `${new URLSearchParams({
    ...{ response_type: "code", client_id: identity.clientId, redirect_uri, scope, state, ...named },
    ...{ code_challenge: createHash("sha256").update(verifier).digest("base64url"), code_challenge_method: "S256" },
  })}`;
  const browser = new Browser();
  const page = await browser.submit(await browser.follow(url), "/sign-in", {
    email: "ada@example.com",
    password: PASSWORD,
  });
  const end = await walk(browser, page, { ...identity, issuer: metadata.issuer, redirectUri: redirect_uri });
  assert.ok(end.left, `${end.url} ${end.text.slice(-400)}`);
  assert.equal(`${end.url.href.split("?")[0]}`, redirect_uri, "exactly where it listens");
  assert.equal(end.url.searchParams.get("state"), state);
  assert.equal(end.url.searchParams.get("iss"), metadata.issuer);
  const exchanged = await requestToken(metadata.issuer, {
    ...{ grant_type: "authorization_code", code: end.url.searchParams.get("code") ?? "", redirect_uri },
    ...{ code_verifier: verifier, ...named, ...(await identity.prove()) },
  });
  assert.equal(exchanged.status, 200, JSON.stringify(exchanged.body));
  const refresh = async (refresh_token: string) =>
    requestToken(metadata.issuer, {
      grant_type: "refresh_token",
      refresh_token,
      ...named,
      ...(await identity.prove()),
    });
  return { page, tokens: exchanged.body, refresh };
}

const aPort = () => 20_000 + Math.floor(Math.random() * 40_000);

describe("A20 A22 A23 agents as they are, from the 401 to a refreshed token", () => {
  for (const agent of AGENTS)
    for (const way of ["document", "registration"] as const) {
      if (way === "document" && agent.document === null) continue;
      test(`${agent.name}, by its ${way}`, async () => {
        const { metadata } = await discover();
        assert.equal(metadata.client_id_metadata_document_supported, true);
        for (const method of ["none", "private_key_jwt"])
          assert.ok(metadata.token_endpoint_auth_methods_supported.includes(method));
        const port = aPort();
        const identity =
          way === "document" ? byDocument(agent, metadata.issuer) : await byRegistration(agent, port, metadata);
        const { page, tokens, refresh } = await signIn(agent, identity, port);
        assert.match(page.text, /is a program that acts for you/);
        assert.match(
          page.text,
          way === "document" ? /<bdi>127\.0\.0\.1:\d+<\/bdi> says that this is/ : /Not checked by/,
        );
        assert.equal(tokens.scope, "posts:read users:read posts:draft");
        assert.equal(tokens.token_type, "Bearer");
        assert.equal((await callMcp(tokens.access_token)).status, 200);
        const again = await refresh(tokens.refresh_token);
        assert.deepEqual([again.status, again.body.scope], [200, tokens.scope], JSON.stringify(again.body));
        assert.equal((await callMcp(again.body.access_token)).status, 200);
      });
    }

  test("another start listens at another port; another path, host or loopback name is refused", async () => {
    const { metadata } = await discover();
    const identity = byDocument(CLAUDE_CODE, metadata.issuer);
    await signIn(CLAUDE_CODE, identity, aPort());
    const { tokens } = await signIn(CLAUDE_CODE, identity, aPort());
    assert.ok(tokens.access_token);
    const port = aPort();
    for (const redirectUri of [
      `http://localhost:${port}/other`,
      `http://localhost:${port}/callback/`,
      `http://localhost:${port}/callback?x=1`,
      `https://localhost:${port}/callback`,
      `http://[::1]:${port}/callback`,
      `http://localhost.example:${port}/callback`,
      `http://localhost:${port}@evil.example/callback`,
    ]) {
      const url = new URL(metadata.authorization_endpoint);
      url.search = `${new URLSearchParams({
        ...{ response_type: "code", client_id: identity.clientId, redirect_uri: redirectUri, scope: "posts:read" },
        ...{ code_challenge: "x".repeat(43), code_challenge_method: "S256" },
      })}`;
      const stop = await new Browser().follow(url);
      assert.deepEqual([stop.left, stop.response.status], [false, 400], redirectUri);
    }
  });

  test("A24 ten sessions of Claude Code refresh at the same moment, and all go on", async () => {
    const { metadata } = await discover();
    const { tokens, refresh } = await signIn(CLAUDE_CODE, byDocument(CLAUDE_CODE, metadata.issuer), aPort());
    const answers = await Promise.all(Array.from({ length: 10 }, () => refresh(tokens.refresh_token)));
    assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200]));
    for (const { body } of answers) assert.equal((await callMcp(body.access_token)).status, 200);
  });

  test("A25 Claude whose registration is gone gets 401 invalid_client, and registers anew", async () => {
    const { metadata } = await discover();
    const gone = { client_id: "0123456789abcdef", client_secret: "x", grant_type: "refresh_token", refresh_token: "x" };
    const { status, body } = await requestToken(metadata.issuer, gone);
    assert.deepEqual([status, body.error], [401, "invalid_client"]);
    const { tokens } = await signIn(CLAUDE_AI, await byRegistration(CLAUDE_AI, 0, metadata), 0);
    assert.equal((await callMcp(tokens.access_token)).status, 200);
  });
});
