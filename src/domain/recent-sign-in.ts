import { acrRank, MFA_ACR } from "./acr.ts";
import { AppError } from "./errors.ts";
import type { Viewer } from "./viewer.ts";

/** Seconds for which a sign-in counts as recent. */
const MAX_AGE = 3_600;

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
): void {
  const problem = problemOf(signIn, hasSecondStep, nowSeconds);
  if (problem === null) return;
  throw new AppError("UNAUTHENTICATED", problem, {
    challenge: "insufficient_user_authentication",
    maxAge: MAX_AGE,
    ...(hasSecondStep ? { acrValues: [MFA_ACR] } : {}),
    ...about,
  });
}

function problemOf(signIn: Viewer["signIn"], hasSecondStep: boolean, nowSeconds: number): string | null {
  if (signIn == null)
    return "This needs a token from a sign-in. This token was made without one: sign in in a browser.";
  if (nowSeconds - signIn.atSeconds > MAX_AGE) return "This needs a sign-in within the last hour. Sign in again.";
  if (hasSecondStep && acrRank(signIn.acr) < acrRank(MFA_ACR))
    return "This needs a sign-in with your second step. Sign in again.";
  return null;
}
