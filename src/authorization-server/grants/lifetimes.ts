import type { KoaContextWithOIDC, RefreshToken } from "oidc-provider";

const HOUR = 3_600;

export const DAY = 24 * HOUR;

export const YEAR = 365 * DAY;

/** Seconds for which a browser stays signed in after its last request. */
export const SESSION_SECONDS = 14 * DAY;

/** Seconds that each artifact lives. */
export function lifetimes(options: { accessTokenTtl: number; refreshTokenTtl: number }) {
  // A JWT lasts whatever happens here, and never longer than the key that signed it is published.
  const accessTokenTtl = (_ctx: unknown, { resourceServer }: { readonly resourceServer?: unknown }) =>
    resourceServer === undefined ? options.accessTokenTtl : Math.min(options.accessTokenTtl, DAY);
  return {
    AccessToken: accessTokenTtl,
    ClientCredentials: accessTokenTtl,
    AuthorizationCode: 60,
    DeviceCode: DEVICE_CODE_TTL,
    IdToken: HOUR,
    Interaction: HOUR,
    Session: SESSION_SECONDS,
    // The engine ends every refresh token with its grant, so a grant outlives the longest family.
    Grant: YEAR + DAY,
    // Idle time, within a year from the first of the family.
    RefreshToken: (_ctx: KoaContextWithOIDC, token: RefreshToken) =>
      Math.max(1, Math.min(options.refreshTokenTtl, YEAR - token.totalLifetime())),
  };
}

/** Seconds for which a code lasts. */
export const DEVICE_CODE_TTL = 600;
