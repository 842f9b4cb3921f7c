import type { User } from "../../domain/people/user.ts";

/**
 * The claims that each scope opens (OpenID Connect Core 1.0 section 5.4), in the ID token and at the userinfo endpoint. How and when the person
 * signed in stands in every ID token; userinfo does not know it.
 */
export const CLAIMS = {
  openid: ["sub", "acr", "amr", "auth_time"],
  profile: ["name"],
  email: ["email", "email_verified"],
  iss: null,
  sid: null,
} as const;

/** How and when a person signed in, in access tokens and in what is told about them. */
export interface SignInClaims {
  /** Seconds of Unix time. */
  readonly auth_time: number;
  readonly acr?: string;
  readonly amr?: readonly string[];
}

export function claimsOf(user: User) {
  return { sub: user.id, name: user.name, email: user.email, email_verified: user.emailVerified };
}
