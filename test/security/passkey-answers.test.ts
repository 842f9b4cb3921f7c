import assert from "node:assert/strict";
import { randomBytes, randomUUID } from "node:crypto";
import { before, describe, test } from "node:test";
import { openPasskeyAnswers } from "../../src/authorization-server/passkeys/answers.ts";
import { nameModel } from "../../src/authorization-server/passkeys/models.ts";
import type { Id } from "../../src/domain/id.ts";
import type { NewCredential, Passkey } from "../../src/domain/people/passkey.ts";
import { type Authenticator, type Knobs, openAuthenticator } from "./authenticator.ts";
import { type Cbor, writeCbor } from "./cbor.ts";

const site = { origin: "https://auth.example.com", rpId: "auth.example.com" };
const answers = openPasskeyAnswers(site);
const challenge = randomBytes(32).toString("base64url");
const userHandle = randomBytes(32).toString("base64url");
const creation = {
  challenge,
  rp: { id: site.rpId, name: "Example" },
  user: { id: userHandle, name: "ada@example.com", displayName: "Ada" },
  pubKeyCredParams: [-7, -8, -257].map((alg) => ({ type: "public-key", alg })),
  attestation: "none",
};
const request = { challenge, rpId: site.rpId, userVerification: "required" };

function stored(credential: NewCredential, changes: Partial<Passkey> = {}): Passkey {
  const createdAt = "2026-09-01T12:00:00.000Z";
  return { ...credential, userId: randomUUID() as Id, userHandle, name: "Mine", createdAt, usedAt: null, ...changes };
}

async function enrolled(device: Authenticator, knobs: Knobs = {}): Promise<Passkey> {
  const credential = await answers.readNew(device.create(creation, knobs), challenge);
  assert.ok(credential);
  return stored(credential);
}

let device: Authenticator;
let passkey: Passkey;
before(async () => {
  device = openAuthenticator(site);
  passkey = await enrolled(device);
});

/** Changes that spoil an answer of either ceremony, each alone. */
const ATTACKS: readonly (readonly [string, Knobs])[] = [
  ["P30 another challenge", { challenge: randomBytes(32).toString("base64url") }],
  ["P30 an empty challenge", { challenge: "" }],
  ["P30 no challenge", { challenge: undefined }],
  ["P30 the challenge in a list", { challenge: [challenge] }],
  ["P30 the challenge with padding", { challenge: `${challenge}=` }],
  ["P31 another type", { type: "payment.get" }],
  ["P31 no type", { type: undefined }],
  ["P31 another site", { origin: "https://auth.example.org" }],
  ["P31 a sub-domain", { origin: "https://a.auth.example.com" }],
  ["P31 the domain above", { origin: "https://example.com" }],
  ["P31 another port", { origin: "https://auth.example.com:8443" }],
  ["P31 the port that https has anyway", { origin: "https://auth.example.com:443" }],
  ["P31 http", { origin: "http://auth.example.com" }],
  ["P31 a longer domain", { origin: "https://auth.example.com.attacker.example" }],
  ["P31 capital letters", { origin: "https://AUTH.example.com" }],
  ["P31 a path", { origin: "https://auth.example.com/" }],
  ["P31 an app", { origin: "android:apk-key-hash:abc" }],
  ["P31 the origin null", { origin: "null" }],
  ["P31 the origin in a list", { origin: ["https://auth.example.com"] }],
  ["P31 no origin", { origin: undefined }],
  ["P31 a frame of another origin", { crossOrigin: true }],
  ["P31 a frame of another origin, named", { crossOrigin: true, topOrigin: "https://attacker.example" }],
  ["P31 a top origin without a frame", { topOrigin: "https://attacker.example" }],
  ["P31 crossOrigin as text", { crossOrigin: "false" }],
  ["P31 crossOrigin null", { crossOrigin: null }],
  ["P31 client data that is no object", { clientData: "null" }],
  [
    "P31 client data with a prototype",
    {
      clientData: JSON.stringify({ challenge }).replace(
        "{",
        `{"__proto__":{"origin":"${site.origin}","type":"webauthn.get"},`,
      ),
    },
  ],
  ["P31 client data that is no JSON", { clientData: "{" }],
  ["P31 the hash of another domain", { rpId: "example.com" }],
  ["P31 nobody present", { flags: { up: false } }],
  ["P31 the person not verified", { flags: { uv: false } }],
  ["P31 neither present nor verified", { flags: { up: false, uv: false } }],
  ["P31 backed up, but never to be", { flags: { be: false, bs: true } }],
  ["P31 one byte too many", { authenticatorData: (right) => Buffer.concat([right, Buffer.of(0)]) }],
  ["P31 36 bytes", { authenticatorData: (right) => right.subarray(0, 36) }],
  ["P31 no authenticator data", { authenticatorData: () => Buffer.of() }],
  ["P31 extensions said, and none there", { authenticatorData: (right) => flip(right, 32, 0x80) }],
  ["P31 id other than rawId", { rawId: randomBytes(32).toString("base64url") }],
  ["P31 id of another", { id: randomBytes(32).toString("base64url") }],
  ["P31 id of 1,024 bytes", { id: randomBytes(1_024).toString("base64url") }],
  ["P31 an empty id", { id: "" }],
  ["P31 an id that is a number", { id: 1 }],
  ["P31 no id", { id: undefined, rawId: undefined }],
  ["P31 another kind of credential", { answer: { type: "password" } }],
  ["P31 no response", { answer: { response: null } }],
  ["P31 a response that is text", { answer: { response: "x" } }],
];

