import type { NewClient } from "../../domain/clients/client.ts";

export const CLIENT_ID = "explorer";
export const SCOPES: readonly string[] = [
  ...["openid", "profile", "email", "profile:write", "posts:read", "posts:write", "users:read", "users:email"],
];

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
