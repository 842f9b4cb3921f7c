import assert from "node:assert/strict";
import { describe, type TestContext, test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { createLocalJWKSet, decodeProtectedHeader, type JSONWebKeySet, jwtVerify } from "jose";
import { runJson } from "../command.ts";
import { freePort } from "../port.ts";
import { openPostgres } from "../postgres.ts";
import { getTokens, requestToken, signIn } from "../security/client.ts";
import { count } from "./counts.ts";
import { CALLBACK, EMAIL, PASSWORD } from "./grace.ts";
import { type Installation, install } from "./installation.ts";

/** Seconds; a new key signs after twice that time. */
const MAX_AGE = 3;

const postgres = await openPostgres();

describe("F15 keys rotate under load", () => {
  test("F15 two workers on SQLite: no verification fails", async (t) => {
    const installation = await install(t, {}, { JWKS_MAX_AGE: `${MAX_AGE}s`, WORKERS: "2" });
    await installation.start();
    await rotateUnderLoad(t, installation, [installation.url]);
  });

  test("F15 two nodes on PostgreSQL: no verification fails", async (t) => {
    const installation = await install(t, { url: await postgres.createDatabase() }, { JWKS_MAX_AGE: `${MAX_AGE}s` });
    const settings = { BASE_URL: installation.url, AUTH_URL: installation.url };
    const port = await freePort();
    await installation.start(settings);
    await installation.start({ ...settings, PORT: String(port) });
    await rotateUnderLoad(t, installation, [installation.url, `http://localhost:${port}`]);
  });
});

async function rotateUnderLoad(t: TestContext, { url, environment }: Installation, nodes: readonly string[]) {
  const rotations = count(20, 2);
  const person = ["--email", EMAIL, "--name", "Grace", "--password-stdin"];
  await runJson(["user", "create", ...person], environment, PASSWORD);
  const clients = await Promise.all(
    ["ES256", "RS256"].map(async (algorithm) => {
      const { client_id } = await runJson<{ client_id: string }>(
        [
          ...["client", "create", "--name", algorithm, "--public", "--first-party", "--redirect-uri", CALLBACK],
          ...["--id-token-algorithm", algorithm],
        ],
        environment,
      );
      return client_id;
    }),
  );
  // One that asks each node, and one that comes to it at another moment.
  const verifiers = [...nodes, ...nodes].map((node, i) => openVerifier(node, url, i >= nodes.length ? 700 : 0));
  const stop = new AbortController();
  let verified = 0;
  const failures: string[] = [];
  /** The first ID token that each key signed. */
  const firsts = new Map<string, string>();

  async function check(token: string): Promise<void> {
    for (const verify of verifiers) {
      const failure = await verify(token);
      if (failure === null) verified++;
      else failures.push(failure);
    }
  }

  async function load(clientId: string): Promise<void> {
    const options = { issuer: url, clientId, redirectUri: CALLBACK, scope: "openid", email: EMAIL };
    const browser = await signIn({ ...options, password: PASSWORD });
    let { id_token, refresh_token } = await getTokens({ ...options, password: PASSWORD, browser });
    for (let i = 0; !stop.signal.aborted; i++) {
      const kid = decodeProtectedHeader(id_token).kid ?? "";
      if (!firsts.has(kid)) firsts.set(kid, id_token);
      await check(id_token);
      if (i % 20 === 0) for (const token of firsts.values()) await check(token);
      await pause(10);
      const params = { grant_type: "refresh_token", refresh_token, client_id: clientId };
      const { status, body } = await requestToken(nodes[i % nodes.length] ?? url, params);
      assert.equal(status, 200, JSON.stringify(body));
      ({ id_token, refresh_token } = body);
    }
  }

  /** Waits until so many keys of each algorithm have signed. */
  async function untilSigned(wanted: number): Promise<void> {
    for (const deadline = Date.now() + 60_000; firsts.size < 2 * wanted; await pause(50))
      assert.ok(Date.now() < deadline, `${firsts.size} keys have signed`);
  }

  const loads = clients.map(load);
  for (let rotation = 0; rotation < rotations; rotation++) {
    await untilSigned(rotation + 1);
    await runJson(["keys", "rotate"], environment);
    await pause(2 * MAX_AGE * 1_000);
  }
  await untilSigned(rotations + 1);
  stop.abort();
  await Promise.all(loads);
  assert.deepEqual(failures.slice(0, 5), []);
  assert.equal(firsts.size, 2 * (rotations + 1), "each key of each algorithm has signed");
  const keys = await runJson<{ state: string }[]>(["keys", "list"], environment);
  assert.equal(keys.filter(({ state }) => state === "signing").length, 2);
  assert.equal(keys.filter(({ state }) => state === "retired").length, 2 * rotations);
  t.diagnostic(`F15 ${rotations} rotations, ${verified} verifications, none failed`);
}

/** The strictest there is: keeps the keys for as long as it is told, and asks for no others in between. */
function openVerifier(node: string, issuer: string, delay: number): (token: string) => Promise<string | null> {
  let keys: JSONWebKeySet = { keys: [] };
  let until = 0;
  const ready = pause(delay);
  return async (token) => {
    await ready;
    if (Date.now() >= until) {
      const response = await fetch(`${node}/jwks`);
      const age = /max-age=(\d+)/.exec(response.headers.get("cache-control") ?? "")?.[1];
      assert.equal(age, String(MAX_AGE));
      // From when it is there: an HTTP cache counts from no earlier.
      keys = (await response.json()) as JSONWebKeySet;
      until = Date.now() + Number(age) * 1_000;
    }
    return jwtVerify(token, createLocalJWKSet(keys), { issuer }).then(
      () => null,
      (error: Error) => `${decodeProtectedHeader(token).kid}: ${error.message}`,
    );
  };
}
