import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe, test } from "node:test";
import { ConfigError } from "../../src/config/config.ts";
import { loadUpstreams } from "../../src/config/upstreams.ts";

const folder = mkdtempSync(join(tmpdir(), "content-api-upstreams-"));
after(() => rmSync(folder, { recursive: true }));
const file = join(folder, "upstreams.json");

const acme = {
  id: "acme",
  name: "ACME",
  issuer: "https://id.acme.example",
  client_id: "content-api",
  client_secret: { env: "ACME_SECRET" },
};
const hub = {
  id: "github",
  name: "GitHub",
  oauth2: {
    authorize: "https://github.com/login/oauth/authorize",
    token: "https://github.com/login/oauth/access_token",
    user: "https://api.github.com/user",
    emails: "https://api.github.com/user/emails?per_page=100",
  },
  client_id: "Iv1.0123",
  client_secret: "text-secret",
};

function load(entries: unknown, hosts: string[] = [], environment: NodeJS.ProcessEnv = { ACME_SECRET: "env-secret" }) {
  writeFileSync(file, typeof entries === "string" ? entries : JSON.stringify(entries));
  return loadUpstreams({ UPSTREAMS: file, PRIVATE_HOSTS: hosts }, environment);
}

const noScim = { scimClient: null, scimSubject: false };

/** The sentences with which a start with these entries is refused. */
function refusal(entries: unknown, hosts?: string[], environment?: NodeJS.ProcessEnv): string {
  try {
    load(entries, hosts, environment);
  } catch (error) {
    assert.ok(error instanceof ConfigError);
    assert.doesNotMatch(error.message, /text-secret|env-secret/);
    return error.message;
  }
  assert.fail("it was accepted");
}

