import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from "node:crypto";
import { type Cbor, writeCbor } from "./cbor.ts";

/** COSE numbers: ES256, EdDSA, RS256. */
type Algorithm = -7 | -8 | -257;

/** Options of a page: its `data-options` attribute, or the same as an object. */
type Options = string | Readonly<Record<string, unknown>>;

/** Changes of an answer. Parts without a knob are right; undefined leaves a part out. */
export interface Knobs {
  // The browser's client data, which the signature covers:
  readonly type?: unknown;
  readonly challenge?: unknown;
  readonly origin?: unknown;
  readonly crossOrigin?: unknown;
  readonly topOrigin?: unknown;
  /** All of the client data, as text. */
  readonly clientData?: string;
  // The authenticator's data, which the signature covers:
  readonly rpId?: string;
  readonly flags?: { readonly up?: boolean; readonly uv?: boolean; readonly be?: boolean; readonly bs?: boolean };
  readonly counter?: number;
  readonly aaguid?: string;
  /** All of the authenticator's data, or other bytes in its place. */
  readonly authenticatorData?: (right: Buffer) => Uint8Array;
  // The rest of the answer:
  readonly id?: unknown;
  readonly rawId?: unknown;
  readonly userHandle?: unknown;
  readonly transports?: unknown;
  readonly signature?: (right: Buffer) => Uint8Array;
  readonly algorithm?: Algorithm;
  /** The number in the COSE_Key, where it is not that of the key. */
  readonly alg?: number;
  /** All of the COSE_Key. */
  readonly publicKey?: (right: Map<number | string, Cbor>) => Cbor;
  /** `packed` is self-attestation. Other formats have the statement that is given. */
  readonly fmt?: string;
  readonly statement?: Cbor | ((signature: Uint8Array) => Cbor);
  /** The credential that signs, by its id. By default the first that the page allows, or the latest. */
  readonly with?: string;
  /** Changes of the outer JSON. */
  readonly answer?: Readonly<Record<string, unknown>>;
}

/** What the device keeps of a credential. */
export interface Held {
  readonly id: string;
  readonly rpId: string;
  readonly userHandle: string;
  readonly algorithm: Algorithm;
  readonly privateKey: KeyObject;
  counter: number;
}

export interface Authenticator {
  readonly held: readonly Held[];
  /**
   * The answer to `PublicKeyCredentialCreationOptionsJSON`, as the text of a form field.
   * @throws Error InvalidStateError where the page excludes a credential that the device has
   */
  create(options: Options, knobs?: Knobs): string;
  /**
   * The answer to `PublicKeyCredentialRequestOptionsJSON`.
   * @throws Error NotAllowedError where the device has no such credential
   */
  get(options: Options, knobs?: Knobs): string;
}

/**
 * A browser with an authenticator, made of `node:crypto`.
 *
 * @param settings `rpId` is for options that name none. A device that syncs its credentials does not count; one that does not, counts.
 * @example
 * const device = openAuthenticator({ origin: "https://auth.example.com", rpId: "auth.example.com" });
 * await browser.submit(page, "/account/passkeys", { answer: device.create(options) });
 * await browser.submit(page, "/sign-in", { answer: device.get(options, { flags: { uv: false } }) });
 */
