/** Keycloak as a peer, on a PostgreSQL database of its own, built and started as its documents say for production. */
import { spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { type Stop, unescapeHtml } from "../test/security/client.ts";
import { PERSON, REDIRECT_URI } from "./database.ts";
import { keycloakFolder } from "./peer-programs.ts";
import { freePort } from "./processes.ts";
import { type Server, spawnProgram, untilListening } from "./servers.ts";
import { type Dialect, openTokenClient, type TokenClient } from "./token-client.ts";

export interface Keycloak {
  readonly server: Server;
  openClient(browsers: number): Promise<TokenClient>;
}

const REALM = "bench";
const ADMIN = { username: "admin", password: randomBytes(18).toString("base64url") };
const DAY = 86_400;
/** Seconds: on one core, Java compiles for long, and the first start makes the tables. */
const START = 900;

/** @param url of an empty PostgreSQL database */
export async function startKeycloak(url: string): Promise<Keycloak> {
  const command = join(keycloakFolder(), "bin", "kc.sh");
  const { PATH = "", JAVA_HOME } = process.env;
  const java = { PATH, ...(JAVA_HOME === undefined ? {} : { JAVA_HOME }) };
  const build = spawnSync(command, ["build", "--db=postgres"], { env: java, timeout: 600_000 });
  if (build.status !== 0) throw new Error(`Keycloak cannot be built: ${build.stdout}${build.stderr}`);

  const [port, managementPort] = [await freePort(), await freePort()];
  const { username, password, host, pathname } = new URL(url);
  const server = spawnProgram("keycloak", {
    ...{ port, command, args: ["start", "--optimized"], isGroup: true },
    env: {
      ...java,
      KC_DB_URL: `jdbc:postgresql://${host}${pathname}`,
      KC_DB_USERNAME: username,
      KC_DB_PASSWORD: password,
      // As many connections as ours opens, all from the start, as its documents recommend.
      KC_DB_POOL_INITIAL_SIZE: "16",
      KC_DB_POOL_MIN_SIZE: "16",
      KC_DB_POOL_MAX_SIZE: "16",
      KC_CACHE: "local", // one node: the cache that several nodes share would only cost it
      KC_HTTP_ENABLED: "true", // as behind a proxy that ends TLS
      KC_HTTP_HOST: "127.0.0.1",
      KC_HTTP_PORT: String(port),
      KC_HTTP_MANAGEMENT_PORT: String(managementPort),
      KC_HOSTNAME: `http://127.0.0.1:${port}`,
      KC_BOOTSTRAP_ADMIN_USERNAME: ADMIN.username,
      KC_BOOTSTRAP_ADMIN_PASSWORD: ADMIN.password,
    },
  });
  await untilListening(server, START);
  const realm = `${server.origin}/admin/realms`;

  async function administer(method: "POST" | "GET", path: string, body?: unknown): Promise<unknown> {
    const response = await fetch(realm + path, {
      method,
      headers: { authorization: `Bearer ${await adminToken(server)}`, "content-type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`Keycloak answered ${response.status} at ${path}: ${text}`);
    return text === "" ? null : JSON.parse(text);
  }

  const secret = randomBytes(24).toString("base64url");
  await administer("POST", "", realmOf(secret));

  const openid = `/realms/${REALM}/protocol/openid-connect`;
  const dialect: Dialect = {
    paths: { authorization: `${openid}/auth`, token: `${openid}/token`, introspection: `${openid}/token/introspect` },
    scope: "openid posts:read",
    async authorize(browser, request) {
      const page = await browser.follow(request);
      if (page.left) return page;
      return browser.submit(page, actionOf(page), { username: "bench", password: PERSON.password });
    },
  };
  return {
    server,
    openClient: (browsers) => openTokenClient(server, { client: { id: "bench", secret } }, browsers, dialect),
  };
}

/** A realm with one person and one client, whose tokens are as ours: as long, signed in the same way, each used once. */
function realmOf(secret: string) {
  return {
    realm: REALM,
    enabled: true,
    accessTokenLifespan: 900,
    accessCodeLifespan: 60,
    ssoSessionIdleTimeout: 30 * DAY,
    ssoSessionMaxLifespan: 366 * DAY,
    defaultSignatureAlgorithm: "ES256",
    revokeRefreshToken: true,
    refreshTokenMaxReuse: 0,
    clientScopes: [
      { name: "posts:read", protocol: "openid-connect", attributes: { "include.in.token.scope": "true" } },
      {
        name: "basic",
        protocol: "openid-connect",
        attributes: { "include.in.token.scope": "false" },
        protocolMappers: [
          {
            name: "sub",
            protocol: "openid-connect",
            protocolMapper: "oidc-sub-mapper",
            config: { "access.token.claim": "true", "introspection.token.claim": "true" },
          },
        ],
      },
    ],
    users: [
      {
        username: "bench",
        email: PERSON.email,
        firstName: PERSON.name,
        lastName: PERSON.name,
        emailVerified: true,
        enabled: true,
        credentials: [{ type: "password", value: PERSON.password, temporary: false }],
      },
    ],
    clients: [
      {
        clientId: "bench",
        secret,
        publicClient: false,
        serviceAccountsEnabled: true,
        standardFlowEnabled: true,
        redirectUris: [REDIRECT_URI],
        defaultClientScopes: ["basic"],
        optionalClientScopes: ["posts:read"],
        attributes: { "pkce.code.challenge.method": "S256" },
      },
    ],
  };
}

async function adminToken({ origin }: Server): Promise<string> {
  const response = await fetch(`${origin}/realms/master/protocol/openid-connect/token`, {
    method: "POST",
    body: new URLSearchParams({ grant_type: "password", client_id: "admin-cli", ...ADMIN }),
  });
  if (!response.ok) throw new Error(`Keycloak does not know its administrator: ${await response.text()}`);
  return ((await response.json()) as { access_token: string }).access_token;
}

/** The action of the one form on the sign-in page. */
function actionOf({ url, text }: Stop): string {
  const action = /<form\b[^>]*\baction="([^"]+)"/.exec(text)?.[1];
  if (action === undefined) throw new Error(`There is no form at ${url}: ${text.slice(-1_000)}`);
  return unescapeHtml(action);
}
