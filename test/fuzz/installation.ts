import { generateKeyPairSync, type KeyObject } from "node:crypto";
import { unlockAccount } from "../../src/authorization-server/sign-in/attempts.ts";
import { createClient, DEVICE_GRANT } from "../../src/domain/clients/client.ts";
import type { Id } from "../../src/domain/id.ts";
import { networkOf } from "../../src/domain/network.ts";
import { createUser } from "../../src/domain/people/user.ts";
import { encodeCursor } from "../../src/domain/reading/cursor.ts";
import type { Store } from "../../src/domain/store/store.ts";
import type { Log } from "../../src/observe/log.ts";
import { hashToken } from "../../src/secrets/token-hash.ts";
import { openStore } from "../../src/storage/open.ts";
import { openTestApp, type TestApp } from "../app.ts";
import { quickHash } from "../quick-hash.ts";
import { CLIENT_SECRET, PASSWORD, SPA_CALLBACK, WEB_CALLBACK } from "../security/authorization-server.ts";
import { authorizationRequest, authorize, Browser, formOf, getTokens } from "../security/client.ts";

/** The program with people, clients and posts, to which inputs are sent. */
export interface Installation {
  readonly app: TestApp;
  readonly port: number;
  readonly store: Store;
  /** Key of the client `signer`. */
  readonly key: KeyObject;
  /** What placeholders of the corpus stand for. */
  readonly values: ReadonlyMap<string, string>;
  /** Log lines at error level since the last call. */
  takeErrors(): string[];
  /** Forgets sign-ins that failed: a limit would keep the next ones from the code behind it. */
  forgive(): Promise<void>;
  /** New tokens, codes and sessions: inputs use them up, and revoke them. */
  renew(): Promise<void>;
  close(): Promise<void>;
}

const SCOPES =
  "openid profile email offline_access profile:write posts:read posts:write posts:draft users:read users:email clients:own admin";

/** Limits are for other tests: here each input has to come through. */
const SETTINGS = {
  ...{
    RATE_LIMIT_TOKEN: "off",
    RATE_LIMIT_ADDRESS: "off",
    RATE_LIMIT_OAUTH_ADDRESS: "off",
    RATE_LIMIT_OAUTH_CLIENT: "off",
  },
  ...{ REGISTRATION: "open", REGISTRATION_RATE: "100000/m", PUBLIC_READ: "true", CLIENTS_BY: "people" },
  CLIENT_METADATA_DOCUMENTS: "false", // no name is to be looked up
};

/** @param databaseUrl an empty database; one of its own unless given */
export async function openInstallation(databaseUrl?: string): Promise<Installation> {
  const errors: string[] = [];
  const ignore = () => {};
  const error = (fields: object, message: string) => void errors.push(`${message} ${describe(fields)}`);
  const log: Log = { debug: ignore, info: ignore, warn: ignore, error };
  const settings = databaseUrl === undefined ? SETTINGS : { ...SETTINGS, DATABASE_URL: databaseUrl };
  const app = await openTestApp(settings, { log });
  const store = await openStore(app.config.DATABASE_URL);
  const key = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const jwk = { ...key.publicKey.export({ format: "jwk" }), kid: "ec" };
  const passwordHash = quickHash(PASSWORD);
  const common = { emailVerified: true, passwordHash } as const;
  const ada = await createUser(store.users, { ...common, name: "Ada", email: "ada@example.com", role: "admin" });
  const bob = await createUser(store.users, { ...common, name: "Bob", email: "bob@example.com", role: "member" });
  const carol = await createUser(store.users, { ...common, name: "Carol", email: "carol@example.com", role: "member" });
  await addClients(store, jwk);
  const posts: Id[] = [];
  for (const [index, status] of (["PUBLISHED", "PUBLISHED", "DRAFT", "ARCHIVED"] as const).entries())
    posts.push(await store.posts.create({ authorId: ada.id, title: `Post ${index}`, body: "*red* green", status }));
  const values = new Map<string, string>([
    ...([
      ["host", `127.0.0.1:${app.config.PORT}`],
      ["issuer", app.config.AUTH_URL],
      ["public-jwk", JSON.stringify(jwk)],
    ] as const),
    ...([
      ["secret", CLIENT_SECRET],
      ["password", encodeURIComponent(PASSWORD)],
      ["ada", ada.id],
      ["bob", bob.id],
      ["carol", carol.id],
    ] as const),
    ...posts.map((id, index) => [`post${index}`, id] as const),
    ["cursor", encodeCursor("posts.createdAt.desc", { key: new Date().toISOString(), id: posts[0] ?? "" })],
  ]);
  let people = 0;
  const forgive = async () => {
    for (const address of ["127.0.0.1", "::1"])
      for (const kind of ["address", "device address", "mails from"])
        await store.attempts.clear(`${kind} ${networkOf(address)}`);
    for (const email of ["ada@example.com", "bob@example.com"]) await unlockAccount(store.attempts, email);
  };
  const renew = async () => {
    await forgive();
    // Its pages may change the password, and delete the account.
    const email = `person-${++people}@example.com`;
    await createUser(store.users, { ...common, name: "Dora", email, role: "member" });
    for (const [name, value] of Object.entries(await grantedValues(app.config.AUTH_URL, email)))
      values.set(name, value);
  };
  await renew();
  return {
    ...{ app, store, values, forgive, renew },
    port: app.config.PORT,
    key: key.privateKey,
    takeErrors: () => errors.splice(0),
    async close() {
      await store.close();
      await app.close();
    },
  };
}