export function openAuthenticator(settings: {
  readonly origin: string;
  readonly rpId: string;
  readonly isSynced?: boolean;
  readonly aaguid?: string;
}): Authenticator {
  const { origin, isSynced = true, aaguid = "00000000-0000-0000-0000-000000000000" } = settings;
  const held: Held[] = [];

  function clientData(type: string, challenge: string, knobs: Knobs): Buffer {
    const data = { type, challenge, origin, crossOrigin: false, ...pick(knobs, CLIENT_DATA) };
    return Buffer.from(knobs.clientData ?? JSON.stringify(data));
  }

  function head(rpId: string, counter: number, isNew: boolean, knobs: Knobs): Buffer {
    const { up, uv, be, bs } = { up: true, uv: true, be: isSynced, bs: isSynced, ...knobs.flags };
    const bytes = Buffer.alloc(37);
    createHash("sha256").update(rpId).digest().copy(bytes);
    bytes[32] = bits(up, false, uv, be, bs, false, isNew);
    bytes.writeUInt32BE(counter, 33);
    return bytes;
  }

  function answer(credential: Held, response: Record<string, unknown>, knobs: Knobs): string {
    const id = "id" in knobs ? knobs.id : credential.id;
    const more = { authenticatorAttachment: "platform", clientExtensionResults: {}, ...knobs.answer };
    return JSON.stringify({ id, rawId: "rawId" in knobs ? knobs.rawId : id, type: "public-key", response, ...more });
  }

  return {
    held,

    create(given, knobs = {}) {
      const options = read(given);
      const rpId = knobs.rpId ?? options.rp?.id ?? settings.rpId;
      if (options.excludeCredentials?.some(({ id }) => held.some((one) => one.id === id)))
        throw new Error("InvalidStateError: the device has a credential of this person");
      const wanted = options.pubKeyCredParams?.map(({ alg }) => alg).find((alg) => alg in KEYS) as
        | Algorithm
        | undefined;
      const algorithm = knobs.algorithm ?? wanted ?? -7;
      const { privateKey, publicKey } = KEYS[algorithm]();
      const id = randomBytes(32).toString("base64url");
      const credential = { id, rpId, userHandle: options.user?.id ?? "", algorithm, privateKey, counter: 0 };
      held.push(credential);

      const key = coseKey(publicKey, algorithm);
      if (knobs.alg !== undefined) key.set(3, knobs.alg);
      const idBytes = Buffer.from(id, "base64url");
      const right = Buffer.concat([
        head(rpId, knobs.counter ?? 0, true, knobs),
        Buffer.from((knobs.aaguid ?? aaguid).replaceAll("-", ""), "hex"),
        Buffer.of(idBytes.length >> 8, idBytes.length & 0xff),
        idBytes,
        writeCbor(knobs.publicKey?.(key) ?? key),
      ]);
      const authData = knobs.authenticatorData?.(right) ?? right;
      const data = clientData("webauthn.create", options.challenge, knobs);
      const { fmt = "none" } = knobs;
      const signature = signed(credential, authData, data, knobs);
      const own: Cbor =
        fmt === "packed"
          ? new Map<string, Cbor>([
              ["alg", algorithm],
              ["sig", signature],
            ])
          : new Map();
      const object = new Map<string, Cbor>([
        ["fmt", fmt],
        ["attStmt", (typeof knobs.statement === "function" ? knobs.statement(signature) : knobs.statement) ?? own],
        ["authData", authData],
      ]);
      const response = {
        clientDataJSON: data.toString("base64url"),
        attestationObject: writeCbor(object).toString("base64url"),
        transports: "transports" in knobs ? knobs.transports : ["internal", "hybrid"],
      };
      return answer(credential, response, knobs);
    },

    get(given, knobs = {}) {
      const options = read(given);
      const rpId = knobs.rpId ?? options.rpId ?? settings.rpId;
      const allowed = options.allowCredentials?.length ? options.allowCredentials.map(({ id }) => id) : null;
      const credential = knobs.with
        ? held.find(({ id }) => id === knobs.with)
        : held.findLast((one) => allowed?.includes(one.id) ?? one.rpId === (options.rpId ?? settings.rpId));
      if (!credential) throw new Error("NotAllowedError: the device has no credential for this page");
      if (!isSynced) credential.counter++;
      const right = head(rpId, knobs.counter ?? credential.counter, false, knobs);
      const authData = knobs.authenticatorData?.(right) ?? right;
      const data = clientData("webauthn.get", options.challenge, knobs);
      const response = {
        clientDataJSON: data.toString("base64url"),
        authenticatorData: Buffer.from(authData).toString("base64url"),
        signature: signed(credential, authData, data, knobs).toString("base64url"),
        userHandle: "userHandle" in knobs ? knobs.userHandle : credential.userHandle,
      };
      return answer(credential, response, knobs);
    },
  };
}

const CLIENT_DATA = ["type", "challenge", "origin", "crossOrigin", "topOrigin"] as const;

const KEYS: Record<Algorithm, () => { readonly privateKey: KeyObject; readonly publicKey: KeyObject }> = {
  [-7]: () => generateKeyPairSync("ec", { namedCurve: "P-256" }),
  [-8]: () => generateKeyPairSync("ed25519"),
  [-257]: () => generateKeyPairSync("rsa", { modulusLength: 2_048 }),
};

function read(options: Options) {
  return (typeof options === "string" ? JSON.parse(options) : options) as {
    readonly challenge: string;
    readonly rp?: { readonly id?: string };
    readonly rpId?: string;
    readonly user?: { readonly id: string };
    readonly pubKeyCredParams?: readonly { readonly alg: number }[];
    readonly excludeCredentials?: readonly { readonly id: string }[];
    readonly allowCredentials?: readonly { readonly id: string }[];
  };
}

function pick(knobs: Knobs, names: readonly (keyof Knobs)[]): Record<string, unknown> {
  return Object.fromEntries(names.filter((name) => name in knobs).map((name) => [name, knobs[name]]));
}

/** The lowest bit first. */
function bits(...values: readonly boolean[]): number {
  return values.reduce((byte, value, bit) => byte | (Number(value) << bit), 0);
}

function signed(credential: Held, authData: Uint8Array, data: Buffer, knobs: Knobs): Buffer {
  const base = Buffer.concat([authData, createHash("sha256").update(data).digest()]);
  const right = sign(credential.algorithm === -8 ? null : "sha256", base, credential.privateKey);
  return Buffer.from(knobs.signature?.(right) ?? right);
}

function coseKey(publicKey: KeyObject, algorithm: Algorithm): Map<number | string, Cbor> {
  const jwk = publicKey.export({ format: "jwk" });
  const bytes = (name: "x" | "y" | "n" | "e") => Buffer.from(jwk[name] ?? "", "base64url");
  if (algorithm === -7)
    return new Map<number, Cbor>([
      [1, 2],
      [3, -7],
      [-1, 1],
      [-2, bytes("x")],
      [-3, bytes("y")],
    ]);
  if (algorithm === -8)
    return new Map<number, Cbor>([
      [1, 1],
      [3, -8],
      [-1, 6],
      [-2, bytes("x")],
    ]);
  return new Map<number, Cbor>([
    [1, 3],
    [3, -257],
    [-1, bytes("n")],
    [-2, bytes("e")],
  ]);
}
