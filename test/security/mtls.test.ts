import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import WebSocket from "ws";
import { readDistinguishedName } from "../../src/domain/clients/certificate-subject.ts";
import { openTestApp, type TestApp } from "../app.ts";
import { runCommand, runJson } from "../command.ts";
import { makeCertificate, type Shown, thumbprint, WITH_CERTIFICATES } from "./certificates.ts";
import { authorize, exchange, requestToken } from "./client.ts";

const PASSWORD = "seventeen tall birches";
const REDIRECT_URI = "http://localhost:9/callback";
const SUBJECT = "/C=SE/O=Example, Inc./CN=job";
const folder = mkdtempSync(join(tmpdir(), "content-api-"));

async function openAppWith(settings: Record<string, string>): Promise<TestApp> {
  const app = await openTestApp({ HOST: "127.0.0.1", TRUST_PROXY: "127.0.0.1", REGISTRATION: "open", ...settings });
  const args = ["user", "create", "--email", "ada@example.com", "--name", "Ada", "--password-stdin"];
  await runJson(args, app.environment, PASSWORD);
  return app;
}

async function createClient(app: TestApp, ...options: string[]): Promise<string> {
  const args = ["client", "create", "--name", "Job", ...options];
  return (await runJson<{ client_id: string }>(args, app.environment)).client_id;
}

/** A client that acts for itself. */
const JOB = ["--grant", "client_credentials", "--scope", "posts:read"];

async function ask(app: TestApp, id: string, headers: Record<string, string> = {}) {
  const params = { grant_type: "client_credentials", client_id: id };
  const { status, body } = await requestToken(app.config.AUTH_URL, params, headers);
  return { token: body.access_token, end: status === 200 ? "200" : `${status} ${body.error}` };
}

async function read(app: TestApp, token: string, headers: Record<string, string> = {}) {
  const response = await fetch(`${app.config.BASE_URL}/graphql`, {
    method: "POST",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json", ...headers },
    body: '{"query":"{ posts(first: 1) { totalCount } }"}',
  });
  await response.arrayBuffer();
  const error = /error="(\w+)"/.exec(response.headers.get("www-authenticate") ?? "")?.[1];
  return `${response.status}${error === undefined ? "" : ` ${error}`}`;
}

const metadataOf = async (app: TestApp, name: string) =>
  (await (await fetch(`${app.config.BASE_URL}/.well-known/${name}`)).json()) as Record<string, unknown>;

