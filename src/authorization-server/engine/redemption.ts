import Provider, { errors, type KoaContextWithOIDC } from "oidc-provider";
import type { Artifact, ArtifactStore } from "../../domain/store/artifacts.ts";
import { hashToken } from "../../secrets/token-hash.ts";
import { toEngineError } from "./engine-errors.ts";

/** Artifacts that the engine consumes for tokens, and artifacts that it issues. */
const USED: ReadonlySet<string> = new Set(["AuthorizationCode", "RefreshToken", "DeviceCode"]);
const ISSUED: ReadonlySet<string> = new Set(["AccessToken", "JwtAccessToken", "RefreshToken"]);

type Used = Pick<Artifact, "kind" | "idHash"> & { readonly atSeconds: number };

/** Lets a rotated refresh token be used again for a short time. */
export interface RefreshRetries {
  readonly graceSeconds: number;
  /** Counts one more use of the token. @returns whether it is within the bound */
  count(idHash: string): Promise<boolean>;
  /** The token was used again. */
  told(): void;
}

/** A refresh token as it is stored. */
interface StoredRefreshToken {
  readonly iat?: number | undefined;
  /** `idHash` of the token that this one came for, of a client that may retry. */
  readonly rotatedFrom?: string;
}

/** The mark of a rotated refresh token whose successor was used: it is not the last one any more. */
const SUPERSEDED = "SupersededRefreshToken";

/**
 * One request to the token endpoint. The engine consumes and saves one after the other; here it is gathered, to be
 * written in one transaction before the answer goes out. One commit costs more than all of the rest, and whoever loses
 * the race for a code or a refresh token leaves nothing behind.
 */
class Redemption {
  readonly #artifacts: ArtifactStore;
  readonly #retries: RefreshRetries | null;
  readonly #issued: Artifact[] = [];
  #used: Used | null = null;
  #found: StoredRefreshToken = {};

  constructor(artifacts: ArtifactStore, retries: RefreshRetries | null) {
    this.#artifacts = artifacts;
    this.#retries = retries;
  }

  /** @returns false for an artifact that must be written immediately */
  consume(used: Used): boolean {
    if (this.#used !== null || !USED.has(used.kind)) return false;
    this.#used = used;
    return true;
  }

  /** @returns false for an artifact that must be written immediately */
  put(artifact: Artifact): boolean {
    if (this.#used === null || artifact.grantId === null || !ISSUED.has(artifact.kind)) return false;
    this.#issued.push(artifact);
    return true;
  }

  /** Properties that a refresh token issued now keeps, besides those of the engine. */
  origin(): StoredRefreshToken {
    return this.#retries === null || this.#used?.kind !== "RefreshToken" ? {} : { rotatedFrom: this.#used.idHash };
  }

  /** Told of the refresh token that the request brought. @returns whether it may be used although it was rotated */
  async mayUse(artifact: Artifact, stored: StoredRefreshToken, nowSeconds: number): Promise<boolean> {
    this.#found = stored;
    const { consumedAtSeconds } = artifact;
    if (this.#retries === null || consumedAtSeconds === null) return false;
    if (nowSeconds - consumedAtSeconds > this.#retries.graceSeconds) return false;
    return !(await this.#isSuperseded(artifact.idHash));
  }

  /** @throws InvalidGrant for what was used before, or whose grant was revoked meanwhile; nothing is written then */
  async write(): Promise<void> {
    const used = this.#used;
    if (used === null) return;
    const grantId = this.#issued[0]?.grantId;
    if (grantId == null) throw new Error(`nothing was issued for the ${used.kind}`);
    await this.#supersede(grantId, used.atSeconds);
    const redemption = { ...used, grantHash: hashToken(grantId), issued: this.#issued };
    if (await this.#artifacts.redeem(redemption)) return;
    if (used.kind === "RefreshToken" && (await this.#retry(redemption))) return;
    // Used twice at the same time is used twice (RFC 6749 section 4.1.2).
    if (used.kind === "AuthorizationCode") await this.#artifacts.revokeGrant(grantId);
    throw new errors.InvalidGrant({ detail: `${used.kind} is used or revoked already` });
  }

  async #retry(redemption: Parameters<ArtifactStore["redeem"]>[0]): Promise<boolean> {
    const { idHash, atSeconds } = redemption;
    if (this.#retries === null || (await this.#isSuperseded(idHash)) || !(await this.#retries.count(idHash)))
      return false;
    const againSinceSeconds = atSeconds - this.#retries.graceSeconds;
    const isDone = await this.#artifacts.redeem({ ...redemption, againSinceSeconds });
    if (isDone) this.#retries.told();
    return isDone;
  }

  async #isSuperseded(idHash: string): Promise<boolean> {
    return (await this.#artifacts.find(SUPERSEDED, idHash)) !== null;
  }

  /** Ends the grace of the token before the one that is used now. */
  async #supersede(grantId: string, nowSeconds: number): Promise<void> {
    const { rotatedFrom, iat = 0 } = this.#found;
    if (this.#retries === null || rotatedFrom === undefined || nowSeconds - iat > this.#retries.graceSeconds) return;
    await this.#artifacts.put({
      kind: SUPERSEDED,
      idHash: rotatedFrom,
      grantId,
      userId: null,
      clientId: null,
      scope: null,
      uidHash: null,
      userCodeHash: null,
      payload: "",
      expiresAtSeconds: nowSeconds + 2 * this.#retries.graceSeconds,
      consumedAtSeconds: null,
    });
  }
}

const underWay = new WeakMap<object, Redemption>();

/** The redemption of the current request, if there is one. */
export function redemptionUnderWay(): Redemption | undefined {
  const { ctx } = Provider;
  return ctx === undefined ? undefined : underWay.get(ctx);
}

/**
 * Runs a grant of the token endpoint, and writes what it does.
 *
 * @param retries null for clients whose refresh tokens work once
 */
export async function redeem(
  ctx: KoaContextWithOIDC,
  { artifacts, retries }: { readonly artifacts: ArtifactStore; readonly retries: RefreshRetries | null },
  grant: () => unknown,
): Promise<void> {
  const redemption = new Redemption(artifacts, retries);
  underWay.set(ctx, redemption);
  try {
    await grant();
    await redemption.write();
  } catch (error) {
    throw toEngineError(error);
  } finally {
    underWay.delete(ctx);
  }
}
