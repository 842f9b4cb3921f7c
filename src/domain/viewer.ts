import type { Id } from "./id.ts";

export const ROLES = ["member", "editor", "admin"] as const;
export type Role = (typeof ROLES)[number];

/** The sign-in that gave a token, which may be older than the token. */
export interface SignIn {
  /** Seconds of Unix time. */
  readonly atSeconds: number;
  /** How strong it was: see `acr.ts`. Null where the issuer does not tell. */
  readonly acr: string | null;
}

/** The caller of a request. Scopes limit the client, the role limits the person; both must allow. */
export interface Viewer {
  /** The person; null for anonymous callers and for clients that act for themselves. */
  readonly userId: Id | null;
  readonly role: Role | null;
  /** The OAuth client; null for anonymous callers. */
  readonly clientId: string | null;
  readonly scopes: ReadonlySet<string>;
  /** Missing for callers without a person, and for tokens that an operator made. */
  readonly signIn?: SignIn | null;
  /** Whether the person has turned a second step on. */
  readonly hasSecondStep?: boolean;
}

/** Whether the viewer sees everybody's unpublished posts, and may change them: editors and administrators. */
export function seesUnpublished({ role }: Viewer): boolean {
  return role === "editor" || role === "admin";
}
