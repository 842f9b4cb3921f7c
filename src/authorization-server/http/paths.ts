/** The protocol endpoints, below the issuer, by the engine's names for them. */
export const PATHS = {
  authorization: "/authorize",
  token: "/token",
  userinfo: "/userinfo",
  jwks: "/jwks",
  introspection: "/introspect",
  revocation: "/revoke",
  pushed_authorization_request: "/par",
  device_authorization: "/device/auth",
  code_verification: "/device",
  registration: "/register",
  end_session: "/logout",
} as const;

/** What forms at `/account` post to, below it. */
export const ACCOUNT_STEPS = [
  "sign-in",
  "end-session",
  "end-client",
  "sign-out",
  "sign-out-everywhere",
  "password",
] as const;

/** The path that everything of the issuer stands below: empty, or such as `/auth`. */
export function mountPath(issuer: string): string {
  return new URL(issuer).pathname.replace(/\/$/, "");
}

/** Where clients talk to us, not people: the answers are JSON, and browsers may call from a client's own origin. */
export const CLIENT_PATHS: ReadonlySet<string> = new Set([
  PATHS.token,
  PATHS.userinfo,
  PATHS.introspection,
  PATHS.revocation,
  PATHS.pushed_authorization_request,
  PATHS.device_authorization,
]);

export const PUBLIC_PATHS: ReadonlySet<string> = new Set([
  PATHS.jwks,
  "/.well-known/openid-configuration",
  "/.well-known/oauth-authorization-server",
]);

export function isClientPath(path: string): boolean {
  return path.startsWith(PATHS.registration) || CLIENT_PATHS.has(path) || PUBLIC_PATHS.has(path);
}
