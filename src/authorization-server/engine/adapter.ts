import Provider, { type Adapter, type AdapterFactory, type AdapterPayload, errors } from "oidc-provider";
import type { Door } from "../../domain/door.ts";
import type { Artifact, ArtifactStore } from "../../domain/store/artifacts.ts";
import type { Store } from "../../domain/store/store.ts";
import type { Sealer } from "../../secrets/seal.ts";
import { hashToken } from "../../secrets/token-hash.ts";
import type { SignInClaims } from "../tokens/claims.ts";
import { toEngineError } from "./engine-errors.ts";
import { redemptionUnderWay } from "./redemption.ts";

export interface AdapterOptions {
  readonly store: Store;
  readonly sealer: Sealer;
  /** Seconds after its sign-in at which a session ends, however often it is used (U34). */
  readonly SESSION_MAX: number;
  /** Milliseconds of Unix time. */
  readonly now: () => number;
}

/** A refresh token that is used again this soon after its rotation comes from a second tab, not from a thief. */
const RACE_SECONDS = 10;

/** The note of an access token that is a JWT. It opens nothing here, so no other kind will do. */
export const JWT_ACCESS_TOKEN = "JwtAccessToken";

/** The door that an access token for the identifier is for. */
type DoorOf = (identifier: unknown) => Door | null;

/** Artifacts that end with their grant, and must not be written after its end. */
const GRANTED: ReadonlySet<string> = new Set(["AccessToken", JWT_ACCESS_TOKEN, "AuthorizationCode", "RefreshToken"]);

/** Artifacts that the engine finds by another name, and whose id it needs afterwards. */
const FOUND_BY_OTHER_NAME: ReadonlySet<string> = new Set(["Session", "DeviceCode", JWT_ACCESS_TOKEN]);

/**
 * Stands for a session that was ended from outside of it, by its `uidHash`: the engine writes a session back at the end
 * of each request, one that was under way meanwhile too.
 */
export const ENDED_SESSION = "EndedSession";

/**
 * The engine's persistence. Ids are hashed and payloads sealed, so that nothing in the database can be used (A43).
 *
 * @param clients serves the engine's model `Client`, which is no artifact
 */
export function openAdapters(options: AdapterOptions, clients: Adapter, doorOf: DoorOf): AdapterFactory {
  return (kind) => (kind === "Client" ? clients : artifactAdapter(kind, options, doorOf));
}

function artifactAdapter(kind: string, options: AdapterOptions, doorOf: DoorOf): Adapter {
  const { sealer, now } = options;
  const { artifacts } = options.store;
  const nowSeconds = () => Math.floor(now() / 1000);
  return {
    upsert: (id, payload, expiresIn) =>
      guarded(async () => {
        const redemption = redemptionUnderWay();
        const kept = kind === "RefreshToken" ? { ...payload, ...redemption?.origin() } : payload;
        const sealed = seal(noteOf(kind, payload), id, kept, expiresIn, sealer, nowSeconds());
        const artifact = { ...sealed, audience: doorOf(audienceOf(payload)) };
        if (redemption?.put(artifact)) return;
        await artifacts.put(artifact);
        if (kind === "Session" && (await isEnded(artifacts, artifact))) await artifacts.destroy(kind, artifact.idHash);
        // A grant that was revoked while this was on its way takes it along.
        if (artifact.grantId !== null && GRANTED.has(kind) && !(await hasGrant(artifacts, artifact.grantId)))
          await artifacts.revokeGrant(artifact.grantId);
      }),
    find: (id) =>
      guarded(async () => {
        const artifact = await artifacts.find(kind, hashToken(id));
        const payload = artifact === null ? undefined : unseal(artifact, sealer);
        if (artifact === null || payload === undefined) return undefined;
        // Written back for a moment by a request that was under way: a request that saw it would write it back again.
        if (kind === "Session" && (isTooOld(payload, options) || (await isEnded(artifacts, artifact))))
          return undefined;
        // Used up, see `destroy`.
        if (kind === "Interaction" && artifact.consumedAtSeconds !== null) return undefined;
        const mayUse =
          kind === "RefreshToken" && (await redemptionUnderWay()?.mayUse(artifact, payload, nowSeconds())) === true;
        const consumed = mayUse || isRace(artifact, nowSeconds()) ? null : artifact.consumedAtSeconds;
        return { ...payload, jti: id, ...(consumed === null ? {} : { consumed }) };
      }),
    findByUid: (uid) =>
      guarded(async () => {
        const artifact = await artifacts.findByUid(kind, hashToken(uid));
        const payload = open(artifact, sealer);
        if (artifact === null || payload === undefined || isTooOld(payload, options)) return undefined;
        return (await isEnded(artifacts, artifact)) ? undefined : payload;
      }),
    findByUserCode: (code) => guarded(async () => open(await artifacts.findByUserCode(kind, hashToken(code)), sealer)),
    // The engine ignores the return value, so losers must be rejected by an error before a token is issued.
    consume: (id) =>
      guarded(async () => {
        const used = { kind, idHash: hashToken(id), atSeconds: nowSeconds() };
        if (redemptionUnderWay()?.consume(used)) return;
        if (await artifacts.consume(kind, used.idHash, used.atSeconds)) return;
        if (kind === "PushedAuthorizationRequest") throw new errors.InvalidRequestUri("request_uri was already used");
        throw new errors.InvalidGrant({ detail: `${kind} is used already` });
      }),
    destroy: (id) =>
      guarded(async () => {
        // A finished interaction is kept until it expires: the Back button leads to it.
        if (kind === "Interaction") await artifacts.consume(kind, hashToken(id), nowSeconds());
        else await artifacts.destroy(kind, hashToken(id));
      }),
    revokeByGrantId: (grantId) => guarded(() => artifacts.revokeGrant(grantId)),
  };
}

