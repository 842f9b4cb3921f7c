export interface Endpoint {
  /** Below the issuer. */
  readonly path: string;
  readonly methods: readonly string[];
  /** Paths below it that belong to it, with their methods. */
  readonly below?: Readonly<Record<string, readonly string[]>>;
  /**
   * Its callers. `clients`: answers and errors are JSON (RFC 6749 section 5.2), and pages of a client's origin may read
   * them. `anyone`: the same for every origin, and caches may keep it. `people`: answers are pages and redirects.
   */
  readonly for: "clients" | "anyone" | "people";
  /** Whether clients authenticate at it. */
  readonly isAuthenticated?: true;
  /** Whether requests to it count against the limit of their address (RATE_LIMIT_OAUTH_ADDRESS). */
  readonly isLimited?: true;
}

/**
 * Every endpoint of the protocols that the engine answers, by the engine's name for it. The paths, what is open to which
 * origin, and where clients authenticate derive from here.
 */
export const ENDPOINTS = {
  authorization: {
    path: "/authorize",
    methods: ["GET"],
    below: { "/:uid": ["GET"] },
    for: "people",
    isLimited: true,
  },
  token: { path: "/token", methods: ["POST"], for: "clients", isAuthenticated: true, isLimited: true },
  userinfo: { path: "/userinfo", methods: ["GET", "POST"], for: "clients", isLimited: true },
  jwks: { path: "/jwks", methods: ["GET"], for: "anyone" },
  introspection: { path: "/introspect", methods: ["POST"], for: "clients", isAuthenticated: true, isLimited: true },
  revocation: { path: "/revoke", methods: ["POST"], for: "clients", isAuthenticated: true, isLimited: true },
  pushed_authorization_request: {
    path: "/par",
    methods: ["POST"],
    for: "clients",
    isAuthenticated: true,
    isLimited: true,
  },
  device_authorization: {
    path: "/device/auth",
    methods: ["POST"],
    for: "clients",
    isAuthenticated: true,
    isLimited: true,
  },
  code_verification: {
    path: "/device",
    methods: ["GET", "POST"],
    below: { "/:uid": ["GET"] },
    for: "people",
    isLimited: true,
  },
  end_session: {
    path: "/logout",
    methods: ["GET"],
    below: { "/confirm": ["POST"], "/success": ["GET"] },
    for: "people",
  },
} as const satisfies Record<string, Endpoint>;

type EndpointName = keyof typeof ENDPOINTS;

const ALL: readonly Endpoint[] = Object.values(ENDPOINTS);

/** The metadata documents, below the issuer (OpenID Connect Discovery 1.0) and at the root before its path (RFC 8414). */
const METADATA_PATHS = ["/.well-known/openid-configuration", "/.well-known/oauth-authorization-server"] as const;

/** The paths of the endpoints, below the issuer, by the engine's names for them. `registration` is answered by us. */
export const PATHS = {
  ...(Object.fromEntries(Object.entries(ENDPOINTS).map(([name, { path }]) => [name, path])) as {
    readonly [Name in EndpointName]: (typeof ENDPOINTS)[Name]["path"];
  }),
  registration: "/register",
} as const;

/** Endpoints at which clients call us, not people. */
export const CLIENT_PATHS = pathsWith((endpoint) => endpoint.for === "clients");

/** Endpoints at which clients authenticate. */
export const AUTHENTICATED_PATHS = pathsWith(({ isAuthenticated }) => isAuthenticated === true);

const LIMITED_PATHS = pathsWith(({ isLimited }) => isLimited === true);

/**
 * Whether a request counts against the limit of its address (A47): at the endpoints that say so, and every form that
 * anybody can post to a page. Registration has a limit of its own.
 */
export function isLimited(method: string, path: string): boolean {
  if (method === "OPTIONS") return false;
  return LIMITED_PATHS.has(path) || (method === "POST" && !isClientPath(path));
}

/** Paths that anybody may read and cache. */
export const PUBLIC_PATHS: ReadonlySet<string> = new Set([
  ...pathsWith((endpoint) => endpoint.for === "anyone"),
  ...METADATA_PATHS,
]);

function pathsWith(isIn: (endpoint: Endpoint) => boolean): ReadonlySet<string> {
  return new Set(ALL.filter(isIn).map(({ path }) => path));
}

export function isClientPath(path: string): boolean {
  return path.startsWith(PATHS.registration) || CLIENT_PATHS.has(path) || PUBLIC_PATHS.has(path);
}

/**
 * Every route that the engine answers, with the part of the path before the endpoint's own. Browsers ask with OPTIONS before
 * they let a page of another origin call an endpoint for clients.
 *
 * @param mount as `mountPath` gives it
 */
export function engineRoutes(mount: string): { url: string; method: string[] }[] {
  const endpoints = ALL.flatMap(({ path, methods, below = {}, for: callers }) => [
    { url: mount + path, method: callers === "people" ? [...methods] : [...methods, "OPTIONS"] },
    ...Object.entries(below).map(([rest, own]) => ({ url: mount + path + rest, method: [...own] })),
  ]);
  const documents = new Set(METADATA_PATHS.flatMap((path) => [`${mount}${path}`, `${path}${mount}`]));
  return [...endpoints, ...Array.from(documents, (url) => ({ url, method: ["GET", "OPTIONS"] }))];
}

/** The path that everything of the issuer stands below: empty, or such as `/auth`. */
export function mountPath(issuer: string | URL): string {
  const { pathname } = typeof issuer === "string" ? new URL(issuer) : issuer;
  return pathname.replace(/\/$/, "");
}
