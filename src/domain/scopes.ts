import type { Role, Viewer } from "./viewer.ts";

interface ScopeRow {
  /** The sentence that a person is asked to agree to. */
  readonly sentence: string;
  /**
   * `person`: claims about the person for the client itself (ID token, userinfo). `content`: this API. `administration`: this
   * installation, for people with the role `admin` alone. `developers`: clients that people own, for people alone. `provisioning`:
   * the people of another service, for clients that act for themselves alone.
   */
  readonly about: "person" | "content" | "developers" | "administration" | "provisioning";
  /** Whether a client can change something with it; the consent page groups by this. */
  readonly effect: "see" | "change";
  /**
   * Only an operator gives a privileged scope, by name: no client has it by default or by registering itself, and no token
   * for another API carries it unless `elsewhere` says so.
   */
  readonly isPrivileged: boolean;
  /** Whether tokens for other APIs may carry it (RFC 8707); defaults to content that is not privileged. */
  readonly elsewhere?: boolean;
  /** Whether callers without a token have it when PUBLIC_READ is on. */
  readonly isPublic?: true;
  /** A scope that allows the same and more, and so stands for this one. */
  readonly within?: string;
}

/** Every scope of this server, one row each. All other lists of scopes derive from these rows. */
const ROWS = {
  openid: { sentence: "Sign you in", about: "person", effect: "see", isPrivileged: false },
  profile: { sentence: "See your name", about: "person", effect: "see", isPrivileged: false, within: "users:read" },
  "profile:write": { sentence: "Change your name", about: "content", effect: "change", isPrivileged: false },
  email: {
    sentence: "See your e-mail address",
    about: "person",
    effect: "see",
    isPrivileged: false,
    within: "users:email",
  },
  offline_access: {
    sentence: "Stay connected until you end it",
    about: "person",
    effect: "see",
    isPrivileged: false,
  },
  "posts:read": {
    sentence: "Read posts, and your drafts",
    about: "content",
    effect: "see",
    isPrivileged: false,
    isPublic: true,
  },
  "posts:draft": {
    sentence: "Write drafts",
    about: "content",
    effect: "change",
    isPrivileged: false,
    elsewhere: false,
    within: "posts:write",
  },
  "posts:write": {
    sentence: "Create, change and delete your posts",
    about: "content",
    effect: "change",
    isPrivileged: false,
  },
  "users:read": {
    sentence: "See people's names and posts",
    about: "content",
    effect: "see",
    isPrivileged: false,
    isPublic: true,
  },
  "users:email": {
    sentence: "See everyone's e-mail addresses",
    about: "content",
    effect: "see",
    isPrivileged: true,
    elsewhere: true,
  },
  "clients:own": {
    sentence: "Register and change your own clients",
    about: "developers",
    effect: "change",
    isPrivileged: true,
  },
  admin: {
    sentence: "Administer people, clients and settings",
    about: "administration",
    effect: "change",
    isPrivileged: true,
  },
  scim: {
    sentence: "Create, change and disable the accounts of an organisation",
    about: "provisioning",
    effect: "change",
    isPrivileged: true,
  },
} as const satisfies Record<string, ScopeRow>;

export type Scope = keyof typeof ROWS;

export const SCOPES = Object.keys(ROWS) as readonly Scope[];

/** The scopes that clients have by default, and that clients may have which registered themselves. */
export const OPEN_SCOPES: readonly Scope[] = scopesWith(({ isPrivileged }) => !isPrivileged);

/** The scopes of this API that every client may ask for, without those that a wider one among them stands for. */
export const CONTENT_SCOPES: readonly Scope[] = withoutImplied(
  scopesWith(({ about, isPrivileged }) => about === "content" && !isPrivileged),
);

/** The scopes that count at /mcp, whatever else a token has: agents read texts of strangers, so nothing privileged. */
export const AGENT_SCOPES: readonly Scope[] = scopesWith(
  ({ about, isPrivileged }) => about === "content" && !isPrivileged,
);

/** The scopes of callers without a token when PUBLIC_READ is on. */
export const PUBLIC_SCOPES: readonly Scope[] = scopesWith(({ isPublic }) => isPublic === true);