describe("the file UPSTREAMS (U62)", () => {
  test("docs/accounts.md has an example that is good, and a row for each key", () => {
    const text = readFileSync(join(import.meta.dirname, "../../docs/accounts.md"), "utf8");
    const [, example = ""] = /```json\b[^\n]*\n(.+?)```/s.exec(text) ?? [];
    const environment = { ACME_CLIENT_SECRET: "one", GITHUB_CLIENT_SECRET: "two" };
    assert.deepEqual(
      load(example, [], environment).map(({ id }) => id),
      ["acme", "github"],
    );
    const [, keys = ""] = /The keys are (.+)\.$/m.exec(refusal([{ ...acme, foo: 1 }])) ?? [];
    const [, table = ""] = /### The file UPSTREAMS\n(.+?)\n### /s.exec(text) ?? [];
    const rows = [...table.matchAll(/^\| `(\w+)` \|/gm)].map(([, key]) => key);
    assert.deepEqual(rows, keys.split(", "));
  });

  test("entries have defaults that trust nobody, and secrets of the environment", () => {
    assert.deepEqual(loadUpstreams({ UPSTREAMS: null, PRIVATE_HOSTS: [] }, {}), []);
    assert.deepEqual(load([]), []);
    const closed = { domains: [], enforced: false, signUp: false, trustEmail: false, mfa: null, ...noScim };
    assert.deepEqual(load([acme, hub]), [
      {
        ...{ id: "acme", name: "ACME", issuer: "https://id.acme.example", oauth2: null },
        ...{ clientId: "content-api", clientSecret: "env-secret", scopes: ["openid", "profile", "email"] },
        ...closed,
      },
      {
        ...{ id: "github", name: "GitHub", issuer: null, oauth2: hub.oauth2 },
        ...{ clientId: "Iv1.0123", clientSecret: "text-secret", scopes: ["read:user", "user:email"] },
        ...closed,
      },
    ]);
    const [full] = load([
      {
        ...acme,
        scopes: ["openid", "email"],
        domains: ["example.com", "xn--bcher-kva.example"],
        ...{ enforced: true, sign_up: "yes", trust_email: true, mfa: { trust: { amr: ["otp"] } } },
      },
    ]);
    assert.deepEqual(
      [full?.enforced, full?.signUp, full?.trustEmail, full?.mfa],
      [true, true, true, { acr: [], amr: ["otp"] }],
    );
    const [bound] = load([{ ...acme, domains: ["example.com"], scim_client: "scim-acme", scim_subject: true }]);
    assert.deepEqual([bound?.scimClient, bound?.scimSubject], ["scim-acme", true]);
    for (const issuer of ["https://tenant.auth0.example/", "https://id.example/realms/a"])
      assert.equal(load([{ ...acme, issuer }])[0]?.issuer, issuer);
    const local = { ...acme, issuer: "http://localhost:8080" };
    assert.equal(load([local], ["localhost"])[0]?.issuer, "http://localhost:8080");
  });

  for (const [name, entry, words] of [
    [
      "an unknown key",
      { ...acme, clientid: "x" },
      /^UPSTREAMS, entry acme: "clientid" is not a key\. The keys are id, name,/,
    ],
    ["no id", { ...acme, id: undefined }, /^UPSTREAMS, entry 1: id must have 1 to 40 of a-z, 0-9 and -\.$/],
    ["an id in capitals", { ...acme, id: "ACME" }, /^UPSTREAMS, entry 1: id must/],
    ["an id that is a path", { ...acme, id: "../x" }, /entry 1: id must/],
    ["no name", { ...acme, name: "" }, /entry acme: name must have 1 to 60 characters in one line\.$/],
    ["a name that nobody sees", { ...acme, name: "\u200b" }, /entry acme: name must/],
    ["issuer and oauth2", { ...acme, oauth2: hub.oauth2 }, /entry acme: it must have either issuer or oauth2\.$/],
    ["neither", { ...acme, issuer: undefined }, /entry acme: it must have either issuer or oauth2\.$/],
    ["http elsewhere", { ...acme, issuer: "http://id.acme.example" }, /entry acme: issuer must be an https URL/],
    [
      "http here, not allowed",
      { ...acme, issuer: "http://localhost:1" },
      /issuer is at localhost, which PRIVATE_HOSTS must list\.$/,
    ],
    ["a query", { ...acme, issuer: "https://a.example?x" }, /issuer must have no user information, query or fragment/],
    ["user information", { ...acme, issuer: "https://u@a.example" }, /issuer must have no user information/],
    [
      "a host in capitals",
      { ...acme, issuer: "https://ID.acme.example" },
      /issuer must be written as https:\/\/id\.acme\.example/,
    ],
    ["no URL", { ...acme, issuer: 1 }, /issuer must be an https URL/],
    [
      "three endpoints",
      { ...hub, oauth2: { ...hub.oauth2, emails: undefined } },
      /entry github: oauth2\.emails must be an https URL/,
    ],
    ["a fifth endpoint", { ...hub, oauth2: { ...hub.oauth2, jwks: "x" } }, /entry github: oauth2 "jwks" is not a key/],
    ["oauth2 a text", { ...hub, oauth2: "github" }, /entry github: oauth2 must be an object\.$/],
    ["no client_id", { ...acme, client_id: "" }, /entry acme: client_id must have 1 to 255 characters without spaces/],
    ["no secret", { ...acme, client_secret: undefined }, /client_secret must be a text or \{"env": "NAME"\}\.$/],
    ["a SCIM client without domains", { ...acme, scim_client: "a" }, /scim_client needs domains, whose addresses/],
    ["a SCIM client with a space", { ...acme, scim_client: "a b" }, /scim_client must have 1 to 255 characters/],
    ["subjects without a SCIM client", { ...acme, scim_subject: true }, /scim_subject needs scim_client\.$/],
    ["an empty secret", { ...acme, client_secret: "" }, /client_secret must have 1 to 1000 characters/],
    [
      "a variable that is not set",
      { ...acme, client_secret: { env: "NOT_SET" } },
      /needs the environment variable NOT_SET, which is not set/,
    ],
    ["env and more", { ...acme, client_secret: { env: "ACME_SECRET", x: 1 } }, /client_secret must be a text or/],
    ["scopes in one text", { ...acme, scopes: "openid email" }, /scopes must be a list of texts/],
    ["two scopes in one", { ...acme, scopes: ["openid email"] }, /scopes must be a list of texts/],
    ["no openid", { ...acme, scopes: ["email"] }, /scopes must include openid/],
    ["a domain that is none", { ...acme, domains: ["com"] }, /domains must be domains such as example\.com/],
    [
      "domains below",
      { ...acme, domains: [".example.com"] },
      /domains must be domains such as example\.com, each that one alone/,
    ],
    ["two domains in one", { ...acme, domains: ["a.example,b.example"] }, /domains must be/],
    ["a domain in capitals", { ...acme, domains: ["Example.com"] }, /domains must be/],
    [
      "enforced a text",
      { ...acme, domains: ["a.example"], enforced: "true" },
      /enforced must be true or false, without quotes/,
    ],
    ["enforced nowhere", { ...acme, enforced: true }, /enforced needs domains/],
    ["trusted everywhere", { ...acme, trust_email: true }, /trust_email needs domains/],
    ["sign_up true", { ...acme, sign_up: true }, /sign_up must be "no" or "yes"/],
    ["mfa trust", { ...acme, mfa: "trust" }, /mfa must be "ignore" or/],
    ["mfa that trusts nothing", { ...acme, mfa: { trust: { acr: [], amr: [] } } }, /mfa must be "ignore" or/],
    ["mfa with an unknown key", { ...acme, mfa: { trust: { arm: ["otp"] } } }, /mfa "arm" is not a key/],
    ["mfa without ID tokens", { ...hub, mfa: { trust: { amr: ["otp"] } } }, /mfa needs issuer/],
    ["a text", "acme", /^UPSTREAMS, entry 1: it must be an object\.$/],
    ["null", null, /^UPSTREAMS, entry 1: it must be an object\.$/],
  ] as [string, unknown, RegExp][])
    test(`refuses ${name}, and names the entry and the key`, () => assert.match(refusal([entry]), words));

  test("refuses entries that contradict each other, and names every one that is wrong", () => {
    assert.match(refusal([acme, acme]), /^UPSTREAMS, entry acme: id must be unique\.$/);
    const enforced = { ...acme, domains: ["example.com", "a.example"], enforced: true };
    assert.match(
      refusal([enforced, { ...enforced, id: "other", domains: ["a.example"] }]),
      /^UPSTREAMS, entry other: domains must not have a\.example, which acme enforces already\.$/,
    );
    load([enforced, { ...enforced, id: "other", enforced: false }]);
    assert.equal(
      refusal([
        { ...acme, name: 1 },
        { ...hub, client_id: 1 },
      ]).split("\n").length,
      2,
    );
  });

  test("refuses a file that is missing or not a list, and quotes nothing of it", () => {
    const missing = { UPSTREAMS: join(folder, "none.json"), PRIVATE_HOSTS: [] };
    assert.throws(
      () => loadUpstreams(missing, {}),
      /UPSTREAMS names the file .*none\.json, which cannot be read \(ENOENT\)\.$/,
    );
    assert.match(refusal({ acme }), /which must have a list of entries\.$/);
    assert.match(
      refusal('[\n{"client_secret": "text-secret" x}]'),
      /which is not valid JSON: see line 2 column \d+\.$/,
    );
    assert.match(refusal(""), /which is not valid JSON\.$/);
  });
});
