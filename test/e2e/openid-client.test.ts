import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import * as oidc from "openid-client";
import { openTestApp, type TestApp } from "../app.ts";
import { runJson } from "../command.ts";
import { Browser, walk } from "../security/client.ts";
import { livedTime } from "../timing.ts";

const PASSWORD = "seventeen tall birches";
const REDIRECT_URI = "http://localhost:9/callback";
const SCOPE = "openid profile email offline_access users:read users:email posts:read posts:write";

const SEED_QUERY = "query ($id: ID!) { user(id: $id) { id name email posts { title createdAt } } }";
const SEED_MUTATION =
  "mutation ($title: String!, $body: String!) { createPost(input: { title: $title, body: $body }) { id title createdAt } }";

type Registered = { client_id: string; client_secret?: string };

describe("openid-client and nothing of ours", () => {
  let app: TestApp;

  before(async () => {
    app = await openTestApp();
    const args = ["user", "create", "--email", "ada@example.com", "--name", "Ada", "--password-stdin"];
    await runJson(args, app.environment, PASSWORD);
  });
  after(() => app.close());

  for (const [kind, authentication] of [
    ["public", oidc.None],
    ["confidential, secret in the form", oidc.ClientSecretPost],
    ["confidential, secret by Basic", oidc.ClientSecretBasic],
  ] as const) {
    test(`a ${kind} client discovers, signs in, reads, writes, refreshes, revokes, and is refused after`, async () => {
      const client = await runJson<Registered>(
        [
          "client",
          "create",
          "--name",
          "Site",
          "--redirect-uri",
          REDIRECT_URI,
          "--scope",
          SCOPE,
          kind === "public" ? "--public" : "--confidential",
        ],
        app.environment,
      );
      const { client_id: id, client_secret: secret = "" } = client;
      const method = authentication === oidc.None ? oidc.None() : authentication(secret);
      const options = { execute: [oidc.allowInsecureRequests] };
      const server = await oidc.discovery(new URL(app.config.AUTH_URL), id, {}, method, options);

      const signedIn = await authorize(server);
      const sub = signedIn.claims()?.sub ?? "";
      assert.equal(signedIn.claims()?.email, "ada@example.com");
      const info = await oidc.fetchUserInfo(server, signedIn.access_token, sub);
      assert.equal(info.name, "Ada");

      const created = await graphql(signedIn.access_token, SEED_MUTATION, { title: "Grüße 🌍", body: "…" });
      assert.equal(created.status, 200);
      assert.equal(created.data.createPost.title, "Grüße 🌍");
      const read = await graphql(signedIn.access_token, SEED_QUERY, { id: sub });
      const { title, createdAt } = created.data.createPost;
      assert.deepEqual(read.data.user.posts[0], { title, createdAt });
      assert.deepEqual([read.data.user.id, read.data.user.name, read.data.user.email], [sub, "Ada", "ada@example.com"]);

      const refreshed = await oidc.refreshTokenGrant(server, signedIn.refresh_token ?? "");
      assert.notEqual(refreshed.refresh_token, signedIn.refresh_token);
      assert.equal((await graphql(refreshed.access_token, SEED_QUERY, { id: sub })).status, 200);

      await oidc.tokenRevocation(server, refreshed.access_token);
      const ask = () => graphql(refreshed.access_token, SEED_QUERY, { id: sub });
      let refused = await ask();
      for (const began = livedTime(); refused.status !== 401 && livedTime() - began < 1_000; refused = await ask())
        await pause(20);
      assert.equal(refused.status, 401);
      assert.match(refused.challenge, /^Bearer error="invalid_token", .*resource_metadata="http/);
    });
  }

  async function authorize(server: oidc.Configuration) {
    const pkceCodeVerifier = oidc.randomPKCECodeVerifier();
    const expectedState = oidc.randomState();
    const expectedNonce = oidc.randomNonce();
    const url = oidc.buildAuthorizationUrl(server, {
      redirect_uri: REDIRECT_URI,
      scope: SCOPE,
      state: expectedState,
      nonce: expectedNonce,
      code_challenge: await oidc.calculatePKCECodeChallenge(pkceCodeVerifier),
      code_challenge_method: "S256",
    });
    const person = new Browser();
    const end = await walk(person, await person.follow(url), {
      issuer: app.config.AUTH_URL,
      clientId: server.clientMetadata().client_id,
      redirectUri: REDIRECT_URI,
      email: "ada@example.com",
      password: PASSWORD,
    });
    assert.ok(end.left, end.text);
    return oidc.authorizationCodeGrant(server, end.url, { pkceCodeVerifier, expectedState, expectedNonce });
  }

  async function graphql(token: string, query: string, variables: object) {
    const response = await fetch(`${app.config.BASE_URL}/graphql`, {
      method: "POST",
      headers: {
        authorization: `Bearer ${token}`,
        "content-type": "application/json",
        accept: "application/graphql-response+json",
      },
      body: JSON.stringify({ query, variables }),
    });
    // biome-ignore lint/suspicious/noExplicitAny: the shape is what the assertions above are about
    const { data } = (await response.json()) as { data: any };
    return { status: response.status, challenge: response.headers.get("www-authenticate") ?? "", data };
  }
});
