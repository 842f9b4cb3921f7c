import type { NewClient } from "../../domain/clients/client.ts";
import { SCOPES as ALL_SCOPES } from "../../domain/scopes.ts";

export const CLIENT_ID = "explorer";
/**
 * Every scope that a field of the schema may need. The authorization server gives `admin` to administrators only.
 * `offline_access` is left out: a token of the explorer ends with the session.
 */
export const SCOPES: readonly string[] = ALL_SCOPES.filter((scope) => scope !== "offline_access");

/**
 * The explorer as an OAuth client: public, the operator's own, signing people in at its callback page.
 *
 * @param baseUrl public address of the API, without a trailing slash
 */
export function explorerClient(baseUrl: string): NewClient {
  return {
    id: CLIENT_ID,
    name: "Explorer",
    type: "public",
    secretHash: null,
    redirectUris: [callbackUrl(baseUrl)],
    postLogoutRedirectUris: [explorerUrl(baseUrl)],
    grantTypes: ["authorization_code"],
    scopes: SCOPES,
    firstParty: true,
  };
}

/** The page itself: sign-in starts there, and sign-out comes back to it. */
export function explorerUrl(baseUrl: string): string {
  return `${baseUrl}/graphql`;
}

export function callbackUrl(baseUrl: string): string {
  return `${baseUrl}/explorer/callback`;
}
