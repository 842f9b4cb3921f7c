import type { KoaContextWithOIDC, RefreshToken, Session } from "oidc-provider";

const HOUR = 3_600;

export const DAY = 24 * HOUR;

export const YEAR = 365 * DAY;

/** Seconds for which a browser stays signed in after its last request. */
const SESSION_SECONDS = 14 * DAY;

/** The settings about lifetimes, in seconds. */
export interface Lifetimes {
  readonly ACCESS_TOKEN_TTL: number;
  /** Without use; a year in all. */
  readonly REFRESH_TOKEN_TTL: number;
  /** Since the sign-in. */
  readonly SESSION_MAX: number;
}

/** Seconds for which a session is stored: up to SESSION_MAX after the sign-in, however often it is used (U34). @param now Unix time in ms */
export function sessionSeconds(
  { loginTs }: Pick<Session, "loginTs">,
  { SESSION_MAX }: Pick<Lifetimes, "SESSION_MAX">,
  now: number,
): number {
  const left = loginTs === undefined ? SESSION_SECONDS : loginTs + SESSION_MAX - Math.floor(now / 1_000);
  return Math.max(1, Math.min(SESSION_SECONDS, left));
}

/** Seconds that each artifact lives. @param now Unix time in ms */
export function lifetimes(settings: Lifetimes, now: () => number) {
  // A JWT lasts whatever happens here, and never longer than the key that signed it is published.
  const accessTokenTtl = (_ctx: unknown, { resourceServer }: { readonly resourceServer?: unknown }) =>
    resourceServer === undefined ? settings.ACCESS_TOKEN_TTL : Math.min(settings.ACCESS_TOKEN_TTL, DAY);
  return {
    AccessToken: accessTokenTtl,
    ClientCredentials: accessTokenTtl,
    AuthorizationCode: 60,
    DeviceCode: DEVICE_CODE_TTL,
    IdToken: HOUR,
    Interaction: HOUR,
    Session: (_ctx: unknown, session: Session) => sessionSeconds(session, settings, now()),
    // The engine ends every refresh token with its grant, so a grant outlives the longest family.
    Grant: YEAR + DAY,
    // Idle time, within a year from the first of the family.
    RefreshToken: (_ctx: KoaContextWithOIDC, token: RefreshToken) =>
      Math.max(1, Math.min(settings.REFRESH_TOKEN_TTL, YEAR - token.totalLifetime())),
  };
}

/** Seconds for which a code lasts. */
export const DEVICE_CODE_TTL = 600;
