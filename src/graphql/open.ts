import type { FastifyError, FastifyPluginCallback } from "fastify";
import type { GraphQLSchema } from "graphql";
import type { AppError } from "../domain/errors.ts";
import type { Store } from "../domain/store.ts";
import type { Viewer } from "../domain/viewer.ts";
import type { Log } from "../observe/log.ts";
import { type GraphQLRequest, type GraphQLResponse, handle, type RequestHead, refuse } from "./handler.ts";
import { negotiate } from "./media-types.ts";
import { Operations } from "./operation.ts";
import { loadSchema } from "./schema.ts";
import { when } from "./when.ts";

export interface GraphQLOptions {
  readonly store: Store;
  /** @throws AppError UNAUTHENTICATED, BAD_REQUEST, UNAVAILABLE */
  readonly authenticate: (head: RequestHead) => Viewer | Promise<Viewer>;
  /** The `WWW-Authenticate` value for UNAUTHENTICATED, and for FORBIDDEN where scopes are missing. */
  readonly challenge: (error: AppError) => string;
  /** Whether `__schema` and `__type` are answered; without them, errors suggest no names either. */
  readonly introspection?: boolean;
  readonly log: Log;
}

/** The GraphQL floor without its transport. */
export interface GraphQLServer {
  readonly schema: GraphQLSchema;
  /** Never throws: whatever goes wrong becomes an answer. */
  handle(request: GraphQLRequest): GraphQLResponse | Promise<GraphQLResponse>;
  /** The answer to a request that failed before it could be handled. */
  refuse(error: Error & { statusCode?: number }, request: RequestHead & { id: string }): GraphQLResponse;
}

export function openGraphQL(options: GraphQLOptions): GraphQLServer {
  const { store, authenticate, challenge, introspection = true, log } = options;
  const schema = loadSchema();
  const operations = new Operations({
    schema,
    prepareRead: (root) => store.prepareRead(root),
    page: 100,
    introspection,
  });
  const context = { schema, store, operations, log, authenticate, challenge };
  return {
    schema,
    handle: (request) => handle(context, request),
    refuse: (error, request) => refuse(context, error, request),
  };
}

const BODY_LIMIT = 1024 * 1024;

export interface GraphQLRoutesOptions {
  /** The page for a browser that asks for HTML. */
  readonly explorer?: () => { readonly headers: Readonly<Record<string, string>>; readonly body: string };
}

/** `/graphql` as a Fastify plugin. Bodies reach the handler byte for byte: no other parser is active here. */
export function graphqlRoutes(server: GraphQLServer, { explorer }: GraphQLRoutesOptions = {}): FastifyPluginCallback {
  return (app, _options, done) => {
    app.removeAllContentTypeParsers();
    app.addContentTypeParser("*", { parseAs: "buffer", bodyLimit: BODY_LIMIT }, (_request, body, parsed) => {
      parsed(null, body);
    });
    app.all("/graphql", (request, reply) => {
      const { method, url, headers, body, id } = request;
      if (explorer !== undefined && method === "GET" && negotiate(headers.accept).html) {
        const page = explorer();
        return reply.headers(page.headers).send(page.body);
      }
      const raw = Buffer.isBuffer(body) ? body : null;
      const response = server.handle({ method, url, headers, body: raw, requestId: id });
      return when(response, (ready) => reply.code(ready.status).headers(ready.headers).send(ready.body));
    });
    // What Fastify refuses by itself, such as a body over the limit.
    app.setErrorHandler<FastifyError>((error, request, reply) => {
      const { status, headers, body } = server.refuse(error, request);
      return reply.code(status).headers(headers).send(body);
    });
    done();
  };
}
