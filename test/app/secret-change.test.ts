import assert from "node:assert/strict";
import { randomBytes, randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { openApp } from "../../src/app/app.ts";
import { readConfig } from "../../src/config/config.ts";
import { openLog } from "../../src/observe/log.ts";
import { openSealer, openSigner } from "../../src/secrets/seal.ts";
import { runCommand, runJson } from "../command.ts";
import { createTestDatabase } from "../database.ts";
import { authorizationRequest, type Browser, getTokens, requestToken } from "../security/client.ts";
import { serverEnvironment } from "../server-process.ts";

const PASSWORD = "seventeen tall birches";
const newSecret = () => randomBytes(32).toString("base64url");

test("a sealer with a previous secret opens both, seals under the present one, and knows which is which", () => {
  const [old, present, other] = [randomBytes(32), randomBytes(32), randomBytes(32)];
  const before = openSealer(old);
  const between = openSealer(present, old);
  const after = openSealer(present);
  const text = before.seal("hush", "place");
  assert.equal(between.open(text, "place"), "hush");
  assert.equal(between.open(text, "elsewhere"), null);
  assert.equal(between.isCurrent(text), false);
  const anew = between.seal("hush", "place");
  assert.equal(between.isCurrent(anew), true);
  assert.equal(after.open(anew, "place"), "hush");
  assert.equal(before.open(anew, "place"), null);
  assert.equal(openSealer(old, present).open(anew, "place"), "hush", "a node that is still to change");
  assert.equal(openSealer(old, present).isCurrent(anew), false);
  assert.equal(openSealer(other).open(anew, "place"), null);
  assert.equal(openSealer(other, old).open(anew, "place"), null);
  assert.equal(before.open(after.seal("hush", "place"), "place"), null);
  for (const malformed of ["", "Ag", "AgAAAAAAAA", anew.slice(0, 30)]) assert.equal(between.open(malformed, "x"), null);

  const signed = openSigner(old, "forms").sign("text");
  assert.equal(openSigner(present, "forms", old).verify("text", signed), true);
  assert.equal(openSigner(present, "forms", old).verify("other", signed), false);
  assert.equal(openSigner(present, "forms").verify("text", signed), false);
});

test("SECRET_KEY is changed: sessions, tokens, keys, webhooks and kept answers go on, and doctor says when the old one can go", async (t) => {
  const folder = await mkdtemp(join(tmpdir(), "content-api-"));
  const database = await createTestDatabase(folder);
  const [old, present] = [newSecret(), newSecret()];
  const base = await serverEnvironment(database.url);
  const first = { ...base, SECRET_KEY: old };
  const between = { ...base, SECRET_KEY: present, SECRET_KEY_PREVIOUS: old };
  const last = { ...base, SECRET_KEY: present };
  const open = (environment: Record<string, string>) =>
    openApp(readConfig(environment, join(folder, ".env")), { log: openLog({ LOG_LEVEL: "silent" }) });
  const doctor = async (environment: Record<string, string>) => {
    const { stdout } = await runCommand(["doctor", "--json"], environment);
    const findings = JSON.parse(stdout) as { check: string; result: string; detail: string }[];
    return findings.find(({ check }) => check === "previous secret");
  };
  t.after(async () => {
    await database.drop();
    await rm(folder, { recursive: true });
  });

  const issuer = `http://localhost:${base.PORT}`;
  let app = await open(first);
  t.after(() => app.close());
  const person = ["user", "create", "--email", "ada@example.com", "--name", "Ada", "--password-stdin"];
  await runJson(person, first, PASSWORD);
  const redirectUri = "https://app.example.com/cb";
  const client = ["client", "create", "--name", "App", "--public", "--redirect-uri", redirectUri];
  const { client_id: clientId } = await runJson<{ client_id: string }>(client, first);
  await runJson(["webhook", "create", "--url", "https://hooks.example.com/x"], first);
  const options = { issuer, clientId, redirectUri, scope: "posts:read posts:write", password: PASSWORD };
  const { refresh_token, access_token, browser } = await getTokens(options);
  const key = randomUUID();
  const create = async (token: string) => {
    const response = await fetch(`${issuer}/graphql`, {
      method: "POST",
      headers: { "content-type": "application/json", authorization: `Bearer ${token}`, "idempotency-key": `"${key}"` },
      body: JSON.stringify({ query: 'mutation { createPost(input: {title: "once", body: "b"}) { id } }' }),
    });
    return { status: response.status, text: await response.text() };
  };
  const made = await create(access_token);
  assert.equal(made.status, 200, made.text);
  const refresh = async (token: string) => {
    const params = { grant_type: "refresh_token", refresh_token: token, client_id: clientId };
    const { status, body } = await requestToken(issuer, params);
    assert.equal(status, 200, JSON.stringify(body));
    return body;
  };
  const isSignedIn = async (at: Browser) => {
    const stop = await at.follow(authorizationRequest({ ...options, params: { prompt: "none" } }).url);
    return stop.url.searchParams.get("code") !== null;
  };
  assert.equal(await isSignedIn(browser), true);
  await app.close();
  await assert.rejects(open(last), /another secret/);

  assert.match((await doctor(between))?.detail ?? "", /^[1-9]\d* texts are still encrypted with SECRET_KEY_PREVIOUS/);
  app = await open(between);
  assert.equal(await isSignedIn(browser), true, "the cookie was signed, and the session sealed, under the old one");
  const next = await refresh(refresh_token);
  assert.deepEqual(await create(next.access_token), made, "neither made again nor refused");
  let found = await doctor(between);
  for (let i = 0; i < 50 && found?.result !== "good"; i++) {
    await pause(100);
    found = await doctor(between);
  }
  assert.match(found?.detail ?? "", /it can be removed$/);
  await app.close();

  app = await open(last);
  assert.equal(await isSignedIn(browser), true);
  await refresh(next.refresh_token);
  assert.equal((await fetch(`${issuer}/jwks`)).status, 200);
  const webhooks = await runJson<{ id: string }[]>(["webhook", "list"], last);
  assert.equal(webhooks.length, 1);
  assert.equal(await doctor(last), undefined);
});
