import type { User } from "../../domain/people/user.ts";

/** The claims that each scope opens (OpenID Connect Core 1.0 section 5.4), in the ID token and at the userinfo endpoint. */
export const CLAIMS = {
  openid: ["sub"],
  profile: ["name"],
  email: ["email", "email_verified"],
  amr: null,
  auth_time: null,
  iss: null,
  sid: null,
} as const;

export function claimsOf(user: User) {
  return { sub: user.id, name: user.name, email: user.email, email_verified: user.emailVerified };
}
