import assert from "node:assert/strict";
import { generateKeyPairSync, verify } from "node:crypto";
import { after, describe, test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { calculateJwkThumbprint, createLocalJWKSet, decodeProtectedHeader, type JSONWebKeySet, jwtVerify } from "jose";
import { EngineKey } from "../../src/authorization-server/tokens/engine-key.ts";
import type { SigningJwk } from "../../src/authorization-server/tokens/keys.ts";
import { keySet, keyState, replaceSigningKeys, rotateSigningKeys } from "../../src/authorization-server/tokens/keys.ts";
import { openSealer } from "../../src/secrets/seal.ts";
import { livedTime } from "../timing.ts";
import { openTestServer, SPA_CALLBACK } from "./authorization-server.ts";
import { getTokens, signIn } from "./client.ts";

const DAY = 86_400_000;
let offset = 0;
const now = () => Date.now() + offset;
const server = await openTestServer({ now });
after(() => server.close());
await server.addClient({ id: "rsa", idTokenAlgorithm: "RS256" });
const node = await server.openNode();
const sealer = openSealer(server.secret);
const spa = { issuer: server.issuer, clientId: "spa", redirectUri: SPA_CALLBACK };
const browser = await signIn(spa);

describe("signing keys", () => {
  test("an ES256 signature has 64 bytes, also where one of its numbers is short (RFC 7518 section 3.4)", async () => {
    const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
    const jwk = { ...privateKey.export({ format: "jwk" }), kid: "k", alg: "ES256", use: "sig" } as SigningJwk;
    const key = new EngineKey(jwk);
    for (let number = 0; number < 1_000; number++) {
      const data = Buffer.from(`${number}`); // about eight of a thousand have a number that begins with a zero
      const signature = await key.sign(data);
      assert.equal(signature.length, 64);
      assert.ok(verify("sha256", data, { key: publicKey, dsaEncoding: "ieee-p1363" }, signature));
    }
  });

  test("ES256 for everyone, RS256 for the client that asks for it; kid is the RFC 7638 thumbprint", async () => {
    for (const [clientId, alg] of [
      ["spa", "ES256"],
      ["rsa", "RS256"],
    ] as const) {
      const { id_token } = await getTokens({ ...spa, clientId });
      const { keys } = await published(server.issuer);
      const header = decodeProtectedHeader(id_token);
      assert.equal(header.alg, alg);
      await jwtVerify(id_token, createLocalJWKSet({ keys }), { issuer: server.issuer, audience: clientId });
      for (const key of keys) {
        assert.equal(key.kid, await calculateJwkThumbprint(key));
        assert.deepEqual([key.use, "d" in key, "p" in key], ["sig", false, false]);
      }
    }
  });

  test("F15 a new key is published on every node within a second, signs after twice the cache time, and the old one stays", async () => {
    const before = await published(server.issuer);
    const old = await getTokens({ ...spa, browser });
    const oldKid = decodeProtectedHeader(old.id_token).kid;
    await rotateSigningKeys(server.store, sealer, ["ES256"], { now: now(), maxAgeSeconds: 300 });

    const [first, second] = await untilBoth(before.keys.length + 1);
    assert.deepEqual(kids(first), kids(second));
    const newKid = kids(first).find((kid) => !kids(before).includes(kid));
    assert.equal(await signingKid(), oldKid, "it does not sign yet");

    offset += 590_000;
    await pause(600);
    assert.equal(await signingKid(), oldKid);
    offset += 20_000;
    for (const url of [server.issuer, node.url])
      for (const began = livedTime(); (await signingKid(url)) !== newKid; await pause(20))
        assert.ok(livedTime() - began < 5_000, `it does not sign at ${url}`);
    // The token from before is checked as ever: by others with what is published, by us as a hint.
    await jwtVerify(old.id_token, createLocalJWKSet(await published(server.issuer)));
    const hinted = await browser.follow(`${server.issuer}/logout?id_token_hint=${old.id_token}`);
    assert.equal(hinted.response.status, 200);
  });

  test("a retired key is published for as long as a session lasts, then it is destroyed", async () => {
    const count = (await server.store.signingKeys.list()).length;
    offset += 14 * DAY;
    await pause(600);
    assert.equal((await published(server.issuer)).keys.length, count);
    offset += DAY;
    await untilBoth(count - 1);
    assert.equal((await server.store.signingKeys.list()).length, count - 1);
  });

  test("keys that leaked are replaced within a second, and tokens of theirs are not believed", async () => {
    const { id_token } = await getTokens({ ...spa, browser: await signIn(spa) });
    const kid = decodeProtectedHeader(id_token).kid;
    await replaceSigningKeys(server.store, sealer, ["ES256", "RS256"], now());
    const began = livedTime();
    for (const url of [server.issuer, node.url])
      while (kids(await published(url)).includes(kid)) {
        assert.ok(livedTime() - began < 1_000, `${url} publishes it still`);
        await pause(20);
      }
    assert.notEqual(await signingKid(), kid);
    const refused = await browser.follow(`${server.issuer}/logout?id_token_hint=${id_token}`);
    assert.equal(refused.response.status, 400);
  });

  test("F14 a clock that is set back signs with a key that verifiers know", async () => {
    const kept = await server.store.signingKeys.list();
    const set = keySet(kept, sealer, now() - 30 * DAY);
    assert.deepEqual(set.keys.map(({ alg }) => alg).toSorted(), ["ES256", "RS256"]);
    for (const key of kept) assert.equal(keyState(key, now() - 30 * DAY), "next");
  });

  async function signingKid(url = server.issuer): Promise<string | undefined> {
    if (url === server.issuer)
      return decodeProtectedHeader((await getTokens({ ...spa, browser: await signIn(spa) })).id_token).kid;
    // The engine publishes in the order in which it signs.
    return kids(await published(url))[0];
  }

  async function untilBoth(count: number): Promise<[JSONWebKeySet, JSONWebKeySet]> {
    for (const began = livedTime(); ; await pause(20)) {
      const [a, b] = await Promise.all([published(server.issuer), published(node.url)]);
      if (a.keys.length === count && b.keys.length === count) return [a, b];
      assert.ok(livedTime() - began < 1_000, `${a.keys.length} and ${b.keys.length} keys after a second`);
    }
  }
});

async function published(url: string): Promise<JSONWebKeySet> {
  const response = await fetch(`${url}/jwks`);
  assert.match(response.headers.get("cache-control") ?? "", /^public, max-age=300$/);
  return (await response.json()) as JSONWebKeySet;
}

function kids({ keys }: JSONWebKeySet): (string | undefined)[] {
  return keys.map(({ kid }) => kid);
}
