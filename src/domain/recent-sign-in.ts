import { acrRank, MFA_ACR } from "./acr.ts";
import { AppError } from "./errors.ts";
import type { Viewer } from "./viewer.ts";

/** How recent a sign-in has to be, and for whom. */
interface Demand {
  readonly maxAgeSeconds: number;
  /** The time in words. */
  readonly within: string;
  /** Whether a token that no sign-in gave will do, such as one that the operator made at the terminal for a script. */
  readonly allowsNone: boolean;
}

/** For acts by which somebody could take over accounts (U61). */
export const WITHIN_AN_HOUR: Demand = { maxAgeSeconds: 3_600, within: "the last hour", allowsNone: false };
/** For roles, secrets and keys (S69). Scripts rotate secrets too: whoever made their tokens could do it at the terminal. */
export const JUST_NOW: Demand = { maxAgeSeconds: 900, within: "the last 15 minutes", allowsNone: true };

/**
 * Guards an act that the thief of a token must not be able to do: its person must have signed in a short time ago, with their second
 * step if it is on (U61). The details of the error say what to ask the authorization server for (RFC 9470 section 3).
 *
 * @param about further details of the error
 * @throws AppError UNAUTHENTICATED
 */
export function assertRecentSignIn(
  { signIn = null, hasSecondStep = false }: Viewer,
  nowSeconds: number,
  about: { readonly scheme?: "DPoP"; readonly scope?: readonly string[] } = {},
  demand = WITHIN_AN_HOUR,
): void {
  if (signIn == null && demand.allowsNone) return;
  const problem = problemOf(signIn, hasSecondStep, nowSeconds, demand);
  if (problem === null) return;
  throw new AppError("UNAUTHENTICATED", problem, {
    challenge: "insufficient_user_authentication",
    maxAge: demand.maxAgeSeconds,
    ...(hasSecondStep ? { acrValues: [MFA_ACR] } : {}),
    ...about,
  });
}

function problemOf(
  signIn: Viewer["signIn"],
  hasSecondStep: boolean,
  nowSeconds: number,
  { maxAgeSeconds, within }: Demand,
): string | null {
  if (signIn == null)
    return "This needs a token from a sign-in. This token was made without one: sign in in a browser.";
  if (nowSeconds - signIn.atSeconds > maxAgeSeconds) return `This needs a sign-in within ${within}. Sign in again.`;
  if (hasSecondStep && acrRank(signIn.acr) < acrRank(MFA_ACR))
    return "This needs a sign-in with your second step. Sign in again.";
  return null;
}
