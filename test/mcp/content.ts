import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { AppError } from "../../src/domain/errors.ts";
import type { Id } from "../../src/domain/id.ts";
import type { Store } from "../../src/domain/store/store.ts";
import { ownBuckets } from "../../src/domain/token-bucket.ts";
import type { Role, Viewer } from "../../src/domain/viewer.ts";
import type { TrustedDocuments } from "../../src/graphql/documents/trusted-documents.ts";
import type { GraphQLResponse } from "../../src/graphql/http/messages.ts";
import { type GraphQLServer, type GraphQLSettings, openGraphQL } from "../../src/graphql/http/open.ts";
import { openMarkdown } from "../../src/markdown/markdown.ts";
import type { InputRequired, JsonObject, McpService, ToolResult } from "../../src/mcp/protocol/service.ts";
import { openContentService } from "../../src/mcp/tools/content-service.ts";
import type { Caller, ContentCall, ContentRequest, ContentServiceOptions } from "../../src/mcp/tools/options.ts";
import { openAnswerSeal } from "../../src/secrets/answer-seal.ts";
import { openSealer } from "../../src/secrets/seal.ts";
import { openStore } from "../../src/storage/open.ts";
import { aPerson } from "../conformance/samples.ts";
import { createTestDatabase } from "../database.ts";
import { administrationForTests, DEFAULTS, siteForTests } from "../graphql/server.ts";

const SECRET = new Uint8Array(32).fill(7);

/** Scopes of the three levels that a person chooses among. */
export const LEVELS = {
  read: ["posts:read", "users:read"],
  draft: ["posts:read", "users:read", "posts:draft"],
  write: ["posts:read", "users:read", "posts:write"],
} as const;

export interface TestContentOptions {
  readonly settings?: Partial<ContentServiceOptions["settings"]>;
  readonly graphql?: Partial<GraphQLSettings>;
  readonly service?: Partial<ContentServiceOptions>;
  readonly trustedDocuments?: TrustedDocuments;
}

/** The tools over the real GraphQL floor and a real database. */
export interface TestContent {
  readonly store: Store;
  readonly graphql: GraphQLServer;
  readonly service: McpService<Caller>;
  /** Everything that the tools sent to GraphQL, with the answers. */
  readonly traffic: { readonly request: ContentRequest; readonly response: GraphQLResponse }[];
  /** Another service over the same content. */
  another(options: TestContentOptions): TestContent;
  person(role?: Role): Promise<Viewer>;
  /** Creates a post by GraphQL. @returns its id */
  post(viewer: Viewer, input?: object): Promise<string>;
  query(viewer: Viewer, query: string, variables?: object): Promise<{ status: number; json: GraphQLAnswer }>;
  call(
    viewer: Viewer,
    tool: string,
    args?: JsonObject,
    more?: Partial<ContentCall>,
  ): Promise<ToolResult | InputRequired>;
  close(): Promise<void>;
}

// biome-ignore lint/suspicious/noExplicitAny: answers are as varied as the documents
export type GraphQLAnswer = any;

export const AUTHORIZATION = "Bearer canary-token-5d41402abc4b2a76b9719d911017c592";

export function callBy(viewer: Viewer, more: Partial<ContentCall> = {}): ContentCall {
  return {
    caller: { viewer, authorization: AUTHORIZATION },
    ...{ requestId: "request-1", address: "192.0.2.1", clientCapabilities: {}, traceparent: null },
    ...{ inputResponses: null, requestState: null, isClosed: () => false, notify() {} },
    ...more,
  };
}

export async function openTestContent(options: TestContentOptions = {}): Promise<TestContent> {
  const folder = await mkdtemp(join(tmpdir(), "tools-"));
  const database = await createTestDatabase(folder);
  const store = await openStore(database.url);
  const content = openOver(store, options);
  return {
    ...content,
    async close() {
      await store.close();
      await database.drop();
      await rm(folder, { recursive: true });
    },
  };
}