async function addClients(store: Store, jwk: Record<string, unknown>): Promise<void> {
  const usual = {
    name: "A client",
    scopes: SCOPES.split(" "),
    postLogoutRedirectUris: [`${SPA_CALLBACK}/bye`],
    firstParty: true,
  };
  const codes = { grantTypes: ["authorization_code", "refresh_token"] as const };
  const open = { ...usual, type: "public", secretHash: null } as const;
  const closed = { ...usual, type: "confidential", secretHash: hashToken(CLIENT_SECRET) } as const;
  await createClient(store.clients, { ...open, ...codes, id: "spa", redirectUris: [SPA_CALLBACK] });
  await createClient(store.clients, { ...closed, ...codes, id: "web", redirectUris: [WEB_CALLBACK] });
  await createClient(store.clients, { ...closed, id: "job", redirectUris: [], grantTypes: ["client_credentials"] });
  await createClient(store.clients, {
    ...open,
    id: "tv",
    redirectUris: [],
    grantTypes: [DEVICE_GRANT, "refresh_token"],
  });
  const keys = { jwks: { keys: [jwk] }, secretHash: null };
  await createClient(store.clients, { ...closed, ...codes, ...keys, id: "signer", redirectUris: [SPA_CALLBACK] });
}

/** A browser whose cookies can be sent without it. */
class NotedBrowser extends Browser {
  readonly #cookies = new Map<string, string>();

  override async fetch(url: string | URL, init?: RequestInit): Promise<Response> {
    const response = await super.fetch(url, init);
    for (const line of response.headers.getSetCookie()) {
      const [pair = ""] = line.split(";");
      this.#cookies.set(pair.slice(0, pair.indexOf("=")), pair);
    }
    return response;
  }

  get header(): string {
    return [...this.#cookies.values()].filter((pair) => !pair.endsWith("=")).join("; ");
  }
}

/** @param email of the person with the session */
async function grantedValues(issuer: string, email: string): Promise<Record<string, string>> {
  const browser = new NotedBrowser();
  const options = {
    issuer,
    clientId: "web",
    redirectUri: WEB_CALLBACK,
    clientSecret: CLIENT_SECRET,
    scope: SCOPES,
    browser,
  };
  const tokens = await getTokens(options);
  const spare = await getTokens(options);
  const { code, verifier } = await authorize(options);
  const member = await getTokens({ ...options, email: "bob@example.com", browser: new Browser() });
  const session = new NotedBrowser();
  await authorize({ ...options, email, browser: session });
  const visitor = new NotedBrowser();
  const { url } = authorizationRequest({ ...options, clientId: "spa", redirectUri: SPA_CALLBACK });
  const signIn = formOf(await visitor.follow(url), "/sign-in");
  const name = formOf(await session.follow(`${issuer}/account/name`), "/account/name");
  return {
    ...{ token: tokens.access_token, refresh: tokens.refresh_token, "id-token": tokens.id_token, code, verifier },
    ...{ member: member.access_token, spare: spare.access_token, session: session.header, visitor: visitor.header },
    ...{ "sign-in": signIn.action.pathname, "sign-in-form": String(new URLSearchParams(signIn.hidden)) },
    "name-form": String(new URLSearchParams(name.hidden)),
  };
}

function describe(fields: object): string {
  const shown = { ...fields } as Record<string, unknown>;
  for (const [name, value] of Object.entries(shown)) if (value instanceof Error) shown[name] = value.stack;
  return JSON.stringify(shown).slice(0, 2_000);
}
