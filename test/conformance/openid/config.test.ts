import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import type { JWK } from "jose";
import { openTestServer, type TestServer } from "../../security/authorization-server.ts";

const SECRETS = ["client_secret_basic", "client_secret_post"];

describe("oidcc-config-certification-test-plan", () => {
  let server: TestServer;
  before(async () => {
    server = await openTestServer();
  });
  after(() => server.close());

  test("oidcc-discovery-endpoint-verification", async () => {
    const response = await fetch(`${server.issuer}/.well-known/openid-configuration`);
    assert.equal(response.status, 200);
    assert.match(response.headers.get("content-type") ?? "", /^application\/json/);
    const metadata = (await response.json()) as Record<string, unknown>;
    assert.equal(metadata.issuer, server.issuer);
    const endpoints = Object.entries(metadata).filter(([name]) => /_endpoint$|_uri$/.test(name));
    assert.ok(endpoints.length >= 8);
    for (const [name, address] of endpoints) assert.ok(String(address).startsWith(`${server.issuer}/`), name);
    const lists = {
      prompt_values_supported: ["none", "login", "consent", "select_account"],
      response_types_supported: ["code"],
      response_modes_supported: ["query", "form_post"],
      subject_types_supported: ["public"],
      id_token_signing_alg_values_supported: ["ES256", "RS256"],
      code_challenge_methods_supported: ["S256"],
      claims_supported: ["sub", "name", "email", "email_verified", "amr", "auth_time", "iss"],
      scopes_supported: ["openid", "profile", "email"],
      grant_types_supported: ["authorization_code", "refresh_token"],
      ...Object.fromEntries(
        ["token", "revocation", "introspection"].flatMap((endpoint) => [
          [`${endpoint}_endpoint_auth_methods_supported`, [...SECRETS, "private_key_jwt", "none"]],
          [`${endpoint}_endpoint_auth_signing_alg_values_supported`, ["ES256", "PS256", "EdDSA", "RS256"]],
        ]),
      ),
    };
    for (const [name, expected] of Object.entries(lists)) {
      const actual = metadata[name];
      assert.ok(Array.isArray(actual), name);
      for (const value of expected) assert.ok(actual.includes(value), `${name} lacks ${value}`);
    }
    const { response_types_supported, response_modes_supported, code_challenge_methods_supported } = metadata;
    assert.deepEqual(response_types_supported, ["code"]);
    assert.deepEqual(response_modes_supported, ["query", "form_post"]);
    assert.deepEqual(code_challenge_methods_supported, ["S256"]);
    assert.equal(metadata.authorization_response_iss_parameter_supported, true);
    // Absent means true in OpenID Connect Discovery section 3.
    assert.equal(metadata.request_uri_parameter_supported, false);
    assert.equal(metadata.claims_parameter_supported, true);
  });

  test("oidcc-discovery-endpoint-verification: the published keys", async () => {
    const response = await fetch(`${server.issuer}/jwks`);
    assert.match(response.headers.get("content-type") ?? "", /^application\/jwk-set\+json|^application\/json/);
    const { keys } = (await response.json()) as { keys: JWK[] };
    assert.deepEqual(keys.map(({ alg }) => alg).toSorted(), ["ES256", "RS256"]);
    assert.equal(new Set(keys.map(({ kid }) => kid)).size, keys.length);
    for (const key of keys) {
      assert.equal(key.use, "sig");
      for (const secret of ["d", "p", "q", "dp", "dq", "qi", "k"]) assert.equal(secret in key, false, secret);
      if (key.kty === "RSA") assert.ok(Buffer.from(key.n ?? "", "base64url").length >= 256);
    }
  });
});
