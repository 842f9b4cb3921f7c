import assert from "node:assert/strict";
import { generateKeyPairSync, randomUUID } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { SignJWT } from "jose";
import { openTestApp, type TestApp } from "../../app.ts";
import { runJson } from "../../command.ts";
import { makeCertificate, type Shown, WITH_CERTIFICATES } from "../../security/certificates.ts";
import { authorizationRequest, Browser, exchange, walk } from "../../security/client.ts";

const PASSWORD = "seventeen tall birches";
const REDIRECT_URI = "https://rp.example.com/callback";
const key = generateKeyPairSync("ec", { namedCurve: "P-256" });

interface Answer {
  readonly status: number;
  readonly error?: string;
  readonly request_uri?: string;
  readonly access_token?: string;
  readonly refresh_token?: string;
}

/** A client of the plan: its id, its certificate, and what it says of itself beside that. */
interface Party {
  readonly id: string;
  readonly shown: Shown;
  prove(): Promise<Record<string, string>>;
}

const NONE = {};

/** The modules of the FAPI 2.0 plan on mTLS: tokens are bound to certificates, and clients prove themselves in either way. */
describe("fapi2-security-profile-final-test-plan, mTLS", WITH_CERTIFICATES, () => {
  const folder = mkdtempSync(join(tmpdir(), "content-api-"));
  let app: TestApp;
  let one: Shown;
  let other: Shown;
  const parties: Record<string, { party: Party; second: Party }> = {};

  before(async () => {
    [one, other] = ["one", "other"].map((name) =>
      makeCertificate(folder, name, `/CN=${name}`, `DNS:${name}.example`),
    ) as [Shown, Shown];
    const settings = { HOST: "127.0.0.1", TRUST_PROXY: "127.0.0.1", CLIENT_CERTIFICATES: "verified" };
    app = await openTestApp(settings);
    const person = ["user", "create", "--email", "ada@example.com", "--name", "Ada", "--password-stdin"];
    await runJson(person, app.environment, PASSWORD);
    const jwks = join(folder, "keys.json");
    writeFileSync(jwks, JSON.stringify({ keys: [key.publicKey.export({ format: "jwk" })] }));
    const withCertificate = async (shown: Shown): Promise<Party> => {
      const id = await createClient("--self-signed-certificate", shown.file);
      return { id, shown, prove: async () => ({ client_id: id }) };
    };
    const withKey = async (shown: Shown): Promise<Party> => {
      const id = await createClient("--jwks", jwks);
      return { id, shown, prove: () => assertion(id) };
    };
    for (const [name, make] of Object.entries({ mtls: withCertificate, private_key_jwt: withKey }))
      parties[name] = { party: await make(one), second: await make(other) };
  });
  after(async () => {
    await app?.close();
    rmSync(folder, { recursive: true });
  });

  test(module("discovery-end-point-verification"), async () => {
    const response = await fetch(`${app.config.AUTH_URL}/.well-known/openid-configuration`);
    const metadata = (await response.json()) as Record<string, unknown>;
    assert.equal(metadata.tls_client_certificate_bound_access_tokens, true);
    const methods = metadata.token_endpoint_auth_methods_supported as string[];
    for (const method of ["tls_client_auth", "self_signed_tls_client_auth"])
      assert.ok(methods.includes(method), method);
  });

  for (const authentication of ["mtls", "private_key_jwt"]) {
    describe(`client_auth_type ${authentication}, sender_constrain mtls`, () => {
      const of = (which: "party" | "second") => (parties[authentication] as { party: Party; second: Party })[which];

      test(module("happy-flow"), async () => {
        const party = of("party");
        const { status, access_token = "" } = await redeem(party, await signIn(party));
        assert.equal(status, 200);
        assert.deepEqual(await use(access_token, one.header), [200, 200]);
        assert.deepEqual(await use(access_token, other.header), [401, 401]);
        assert.deepEqual(await use(access_token, NONE), [401, 401]);
      });

      test(module("ensure-holder-of-key-required"), async () => {
        const party = of("party");
        const code = await signIn(party);
        const { status, error = "" } = await redeem(party, code, NONE);
        assert.match(`${status} ${error}`, /^(400 invalid_(grant|request)|401 invalid_client)$/);
        assert.equal((await redeem(party, code)).status, 200, "and the code is not burnt");
      });

      test(module("ensure-authorization-code-is-bound-to-client"), async () => {
        const [party, second] = [of("party"), of("second")];
        const code = await signIn(party);
        assert.deepEqual(await redeem(second, code), { status: 400, error: "invalid_grant" });
        assert.equal((await redeem(party, code)).status, 200, "and the code is not burnt");
      });

      test(module("refresh-token"), async () => {
        const [party, second] = [of("party"), of("second")];
        const { refresh_token = "" } = await redeem(party, await signIn(party));
        const params = { grant_type: "refresh_token", refresh_token };
        assert.deepEqual(await send("/token", second, params), { status: 400, error: "invalid_grant" });
        assert.notEqual((await send("/token", party, params, NONE)).status, 200);
        const refreshed = await send("/token", party, params);
        assert.equal(refreshed.refresh_token, refresh_token, "it does not rotate (FAPI 2.0 section 5.3.2.1)");
        const { access_token = "" } = await send("/token", party, params);
        assert.deepEqual(await use(access_token, one.header), [200, 200]);
        assert.deepEqual(await use(access_token, other.header), [401, 401]);
      });
    });
  }

  test(module("ensure-client-id-in-token-endpoint"), async () => {
    const { party } = parties.mtls as { party: Party };
    const code = await signIn(party);
    const nameless = { ...party, prove: async () => ({}) };
    const { client_id: _, ...rest } = code;
    assert.deepEqual(await send("/token", nameless, rest), { status: 401, error: "invalid_client" });
    assert.equal((await redeem(party, code)).status, 200, "and the code is not burnt");
  });

  function module(name: string): string {
    return `fapi2-security-profile-final-${name}`;
  }

  async function createClient(...proof: string[]): Promise<string> {
    const options = ["--name", "RP", "--redirect-uri", REDIRECT_URI, "--certificate-bound", "--require-par", ...proof];
    return (await runJson<{ client_id: string }>(["client", "create", ...options], app.environment)).client_id;
  }

  async function assertion(id: string): Promise<Record<string, string>> {
    const exp = Math.floor(Date.now() / 1000) + 60;
    const claims = { iss: id, sub: id, aud: app.config.AUTH_URL, jti: randomUUID(), exp };
    const client_assertion = await new SignJWT(claims).setProtectedHeader({ alg: "ES256" }).sign(key.privateKey);
    return { client_assertion_type: "urn:ietf:params:oauth:client-assertion-type:jwt-bearer", client_assertion };
  }

  async function send(
    path: string,
    party: Party,
    form: Record<string, string>,
    headers: Record<string, string> = party.shown.header,
  ): Promise<Answer> {
    const body = new URLSearchParams({ ...form, ...(await party.prove()) });
    const response = await fetch(app.config.AUTH_URL + path, { method: "POST", headers, body });
    const { error, request_uri, access_token, refresh_token } = (await response.json()) as Answer;
    const given = Object.entries({ error, request_uri, access_token, refresh_token });
    return { status: response.status, ...Object.fromEntries(given.filter(([, value]) => value !== undefined)) };
  }

  const optionsOf = ({ id: clientId }: Party) => ({
    ...{ issuer: app.config.AUTH_URL, clientId, redirectUri: REDIRECT_URI, scope: "openid posts:read" },
    ...{ email: "ada@example.com", password: PASSWORD },
  });

  /** @returns the parameters that turn the code into tokens */
  async function signIn(party: Party): Promise<Record<string, string>> {
    const { url, verifier } = authorizationRequest(optionsOf(party));
    const { request_uri = "" } = await send("/par", party, Object.fromEntries(url.searchParams));
    const browser = new Browser();
    const query = new URLSearchParams({ client_id: party.id, request_uri });
    const end = await walk(
      browser,
      await browser.follow(`${app.config.AUTH_URL}/authorize?${query}`),
      optionsOf(party),
    );
    return exchange(optionsOf(party), end.url.searchParams.get("code") ?? "", verifier);
  }

  async function redeem(party: Party, code: Record<string, string>, headers?: Record<string, string>): Promise<Answer> {
    return send("/token", party, { ...code, client_id: party.id }, headers);
  }

  /** @returns what /userinfo and /graphql say to a token */
  async function use(token: string, certificate: Record<string, string>): Promise<number[]> {
    const headers = { authorization: `Bearer ${token}`, "content-type": "application/json", ...certificate };
    const body = JSON.stringify({ query: "{ posts { id } }" });
    const answers = await Promise.all([
      fetch(`${app.config.AUTH_URL}/userinfo`, { headers }),
      fetch(`${app.config.BASE_URL}/graphql`, { method: "POST", headers, body }),
    ]);
    return answers.map(({ status }) => status);
  }
});
