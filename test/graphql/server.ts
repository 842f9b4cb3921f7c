import type { IncomingHttpHeaders } from "node:http";
import { Readable } from "node:stream";
import { previewTokensOf } from "../../src/app/preview-tokens.ts";
import { serverInfoOf } from "../../src/app/server-info.ts";
import { readConfig } from "../../src/config/config.ts";
import { describeSettings } from "../../src/config/described-settings.ts";
import { openChecks } from "../../src/diagnosis/health.ts";
import { SFA_ACR } from "../../src/domain/acr.ts";
import { AppError, badInput } from "../../src/domain/errors.ts";
import type { Id } from "../../src/domain/id.ts";
import { SCOPES } from "../../src/domain/scopes.ts";
import type { Store } from "../../src/domain/store/store.ts";
import { ownBuckets } from "../../src/domain/token-bucket.ts";
import type { Viewer } from "../../src/domain/viewer.ts";
import type { AdministrationTools } from "../../src/graphql/administration/field.ts";
import type { GraphQLRequest, GraphQLResponse } from "../../src/graphql/http/messages.ts";
import {
  type GraphQLOptions,
  type GraphQLServer,
  type GraphQLSettings,
  openGraphQL,
} from "../../src/graphql/http/open.ts";
import { openAnswerSeal } from "../../src/secrets/answer-seal.ts";
import { openWebhookSecrets } from "../../src/secrets/webhook-secrets.ts";
import { recordFieldErrors } from "../recorder.ts";
import { MemoryStore } from "./memory.ts";

export const ADA = "01980000-0000-7000-8000-00000000000a" as Id;
const SECRET = new Uint8Array(32).fill(7);
/** The settings as they are when nobody sets any. */
export const DEFAULTS = readConfig({}, "/nonexistent");
export const TOKEN = "Bearer ada";

/** Somebody who has just signed in. */
export const ada: Viewer = {
  ...{ userId: ADA, role: "member", clientId: "client", scopes: new Set(SCOPES) },
  signIn: { atSeconds: Date.now() / 1_000, acr: SFA_ACR },
};

let clients = 0;

const SILENT = { debug() {}, info() {}, warn() {}, error() {} };

export const administrationForTests: AdministrationTools = {
  webhookSecrets: openWebhookSecrets(SECRET),
  callWebhook: async () => ({
    ...{ startedAt: new Date().toISOString(), durationMs: 1, status: 204, answer: "", error: null },
    headers: [{ name: "webhook-id", value: "test" }],
  }),
  nativeSchemes: [],
  builtInClients: ["studio"],
  clientsBy: "people",
  resources: ["https://orders.example.com"],
  clientCredentials: {
    newId: () => `client-${++clients}`,
    newSecret: () => "a new secret",
    hash: (secret) => `hash of ${secret.length}`,
  },
  hashPassword: async (password) => {
    if (password.length < 15) throw badInput("password", "The password is too short.");
    return `hash of ${password.length}`;
  },
  renderMarkdown: async (markdown) => ({ html: markdown, text: markdown }),
  // Tests about mail give a real one, with their store.
  mail: {
    ...{
      isOn: false,
      invite: noMail,
      recover: noMail,
      tellAdministrator: noMail,
      tellOfSecondStep: async () => {},
      tellOfUnlink: async () => {},
      tellOfLocalSignIn: async () => {},
      tellOfRecovery: async () => {},
      test: noMail,
    },
    tellOfDeletion: noMail,
  },
  // Tests about sessions and keys give the real ones, with their store.
  access: {
    listOfEach: async () => new Map(),
    ownerOf: async () => null,
    endSession: async () => false,
    endClient: async () => {},
  },
  forgetAttempts: async () => {},
  exportAccount: async () => Readable.from(["{}"]),
  health: openChecks([], { log: SILENT, now: Date.now }),
  signingKeys: { list: async () => [], rotate: async () => {} },
  settings: () => describeSettings(DEFAULTS),
  passkeyId: "example.com",
  upstreamName: (id) => id.toUpperCase(),
  deletionDelay: 7 * 86_400,
  privateHosts: [],
  now: Date.now,
  record: async () => {},
};

