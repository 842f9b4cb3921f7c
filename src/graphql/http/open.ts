import type { IncomingMessage, ServerResponse } from "node:http";
import type { FastifyError, FastifyPluginCallback, FastifyReply, FastifyRequest } from "fastify";
import type { GraphQLSchema } from "graphql";
import { AppError } from "../../domain/errors.ts";
import type { AnswerSeal } from "../../domain/idempotency.ts";
import type { PreviewTokens } from "../../domain/posts/previews.ts";
import type { RenderMarkdown } from "../../domain/posts/rendering.ts";
import type { Store } from "../../domain/store/store.ts";
import type { OpenBuckets, Quota } from "../../domain/token-bucket.ts";
import type { Viewer } from "../../domain/viewer.ts";
import type { Log } from "../../observe/log.ts";
import { type Metrics, openMetrics } from "../../observe/metrics.ts";
import type { AdministrationTools } from "../administration/field.ts";
import { HttpError } from "../documents/errors.ts";
import type { Limits } from "../documents/limits.ts";
import { PersistedDocuments } from "../documents/persisted-documents.ts";
import { loadSchema } from "../documents/schema.ts";
import type { TrustedDocuments } from "../documents/trusted-documents.ts";
import type { AdministrationRequest } from "../execution/execute.ts";
import { IdempotencyKeys } from "../execution/idempotency.ts";
import type { ServerInfo } from "../execution/objects.ts";
import { Operations } from "../plan/operation.ts";
import type { AdministrationField } from "../plan/root-field.ts";
import { type ReceivedBody, receiveBody } from "./body.ts";
import { Exchange } from "./handler.ts";
import { KnownRequests } from "./known-requests.ts";
import { negotiate } from "./media-types.ts";
import type { GraphQLRequest, GraphQLResponse, RequestHead } from "./messages.ts";
import { type ObservedSettings, observedAuthenticate } from "./observed-operation.ts";
import { openRateLimiter } from "./rate-limit.ts";
import type { Challenge } from "./refusal.ts";
import { when } from "./when.ts";

/** The settings that this floor reads, under their own names: docs/reference/settings.md explains each. */
export interface GraphQLSettings extends Limits, ObservedSettings {
  /** Whether `__schema` and `__type` are answered; without them, errors suggest no names either. */
  readonly INTROSPECTION: boolean;
  /** Seconds for which shared caches may keep answers to GET without a token before they ask again. */
  readonly PUBLIC_MAX_AGE: number;
  /** Points for each access token, and for each address; null in either: the rate is not limited. */
  readonly RATE_LIMIT_TOKEN: Quota | null;
  readonly RATE_LIMIT_ADDRESS: Quota | null;
}

export interface GraphQLOptions {
  readonly settings: GraphQLSettings;
  readonly store: Store;
  /** @throws AppError UNAUTHENTICATED, BAD_REQUEST, UNAVAILABLE */
  readonly authenticate: (head: RequestHead) => Viewer | Promise<Viewer>;
  readonly renderMarkdown: RenderMarkdown;
  readonly serverInfo: ServerInfo;
  readonly previewTokens: PreviewTokens;
  /** null: nobody administers through this server. */
  readonly administration: AdministrationTools | null;
  /** For answers that are kept for an Idempotency-Key. */
  readonly answerSeal: AnswerSeal;
  readonly challenge: Challenge;
  /** Page that explains the codes of errors (`printErrors`). Defaults to none. */
  readonly errorPage?: string | null;
  /** Opens the buckets of rate limits. */
  readonly openBuckets: OpenBuckets;
  /** From `loadTrustedDocuments`. */
  readonly trustedDocuments?: TrustedDocuments;
  /** Finds documents of the program's own pages by their identifiers. */
  readonly findOwnDocument?: (id: string) => string | undefined;
  /** The public one unless given. */
  readonly schema?: GraphQLSchema;
  /** Counts operations and errors. Defaults to metrics that nobody reads. */
  readonly metrics?: Metrics;
  readonly log: Log;
  /** Milliseconds of Unix time. */
  readonly now: () => number;
}

/** The GraphQL floor without its transport. */
export interface GraphQLServer {
  readonly schema: GraphQLSchema;
  readonly limits: Limits;
  /** Never throws: whatever goes wrong becomes an answer. */
  handle(request: GraphQLRequest): GraphQLResponse | Promise<GraphQLResponse>;
  /**
   * The viewer of a request without a document yet.
   *
   * @param authenticate that of another door than /graphql
   * @throws AppError as `authenticate`, and RATE_LIMITED
   */
  admit(
    head: RequestHead,
    address: string | null,
    authenticate?: GraphQLOptions["authenticate"],
  ): Viewer | Promise<Viewer>;
  /** Forgets what is only there to answer faster. */
  rest(): void;
  /** The answer to a request that the transport gave up: its own refusals are told, anything else is a fault of ours. */
  refuse(request: GraphQLRequest, error: Error & { readonly statusCode?: number }): GraphQLResponse;
}

