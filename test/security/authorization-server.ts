import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { mock } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import type {} from "../../src/authorization-server/clients/registration.ts";
import { type AuthorizationServer, openAuthorizationServer } from "../../src/authorization-server/open.ts";
import type { AuthorizationServerSettings } from "../../src/authorization-server/options.ts";
import { pageHeaders } from "../../src/authorization-server/pages/layout/layout.ts";
import type { Upstream } from "../../src/authorization-server/upstreams/upstream.ts";
import { readConfig } from "../../src/config/config.ts";
import { passkeyId } from "../../src/config/passkey-id.ts";
import type { AuditEvent, AuditFilter, AuditStore } from "../../src/domain/audit.ts";
import { createClient, type NewClient } from "../../src/domain/clients/client.ts";
import { createUser, type User } from "../../src/domain/people/user.ts";
import type { Store } from "../../src/domain/store/store.ts";
import { ownBuckets } from "../../src/domain/token-bucket.ts";
import { clientAddress } from "../../src/http/client-address.ts";
import { openClientOrigins } from "../../src/http/client-origins.ts";
import { openFastify } from "../../src/http/fastify.ts";
import { withoutCounting } from "../../src/http/gate.ts";
import { openGuardedFetch } from "../../src/http/guarded-fetch.ts";
import { openHttpServer, requestIds } from "../../src/http/http-server.ts";
import { openListener } from "../../src/http/listener.ts";
import type { Letter } from "../../src/mail/letter.ts";
import { openMailbox } from "../../src/mail/mailbox.ts";
import { openMetrics } from "../../src/observe/metrics.ts";
import { hashToken } from "../../src/secrets/token-hash.ts";
import { openStore } from "../../src/storage/open.ts";
import { watchContract } from "../contract.ts";
import { createTestDatabase } from "../database.ts";
import { freePort } from "../port.ts";
import { quickHash } from "../quick-hash.ts";
import { recordAuditRows } from "../recorder.ts";

export const PASSWORD = "correct horse battery staple";
export const CLIENT_SECRET = "a-secret-that-only-the-server-client-has";
export const SPA_CALLBACK = "https://spa.example.com/callback";
export const WEB_CALLBACK = "https://web.example.com/callback?tenant=1";

export interface TestServer {
  readonly issuer: string;
  readonly store: Store;
  readonly server: AuthorizationServer;
  /** The installation's. */
  readonly secret: Uint8Array;
  /** All that a thief of the database would have, as text. */
  readAll(): Promise<string>;
  /** Every log line, as JSON text. */
  readonly lines: string[];
  readonly ada: User;
  readonly bob: User;
  /** Another node on the same database; it closes with this one. */
  openNode(change?: NodeOptions): Promise<{ url: string; server: AuthorizationServer }>;
  addClient(client: Partial<NewClient> & { id: string }): Promise<void>;
  /** Composes every mail that waits, as the worker does, and marks it as sent. */
  letters(): Promise<Letter[]>;
  close(): Promise<void>;
}

export interface TestServerOptions {
  /** Path of the issuer, such as `/auth`. */
  readonly path?: string;
  /** What the server believes its address to be; where it listens unless given. */
  readonly issuer?: string;
  /** Whether it is known as `localhost`, where browsers use passkeys, and not by its IP address. */
  readonly hasName?: boolean;
  /** Milliseconds of Unix time; the engine has its own clock. */
  readonly now?: () => number;
  /** Hosts that may be called though they are private. */
  readonly privateHosts?: readonly string[];
  /** Settings other than the defaults. */
  readonly settings?: Partial<AuthorizationServerSettings>;
  /** Other services at which people sign in. */
  readonly upstreams?: readonly Upstream[];
  /** Scopes that clients, by their ids, get without a refresh token. */
  readonly briefScopes?: Readonly<Record<string, readonly string[]>>;
  /** Without people and clients. */
  readonly empty?: boolean;
  /** Whether it sends mail, which it does unless given: `letters` has them. */
  readonly sendsMail?: boolean;
  /** Whether its mails stay in a mailbox for developers. */
  readonly hasMailbox?: boolean;
}

