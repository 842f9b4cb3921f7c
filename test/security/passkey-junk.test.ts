import assert from "node:assert/strict";
import { randomBytes, randomUUID } from "node:crypto";
import { before, describe, test } from "node:test";
import { openPasskeyAnswers } from "../../src/authorization-server/passkeys/answers.ts";
import type { Id } from "../../src/domain/id.ts";
import type { Passkey } from "../../src/domain/people/passkey.ts";
import { openAuthenticator } from "./authenticator.ts";
import { type Cbor, writeCbor } from "./cbor.ts";

const site = { origin: "https://auth.example.com", rpId: "auth.example.com" };
const answers = openPasskeyAnswers(site);
const challenge = randomBytes(32).toString("base64url");
const userHandle = randomBytes(32).toString("base64url");
const creation = { challenge, user: { id: userHandle } };
const request = { challenge };
const device = openAuthenticator(site);
let passkey: Passkey;
before(async () => {
  const credential = await answers.readNew(device.create(creation), challenge);
  assert.ok(credential);
  const createdAt = "2026-09-01T12:00:00.000Z";
  passkey = { ...credential, userId: randomUUID() as Id, userHandle, name: "Mine", createdAt, usedAt: null };
});

describe("P31 junk takes a bounded time", () => {
  /** An answer with these bytes for each binary part in turn, and all else right. */
  function filled(bytes: Buffer): string[] {
    const part = bytes.toString("base64url");
    const spoil = (text: string, name: string) => {
      const answer = JSON.parse(text);
      return JSON.stringify({ ...answer, response: { ...answer.response, [name]: part } });
    };
    const [made, used] = [device.create(creation), device.get(request, { with: passkey.credentialId })];
    return [
      ...["clientDataJSON", "attestationObject"].map((name) => spoil(made, name)),
      ...["clientDataJSON", "authenticatorData", "signature", "userHandle"].map((name) => spoil(used, name)),
    ];
  }

  /** Every part of CBOR that claims more than there is, or goes deep. */
  const cbor = [
    "9bffffffffffffffff",
    "bbffffffffffffffff",
    "5bffffffffffffffff",
    "9a7fffffff",
    "ba7fffffff00",
    "5a7fffffff",
    "7b001fffffffffffff",
    "c6",
    "f97c00",
    "ff",
  ].map((hex) => Buffer.from(hex, "hex"));
  const deep = [0x81, 0x9f, 0xa1, 0xc6, 0xd8].map((byte) => Buffer.alloc(4_000, byte));
  const inside = [...cbor, ...deep].flatMap((bytes) => [
    Buffer.concat([Buffer.from("a363666d74646e6f6e656761747453746d74", "hex"), bytes]),
    writeCbor(
      new Map<string, Cbor>([
        ["fmt", "none"],
        ["attStmt", new Map()],
        ["authData", Buffer.concat([Buffer.alloc(32), Buffer.of(0xc5), Buffer.alloc(22), bytes])],
      ]),
    ),
    Buffer.concat([Buffer.alloc(32), Buffer.of(0x85), Buffer.alloc(4), bytes]),
  ]);

  const texts: readonly (readonly [string, () => readonly string[]])[] = [
    [
      "text",
      () => ["", " ", "null", "0", "[]", "{}", '"x"', "{", "undefined", "\u0000", '{"response":{}}', "[object Object]"],
    ],
    [
      "1 MB of text",
      () => ["x".repeat(1e6), "[".repeat(1e6), `{"id":"${"A".repeat(1e6)}"}`, randomBytes(1e6).toString("latin1")],
    ],
    [
      "deep JSON",
      () => {
        const nested = `${"[".repeat(30_000)}${"]".repeat(30_000)}`;
        const right = device.get(request, { with: passkey.credentialId });
        return [
          nested,
          right.replace("{", `{"id":${nested},`).replace('"response"', '"more"'),
          ...["id", "rawId", "response", "type"].map((name) =>
            JSON.stringify({ ...JSON.parse(right), [name]: 0 }).replace(`"${name}":0`, `"${name}":${nested}`),
          ),
        ];
      },
    ],
    [
      "names of prototypes",
      () => [
        '{"__proto__":{"id":"AAAA","rawId":"AAAA","type":"public-key","response":{}}}',
        '{"constructor":{"prototype":{"id":"AAAA"}}}',
        `{"id":"${passkey.credentialId}","rawId":"${passkey.credentialId}","type":"public-key","response":{"__proto__":${JSON.stringify(JSON.parse(device.get(request)).response)}}}`,
      ],
    ],
    ["random bytes", () => [1, 36, 37, 55, 200, 2_000, 4_000, 40_000].flatMap((size) => filled(randomBytes(size)))],
    ["CBOR that claims too much, and deep CBOR", () => [...cbor, ...deep, ...inside].flatMap(filled)],
    [
      "a right answer cut anywhere",
      () => {
        const answer = JSON.parse(device.create(creation));
        const object = Buffer.from(answer.response.attestationObject, "base64url");
        return Array.from({ length: object.length }, (_, size) =>
          JSON.stringify({
            ...answer,
            response: { ...answer.response, attestationObject: object.subarray(0, size).toString("base64url") },
          }),
        );
      },
    ],
  ];

  for (const [name, make] of texts)
    test(`P31 ${name}`, async () => {
      for (const text of make()) {
        const start = performance.now();
        assert.equal(await answers.readNew(text, challenge), null);
        assert.equal(await answers.readUse(text, challenge, passkey), null);
        answers.claimOf(text);
        const took = performance.now() - start;
        assert.ok(took < 1_000, `${took} ms for ${text.slice(0, 100)}`);
      }
    });

  test("P31 an answer of a hundred KB is not read, however right it is", async () => {
    const right = device.get(request, { with: passkey.credentialId });
    assert.ok(await answers.readUse(right + " ".repeat(50_000), challenge, passkey));
    assert.equal(await answers.readUse(right + " ".repeat(100_000), challenge, passkey), null);
    assert.equal(answers.claimOf(right + " ".repeat(100_000)), null);
    assert.equal(Object.hasOwn(Object.prototype, "id"), false);
  });

  test("P31 names of prototypes change nothing", async () => {
    const extensions = new Map<string, Cbor>([["__proto__", new Map([["spoiled", true]])]]);
    const authenticatorData = (right: Buffer) => Buffer.concat([flagged(right), writeCbor(extensions)]);
    const used = device.get(request, { with: passkey.credentialId, authenticatorData });
    assert.ok(await answers.readUse(used, challenge, passkey));
    const { id, response } = JSON.parse(used);
    const hidden = JSON.stringify({ id, rawId: id, type: "public-key", response: 0 });
    const claim = answers.claimOf(hidden.replace(":0", `:{"__proto__":${JSON.stringify(response)}}`));
    assert.deepEqual(claim, { credentialId: id, userHandle: null });
    assert.equal("spoiled" in {} || "id" in {} || "userHandle" in {}, false);
  });
});

/** With the flag that says that extensions follow. */
function flagged(right: Buffer): Buffer {
  const bytes = Buffer.from(right);
  bytes[32] = (bytes[32] ?? 0) | 0x80;
  return bytes;
}
