import type { NewClient } from "../../domain/clients/client.ts";
import { OPEN_SCOPES } from "../../domain/scopes.ts";

export const CLIENT_ID = "explorer";
/** Every open scope but the one that keeps a client connected; and e-mail addresses, which the schema shows. */
export const SCOPES: readonly string[] = [...OPEN_SCOPES.filter((scope) => scope !== "offline_access"), "users:email"];

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
    postLogoutRedirectUris: [],
    grantTypes: ["authorization_code"],
    scopes: SCOPES,
    firstParty: true,
  };
}

export function callbackUrl(baseUrl: string): string {
  return `${baseUrl}/explorer/callback`;
}