/** How a node differs from the others. */
type NodeOptions = Pick<TestServerOptions, "now" | "settings" | "upstreams">;

/** The authorization server alone on a free port: a real database, two people (Ada an administrator) and two clients. */
export async function openTestServer(options: TestServerOptions = {}): Promise<TestServer> {
  const folder = await mkdtemp(join(tmpdir(), "content-api-"));
  const database = await createTestDatabase(folder);
  const store = await openStore(database.url);
  const secret = randomBytes(32);
  const lines: string[] = [];
  const write = (level: string) => (fields: object, message: string) => {
    lines.push(JSON.stringify({ level, message, ...fields }));
  };
  const log = { debug: write("debug"), info: write("info"), warn: write("warn"), error: write("error") };
  const port = await freePort();
  const issuer =
    options.issuer ?? `http://${options.hasName === true ? "localhost" : "127.0.0.1"}:${port}${options.path ?? ""}`;

  async function listen(at: number, on: Store = store, change: NodeOptions = {}) {
    const { now = () => Date.now() } = { ...options, ...change }; // tests put another clock in its place
    const server = await openAuthorizationServer({
      settings: {
        ...readConfig({}, "/nonexistent"),
        ...{ AUTH_URL: issuer, BASE_URL: new URL(issuer).origin, OPERATOR_NAME: "Example" },
        PASSKEY_ID: passkeyId({ AUTH_URL: issuer, PASSKEYS: null, PASSKEY_ID: null }),
        ...{ RATE_LIMIT_OAUTH_ADDRESS: null, RATE_LIMIT_OAUTH_CLIENT: null },
        ...options.settings,
        ...change.settings,
      },
      services: {
        ...{ store: on, secret, previousSecret: null, log, now },
        fetch: openGuardedFetch({ privateHosts: options.privateHosts ?? [] }),
        isClientOrigin: openClientOrigins(on.clients, now),
        ...{
          sendsMail: options.sendsMail ?? true,
          mailbox: options.hasMailbox === true ? openTestMailbox(issuer) : null,
        },
        upstreams: change.upstreams ?? options.upstreams ?? [],
        readCertificate: () => null,
        briefScopes: new Map(Object.entries(options.briefScopes ?? {})),
        openBuckets: ownBuckets,
        waiting: withoutCounting,
        loading: (work) => work(),
      },
    });
    const routes = openFastify({
      config: { TRUST_PROXY: false },
      log,
      metrics: openMetrics(),
      requestId: requestIds(),
      isClientPath: server.isClientPath,
      crossOriginHeaders: server.crossOriginHeaders,
      errorPage: ({ title }) => ({ headers: pageHeaders(), body: `<h1>${title}</h1>` }),
    });
    await routes.register(server.routes);
    await routes.ready();
    const http = openHttpServer({ REQUEST_TIMEOUT: 10 });
    const answerToken = server.tokenRoute({
      requestId: requestIds(),
      clientAddress: clientAddress(false),
      refusal: () => null,
      run: (_path, work) => void work(),
      answered: () => {},
    });
    http.server.on("request", (request, response) => {
      if (!answerToken(request, response)) routes.routing(request, response);
    });
    contracts.push(watchContract(at));
    const url = await http.listen(openListener({ port: at, host: "127.0.0.1" }));
    nodes.push(async () => {
      await http.close();
      await routes.close();
      await server.close();
      if (on !== store) await on.close();
    });
    return { server, url };
  }

  const nodes: (() => Promise<void>)[] = [];
  const contracts: (() => void)[] = [];
  const node = await listen(port);
  const addClient = async (client: Partial<NewClient> & { id: string }) => {
    await createClient(store.clients, { ...DEFAULTS, ...client });
  };
  let people: { ada: User; bob: User } | undefined;
  if (options.empty !== true) {
    const passwordHash = quickHash(PASSWORD);
    const person = (name: string, email: string, role: "admin" | "member") =>
      createUser(store.users, { name, email, role, emailVerified: true, passwordHash });
    people = {
      ada: await person("Ada", "ada@example.com", "admin"),
      bob: await person("Bob", "bob@example.com", "member"),
    };
    await addClient({ id: "spa", name: "A page <b>" });
    await addClient({
      id: "web",
      name: "A server",
      type: "confidential",
      secretHash: hashToken(CLIENT_SECRET),
      redirectUris: [WEB_CALLBACK],
    });
  }
  return {
    issuer,
    store,
    secret,
    server: node.server,
    readAll: () => database.readAll(),
    lines,
    get ada() {
      return existing(people).ada;
    },
    get bob() {
      return existing(people).bob;
    },
    openNode: async (change) => listen(0, await openStore(database.url), change),
    addClient,
    letters: () => lettersOf(store, node.server),
    async close() {
      for (const closeNode of nodes) await closeNode();
      await store.close();
      await recordAuditRows(database.url).catch(() => {}); // one that a test has damaged
      await database.drop();
      await rm(folder, { recursive: true });
      for (const assertContract of contracts) assertContract();
    },
  };
}