export function openGraphQL(options: GraphQLOptions): GraphQLServer {
  const { settings, store, challenge, renderMarkdown, schema = loadSchema(), log } = options;
  const { serverInfo, previewTokens, metrics = openMetrics() } = options;
  const authenticate = observedAuthenticate(options.authenticate);
  const documents = new PersistedDocuments(options.trustedDocuments, options.findOwnDocument);
  const nameOf = documents.nameOf.bind(documents);
  const prepareRead = store.prepareRead.bind(store);
  const planning = { schema, prepareRead, limits: settings, postUrl: serverInfo.postUrl };
  const operations = new Operations({ ...planning, introspection: settings.INTROSPECTION, nameOf, metrics });
  const context = {
    schema,
    store,
    operations,
    requests: new KnownRequests(operations, documents),
    heldVersion: store.heldVersion?.bind(store) ?? (() => null),
    documents,
    metrics,
    costRejected: metrics.counter("graphql_cost_rejected_total"),
    limits: settings,
    observing: settings,
    idempotencyKeys: new IdempotencyKeys(store.idempotency, options.answerSeal, log),
    renderMarkdown,
    serverInfo,
    previewTokens,
    // Loaded when it is first needed, which for most processes is never.
    administer: async (field: AdministrationField, request: AdministrationRequest) => {
      const tools = options.administration;
      if (tools === null) throw new AppError("FORBIDDEN", "This server has no administration.");
      const { administer } = await import("../administration/administer.ts");
      return administer({ store, tools }, field, request);
    },
    publicMaxAge: settings.PUBLIC_MAX_AGE,
    rateLimiter: openRateLimiter(settings, options),
    log,
    authenticate,
    challenge,
    errorPage: options.errorPage ?? null,
    now: options.now,
  };
  return {
    schema,
    limits: settings,
    handle: (request) => new Exchange(context, request).respond(),
    admit(head, address, identify) {
      context.rateLimiter?.account(address).charge(0, 1); // guesses at tokens are not free
      return identify === undefined ? authenticate(head) : observedAuthenticate(identify)(head);
    },
    rest: () => context.requests.clear(),
    refuse: (request, error) => {
      const { statusCode: status } = error;
      const isRefusal = status !== undefined && status >= 400 && status < 500;
      return new Exchange(context, request).refuse(isRefusal ? new HttpError(status, error.message) : error);
    },
  };
}

/**
 * Answers with Server-Sent Events; `begin` makes the response begin, with these headers beside others.
 * @returns what is to be sent as any other answer; null where a stream was begun
 */
export type AnswerStream = (
  request: GraphQLRequest,
  begin: (headers: Readonly<Record<string, string>>) => ServerResponse,
) => Promise<GraphQLResponse | null>;

export interface GraphQLRoutesOptions {
  /** Thumbprint of the client's certificate. Defaults to none. */
  readonly certificateThumbprint?: (request: IncomingMessage) => string | null;
  /** For requests that accept event streams. */
  readonly stream?: AnswerStream;
  /** The page for a browser that asks for HTML. */
  readonly explorer?: () => { readonly headers: Readonly<Record<string, string>>; readonly body: string };
}

/** `/graphql` as a Fastify plugin. Bodies reach the handler byte for byte: no other parser is active here. */
export function graphqlRoutes(
  server: GraphQLServer,
  { explorer, stream, certificateThumbprint = () => null }: GraphQLRoutesOptions = {},
): FastifyPluginCallback {
  return (app, _options, done) => {
    const readRequest = openReadRequest(certificateThumbprint);
    app.removeAllContentTypeParsers();
    app.addContentTypeParser("*", (request: FastifyRequest, _payload, parsed) =>
      receiveBody(request.raw, {
        limit: server.limits.MAX_BODY,
        admit: () => server.admit(readRequest(request), request.ip),
        received: (received) => parsed(null, received),
        refused: (error) => parsed(error),
      }),
    );
    app.all("/graphql", (request, reply) => {
      if (
        explorer !== undefined &&
        ["GET", "HEAD"].includes(request.method) &&
        negotiate(request.headers.accept).html
      ) {
        const page = explorer();
        return reply.headers(page.headers).send(page.body);
      }
      if (stream !== undefined && request.method !== "HEAD" && negotiate(request.headers.accept).eventStream) {
        return stream(readRequest(request), (headers) => begin(reply, headers)).then((answer) =>
          answer === null ? reply : send(reply, answer),
        );
      }
      const response = server.handle(readRequest(request));
      return when(response, (ready) => send(reply, ready));
    });
    // Requests that Fastify rejects before us, such as a body over the limit.
    app.setErrorHandler<FastifyError>((error, request, reply) => {
      if (!request.raw.complete) reply.header("connection", "close");
      return send(reply, server.refuse(readRequest(request), error));
    });
    done();
  };
}

/** Headers of other plugins, such as CORS, are sent as well. */
function begin(reply: FastifyReply, headers: Readonly<Record<string, string>>): ServerResponse {
  reply.hijack();
  for (const [name, value] of Object.entries({ ...reply.getHeaders(), ...headers })) {
    if (value !== undefined) reply.raw.setHeader(name, value);
  }
  reply.raw.writeHead(200);
  return reply.raw;
}

function send(reply: FastifyReply, { status, headers, body }: GraphQLResponse): FastifyReply {
  const vary = reply.getHeader("vary"); // by CORS, which comes before us
  reply.code(status).headers(headers);
  if (vary !== undefined && headers.vary !== undefined) reply.header("vary", `${vary}, ${headers.vary}`);
  // Fastify gives even an empty text a type; undefined it leaves alone.
  return reply.send(body === "" ? undefined : body);
}

const NO_BODY: ReceivedBody = { body: null, viewer: null };

function openReadRequest(certificateThumbprint: (request: IncomingMessage) => string | null) {
  return ({ method, url, headers, body: received, id, ip, raw }: FastifyRequest): GraphQLRequest => {
    const { body, viewer } = (received ?? NO_BODY) as ReceivedBody;
    return {
      method,
      url,
      headers,
      body,
      requestId: id,
      address: ip,
      isClosed: () => raw.socket.destroyed,
      certificateThumbprint: () => certificateThumbprint(raw),
      ...(viewer === null ? {} : { viewer }),
    };
  };
}
