import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { describe, test } from "node:test";
import { isPrivilegedScope } from "../../src/domain/scopes.ts";
import { KINDS, kindNamed, kindOf, scopesFor } from "../../src/studio/browser/developers/facts/kinds.ts";
import { placesIn } from "../../src/studio/browser/developers/facts/places.ts";
import { changeFailureWords } from "../../src/studio/browser/developers/facts/words.ts";
import {
  createInput,
  draftOf,
  errorsIn,
  errorsOf,
  newDraft,
  updateInput,
  withKind,
} from "../../src/studio/browser/developers/form/draft.ts";
import { envFile } from "../../src/studio/browser/developers/once/env-file.ts";
import { snippetsFor } from "../../src/studio/browser/developers/snippets/snippets.ts";
import { obstacleOf } from "../../src/studio/browser/developers/trial/obstacle.ts";
import { decodeJwt, linesOf, Steps } from "../../src/studio/browser/developers/trial/steps.ts";
import type { OwnClientFacts } from "../../src/studio/browser/documents/developers.ts";
import { ApiFailure } from "../../src/studio/browser/ports.ts";

const kind = (name: string) => kindNamed(name) as (typeof KINDS)[number];

const PLACES = placesIn({
  operator: "Acme “News”",
  issuer: "https://id.example.com/",
  graphqlUrl: "https://api.example.com/graphql",
  authorizationServer: JSON.stringify({
    authorization_endpoint: "https://id.example.com/authorize",
    token_endpoint: "https://id.example.com/token",
    device_authorization_endpoint: "https://id.example.com/device/auth",
  }),
});

const CLIENT: OwnClientFacts = {
  ...{ id: "c1", name: "Books", type: "CONFIDENTIAL", hasSecret: true, grantTypes: ["AUTHORIZATION_CODE"] },
  ...{ redirectUris: ["https://a.example/cb"], postLogoutRedirectUris: [], backchannelLogoutUri: null },
  ...{ scopes: ["openid", "posts:read"], dpopBound: false, idTokenAlgorithm: "ES256", jwks: null, jwksUri: null },
  ...{ mustPush: false, mustSign: false, createdAt: "2026-01-01T00:00:00.000Z", lastUsedAt: null },
  ...{ disabledAt: null, disabledByOwner: false, secrets: [] },
};

describe("S70 S71 kinds of clients", () => {
  test("the kind is known again from the settings that it gave", () => {
    for (const { name, type, grantTypes, exampleUri } of KINDS)
      assert.equal(kindOf({ type, grantTypes, redirectUris: exampleUri === null ? [] : [exampleUri] }).name, name);
    const app = { type: "PUBLIC", grantTypes: ["AUTHORIZATION_CODE"] };
    assert.equal(kindOf({ ...app, redirectUris: ["com.example.app:/cb"] }).name, "native");
    assert.equal(kindOf({ ...app, redirectUris: ["http://localhost:5173/cb"] }).name, "single-page");
  });

  test("no kind offers what only an operator gives, and a job nothing that needs a person", () => {
    for (const one of KINDS) {
      const scopes = scopesFor(one);
      assert.ok(!scopes.some(isPrivilegedScope));
      assert.ok(one.usualScopes.every((scope) => scopes.includes(scope)));
    }
    assert.deepEqual(scopesFor(kind("job")), ["posts:read", "users:read"]);
  });
});

describe("S71 S75 what was typed", () => {
  test("mistakes have sentences, and what is sent fits the kind", () => {
    const draft = newDraft(kind("web"));
    assert.deepEqual(Object.keys(errorsIn(draft, true)), ["name", "redirectUris"]);
    const typed = { ...draft, name: " Books ", redirectUris: "https://a.example/cb\n", proof: "jwksUri" as const };
    assert.deepEqual(Object.keys(errorsIn(typed, true)), ["jwksUri"]);
    const input = createInput({ ...typed, jwksUri: "https://a.example/keys" }, kind("web"));
    assert.deepEqual(
      [input.name, input.redirectUris, input.type, input.jwksUri],
      ["Books", ["https://a.example/cb"], "CONFIDENTIAL", "https://a.example/keys"],
    );
    const other = withKind(typed, kind("device"));
    assert.equal(other.name, " Books ");
    assert.deepEqual(createInput(other, kind("device")).redirectUris, []);
  });

  test("only what changed is sent", () => {
    const draft = draftOf(CLIENT);
    assert.equal(updateInput(draft, CLIENT), null);
    assert.equal(updateInput({ ...draft, scopes: ["posts:read", "openid"] }, CLIENT), null);
    assert.deepEqual(updateInput({ ...draft, name: "Shelf", backchannelLogoutUri: "", dpopBound: true }, CLIENT), {
      name: "Shelf",
      dpopBound: true,
    });
    const signing = { ...CLIENT, hasSecret: false, jwksUri: "https://a.example/keys" };
    const pasted = { ...draftOf(signing), proof: "jwks" as const, jwks: '{"keys":[]}' };
    assert.deepEqual(updateInput(pasted, signing), { jwks: '{"keys":[]}', jwksUri: null });
  });

  test("the server's sentence goes to its field, and other failures have words", () => {
    const failure = (more: object) => new ApiFailure({ kind: "bad-input", message: "No.", ...more });
    assert.deepEqual(errorsOf(failure({ field: "input.redirectUris" })), { redirectUris: "No." });
    assert.deepEqual(errorsOf(failure({ field: "input.type" })), {});
    assert.match(changeFailureWords(failure({ kind: "conflict", message: "You have 20." })), /You have 20/);
    assert.match(changeFailureWords(failure({ kind: "busy", retryAfter: 7 })), /in 7 seconds/);
    assert.match(changeFailureWords(failure({ kind: "not-found" })), /no longer exists/);
    assert.match(changeFailureWords(failure({ kind: "offline" })), /nothing happens twice/);
    assert.match(changeFailureWords(new Error("x")), /Something went wrong/);
  });
});