function openTestMailbox(issuer: string) {
  const about = { operator: "Example", supportContact: null, AUTH_URL: issuer };
  return openMailbox({ ...about, now: () => Date.now(), announce() {} });
}

async function lettersOf({ mails }: Store, server: AuthorizationServer): Promise<Letter[]> {
  const letters: Letter[] = [];
  for (;;) {
    // Whatever clock the test has: all are due.
    const claimed = await mails.claim({ now: "9000", until: "9001", limit: 50 });
    if (claimed.length === 0) return letters;
    for (const mail of claimed) {
      const letter = await server.compose(mail);
      if (letter !== null) letters.push(letter);
      await mails.settle(
        mail.id,
        mail.claim,
        { state: letter === null ? "DROPPED" : "SENT" },
        new Date().toISOString(),
      );
    }
  }
}

/** The URL that the button of a letter leads to. */
export function linkIn(letter: Letter | undefined): string {
  for (const part of letter?.parts ?? []) if ("button" in part) return part.button.href;
  throw new Error("this letter has no button");
}

const DEFAULTS: Omit<NewClient, "id"> = {
  name: "Another",
  type: "public",
  secretHash: null,
  redirectUris: [SPA_CALLBACK],
  postLogoutRedirectUris: ["https://spa.example.com/bye"],
  grantTypes: ["authorization_code", "refresh_token"],
  scopes: ["openid", "profile", "email", "offline_access", "posts:read", "posts:write", "admin"],
  firstParty: false,
};

function existing<T>(value: T | undefined): T {
  if (value === undefined) throw new Error("this server is empty");
  return value;
}

/** Does something as if that many seconds had passed. */
export async function later(seconds: number, act: () => Promise<void>): Promise<void> {
  mock.timers.enable({ apis: ["Date"], now: Date.now() + seconds * 1000 });
  try {
    await act();
  } finally {
    mock.timers.reset();
  }
}

/** The audit events, once they are there: what was noted is written within a quarter of a second, in its order. */
export async function listUntil(
  audit: AuditStore,
  filter: Omit<AuditFilter, "limit">,
  isThere: (events: AuditEvent[]) => boolean,
): Promise<AuditEvent[]> {
  for (let tries = 0; ; tries++) {
    const events = await audit.list({ ...filter, limit: 1_000 });
    if (isThere(events)) return events;
    if (tries === 500) assert.fail(`not there: ${JSON.stringify(events)}`);
    await pause(20);
  }
}