function noMail(): Promise<never> {
  return Promise.reject(new Error("This test server has no mail."));
}

/** Limits and settings as the program tells them, and links for previews. */
export const siteForTests: Pick<GraphQLOptions, "serverInfo" | "previewTokens"> = {
  serverInfo: serverInfoOf(DEFAULTS),
  previewTokens: previewTokensOf(DEFAULTS),
};

interface LogLine {
  readonly fields: Record<string, unknown>;
  readonly message: string;
}

type SentRequest = Partial<Omit<GraphQLRequest, "body" | "requestId">> & {
  readonly body?: string | Buffer | object | null;
};

export interface TestServer {
  readonly graphql: GraphQLServer;
  readonly store: MemoryStore;
  readonly log: LogLine[];
  /** Sends one request as a signed-in person, unless told otherwise. */
  send(request: SentRequest): Promise<Answer>;
  query(query: string, variables?: object, headers?: IncomingHttpHeaders): Promise<Answer>;
}

export interface Answer extends GraphQLResponse {
  // biome-ignore lint/suspicious/noExplicitAny: answers are as varied as the documents
  readonly json: any;
}

/** The GraphQL floor over memory; every token but `Bearer ada` is refused. */
export function openTestServer(
  options: Partial<Omit<GraphQLOptions, "settings">> & {
    /** Settings other than the defaults; the rate is not limited unless they say so. */
    settings?: Partial<GraphQLSettings>;
    memory?: MemoryStore;
    viewer?: Viewer;
  } = {},
): TestServer {
  const { memory: store = defaultContent(), viewer = ada, settings, ...rest } = options;
  const log: LogLine[] = [];
  const note = (fields: object, message: string) => void log.push({ fields: { ...fields }, message });
  const graphql = openGraphQL({
    settings: { ...DEFAULTS, RATE_LIMIT_TOKEN: null, RATE_LIMIT_ADDRESS: null, ...settings },
    store: store as unknown as Store, // only what GraphQL uses
    authenticate: ({ headers }) => {
      if (/^bearer +ada$/i.test(headers.authorization ?? "")) return viewer;
      throw new AppError("UNAUTHENTICATED", "This needs an access token.");
    },
    challenge: ({ details }) =>
      "scopes" in details && details.scopes !== undefined ? `Bearer scope="${details.scopes.join(" ")}"` : "Bearer",
    renderMarkdown: async (text) => ({ html: `<p>${text}</p>`, text }),
    ...siteForTests,
    administration: administrationForTests,
    answerSeal: openAnswerSeal(SECRET),
    openBuckets: ownBuckets,
    now: Date.now,
    log: { debug: note, info: note, warn: note, error: note },
    ...rest,
  });
  const send: TestServer["send"] = async ({
    method = "POST",
    url = "/graphql",
    headers = {},
    body = null,
    ...more
  }) => {
    const text = body === null || typeof body === "string" || Buffer.isBuffer(body) ? body : JSON.stringify(body);
    const response = await graphql.handle({
      method,
      url,
      headers: {
        authorization: TOKEN,
        "content-type": "application/json",
        accept: "application/graphql-response+json",
        ...headers,
      },
      body: text === null ? null : Buffer.from(text),
      requestId: "request-1",
      ...more,
    });
    const json = JSON.parse(response.body || "null");
    recordFieldErrors(text, json);
    return { ...response, json };
  };
  return {
    graphql,
    store,
    log,
    send,
    query: (query, variables, headers = {}) => send({ body: { query, variables }, headers }),
  };
}

export function defaultContent(): MemoryStore {
  const articles = Array.from({ length: 3 }, (_, index) => ({
    id: `01990000-0000-7000-8000-${String(index).padStart(12, "0")}`,
    title: `Post ${index}`,
    body: "…",
    createdAt: "2026-01-31T12:00:00.000Z",
    authorId: ADA,
  }));
  return new MemoryStore({ people: [{ id: ADA, name: "Ada", email: "ada@example.com" }], articles });
}