/** An interaction's payload even when it is finished or has expired; undefined when it is swept. */
export async function findPastInteraction(
  uid: string,
  { store, sealer }: AdapterOptions,
): Promise<AdapterPayload | undefined> {
  return open(await store.artifacts.find("Interaction", hashToken(uid)), sealer);
}

function seal(
  kind: string,
  id: string,
  payload: AdapterPayload,
  expiresIn: number | undefined,
  sealer: Sealer,
  nowSeconds: number,
): Artifact {
  const idHash = (payload.jwtHash as string | undefined) ?? hashToken(id);
  // The id is what a bearer presents: not even sealed does it belong into the row. Sessions are also found by uid.
  const { jti, ...rest } = payload;
  const kept = FOUND_BY_OTHER_NAME.has(kind) ? payload : rest;
  const { auth_time: authTimeSeconds, acr } = (payload.extra ?? {}) as Partial<SignInClaims>;
  return {
    kind,
    idHash,
    grantId: kind === "Grant" ? id : (payload.grantId ?? null),
    // A sign-in that is on its way belongs to the person already: signing out everywhere ends it too.
    userId: payload.accountId ?? payload.result?.login?.accountId ?? payload.session?.accountId ?? null,
    clientId: payload.clientId ?? null,
    scope: payload.scope ?? null,
    uidHash: payload.uid === undefined ? null : hashToken(payload.uid),
    userCodeHash: payload.userCode === undefined ? null : hashToken(payload.userCode),
    payload: sealer.seal(JSON.stringify(kept), `${kind} ${idHash}`),
    expiresAtSeconds: payload.exp ?? (expiresIn === undefined ? null : nowSeconds + expiresIn),
    consumedAtSeconds: null,
    jkt: (payload.jkt as string | undefined) ?? null,
    x5t: (payload["x5t#S256"] as string | undefined) ?? null,
    authTimeSeconds: authTimeSeconds ?? null,
    acr: acr ?? null,
  };
}

/** The identifier that an access token is for. The engine keeps it for resources of its own alone: see grants/audiences.ts. */
function audienceOf({ aud, extra }: AdapterPayload): unknown {
  return aud ?? (extra as { readonly aud?: unknown } | undefined)?.aud;
}

function noteOf(kind: string, payload: AdapterPayload): string {
  return payload.format === "jwt" ? JWT_ACCESS_TOKEN : kind;
}

/** Undefined for what does not open. */
export function unseal(artifact: Artifact, sealer: Sealer): AdapterPayload | undefined {
  const text = sealer.open(artifact.payload, `${artifact.kind} ${artifact.idHash}`);
  return text === null ? undefined : (JSON.parse(text) as AdapterPayload);
}

function open(artifact: Artifact | null, sealer: Sealer): AdapterPayload | undefined {
  return artifact === null ? undefined : unseal(artifact, sealer);
}

/**
 * Hides a fresh rotation from the refresh grant alone. The engine then goes on to `consume`, which refuses without
 * revoking the family; an older one is shown to it, and it revokes.
 */
function isRace(artifact: Artifact, nowSeconds: number): boolean {
  if (artifact.kind !== "RefreshToken" || artifact.consumedAtSeconds === null) return false;
  return Provider.ctx?.oidc.route === "token" && nowSeconds - artifact.consumedAtSeconds <= RACE_SECONDS;
}

/** A session may have been stored while SESSION_MAX was longer. */
export function isTooOld(
  { loginTs }: AdapterPayload,
  { SESSION_MAX, now }: Pick<AdapterOptions, "SESSION_MAX" | "now">,
) {
  return loginTs !== undefined && loginTs + SESSION_MAX <= Math.floor(now() / 1_000);
}

async function isEnded(artifacts: ArtifactStore, { uidHash }: Artifact): Promise<boolean> {
  return uidHash !== null && (await artifacts.find(ENDED_SESSION, uidHash)) !== null;
}

async function hasGrant(artifacts: ArtifactStore, grantId: string): Promise<boolean> {
  return (await artifacts.find("Grant", hashToken(grantId))) !== null;
}

async function guarded<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw toEngineError(error);
  }
}
