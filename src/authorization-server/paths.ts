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