describe("client certificates (RFC 8705)", WITH_CERTIFICATES, () => {
  let one: Shown;
  let other: Shown;
  let verified: TestApp;

  before(async () => {
    one = makeCertificate(
      folder,
      "one",
      SUBJECT,
      "DNS:job.example.com,IP:2001:db8::1,URI:https://example.com/job,email:job@example.com",
    );
    other = makeCertificate(folder, "other", "/CN=other", "DNS:other.example.com");
    verified = await openAppWith({ CLIENT_CERTIFICATES: "verified" });
  });
  after(async () => {
    await verified?.close();
    rmSync(folder, { recursive: true });
  });

  test("discovery says exactly what is on", async () => {
    const { AUTH_URL } = verified.config;
    assert.equal(AUTH_URL, verified.config.BASE_URL);
    const server = await metadataOf(verified, "openid-configuration");
    assert.equal(server.tls_client_certificate_bound_access_tokens, true);
    const methods = server.token_endpoint_auth_methods_supported as string[];
    assert.ok(methods.includes("tls_client_auth") && methods.includes("self_signed_tls_client_auth"));
    const resource = await metadataOf(verified, "oauth-protected-resource");
    assert.equal(resource.tls_client_certificate_bound_access_tokens, true);
  });

  test("tls_client_auth: the registered name of the certificate, of each kind, and no other", async () => {
    const right = [
      "CN=job,O=Example\\, Inc.,C=SE",
      "cn=job, 2.5.4.10=Example\\2C Inc. ,C=SE",
      "DNS:JOB.example.com",
      "IP:2001:db8:0:0::1",
      "URI:https://example.com/job",
      "email:job@example.com",
    ];
    const wrong = [
      "CN=job",
      "C=SE,O=Example\\, Inc.,CN=job",
      "CN=job+O=Example\\, Inc.,C=SE",
      "DNS:example.com",
      "IP:2001:db8::2",
    ];
    for (const subject of [...right, ...wrong]) {
      const id = await createClient(verified, ...JOB, "--tls-client-auth-subject", subject);
      const expected = right.includes(subject) ? "200" : "401 invalid_client";
      assert.equal((await ask(verified, id, one.header)).end, expected, subject);
      assert.equal((await ask(verified, id, other.header)).end, "401 invalid_client", subject);
      assert.equal((await ask(verified, id)).end, "401 invalid_client", subject);
    }
  });

  test("self_signed_tls_client_auth: the registered certificate, and no other", async () => {
    const id = await createClient(verified, ...JOB, "--self-signed-certificate", one.file);
    assert.equal((await ask(verified, id, one.header)).end, "200");
    assert.equal((await ask(verified, id, other.header)).end, "401 invalid_client");
    assert.equal((await ask(verified, id)).end, "401 invalid_client");
  });

  test("a header that comes twice, is malformed or too long is no certificate; nginx's form is one", async () => {
    const id = await createClient(verified, ...JOB, "--self-signed-certificate", one.file);
    const der = one.certificate.raw;
    const value = one.header["client-cert"] ?? "";
    const pem = encodeURIComponent(one.certificate.toString());
    const wrong = {
      twice: `${value}, ${value}`,
      "with another": `${other.header["client-cert"]}, ${value}`,
      "no colons": der.toString("base64"),
      "no certificate": ":AAAA:",
      "something after it": `:${Buffer.concat([der, Buffer.from("x")]).toString("base64")}:`,
      "PEM in base64": `:${Buffer.from(one.certificate.toString()).toString("base64")}:`,
      "too long": `:${Buffer.concat([der, Buffer.alloc(10_000)]).toString("base64")}:`,
      "two in PEM": pem + pem,
      "a wrong percent sign": `${pem}%zz`,
      empty: "",
    };
    for (const [name, header] of Object.entries(wrong))
      assert.equal((await ask(verified, id, { "client-cert": header })).end, "401 invalid_client", name);
    assert.equal((await ask(verified, id, { "client-cert": pem })).end, "200");
  });

  test("a bound token opens /graphql and /userinfo with its certificate alone, and is refreshed with it", async () => {
    const options = {
      ...{ issuer: verified.config.AUTH_URL, redirectUri: REDIRECT_URI, scope: "openid posts:read" },
      ...{ email: "ada@example.com", password: PASSWORD },
      clientId: await createClient(verified, "--redirect-uri", REDIRECT_URI, "--public", "--certificate-bound"),
    };
    const { issuer, clientId } = options;
    const grant = async (headers: Record<string, string>) => {
      const { code, verifier } = await authorize(options);
      return requestToken(issuer, exchange(options, code, verifier), headers);
    };
    assert.equal((await grant({})).body.error, "invalid_grant");
    const { status, body } = await grant(one.header);
    assert.deepEqual([status, body.token_type], [200, "Bearer"]);
    const { access_token: token } = body;
    const userinfo = async (headers: Record<string, string>) =>
      (await fetch(`${issuer}/userinfo`, { headers: { authorization: `Bearer ${token}`, ...headers } })).status;
    for (const headers of [{}, other.header]) {
      assert.equal(await read(verified, token, headers), "401 invalid_token");
      assert.equal(await userinfo(headers), 401);
    }
    assert.equal(await read(verified, token, one.header), "200");
    assert.equal(await read(verified, token, { ...one.header, origin: verified.config.BASE_URL }), "200", "by Fastify");
    assert.equal(await userinfo(one.header), 200);

    const { refresh_token } = body;
    const refresh = (headers: Record<string, string>) =>
      requestToken(issuer, { grant_type: "refresh_token", refresh_token, client_id: clientId }, headers);
    for (const headers of [{}, other.header]) assert.equal((await refresh(headers)).body.error, "invalid_grant");
    const { body: next } = await refresh(one.header);
    assert.equal(await read(verified, next.access_token, one.header), "200");
    assert.equal(await read(verified, next.access_token), "401 invalid_token");
  });

  test("introspection names the certificate, and a WebSocket is opened with it alone", async () => {
    const id = await createClient(verified, ...JOB, "--self-signed-certificate", one.file, "--certificate-bound");
    const { token } = await ask(verified, id, one.header);
    const response = await fetch(`${verified.config.AUTH_URL}/introspect`, {
      method: "POST",
      headers: one.header,
      body: new URLSearchParams({ token, client_id: id }),
    });
    const { active, cnf } = (await response.json()) as { active: boolean; cnf: unknown };
    assert.deepEqual([active, cnf], [true, { "x5t#S256": thumbprint(one) }]);
    const url = `${verified.config.BASE_URL.replace("http", "ws")}/graphql`;
    const connect = (headers: Record<string, string>) =>
      new Promise<string>((resolve, reject) => {
        const socket = new WebSocket(url, "graphql-transport-ws", { headers });
        socket.on("open", () =>
          socket.send(JSON.stringify({ type: "connection_init", payload: { authorization: `Bearer ${token}` } })),
        );
        socket.on("message", (data) => {
          resolve((data as Buffer).toString());
          socket.close();
        });
        socket.on("close", (code) => resolve(String(code)));
        socket.on("error", reject);
      });
    assert.match(await connect(one.header), /connection_ack/);
    assert.match(await connect(other.header), /^44\d\d$/);
    assert.match(await connect({}), /^44\d\d$/);
  });

  test("registration takes what discovery offers", async () => {
    const register = async (metadata: object) => {
      const response = await fetch(`${verified.config.AUTH_URL}/register`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ redirect_uris: ["https://app.example.com/"], ...metadata }),
      });
      return { status: response.status, body: (await response.json()) as Record<string, unknown> };
    };
    const metadata = {
      token_endpoint_auth_method: "tls_client_auth",
      tls_client_auth_san_dns: "job.example.com",
      tls_client_certificate_bound_access_tokens: true,
    };
    const { status, body } = await register(metadata);
    assert.equal(status, 201, JSON.stringify(body));
    assert.equal(body.client_secret, undefined);
    for (const [name, value] of Object.entries(metadata)) assert.equal(body[name], value, name);
    const two = await register({ ...metadata, tls_client_auth_subject_dn: "CN=job" });
    assert.deepEqual([two.status, two.body.error], [400, "invalid_client_metadata"]);
    const none = await register({ token_endpoint_auth_method: "tls_client_auth" });
    assert.deepEqual([none.status, none.body.error], [400, "invalid_client_metadata"]);
    const nameless = await register({
      token_endpoint_auth_method: "tls_client_auth",
      tls_client_auth_subject_dn: "job",
    });
    assert.deepEqual([nameless.status, nameless.body.error], [400, "invalid_client_metadata"]);
  });

  test("a peer that is no trusted proxy is not believed", async () => {
    const app = await openAppWith({ CLIENT_CERTIFICATES: "verified", TRUST_PROXY: "192.0.2.1" });
    try {
      const id = await createClient(app, ...JOB, "--self-signed-certificate", one.file, "--certificate-bound");
      const forwarded = { ...one.header, "x-forwarded-for": "192.0.2.1" };
      for (const headers of [one.header, forwarded])
        assert.equal((await ask(app, id, headers)).end, "401 invalid_client");
    } finally {
      await app.close();
    }
  });

  test("any: what a certificate says is not believed", async () => {
    const app = await openAppWith({ CLIENT_CERTIFICATES: "any" });
    try {
      const server = await metadataOf(app, "openid-configuration");
      const methods = server.token_endpoint_auth_methods_supported as string[];
      assert.ok(methods.includes("self_signed_tls_client_auth") && !methods.includes("tls_client_auth"));
      const named = await createClient(app, ...JOB, "--tls-client-auth-subject", "DNS:job.example.com");
      assert.equal((await ask(app, named, one.header)).end, "401 invalid_client");
      const own = await createClient(app, ...JOB, "--self-signed-certificate", one.file);
      assert.equal((await ask(app, own, one.header)).end, "200");
    } finally {
      await app.close();
    }
  });

  test("off: nothing is offered, the header counts for nothing, and nobody is let in with less", async () => {
    const app = await openAppWith({});
    try {
      const server = await metadataOf(app, "openid-configuration");
      assert.equal(server.tls_client_certificate_bound_access_tokens, undefined);
      assert.doesNotMatch(JSON.stringify(server), /tls_client/);
      assert.doesNotMatch(JSON.stringify(await metadataOf(app, "oauth-protected-resource")), /tls_client/);
      const own = await createClient(app, ...JOB, "--self-signed-certificate", one.file);
      assert.equal((await ask(app, own, one.header)).end, "401 invalid_client");
      for (const [option, end] of [
        ["--first-party", 200],
        ["--certificate-bound", 401],
      ] as const) {
        const args = ["client", "create", "--name", "Job", ...JOB, option];
        const client = await runJson<{ client_id: string; client_secret: string }>(args, app.environment);
        const params = { grant_type: "client_credentials", ...client };
        assert.equal((await requestToken(app.config.AUTH_URL, params, one.header)).status, end, option);
      }
    } finally {
      await app.close();
    }
  });

  test("off again: tokens from before open nothing", async () => {
    const options = { issuer: verified.config.AUTH_URL, redirectUri: REDIRECT_URI, scope: "openid posts:read" };
    const clientId = await createClient(verified, "--redirect-uri", REDIRECT_URI, "--public", "--certificate-bound");
    const person = { ...options, clientId, email: "ada@example.com", password: PASSWORD };
    const { code, verifier } = await authorize(person);
    const { body } = await requestToken(options.issuer, exchange(person, code, verifier), one.header);
    const { DATABASE_URL = "", SECRET_KEY } = verified.environment;
    const same = { DATABASE_URL, ...(SECRET_KEY === undefined ? {} : { SECRET_KEY }) };
    const app = await openTestApp({ HOST: "127.0.0.1", TRUST_PROXY: "127.0.0.1", ...same });
    try {
      assert.equal(await read(verified, body.access_token, one.header), "200");
      assert.equal(await read(app, body.access_token, one.header), "401 invalid_token");
      const headers = { authorization: `Bearer ${body.access_token}`, ...one.header };
      assert.equal((await fetch(`${app.config.AUTH_URL}/userinfo`, { headers })).status, 401);
    } finally {
      await app.close();
    }
  });

  const keyOf = ({ certificate }: Shown) => ({
    ...certificate.publicKey.export({ format: "jwk" }),
    x5c: [certificate.raw.toString("base64")],
  });

  test("a client whose id is the address of its document has its certificate in there, and tokens that are bound to it", async () => {
    let document: object = {};
    const site = createServer((_request, response) => {
      response.setHeader("content-type", "application/json").end(JSON.stringify(document));
    });
    await new Promise<void>((resolve) => site.listen(0, "127.0.0.1", resolve));
    const origin = `http://127.0.0.1:${(site.address() as AddressInfo).port}`;
    const settings = { CLIENT_DOCUMENTS: "true", PRIVATE_HOSTS: "127.0.0.1" };
    const [any, off] = await Promise.all([
      openAppWith({ ...settings, CLIENT_CERTIFICATES: "any" }),
      openAppWith(settings),
    ]);
    try {
      const clientId = `${origin}/client.json`;
      document = {
        ...{ client_id: clientId, client_name: "Job", redirect_uris: [REDIRECT_URI], scope: "openid posts:read" },
        token_endpoint_auth_method: "self_signed_tls_client_auth",
        jwks: { keys: [keyOf(one)] },
        tls_client_certificate_bound_access_tokens: true,
      };
      const options = { clientId, redirectUri: REDIRECT_URI, scope: "openid posts:read", password: PASSWORD };
      const { code, verifier } = await authorize({ ...options, issuer: any.config.AUTH_URL });
      const redeem = (headers: Record<string, string>) =>
        requestToken(any.config.AUTH_URL, exchange(options, code, verifier), headers);
      assert.equal((await redeem({})).body.error, "invalid_client");
      assert.equal((await redeem(other.header)).body.error, "invalid_client");
      const { status, body } = await redeem(one.header);
      assert.equal(status, 200);
      assert.equal(await read(any, body.access_token, one.header), "200");
      assert.equal(await read(any, body.access_token, other.header), "401 invalid_token");
      await assert.rejects(authorize({ ...options, issuer: off.config.AUTH_URL }), /client is not registered/);
    } finally {
      for (const app of [any, off]) await app.close();
      site.close();
    }
  });

  test("self_signed_tls_client_auth with the certificate at an address", async () => {
    const address = createServer((_request, response) => {
      response.setHeader("content-type", "application/json");
      response.end(JSON.stringify({ keys: [{ ...keyOf(one), "x5t#S256": thumbprint(other) }] }));
    });
    await new Promise<void>((resolve) => address.listen(0, "127.0.0.1", resolve));
    const uri = `http://127.0.0.1:${(address.address() as AddressInfo).port}/jwks`;
    const app = await openAppWith({ CLIENT_CERTIFICATES: "any", PRIVATE_HOSTS: "127.0.0.1" });
    try {
      const id = await createClient(app, ...JOB, "--self-signed-certificate", "--jwks-uri", uri);
      assert.equal((await ask(app, id, other.header)).end, "401 invalid_client");
      assert.equal((await ask(app, id, one.header)).end, "200");
    } finally {
      await app.close();
      address.close();
    }
  });

  test("without TRUST_PROXY it does not start", async () => {
    const settings = { PORT: "0", DATABASE_URL: `sqlite:${join(folder, "none", "x.db")}`, CLIENT_CERTIFICATES: "any" };
    const { code, stderr } = await runCommand(["serve"], settings);
    assert.equal(code, 2);
    assert.match(stderr, /^CLIENT_CERTIFICATES needs TRUST_PROXY/);
  });
});

describe("distinguished names (RFC 4514)", () => {
  test("equal names are equal, whatever their spelling", () => {
    const same = ["CN=a,O=b", "cn=a, o=b", "2.5.4.3=a,O=b ", "CN=\\61,O=b"];
    for (const name of same) assert.equal(readDistinguishedName(name), readDistinguishedName("CN=a,O=b"), name);
    assert.equal(readDistinguishedName("CN=a+O=b"), readDistinguishedName("O=b+CN=a"));
    const others = ["O=b,CN=a", "CN=a+O=b", "CN=A,O=b", "CN=a\\,O=b", "CN=a,O=b,O=b", "CN=a\\ ,O=b"];
    for (const name of others) assert.notEqual(readDistinguishedName(name), readDistinguishedName("CN=a,O=b"), name);
  });

  test("what is no name is none", () => {
    for (const name of ["", "a", "CN", "CN=", "=a", "CN=a,", "CN=#0401", "CN=a,,O=b", "CN=a\\", 'CN="a"', "CN=\\ff"])
      assert.equal(readDistinguishedName(name), null, name);
  });
});