/** Adds an extension of so many bytes to the authenticator's data. */
function extended(size: number): Knobs {
  const extensions = writeCbor(new Map([["credBlob", Buffer.alloc(size)]]));
  return { authenticatorData: (right) => Buffer.concat([flip(right, 32, 0x80), extensions]) };
}

function flip(bytes: Uint8Array, at: number, mask = 1): Buffer {
  const other = Buffer.from(bytes);
  other[at] = (other[at] ?? 0) ^ mask;
  return other;
}

describe("U36 a new passkey", () => {
  for (const [name, algorithm] of [
    ["ES256", -7],
    ["EdDSA", -8],
    ["RS256", -257],
  ] as const)
    test(`U36 U37 ${name}: enrolled and used, with and without self-attestation`, async () => {
      for (const fmt of ["none", "packed"]) {
        const device = openAuthenticator(site);
        const passkey = await enrolled(device, { algorithm, fmt });
        const use = await answers.readUse(device.get(request), challenge, passkey);
        assert.deepEqual(use, { counter: 0, isBackedUp: true });
        for (const at of [0, 5, 31, 40, 63]) {
          const forged = device.get(request, { signature: (right) => flip(right, at) });
          assert.equal(await answers.readUse(forged, challenge, passkey), null, `bit ${at}`);
        }
      }
    });

  test("U36 all its facts", async () => {
    const aaguid = "bada5566-a7aa-401f-bd96-45619a55120d";
    const device = openAuthenticator({ ...site, aaguid, isSynced: false });
    const transports = ["usb", "smoke", "nfc", "usb", 1, null, "__proto__"];
    const credential = await answers.readNew(device.create(creation, { counter: 7, transports }), challenge);
    assert.ok(credential);
    const { publicKey, ...facts } = credential;
    assert.deepEqual(facts, {
      credentialId: device.held[0]?.id,
      rpId: site.rpId,
      counter: 7,
      transports: ["nfc", "usb"],
      aaguid,
      isBackupEligible: false,
      isBackedUp: false,
    });
    assert.equal(Buffer.from(publicKey, "base64url").length, 77);
    assert.equal(nameModel(aaguid), "1Password");
  });

  test("U36 transports are a hint: an answer without them, or with junk, is as good", async () => {
    for (const transports of [undefined, null, "usb", { length: 1e9 }, [["usb"]]]) {
      const credential = await answers.readNew(openAuthenticator(site).create(creation, { transports }), challenge);
      assert.deepEqual(credential?.transports, []);
    }
  });

  test("U36 an authenticator that may be copied, and is not yet", async () => {
    const passkey = await enrolled(openAuthenticator(site), { flags: { be: true, bs: false } });
    assert.deepEqual([passkey.isBackupEligible, passkey.isBackedUp], [true, false]);
  });

  test("U36 names of models; none for a model that does not say, and for names of objects", () => {
    assert.equal(nameModel("ea9b8d66-4d01-1d21-3ce4-b6b48cb575d4"), "Google Password Manager");
    for (const aaguid of ["00000000-0000-0000-0000-000000000000", "", "__proto__", "constructor"])
      assert.equal(nameModel(aaguid), null);
  });

  for (const [name, knobs] of ATTACKS)
    test(`${name}: no new passkey`, async () => {
      assert.equal(await answers.readNew(openAuthenticator(site).create(creation, knobs), challenge), null);
    });

  const attestations: readonly (readonly [string, Knobs])[] = [
    ["none with a statement", { statement: new Map([["alg", -7]]) }],
    ["none with a list", { statement: [] }],
    ["self-attestation with a wrong signature", { fmt: "packed", signature: (right) => flip(right, 20) }],
    [
      "self-attestation, right but for another algorithm",
      {
        fmt: "packed",
        statement: (signature) =>
          new Map<string, Cbor>([
            ["alg", -257],
            ["sig", signature],
          ]),
      },
    ],
    ["self-attestation without a signature", { fmt: "packed", statement: new Map([["alg", -7]]) }],
    [
      "a signature of 3 KB",
      {
        fmt: "packed",
        statement: new Map<string, Cbor>([
          ["alg", -7],
          ["sig", randomBytes(3_000)],
        ]),
      },
    ],
    [
      "certificates",
      {
        fmt: "packed",
        statement: new Map<string, Cbor>([
          ["alg", -7],
          ["sig", randomBytes(70)],
          ["x5c", [randomBytes(500)]],
        ]),
      },
    ],
    ...["fido-u2f", "tpm", "apple", "android-key", "android-safetynet", "compound", "", "__proto__"].map(
      (fmt) => [`the format "${fmt}"`, { fmt }] as const,
    ),
  ];
  for (const [name, knobs] of attestations)
    test(`P31 attestation: ${name} is not accepted`, async () => {
      assert.equal(await answers.readNew(openAuthenticator(site).create(creation, knobs), challenge), null);
    });

  const set = (label: number, value: Cbor) => (right: Map<number | string, Cbor>) => right.set(label, value);
  const keys: readonly (readonly [string, Knobs])[] = [
    ...[0, -1, -35, -36, -37, -47, -48, -53, -65_535].map((alg) => [`algorithm ${alg}`, { alg }] as const),
    ["EC key said to be RSA", { alg: -257 }],
    ["algorithm as text", { publicKey: set(3, "none") }],
    ["another type of key", { publicKey: set(1, 1) }],
    ["another curve", { publicKey: set(-1, 2) }],
    ["a short coordinate", { publicKey: set(-2, randomBytes(31)) }],
    ["a compressed point", { publicKey: set(-3, true) }],
    ["RSA of 1,024 bits", { algorithm: -257, publicKey: set(-1, randomBytes(128)) }],
    ["RSA of 8,192 bits", { algorithm: -257, publicKey: set(-1, randomBytes(1_024)) }],
    ["RSA with the exponent 1", { algorithm: -257, publicKey: set(-2, Buffer.of(1)) }],
    ["RSA with a long exponent", { algorithm: -257, publicKey: set(-2, randomBytes(256)) }],
    ["a key with 3 KB more", { publicKey: set(-70, randomBytes(3_000)) }],
    ["a list for a key", { publicKey: () => [1, 2, 3] }],
    ["text for a key", { publicKey: () => "key" }],
    ["a key without an algorithm", { publicKey: (right) => new Map([...right].filter(([label]) => label !== 3)) }],
  ];
  for (const [name, knobs] of keys)
    test(`P31 public key: ${name} is not accepted`, async () => {
      assert.equal(await answers.readNew(openAuthenticator(site).create(creation, knobs), challenge), null);
    });

  test("P31 a sign-in is no enrolment, and an enrolment no sign-in", async () => {
    assert.equal(await answers.readNew(device.get(request), challenge), null);
    assert.equal(await answers.readNew(device.create(creation, { type: "webauthn.get" }), challenge), null);
    assert.equal(await answers.readUse(device.create(creation), challenge, passkey), null);
    assert.equal(await answers.readUse(device.get(request, { type: "webauthn.create" }), challenge, passkey), null);
  });
});

