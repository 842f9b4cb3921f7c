import type { OwnClientFacts } from "../../documents/developers.ts";

/** Why the client cannot be tried here; null where it can. */
export function obstacleOf({ grantTypes, type, hasSecret, mustSign, disabledAt }: OwnClientFacts): string | null {
  if (!grantTypes.includes("AUTHORIZATION_CODE")) return "Nobody signs in with this client in a browser.";
  if (disabledAt !== null) return "The client is disabled. Enable it first.";
  if (mustSign || (type === "CONFIDENTIAL" && !hasSecret))
    return "This client signs with keys that only your program has, so the studio cannot take its place.";
  return null;
}