/** The scopes about the person, for the client itself, whichever API its tokens are for. */
export const IDENTITY_SCOPES: ReadonlySet<string> = new Set(scopesWith(({ about }) => about === "person"));

/** The scopes that need a person: a client that acts for itself cannot have them. */
export const PERSONAL_SCOPES: ReadonlySet<string> = new Set(
  scopesWith(({ about }) => about === "person" || about === "developers" || about === "administration"),
);

/** The scopes that tokens for other APIs may carry. */
export const SCOPES_ELSEWHERE: ReadonlySet<string> = new Set(
  scopesWith(({ about, isPrivileged, elsewhere = about === "content" && !isPrivileged }) => elsewhere),
);

function scopesWith(isIn: (row: ScopeRow) => boolean): readonly Scope[] {
  return SCOPES.filter((scope) => isIn(ROWS[scope]));
}

export function isScope(text: string): text is Scope {
  return Object.hasOwn(ROWS, text);
}

/** The sentence that a person is asked to agree to. */
export function sentenceOf(scope: Scope): string {
  return ROWS[scope].sentence;
}

/** Whether a client can change something with the scope. An unknown one counts as such, so that nobody misses it. */
export function canChange(scope: string): boolean {
  return !isScope(scope) || ROWS[scope].effect === "change";
}

/** The scopes that count at /mcp, by the setting MCP: to read, those alone with which nothing can be changed. */
export function agentScopes(mode: "off" | "read" | "write"): readonly Scope[] {
  if (mode === "off") return [];
  return mode === "write" ? AGENT_SCOPES : AGENT_SCOPES.filter((scope) => !canChange(scope));
}

/** Whether only an operator gives the scope, by name. */
export function isPrivilegedScope(scope: string): boolean {
  return isScope(scope) && ROWS[scope].isPrivileged;
}

/**
 * Whether a person of the role may hold the scope at all, whatever the client may.
 *
 * @param role null for a client that acts for itself
 */
export function isScopeOfRole(scope: string, role: Role | null): boolean {
  if (!isScope(scope)) return true;
  const { about } = ROWS[scope];
  if (about === "developers") return role !== null;
  return about === "administration" ? role === "admin" : about !== "provisioning" || role === null;
}

/** The scopes that this server offers. @param clientsBy the setting CLIENTS_BY: people own clients only where it allows them to */
export function offeredScopes(clientsBy: "admins" | "people"): readonly Scope[] {
  return scopesWith(({ about }) => about !== "developers" || clientsBy === "people");
}

/**
 * The scopes of a token that still count: those that the client is registered for now and that the person's role allows.
 *
 * @param role null for a token without a person
 */
export function presentScopes(
  granted: readonly string[],
  registered: readonly string[],
  role: Role | null,
): readonly string[] {
  const allowed = withImplied(registered);
  return granted.filter((scope) => allowed.includes(scope) && isScopeOfRole(scope, role));
}

/**
 * The scopes that a client may have: those that it is registered for, and content scopes that one of them stands for. A client
 * that was registered before there was a narrower scope may have it too.
 */
export function withImplied(registered: readonly string[]): readonly string[] {
  const implied = SCOPES.filter(
    (scope) => ROWS[scope].about === "content" && !registered.includes(scope) && registered.includes(widerThan(scope)),
  );
  return implied.length === 0 ? registered : [...registered, ...implied];
}

/** The scopes without those that another one among them stands for. */
export function withoutImplied<Name extends string>(scopes: readonly Name[]): readonly Name[] {
  const all: ReadonlySet<string> = new Set(scopes);
  return scopes.filter((scope) => !all.has(widerThan(scope)));
}

/** The scopes among `needed` that the viewer lacks, in the order given. */
export function missingScopes({ scopes }: Viewer, needed: readonly string[]): readonly string[] {
  return needed.filter((scope) => !scopes.has(scope) && !scopes.has(widerThan(scope)));
}

function widerThan(scope: string): string {
  return isScope(scope) ? ((ROWS[scope] as ScopeRow).within ?? "") : "";
}
