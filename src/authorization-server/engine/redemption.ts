import Provider, { errors, type KoaContextWithOIDC } from "oidc-provider";
import type { Artifact, ArtifactStore } from "../../domain/store/artifacts.ts";
import { hashToken } from "../../secrets/token-hash.ts";
import { toEngineError } from "./engine-errors.ts";

/** Artifacts that the engine consumes for tokens, and artifacts that it issues. */
const USED: ReadonlySet<string> = new Set(["AuthorizationCode", "RefreshToken", "DeviceCode"]);
const ISSUED: ReadonlySet<string> = new Set(["AccessToken", "JwtAccessToken", "RefreshToken"]);

type Used = Pick<Artifact, "kind" | "idHash"> & { readonly atSeconds: number };

/**
 * One request to the token endpoint. The engine consumes and saves one after the other; here it is gathered, to be
 * written in one transaction before the answer goes out. One commit costs more than all of the rest, and whoever loses
 * the race for a code or a refresh token leaves nothing behind.
 */
class Redemption {
  readonly #issued: Artifact[] = [];
  #used: Used | null = null;

  /** @returns false for what is to be written at once */
  consume(used: Used): boolean {
    if (this.#used !== null || !USED.has(used.kind)) return false;
    this.#used = used;
    return true;
  }

  /** @returns false for what is to be written at once */
  put(artifact: Artifact): boolean {
    if (this.#used === null || artifact.grantId === null || !ISSUED.has(artifact.kind)) return false;
    this.#issued.push(artifact);
    return true;
  }

  /** @throws InvalidGrant for what was used before, or whose grant was revoked meanwhile; nothing is written then */
  async write(artifacts: ArtifactStore): Promise<void> {
    const used = this.#used;
    if (used === null) return;
    const grantId = this.#issued[0]?.grantId;
    if (grantId == null) throw new Error(`nothing was issued for the ${used.kind}`);
    if (await artifacts.redeem({ ...used, grantHash: hashToken(grantId), issued: this.#issued })) return;
    // Used twice at the same time is used twice (RFC 6749 section 4.1.2).
    if (used.kind === "AuthorizationCode") await artifacts.revokeGrant(grantId);
    throw new errors.InvalidGrant({ detail: `${used.kind} is used or revoked already` });
  }
}

const underWay = new WeakMap<object, Redemption>();

/** The redemption of the current request, if there is one. */
export function redemptionUnderWay(): Redemption | undefined {
  const { ctx } = Provider;
  return ctx === undefined ? undefined : underWay.get(ctx);
}

/** Runs a grant of the token endpoint, and writes what it does. */
export async function redeem(ctx: KoaContextWithOIDC, artifacts: ArtifactStore, grant: () => unknown): Promise<void> {
  const redemption = new Redemption();
  underWay.set(ctx, redemption);
  try {
    await grant();
    await redemption.write(artifacts);
  } catch (error) {
    throw toEngineError(error);
  } finally {
    underWay.delete(ctx);
  }
}
