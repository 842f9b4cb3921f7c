import type { IncomingMessage, ServerResponse } from "node:http";
import type { Config } from "../config/config.ts";
import type { AppError } from "../domain/errors.ts";
import type { Store } from "../domain/store/store.ts";
import type { OpenBuckets } from "../domain/token-bucket.ts";
import { requestStatus } from "../graphql/documents/errors.ts";
import { receiveBody } from "../graphql/http/body.ts";
import type { GraphQLServer } from "../graphql/http/open.ts";
import { refusalHeaders } from "../graphql/http/refusal.ts";
import { sendAnswer } from "../graphql/http/send-answer.ts";
import { ownOrigins } from "../http/cors-options.ts";
import { LINGER } from "../http/http-server.ts";
import { OVERLOADED, type Overload } from "../http/overload.ts";
import { headFault } from "../http/request-head.ts";
import type { McpRequest } from "../mcp/protocol/http-messages.ts";
import type { PublicDocument } from "../mcp/protocol/server-card.ts";
import type { Caller, FollowPosts } from "../mcp/tools/options.ts";
import type { Log } from "../observe/log.ts";
import type { Metrics } from "../observe/metrics.ts";
import type { RequestWatch } from "../observe/request-watch.ts";
import type { McpDoor } from "./mcp-door.ts";

export interface AgentEndpointOptions {
  readonly config: Config;
  readonly door: McpDoor;
  readonly store: Store;
  readonly graphql: GraphQLServer;
  readonly followPosts: FollowPosts;
  readonly secret: Uint8Array;
  readonly previousSecret: Uint8Array | null;
  readonly openBuckets: OpenBuckets;
  readonly requestId: (request: IncomingMessage) => string;
  readonly watch: RequestWatch | null;
  readonly clientAddress: (request: IncomingMessage) => string | null;
  readonly certificateThumbprint: (request: IncomingMessage) => string | null;
  readonly isClosing: () => boolean;
  readonly overload: Overload;
  readonly metrics: Metrics;
  readonly log: Log;
  /** Milliseconds of Unix time. */
  readonly now: () => number;
}

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

export interface AgentEndpoint {
  /** Answers a request to /mcp, or returns false and leaves it alone. */
  answer(request: IncomingMessage, response: ServerResponse): boolean;
  /** Ends the streams of those who listen. */
  close(): Promise<void>;
}

const PATH = "/mcp";
const CARD_PATH = "/mcp/server-card";
const CATALOG_PATH = "/.well-known/ai-catalog.json";

/** The Model Context Protocol at /mcp. Nothing of it is loaded before the first request. */
export function openAgentEndpoint(options: AgentEndpointOptions): AgentEndpoint {
  const { overload, log } = options;
  const paths = new Set([PATH, `${PATH}/`, ...(options.config.MCP_CARD ? [CARD_PATH, CATALOG_PATH] : [])]);
  let opening: Promise<Opened> | null = null;
  let opened: Opened | null = null;

  async function open(): Promise<Opened> {
    try {
      opened = await overload.uncounted(() => load(options));
      return opened;
    } catch (error) {
      log.error({ err: error }, "the endpoint for agents cannot be opened");
      throw error; // Nobody catches it, so it ends the process: half a server would be taken for a whole one.
    }
  }

  return {
    answer(request, response) {
      const path = pathOf(request);
      if (!paths.has(path)) return false;
      if (opened !== null) opened.answer(path, request, response);
      else {
        opening ??= open();
        void opening.then((endpoint) => {
          if (!request.destroyed) endpoint.answer(path, request, response);
        });
      }
      return true;
    },
    async close() {
      (await opening)?.close();
    },
  };
}

interface Opened {
  answer(path: string, request: IncomingMessage, response: ServerResponse): void;
  close(): void;
}

async function load(options: AgentEndpointOptions): Promise<Opened> {
  const { config, door, store, graphql, isClosing, overload, metrics, now, log } = options;
  const [{ openMcp }, { openNodeRoute }, { openAgentTools }, { openAdmission }, cards] = await Promise.all([
    import("../mcp/protocol/http.ts"),
    import("../mcp/protocol/node-route.ts"),
    import("./agent-tools.ts"),
    import("../domain/agents/admission.ts"),
    import("../mcp/protocol/server-card.ts"),
  ]);
  const admission = openAdmission({ store, now });
  const gate = overload.gate(PATH);
  const service = openAgentTools(config, {
    ...options,
    handle: (request) => gate.watch(graphql.handle(request)),
    followPosts: untilStopped(options.followPosts, admission.onStop),
  });

  function admit(request: McpRequest<Caller>): Caller | Promise<Caller> {
    const viewer = graphql.admit(request, request.address, door.authenticate);
    const { authorization } = request.headers;
    if (viewer instanceof Promise)
      return viewer.then(async (known) => {
        await admission.admit(known);
        return { viewer: known, authorization };
      });
    const caller = { viewer, authorization };
    const admitted = admission.admit(viewer);
    return admitted instanceof Promise ? admitted.then(() => caller) : caller;
  }

  const refuse = (error: AppError) => ({
    status: requestStatus(error.code, false),
    headers: refusalHeaders(error, door.challenge),
    message: error.message,
  });
  const origins = ownOrigins(config);
  const mcp = openMcp({ service, admit, refuse, isOwnOrigin: (origin) => origins.has(origin), isClosing, log });
  const answerMcp = openNodeRoute(mcp, {
    ...options,
    ...{ receiveBody, sendAnswer },
    maxBody: config.MAX_BODY,
    admit,
    refusal: (request) => headFault(request) ?? (gate.isRefused(request) ? OVERLOADED : null),
    linger: LINGER,
    answered: (status, seconds, traceId) => metrics.requestAnswered("POST", PATH, status, seconds, traceId),
  });
  const url = config.BASE_URL + PATH;
  const description = `Posts and people of ${config.OPERATOR_NAME}.`; // at most 100 characters
  const documents = new Map<string, Answer>([
    [CARD_PATH, openDocument(cards.serverCard({ info: service.info, description, url }), cards.documentStatus)],
    [CATALOG_PATH, openDocument(cards.aiCatalog({ info: service.info, url }), cards.documentStatus)],
  ]);
  return {
    answer: (path, request, response) => (documents.get(path) ?? answerMcp)(request, response),
    close() {
      mcp.close();
      admission.close();
    },
  };
}

/** Ends the streams of those who listen when an administrator stops all agents. */
function untilStopped(follow: FollowPosts, onStop: (listener: () => void) => () => void): FollowPosts {
  return async (request, changed, ended) => {
    let end = () => {};
    const unwatch = onStop(() => {
      unwatch();
      end();
      ended();
    });
    try {
      const unfollow = await follow(request, changed, () => {
        unwatch();
        ended();
      });
      end = unfollow;
      return () => {
        unwatch();
        unfollow();
      };
    } catch (error) {
      unwatch();
      throw error;
    }
  };
}

/** A public document, which anybody may read by GET. */
function openDocument(
  document: PublicDocument,
  statusOf: (document: PublicDocument, ifNoneMatch: string | undefined) => 200 | 304,
): Answer {
  return ({ method, headers }, response) => {
    if (method !== "GET" && method !== "HEAD") {
      response.writeHead(405, { allow: "GET, HEAD", "content-length": "0" }).end();
      return;
    }
    const status = statusOf(document, headers["if-none-match"]);
    response.writeHead(status, document.headers).end(status === 304 ? undefined : document.body);
  };
}

function pathOf({ url = "" }: IncomingMessage): string {
  const query = url.indexOf("?");
  return query === -1 ? url : url.slice(0, query);
}
