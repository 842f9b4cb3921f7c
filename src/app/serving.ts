import type { AuthorizationServer } from "../authorization-server/open.ts";
import type { Config } from "../config/config.ts";
import type { Store } from "../domain/store/store.ts";
import { openFastRoute } from "../graphql/http/fast-route.ts";
import type { GraphQLRequest } from "../graphql/http/messages.ts";
import type { GraphQLServer } from "../graphql/http/open.ts";
import { clientAddress } from "../http/client-address.ts";
import { openReadThumbprint } from "../http/client-certificate.ts";
import type { IsClientOrigin } from "../http/client-origins.ts";
import { type HealthOptions, openOperations } from "../http/health.ts";
import { KEEP_ALIVE, LINGER, openHttpServer, requestIds } from "../http/http-server.ts";
import { openLateRoutes } from "../http/late-routes.ts";
import type { Listeners } from "../http/listener.ts";
import { OVERLOADED, type Overload } from "../http/overload.ts";
import { headFault } from "../http/request-head.ts";
import { openRequestIds, openTrustedCaller } from "../http/request-id.ts";
import type { Serve } from "../http/request-queue.ts";
import type { Log } from "../observe/log.ts";
import type { Metrics } from "../observe/metrics.ts";
import type { RequestWatch } from "../observe/request-watch.ts";
import type { Verify } from "../resource-server/verify.ts";
import { type AgentEndpointOptions, openAgentEndpoint } from "./agent-endpoint.ts";
import type { Readiness } from "./readiness.ts";
import type { RoutesOptions } from "./routes.ts";
import { openStreaming } from "./streaming.ts";

export interface ServingOptions {
  readonly config: Config;
  readonly store: Store;
  readonly graphql: GraphQLServer;
  readonly authorizationServer: Pick<
    AuthorizationServer,
    "routes" | "tokenRoute" | "isClientPath" | "crossOriginHeaders"
  >;
  readonly isClientOrigin: IsClientOrigin;
  readonly scim: RoutesOptions["scim"];
  readonly studio: RoutesOptions["studio"];
  readonly findPreview: RoutesOptions["findPreview"];
  /** null: agents are not served. */
  readonly agents: Pick<AgentEndpointOptions, "door" | "secret" | "previousSecret" | "openBuckets" | "now"> | null;
  readonly verify: Verify;
  /** Ends with the serving. */
  readonly overload: Overload;
  readonly metrics: Metrics;
  /** Null where nothing is noted of requests. */
  readonly watch: RequestWatch | null;
  /** The page of the metrics, of all workers. @throws Error when it cannot be had now */
  readonly metricsPage: HealthOptions["page"];
  readonly readiness: Readiness;
  readonly log: Log;
  /** Milliseconds of Unix time. */
  readonly now: () => number;
}

export interface Serving {
  /**
   * @returns where it listens, such as `http://127.0.0.1:4000`
   * @throws Error with the system's code, such as EADDRINUSE
   */
  listen(listeners: Listeners): Promise<string>;
  /** As `App.close`. */
  close(delay: number): Promise<void>;
  /** As `App.handOver`. */
  handOver(): Promise<void>;
}

/** The way of a request from the socket to who answers it: the queue, then the fast route, then all other routes. */
export function openServing(options: ServingOptions): Serving {
  const { config, store, authorizationServer, isClientOrigin, verify, overload, metrics, log } = options;
  let closing = false;
  let isReplaced = false;
  const isClosing = () => closing;
  /** Another process is ready at the same address, after a handover: whoever asks here is told of that one. */
  const isUnready = () => closing && !isReplaced;
  const gate = overload.gate("/graphql");
  const graphql = {
    ...options.graphql,
    handle: (request: GraphQLRequest) => gate.watch(options.graphql.handle(request), request.requestId),
  };
  const newId = requestIds();
  const request = {
    requestId: openRequestIds(openTrustedCaller(config), newId),
    watch: options.watch,
    clientAddress: clientAddress(config.TRUST_PROXY),
    certificateThumbprint: openReadThumbprint(config),
  };
  const streaming = openStreaming({
    config,
    store,
    graphql,
    verify,
    ...request,
    operationId: newId,
    isClosing: isUnready,
    metrics,
    log,
    now: options.now,
  });

  const health: HealthOptions = {
    ...{ config, checks: options.readiness.checks, page: options.metricsPage, isClosing: isUnready, log },
    isAdministrator: async (asking) => {
      try {
        const { method = "GET", url = "", headers } = asking;
        const viewer = await options.graphql.admit({ method, url, headers }, request.clientAddress(asking));
        return viewer.role === "admin" && viewer.scopes.has("admin");
      } catch {
        return false;
      }
    },
  };

  async function loadRoutes() {
    const { openRoutes } = await import("./routes.ts");
    return openRoutes({
      ...{ config, graphql, authorizationServer, stream: streaming.stream, ...request },
      ...{ overload, metrics, log, isClientOrigin, health },
      ...{ scim: options.scim, studio: options.studio, findPreview: options.findPreview },
    });
  }
  const routes = openLateRoutes(() => overload.uncounted(loadRoutes), log);
  const countGraphql = metrics.requests("POST", "/graphql");
  for (const status of [200, 400, 401, 429, 503])
    metrics.histogram("http_request_duration_seconds", "POST", "/graphql", `${status}`);
  const answerFast = openFastRoute(graphql, {
    ...request,
    headers: ["vary", "Origin"], // as CORS says on every other answer
    isClosing,
    linger: LINGER,
    refusal: (request) => headFault(request) ?? (gate.isRefused(request) ? OVERLOADED : null),
    answered(status, seconds, traceId) {
      countGraphql(status, seconds, traceId);
      routes.openSoon("now");
    },
  });
  const answerToken = authorizationServer.tokenRoute({
    ...request,
    refusal: (path, request) => headFault(request) ?? (overload.gate(path).isRefused(request) ? OVERLOADED : null),
    run: (path, work) => overload.gate(path).run(work),
    answered: (path, status, seconds, traceId) => metrics.requestAnswered("POST", path, status, seconds, traceId),
  });
  const agents =
    options.agents === null
      ? null
      : openAgentEndpoint({
          ...{ config, store, graphql: options.graphql, followPosts: streaming.followPosts },
          ...{ ...options.agents, ...request, isClosing, overload, metrics, log },
        });
  const http = openHttpServer(config);
  const serve: Serve = (request, response) => {
    if (answerFast(request, response) || answerToken(request, response)) return;
    if (agents?.answer(request, response) !== true) routes.serve(request, response);
  };
  http.server.on("request", overload.queue(http.server, serve));
  streaming.listen(http.server);
  const operations = config.OPERATIONS_PORT === null ? null : openHttpServer(config);
  operations?.server.on("request", openOperations(health));

  async function end(): Promise<void> {
    await http.close();
    await agents?.close();
    await routes.close();
    await operations?.close();
    overload.close();
  }

  return {
    async listen(listeners) {
      if (listeners.operations !== null) await operations?.listen(listeners.operations);
      const url = await http.listen(listeners.main);
      routes.openSoon("in a second");
      return url;
    },
    async close(delay) {
      closing = true;
      // By half of the time, those who ask whether it is ready have heard that it is not.
      await Promise.all([streaming.close(delay / 2), http.drain(delay)]);
      await end();
    },
    async handOver() {
      closing = isReplaced = true;
      await Promise.all([http.stop(), operations?.stop()]);
      await Promise.all([streaming.close(0), http.drain(KEEP_ALIVE)]);
      await streaming.close(0); // of those that have come meanwhile over connections that were kept
      await end();
    },
  };
}