let people = 0;

function openOver(store: Store, options: TestContentOptions): TestContent {
  const graphql = openGraphQL({
    settings: { ...DEFAULTS, RATE_LIMIT_TOKEN: null, RATE_LIMIT_ADDRESS: null, ...options.graphql },
    store,
    authenticate: () => {
      throw new AppError("UNAUTHENTICATED", "Tools give the viewer.");
    },
    challenge: () => "Bearer",
    renderMarkdown: openMarkdown(),
    ...siteForTests,
    administration: administrationForTests,
    answerSeal: openAnswerSeal(SECRET),
    ...(options.trustedDocuments === undefined ? {} : { trustedDocuments: options.trustedDocuments }),
    openBuckets: ownBuckets,
    now: Date.now,
    log: { debug() {}, info() {}, warn() {}, error() {} },
  });
  const traffic: TestContent["traffic"] = [];
  const service = openContentService({
    settings: {
      ...{ MCP: "write", MCP_CONFIRM: "client", MCP_RESULT_MAX: 65_536, AGENT_WRITES_PER_HOUR: 100_000 },
      ...{ OPERATOR_NAME: "Example", ...options.settings },
    },
    version: "1.2.3",
    handle: async (request) => {
      const response = await graphql.handle(request);
      traffic.push({ request, response });
      return response;
    },
    sealer: openSealer(SECRET),
    claimOnce: (...claim) => store.attempts.claimOnce(...claim),
    openBuckets: ownBuckets,
    randomBytes,
    now: Date.now,
    ...options.service,
  });

  async function query(viewer: Viewer, text: string, variables: object = {}) {
    const response = await graphql.handle({
      ...{ method: "POST", url: "/graphql", headers: { "content-type": "application/json" } },
      ...{ body: Buffer.from(JSON.stringify({ query: text, variables })), requestId: "request-2", viewer },
    });
    return { status: response.status, json: JSON.parse(response.body) as GraphQLAnswer };
  }

  return {
    ...{ store, graphql, service, traffic, query },
    another: (more) => openOver(store, more),
    async person(role = "member") {
      const { id } = await store.users.create(
        aPerson({ email: `p${++people}@example.com`, name: `Person ${people}`, role }),
      );
      return { userId: id as Id, role, clientId: "agent", scopes: new Set(LEVELS.write) };
    },
    async post(viewer, input = {}) {
      const create = "mutation ($input: CreatePostInput!) { createPost(input: $input) { id } }";
      const { json } = await query(viewer, create, { input: { title: "A title", body: "*Text*", ...input } });
      return json.data.createPost.id;
    },
    async call(viewer, tool, args = {}, more = {}) {
      const result = await service.callTool(callBy(viewer, more), tool, args);
      return "members" in result ? JSON.parse(`{${result.members}}`) : result;
    },
    close: async () => {},
  };
}

/** The viewer with other scopes. */
export function withScopes(viewer: Viewer, scopes: readonly string[]): Viewer {
  return { ...viewer, scopes: new Set(scopes) };
}

/** The text of a result, which is all that many clients show. */
export function textOf(result: ToolResult | InputRequired): string {
  if (!("content" in result)) throw new Error(`This asks for input: ${JSON.stringify(result)}`);
  return result.content.map(({ text }) => text as string).join("\n");
}

/** The exact content of a result without an error. */
export function structured(result: ToolResult | InputRequired): GraphQLAnswer {
  if (!("structuredContent" in result)) throw new Error(`Not a result: ${JSON.stringify(result)}`);
  return result.structuredContent;
}

/** The error of a result, as its text tells it. */
export function errorIn(result: ToolResult | InputRequired): GraphQLAnswer {
  if (!("isError" in result)) throw new Error(`No error: ${JSON.stringify(result)}`);
  return JSON.parse(textOf(result));
}
