import type Provider from "oidc-provider";
import { errors, type KoaContextWithOIDC } from "oidc-provider";
import { MOST_AHEAD, readCompactJws } from "../../domain/clients/compact-jws.ts";
import { patch } from "./patches.ts";

/*
 * The engine has one tolerance for two things. Dates by clients (`iat`, `nbf` of assertions and request objects, `iat` of
 * DPoP proofs) may be that far ahead. Expiry (of these, and of codes, tokens, pushed requests, grants and sessions) is exact
 * to the second: the checks here run before the engine's or right after. The engine treats `nbf` of a DPoP proof, which
 * RFC 9449 does not know, as exact too, and has no option for it.
 */

/** The engine's `clockTolerance`, in seconds. */
export const CLOCK_TOLERANCE = MOST_AHEAD;

/**
 * The engine's clock, in seconds of Unix time. It cannot be injected, so what the engine compares with its clock (ends of
 * grants, dates in signed requests) must be set and checked by it too.
 */
export const engineSeconds = (): number => Date.now() / 1000;

/** Whether an end, in seconds of Unix time, is here or past. Nothing but a number can be an end to come. */
export function isOver(exp: unknown): boolean {
  return !(typeof exp === "number" && engineSeconds() < exp);
}

/** Whether a date, in seconds of Unix time, is further ahead than clocks may be apart. */
export function isTooFarAhead(date: unknown): boolean {
  return !(typeof date === "number" && date <= engineSeconds() + MOST_AHEAD);
}

type Verify = (
  stored: { readonly exp?: unknown },
  options?: { readonly ignoreExpiration?: boolean },
) => Promise<unknown>;

/** Lets the engine find nothing whose end is past, but where it wants to know that something has been there. */
export function holdEnds(provider: Provider): void {
  patch<Verify>(
    provider,
    "BaseModel.verify",
    (verify) =>
      async function (this: unknown, ...args) {
        const [{ exp }, { ignoreExpiration = false } = {}] = args;
        if (exp !== undefined && !ignoreExpiration && isOver(exp)) throw new Error("it has ended");
        return verify.apply(this, args);
      },
  );
}

/**
 * Runs before the engine's own checks of a DPoP proof, which accept an `iat` five minutes ahead, and any `iat` with a
 * nonce. The engine rejects a proof that is not a JWT.
 *
 * @throws InvalidDpopProof
 */
export function assertProofIsDated(ctx: KoaContextWithOIDC): void {
  const iat = readCompactJws(ctx.get("DPoP"))?.payload.iat;
  if (typeof iat === "number" && isTooFarAhead(iat))
    throw new errors.InvalidDpopProof("DPoP proof iat is in the future");
}
