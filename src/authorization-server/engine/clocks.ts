import type Provider from "oidc-provider";
import { errors, type KoaContextWithOIDC } from "oidc-provider";
import { MOST_AHEAD, readCompactJws } from "../../domain/clients/compact-jws.ts";
import { patch } from "./patches.ts";

/*
 * The engine has one tolerance for two things. What a client has dated (`iat`, `nbf` of assertions and request objects, `iat`
 * of DPoP proofs) may be as far ahead as that; ends (of these, and of codes, tokens, pushed requests, grants and sessions)
 * are held to the second by what stands here, before the engine looks or right after. `nbf` of a DPoP proof, which is nothing
 * that RFC 9449 knows, the engine holds to the second as well, and gives no knob for it.
 */

/** The engine's `clockTolerance`, in seconds. */
export const CLOCK_TOLERANCE = MOST_AHEAD;

/** By the engine's clock, not one that is handed in: each end has been reckoned by it. */
const now = () => Date.now() / 1000;

/** Whether an end, in seconds of Unix time, is here or past. Nothing but a number can be an end to come. */
export function isOver(exp: unknown): boolean {
  return !(typeof exp === "number" && now() < exp);
}

/** Whether a date, in seconds of Unix time, is further ahead than clocks may be apart. */
export function isTooFarAhead(date: unknown): boolean {
  return !(typeof date === "number" && date <= now() + MOST_AHEAD);
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
 * Before the engine's own checks of a DPoP proof, which let `iat` be five minutes ahead, and any with a nonce. What is no
 * JWT is left to them.
 *
 * @throws InvalidDpopProof
 */
export function assertProofIsDated(ctx: KoaContextWithOIDC): void {
  const iat = readCompactJws(ctx.get("DPoP"))?.payload.iat;
  if (typeof iat === "number" && isTooFarAhead(iat))
    throw new errors.InvalidDpopProof("DPoP proof iat is in the future");
}
