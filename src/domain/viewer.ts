import type { Id } from "./id.ts";

/** Every scope, with the sentence that a person is asked to agree to. */
export const SCOPES = {
  openid: "Sign you in",
  profile: "See your name",
  "profile:write": "Change your name",
  email: "See your e-mail address",
  offline_access: "Stay connected until you end it",
  "posts:read": "Read posts, and your drafts",
  "posts:write": "Create, change and delete your posts",
  "users:read": "See people's names and posts",
  "users:email": "See everyone's e-mail addresses",
  admin: "Administer people, clients and settings",
} as const;

export type Scope = keyof typeof SCOPES;

export function isScope(text: string): text is Scope {
  return Object.hasOwn(SCOPES, text);
}

/** What anonymous callers may do when PUBLIC_READ is on. */
export const PUBLIC_SCOPES: readonly Scope[] = ["posts:read", "users:read"];

export const ROLES = ["member", "editor", "admin"] as const;
export type Role = (typeof ROLES)[number];

const ROLE_SCOPES: ReadonlyMap<string, Role> = new Map<Scope, Role>([["admin", "admin"]]);

/** Whether a person of the role may hold the scope at all, whatever the client may. */
export function isScopeOfRole(scope: string, role: Role): boolean {
  const needed = ROLE_SCOPES.get(scope);
  return needed === undefined || needed === role;
}

/** Who asks. Scopes limit the client, the role limits the person; both must allow. */
export interface Viewer {
  /** The person; null for anonymous callers and for clients that act for themselves. */
  readonly userId: Id | null;
  readonly role: Role | null;
  /** The OAuth client; null for anonymous callers. */
  readonly clientId: string | null;
  readonly scopes: ReadonlySet<string>;
}

/** Scopes that say the same of everybody as others say of one's own person. */
const WIDER: Readonly<Record<string, Scope>> = { profile: "users:read", email: "users:email" };

/** The scopes among `needed` that the viewer lacks, in the order given. */
export function missingScopes({ scopes }: Viewer, needed: readonly string[]): readonly string[] {
  return needed.filter((scope) => !scopes.has(scope) && !scopes.has(WIDER[scope] ?? ""));
}

/** Whether the viewer sees everybody's unpublished posts, and may change them: editors and administrators. */
export function seesUnpublished({ role }: Viewer): boolean {
  return role === "editor" || role === "admin";
}
