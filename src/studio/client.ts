import type { NewClient } from "../domain/clients/client.ts";

export const CLIENT_ID = "studio";

/** Scopes that every sign-in asks for: those that a writer needs, and nothing privileged. */
export const SCOPES = ["openid", "profile", "offline_access", "posts:read", "posts:write", "users:read"] as const;

/**
 * Scopes of a second token, which the pages of administrators and developers ask for (browser/shell/program/doors.ts). No refresh token
 * has them: the session at the authorization server gives the next token, as long as somebody works.
 */
export const BRIEF_SCOPES = ["admin", "users:email", "clients:own"] as const;

/**
 * The studio as an OAuth client: public and the operator's own. Its requests are pushed (RFC 9126) and its tokens are bound
 * to a key that does not leave the browser (RFC 9449).
 *
 * @param baseUrl public address of the API, without a trailing slash
 */
export function studioClient(baseUrl: string): NewClient {
  return {
    id: CLIENT_ID,
    name: "Studio",
    type: "public",
    secretHash: null,
    redirectUris: [callbackUrl(baseUrl)],
    postLogoutRedirectUris: [studioUrl(baseUrl)],
    grantTypes: ["authorization_code", "refresh_token"],
    scopes: [...SCOPES, ...BRIEF_SCOPES],
    firstParty: true,
    dpopBound: true,
    mustPush: true,
  };
}

/** The start page. The slash at its end belongs to it: the service worker answers what stands below. */
export function studioUrl(baseUrl: string): string {
  return `${baseUrl}/studio/`;
}

export function callbackUrl(baseUrl: string): string {
  return `${baseUrl}/studio/callback`;
}
