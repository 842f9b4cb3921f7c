import type { IncomingMessage } from "node:http";
import cors from "@fastify/cors";
import type { FastifyPluginAsync } from "fastify";
import { ownMetadata } from "../authorization-server/http/own-metadata.ts";
import type { AuthorizationServer } from "../authorization-server/open.ts";
import { errorPage } from "../authorization-server/pages/error.ts";
import { pageHeaders } from "../authorization-server/pages/layout/layout.ts";
import type { Config } from "../config/config.ts";
import { introspectionWithScopes } from "../graphql/documents/described-scopes.ts";
import { explorerPage, explorerRoutes } from "../graphql/explorer/routes.ts";
import { type GraphQLRoutesOptions, type GraphQLServer, graphqlRoutes } from "../graphql/http/open.ts";
import { schemaRoute } from "../graphql/http/schema-route.ts";
import { openSettledAddress } from "../http/client-address.ts";
import type { IsClientOrigin } from "../http/client-origins.ts";
import { corsOptions } from "../http/cors-options.ts";
import { openFastify } from "../http/fastify.ts";
import { type HealthOptions, healthRoutes } from "../http/health.ts";
import type { Routes } from "../http/late-routes.ts";
import type { Overload } from "../http/overload.ts";
import type { Log } from "../observe/log.ts";
import type { Metrics } from "../observe/metrics.ts";
import type { RequestWatch } from "../observe/request-watch.ts";
import { type PreviewOptions, previewRoutes } from "../preview/routes.ts";
import { metadataRoutes } from "../resource-server/metadata.ts";
import { studioRoutes } from "../studio/routes.ts";
import type { OwnStudio } from "./studio.ts";

export interface RoutesOptions {
  readonly config: Config;
  readonly graphql: GraphQLServer;
  readonly authorizationServer: Pick<AuthorizationServer, "routes" | "isClientPath" | "crossOriginHeaders">;
  readonly stream: NonNullable<GraphQLRoutesOptions["stream"]>;
  readonly certificateThumbprint: NonNullable<GraphQLRoutesOptions["certificateThumbprint"]>;
  readonly overload: Pick<Overload, "guardRoutes">;
  readonly requestId: (request: IncomingMessage) => string;
  readonly watch: RequestWatch | null;
  readonly metrics: Metrics;
  readonly health: HealthOptions;
  readonly log: Log;
  readonly isClientOrigin: IsClientOrigin;
  /** The post that the preview link with this token shows. */
  readonly findPreview: PreviewOptions["find"];
  /** null: SCIM is off. */
  readonly scim: (() => Promise<FastifyPluginAsync>) | null;
  /** null: the studio is off. */
  readonly studio: Pick<OwnStudio, "files"> | null;
}

/** Every address that is answered. A plain `POST /graphql` is answered before it comes here (`graphql/fast-route`). */
export async function openRoutes(options: RoutesOptions): Promise<Routes> {
  const { config, graphql, authorizationServer, stream, certificateThumbprint, log, metrics, isClientOrigin } = options;
  const resource = { baseUrl: config.BASE_URL, issuer: config.AUTH_URL, operator: config.OPERATOR_NAME };
  const explorer = config.INTROSPECTION
    ? { ...resource, introspect: () => introspectionWithScopes(graphql.schema) }
    : resource;
  const page = () => explorerPage(explorer);
  const server = openFastify({
    ...{ config, log, metrics, requestId: options.requestId, watch: options.watch },
    isClientPath: authorizationServer.isClientPath,
    crossOriginHeaders: authorizationServer.crossOriginHeaders,
    errorPage: pages(config.OPERATOR_NAME),
  });
  server.register(async (bounded) => {
    options.overload.guardRoutes(bounded);
    bounded.register(async (scope) => {
      scope.register(cors, corsOptions(config, isClientOrigin));
      scope.register(graphqlRoutes(graphql, { explorer: page, stream, certificateThumbprint }));
      if (config.INTROSPECTION) scope.register(schemaRoute);
      scope.register(metadataRoutes(config));
    });
    bounded.register(explorerRoutes(explorer));
    if (options.studio !== null) {
      const authorizationServer = ownMetadata(config.AUTH_URL);
      bounded.register(studioRoutes({ ...resource, authorizationServer, files: options.studio.files }));
    }
    if (config.DOCS) {
      const { openDocs } = await import("./docs.ts");
      bounded.register(openDocs(config, graphql.schema));
    }
    bounded.register(
      previewRoutes({
        operator: config.OPERATOR_NAME,
        timeZone: () => config.TIME_ZONE,
        postUrl: config.POST_URL,
        find: options.findPreview,
      }),
    );
    bounded.register(authorizationServer.routes);
    if (options.scim !== null) bounded.register(await options.scim());
  });
  server.register(healthRoutes(options.health));
  await server.ready();
  const settleAddress = openSettledAddress(config.TRUST_PROXY);
  return {
    serve(request, response) {
      settleAddress(request);
      server.routing(request, response);
    },
    close: () => server.close(),
  };
}

function pages(operator: string) {
  return (error: { title: string; message: string; requestId?: string }) => ({
    headers: pageHeaders(),
    body: errorPage({ operator, next: { label: "Go to the start page", href: "/" }, ...error }),
  });
}
