/** The settings that the server writes into data attributes of the page's root element (src/studio/page.ts). */
export interface Settings {
  readonly operator: string;
  /** Path of the studio, without a slash at the end. */
  readonly base: string;
  readonly graphqlPath: string;
  readonly graphqlUrl: string;
  readonly homePath: string;
  readonly issuer: string;
  /** Metadata of the authorization server (RFC 8414), as JSON: no request has to ask for them first. */
  readonly authorizationServer: string;
  readonly clientId: string;
  readonly redirectUri: string;
  readonly signedOutUri: string;
  readonly scope: string;
  readonly build: string;
}

export function readSettings(): Settings {
  return { ...document.documentElement.dataset } as unknown as Settings;
}
