import type { NewClient } from "../../src/domain/clients/client.ts";
import { AppError, type ErrorCode } from "../../src/domain/errors.ts";
import type { ContentEvent } from "../../src/domain/events/event.ts";
import type { NewAccountToken } from "../../src/domain/people/account-token.ts";
import type { NewPasskey } from "../../src/domain/people/passkey.ts";
import type { NewUser } from "../../src/domain/people/user.ts";
import type { Artifact } from "../../src/domain/store/artifacts.ts";
import type { Store } from "../../src/domain/store/store.ts";
import type { OpenFresh, OpenTwo } from "./store.ts";

export function aPerson(change: Partial<NewUser> = {}): NewUser {
  return {
    name: "Ada Lovelace",
    email: "ada@example.com",
    emailVerified: true,
    role: "member",
    passwordHash: null,
    ...change,
  };
}

export function aClient(change: Partial<NewClient> = {}): NewClient {
  return {
    id: "client-1",
    name: "Example",
    type: "confidential",
    secretHash: "c2VjcmV0",
    redirectUris: ["https://client.example/callback"],
    postLogoutRedirectUris: [],
    grantTypes: ["authorization_code"],
    scopes: ["openid", "posts:read"],
    firstParty: false,
    idTokenAlgorithm: "ES256",
    backchannelLogoutUri: null,
    jwks: null,
    jwksUri: null,
    dpopBound: false,
    mustPush: false,
    mustSign: false,
    certificateSubject: null,
    selfSigned: false,
    certificateBound: false,
    assertionAlgorithm: null,
    resourceServer: null,
    origin: "operator",
    registrationTokenHash: null,
    ...change,
  };
}

export function anArtifact(change: Partial<Artifact> = {}): Artifact {
  return {
    kind: "AccessToken",
    idHash: "hash-1",
    grantId: null,
    userId: null,
    clientId: null,
    scope: null,
    uidHash: null,
    userCodeHash: null,
    payload: "{}",
    expiresAtSeconds: 2_000,
    consumedAtSeconds: null,
    jkt: null,
    x5t: null,
    authTimeSeconds: null,
    acr: null,
    audience: null,
    ...change,
  };
}

/** Texts that break what splices, escapes or normalises them. */
export const HARD_TEXTS: readonly string[] = [
  "'); DROP TABLE posts; --",
  '" OR 1=1 --',
  "?1 $1 :name @name %s %w {} []",
  "back\\slash \\u0041 \\n 'single' \"double\" `tick`",
  Array.from({ length: 31 }, (_, i) => String.fromCharCode(i + 1)).join(""),
  "\u007f\u0080\u009f\u00ad\u2028\u2029\ufeff\ufffd\uffff",
  "👩‍👩‍👧‍👦 🏳️‍🌈 𝔘𝔫𝔦𝔠𝔬𝔡𝔢 \u{10ffff}",
  "שלום \u202eevil\u202c مرحبا",
  "A\u030a Å \u212b e\u0301 é", // three forms of Å: kept apart
  "</script><!-- & &amp; -->",
  " leading and trailing ",
  "\r\n\t",
  "null",
  "0123",
];

function fieldOf({ details }: AppError): string | undefined {
  return "field" in details ? details.field : undefined;
}

/** The secret of a link that has not been used, good for an hour from 1,700,000,000 (Unix time in seconds). */
export function anAccountToken(change: Partial<NewAccountToken> = {}): NewAccountToken {
  return {
    hash: "h1",
    purpose: "sign-up",
    email: "ada@example.com",
    provesEmail: true,
    userId: null,
    credentialVersion: null,
    invitationId: null,
    codeMac: null,
    browserHash: null,
    interaction: null,
    createdAtSeconds: 1_700_000_000,
    expiresAtSeconds: 1_700_003_600,
    ...change,
  };
}

/** A passkey that has not been used. */
export function aPasskey(change: Partial<NewPasskey> & Pick<NewPasskey, "userId">): NewPasskey {
  return {
    credentialId: "credential-1",
    userHandle: "handle-1",
    publicKey: "pQECAyYgASFYIA",
    rpId: "example.com",
    counter: 0,
    transports: ["internal", "hybrid"],
    aaguid: "00000000-0000-0000-0000-000000000000",
    isBackupEligible: true,
    isBackedUp: false,
    name: "Phone",
    createdAt: "2023-11-14T22:13:20.000Z",
    ...change,
  };
}

/** For assert.throws and assert.rejects. */
export function hasCode(code: ErrorCode, field?: string): (error: unknown) => boolean {
  return (error) => error instanceof AppError && error.code === code && fieldOf(error) === field;
}

/** The first hundred events but those of new people, who are only there to write. */
export async function listEvents(store: Store): Promise<ContentEvent[]> {
  return (await store.outbox.list(null, 100)).filter(({ type }) => type !== "user.created");
}

export async function withStore(
  open: OpenFresh,
  work: (store: Store) => Promise<void>,
  now?: () => number,
): Promise<void> {
  const store = await open(now);
  try {
    await work(store);
  } finally {
    await store.close();
  }
}

/** Of fifty requests on two nodes. */
export async function race<T>(two: readonly [Store, Store], act: (store: Store) => Promise<T>): Promise<T[]> {
  return Promise.all(Array.from({ length: 50 }, (_, i) => act(two[i % 2] as Store)));
}

export async function withTwo(openTwo: OpenTwo, work: (two: readonly [Store, Store]) => Promise<void>): Promise<void> {
  const two = await openTwo();
  try {
    await work(two);
  } finally {
    await Promise.all(two.map((store) => store.close()));
  }
}