describe("U37 the use of a passkey", () => {
  const use = (knobs: Knobs, of = passkey) =>
    answers.readUse(device.get(request, { with: passkey.credentialId, ...knobs }), challenge, of);

  test("U37 tells the counter, whatever it is, and whether the passkey is backed up", async () => {
    assert.deepEqual(await use({ counter: 5 }), { counter: 5, isBackedUp: true });
    assert.deepEqual(await use({ counter: 3 }, { ...passkey, counter: 9 }), { counter: 3, isBackedUp: true });
    assert.deepEqual(await use({ counter: 0xff_ff_ff_ff }), { counter: 0xff_ff_ff_ff, isBackedUp: true });
    assert.deepEqual(await use({ flags: { bs: false } }), { counter: 0, isBackedUp: false });
  });

  test("U37 client data may have more fields, and need not say crossOrigin", async () => {
    assert.ok(await use({ crossOrigin: undefined }));
    const clientData = { type: "webauthn.get", challenge, origin: site.origin, other_keys_can_be_added_here: "…" };
    assert.ok(await use({ clientData: JSON.stringify(clientData) }));
    assert.equal(await use({ clientData: JSON.stringify({ ...clientData, more: "x".repeat(5_000) }) }), null);
  });

  for (const [name, knobs] of ATTACKS)
    test(`${name}: no use`, async () => {
      assert.equal(await use(knobs), null);
    });

  test("P31 extensions are read over, and are not as long as anybody likes", async () => {
    assert.ok(await use(extended(32)));
    assert.equal(await use(extended(5_000)), null);
    assert.ok(await answers.readNew(openAuthenticator(site).create(creation, extended(32)), challenge));
    assert.equal(await answers.readNew(openAuthenticator(site).create(creation, extended(5_000)), challenge), null);
  });

  test("P31 a wrong, absent or malformed user handle", async () => {
    for (const handle of [
      randomBytes(32).toString("base64url"),
      undefined,
      null,
      "",
      `${userHandle}=`,
      userHandle.slice(1),
      7,
      [userHandle],
    ])
      assert.equal(await use({ userHandle: handle }), null, String(handle));
    assert.ok(await use({ userHandle }));
  });

  test("P31 a passkey of another domain, another person, or with another key", async () => {
    assert.ok(await use({}));
    assert.equal(await use({}, { ...passkey, rpId: "example.com" }), null);
    assert.equal(await use({}, { ...passkey, userHandle: randomBytes(32).toString("base64url") }), null);
    assert.equal(await use({}, { ...passkey, credentialId: randomBytes(32).toString("base64url") }), null);
    const other = await enrolled(openAuthenticator(site));
    assert.equal(await use({}, { ...passkey, publicKey: other.publicKey }), null);
    for (const publicKey of ["", "AA", "_____", randomBytes(77).toString("base64url")])
      assert.equal(await use({}, { ...passkey, publicKey }), null);
  });

  test("P31 BE has changed, either way", async () => {
    assert.equal(await use({ flags: { be: false, bs: false } }), null);
    assert.equal(await use({}, { ...passkey, isBackupEligible: false }), null);
  });

  test("P31 signatures: r and s zero, of nothing, of another challenge, of other bytes, junk", async () => {
    const [zero, one] = [Buffer.from("3006020100020100", "hex"), Buffer.from("3006020101020101", "hex")];
    const order = Buffer.from("ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551", "hex");
    const whole = Buffer.concat([Buffer.from("304602", "hex"), Buffer.of(33, 0), order, Buffer.of(2, 33, 0), order]);
    const [deep, deeper] = [500, 30_000].map((size) => Buffer.alloc(size, Buffer.of(0x30, 0x80)));
    for (const signature of [
      zero,
      one,
      whole,
      deep as Buffer,
      deeper as Buffer,
      Buffer.alloc(64),
      Buffer.alloc(0),
      randomBytes(70),
      randomBytes(600),
    ])
      assert.equal(await use({ signature: () => signature }), null, signature.toString("hex"));
    const right = JSON.parse(device.get(request, { with: passkey.credentialId }));
    const other = JSON.parse(device.get({ ...request, challenge: "b3RoZXI" }, { with: passkey.credentialId }));
    const mixed = { ...right, response: { ...right.response, signature: other.response.signature } };
    assert.equal(await answers.readUse(JSON.stringify(mixed), challenge, passkey), null);
    const changed = flip(Buffer.from(right.response.authenticatorData, "base64url"), 36).toString("base64url");
    const counted = { ...right, response: { ...right.response, authenticatorData: changed } };
    assert.equal(await answers.readUse(JSON.stringify(counted), challenge, passkey), null);
    assert.ok(await answers.readUse(JSON.stringify(right), challenge, passkey));
  });

  test("U37 claimOf: the passkey and the person that an answer speaks of", () => {
    const { credentialId } = passkey;
    const claim = (knobs: Knobs) => answers.claimOf(device.get(request, { with: credentialId, ...knobs }));
    assert.deepEqual(claim({}), { credentialId, userHandle });
    assert.deepEqual(claim({ userHandle: undefined }), { credentialId, userHandle: null });
    assert.equal(claim({ userHandle: "not base64" }), null);
    assert.equal(claim({ userHandle: randomBytes(65).toString("base64url") }), null);
    assert.equal(claim({ id: `${credentialId}=` }), null);
    assert.equal(claim({ rawId: "AAAA" }), null);
  });
});