describe("S72 code", () => {
  const uris: Record<string, readonly (string | null)[]> = {
    web: ["https://a.example/api/auth/callback/acme", "http://localhost:3000/", "https://a.example/cb"],
    "single-page": ["https://a.example/cb"],
    native: ["http://127.0.0.1/cb", "com.example.app:/cb"],
    device: [null],
    job: [null],
  };
  const all = KINDS.flatMap(({ name, type, usualScopes }) =>
    (uris[name] ?? []).flatMap((redirectUri) =>
      snippetsFor(
        { kind: name, id: "it's", hasSecret: type === "CONFIDENTIAL", redirectUri, scopes: usualScopes },
        PLACES,
      ).map((snippet) => ({ ...snippet, kind: name })),
    ),
  );

  test("every kind has code with its id, and none has a placeholder", () => {
    for (const { name, kind, text } of all) {
      assert.match(text, /it's|it'\\''s|it%27s/, `${kind} ${name}`);
      assert.doesNotMatch(text, /undefined|YOUR_|allowInsecure/, `${kind} ${name}\n${text}`);
    }
    assert.deepEqual([...new Set(all.map(({ name }) => name))].sort(), [
      "Auth.js",
      "Python",
      "curl",
      "oidc-client-ts",
      "openid-client",
    ]);
  });

  test("JavaScript and shell are without mistakes in their grammar", () => {
    for (const { file, text } of all) {
      if (file.endsWith(".mjs")) {
        const { status, stderr } = spawnSync(process.execPath, ["--input-type=module", "--check"], { input: text });
        assert.equal(status, 0, `${stderr}\n${text}`);
      }
      if (file.endsWith(".sh")) {
        const { status, stderr } = spawnSync("sh", ["-n"], { input: text });
        assert.equal(status, 0, `${stderr}\n${text}`);
      }
    }
  });

  test("Auth.js gets the name that the redirect URI has, or the advice to register its own", () => {
    const [named, , other] = all.filter(({ name }) => name === "Auth.js");
    assert.ok(named?.text.includes('id: "acme"') && named.note === null);
    assert.match(other?.note ?? "", /https:\/\/a\.example\/api\/auth\/callback\/content/);
  });

  test("the secret stands in .env alone", () => {
    assert.equal(
      envFile({ id: "c1" }, "s3cret", PLACES),
      "ISSUER=https://id.example.com/\nCLIENT_ID=c1\nCLIENT_SECRET=s3cret\n",
    );
  });
});

describe("S73 a trial", () => {
  test("steps show what they sent and got, with tokens cut short, and say why one failed", async () => {
    const steps = new Steps(["One", "Two"], (error) => `It said ${(error as Error).message}`);
    const result = await steps.run("One", async (show) => {
      show("Answer", { access_token: "0123456789abcdef", scope: "openid" });
      return 7;
    });
    assert.equal(result, 7);
    await assert.rejects(steps.run("Two", () => Promise.reject(new Error("no"))));
    const [one, two] = steps.list.value;
    assert.deepEqual([one?.state, two?.state, two?.failure], ["done", "failed", "It said no"]);
    assert.match(one?.parts[0]?.text ?? "", /"0123456789ab…"/);
    assert.match(one?.parts[0]?.text ?? "", /"openid"/);
  });

  test("an ID token and an address can be read", () => {
    const part = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
    const token = `${part({ alg: "ES256" })}.${part({ name: "Zoë ÿÿÿ" })}.signature`;
    assert.deepEqual(decodeJwt(token), { header: { alg: "ES256" }, claims: { name: "Zoë ÿÿÿ" } });
    assert.equal(
      linesOf(new URL("https://a.example/b?scope=a+b&state=1")),
      "https://a.example/b\n  scope=a b\n  state=1",
    );
  });

  test("the studio does not take the place of every client", () => {
    assert.equal(obstacleOf(CLIENT), null);
    for (const change of [{ hasSecret: false }, { mustSign: true }, { grantTypes: [] }, { disabledAt: "2026-01-01" }])
      assert.notEqual(obstacleOf({ ...CLIENT, ...change }), null);
  });
});
