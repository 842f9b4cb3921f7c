/** Ory Hydra as a peer, on a PostgreSQL database of its own, set up as its documents say for production. */
import { spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import type { Stop } from "../test/security/client.ts";
import { PERSON, REDIRECT_URI } from "./database.ts";
import { hydraProgram } from "./peer-programs.ts";
import { freePort } from "./processes.ts";
import { type Server, spawnProgram, untilListening } from "./servers.ts";
import { type Dialect, openTokenClient, type TokenClient } from "./token-client.ts";

/** Hydra gives no refresh token without `offline_access`. */
const SCOPE = "openid offline_access posts:read";
/** Nobody listens there: the benchmark takes the part of the pages for sign-in and consent, which Hydra leaves to others. */
const PAGES = "http://pages.invalid";

export interface Hydra {
  readonly server: Server;
  openClient(browsers: number): Promise<TokenClient>;
}

/** @param url of an empty PostgreSQL database */
export async function startHydra(url: string): Promise<Hydra> {
  const [port, adminPort] = [await freePort(), await freePort()];
  const env = {
    // As many connections as ours opens; without idle ones, Hydra would open them again and again.
    DSN: `${url}?sslmode=disable&max_conns=16&max_idle_conns=16`,
    SECRETS_SYSTEM: randomBytes(24).toString("base64url"),
    SQA_OPT_OUT: "true", // sends nothing about itself to anybody
    LOG_LEVEL: "warn", // no line for each request, as ours has none
    GOMAXPROCS: "1",
    SERVE_PUBLIC_HOST: "127.0.0.1",
    SERVE_PUBLIC_PORT: String(port),
    SERVE_ADMIN_HOST: "127.0.0.1",
    SERVE_ADMIN_PORT: String(adminPort),
    URLS_SELF_ISSUER: `https://127.0.0.1:${port}`, // as behind a proxy that ends TLS
    URLS_LOGIN: `${PAGES}/login`,
    URLS_CONSENT: `${PAGES}/consent`,
    OAUTH2_PKCE_ENFORCED: "true",
    TTL_ACCESS_TOKEN: "15m",
    TTL_REFRESH_TOKEN: "720h",
    TTL_ID_TOKEN: "1h",
    TTL_AUTH_CODE: "1m",
  };
  const command = hydraProgram();
  const migrated = spawnSync(command, ["migrate", "sql", "up", "-e", "--yes"], { env, timeout: 300_000 });
  if (migrated.status !== 0) throw new Error(`Hydra made no tables: ${migrated.stderr}`);
  const server = spawnProgram("hydra", { port, command, args: ["serve", "all"], env });
  const admin = `http://127.0.0.1:${adminPort}/admin`;
  await untilListening(server, 60);
  await untilListening({ ...server, port: adminPort }, 60);

  async function administer(method: "POST" | "PUT", path: string, body: unknown): Promise<Record<string, string>> {
    const response = await fetch(admin + path, {
      method,
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`Hydra answered ${response.status} at ${path}: ${text}`);
    return JSON.parse(text);
  }

  // The newest key signs: ES256 as the others do, not the RS256 with which Hydra begins, which costs more.
  await administer("POST", "/keys/hydra.openid.id-token", { alg: "ES256", use: "sig", kid: "bench" });
  const secret = randomBytes(24).toString("base64url");
  const { client_id: id = "" } = await administer("POST", "/clients", {
    client_name: "Bench",
    client_secret: secret,
    redirect_uris: [REDIRECT_URI],
    grant_types: ["authorization_code", "refresh_token", "client_credentials"],
    response_types: ["code"],
    scope: SCOPE,
    token_endpoint_auth_method: "client_secret_post",
    skip_consent: true,
  });

  const dialect: Dialect = {
    paths: { authorization: "/oauth2/auth", token: "/oauth2/token", introspection: "/admin/oauth2/introspect" },
    introspectionPort: adminPort,
    scope: SCOPE,
    async authorize(browser, request) {
      let stop = await browser.follow(request);
      for (let pages = 0; stop.url.origin === PAGES && pages < 2; pages++) {
        const next = new URL(await accept(stop));
        next.protocol = "http:";
        stop = await browser.follow(next);
      }
      return stop;
    },
  };

  /** What the pages would do when somebody has signed in and agreed. @returns where the browser goes next */
  async function accept({ url }: Stop): Promise<string> {
    const step = url.pathname.slice(1);
    const challenge = url.searchParams.get(`${step}_challenge`) ?? "";
    const path = `/oauth2/auth/requests/${step}/accept?${step}_challenge=${encodeURIComponent(challenge)}`;
    const answer =
      step === "login"
        ? { subject: PERSON.email, remember: true, remember_for: 3_600 }
        : { grant_scope: SCOPE.split(" "), remember: true, remember_for: 3_600 };
    return (await administer("PUT", path, answer)).redirect_to ?? "";
  }

  return {
    server,
    openClient: (browsers) => openTokenClient(server, { client: { id, secret } }, browsers, dialect),
  };
}
