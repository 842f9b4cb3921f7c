import type { IncomingMessage, Server } from "node:http";
import type { Duplex } from "node:stream";
import { setTimeout as pause } from "node:timers/promises";
import type { Config } from "../config/config.ts";
import { AppError } from "../domain/errors.ts";
import type { Store } from "../domain/store/store.ts";
import type { AnswerStream, GraphQLServer } from "../graphql/http/open.ts";
import type { EventStreams } from "../graphql/subscriptions/event-stream.ts";
import type { FollowedPosts } from "../graphql/subscriptions/followed-posts.ts";
import { refuseUpgrade, type StreamContext } from "../graphql/subscriptions/stream-context.ts";
import type { Subscriptions } from "../graphql/subscriptions/subscriptions.ts";
import type { WebSockets } from "../graphql/subscriptions/web-sockets.ts";
import { isLocal } from "../http/local-caller.ts";
import { headFault } from "../http/request-head.ts";
import type { Log } from "../observe/log.ts";
import type { Metrics } from "../observe/metrics.ts";
import type { RequestWatch } from "../observe/request-watch.ts";
import type { Verify } from "../resource-server/verify.ts";

export interface StreamingOptions {
  readonly config: Pick<Config, "MAX_SUBSCRIPTIONS">;
  readonly store: Store;
  readonly graphql: GraphQLServer;
  readonly verify: Verify;
  readonly requestId: (request: IncomingMessage) => string;
  /** Makes the id of an operation over a WebSocket. */
  readonly operationId: () => string;
  readonly watch: RequestWatch | null;
  readonly clientAddress: (request: IncomingMessage) => string | null;
  readonly certificateThumbprint: (request: IncomingMessage) => string | null;
  readonly isClosing: () => boolean;
  /** Milliseconds of Unix time. */
  readonly now: () => number;
  readonly metrics: Metrics;
  readonly log: Log;
}

export interface Streaming {
  readonly stream: AnswerStream;
  /** Tells of changes of posts, for streams that are not GraphQL's own. */
  readonly followPosts: FollowedPosts["follow"];
  /** Answers those who want to go on with WebSocket. */
  listen(server: Server): void;
  /**
   * Ends all subscriptions after so many milliseconds, so that their clients reconnect. New ones are rejected if `isClosing`
   * says so.
   */
  close(delay: number): Promise<void>;
}

interface Parts {
  readonly context: StreamContext;
  readonly subscriptions: Subscriptions;
  readonly streams: EventStreams;
  readonly followed: FollowedPosts;
  close(): void;
}

/** Subscriptions over both transports. Nothing of it is loaded before somebody asks for it. */
export function openStreaming(options: StreamingOptions): Streaming {
  const { config, graphql, isClosing, log } = options;
  let subscriptions: Subscriptions | null = null;
  let parts: Promise<Parts> | null = null;
  let webSockets: Promise<WebSockets> | null = null;
  options.metrics.gauge("graphql_subscriptions", () => subscriptions?.size ?? 0);
  let lag: number | null = null;
  options.metrics.gauge("events_lag_seconds", () => lag);
  const taken = ({ occurredAt }: { readonly occurredAt: string }) => {
    lag = Math.max(0, (options.now() - Date.parse(occurredAt)) / 1_000);
  };

  async function load(): Promise<Parts> {
    const [{ Bus }, { EditingWatch }, { EventStreams }, { FollowedPosts }, { Subscriptions }, { openTokenWatch }] =
      await Promise.all([
        import("../events/bus.ts"),
        import("../events/editing-watch.ts"),
        import("../graphql/subscriptions/event-stream.ts"),
        import("../graphql/subscriptions/followed-posts.ts"),
        import("../graphql/subscriptions/subscriptions.ts"),
        import("../resource-server/token-watch.ts"),
      ]);
    const feed = new Bus({ store: options.store, log, taken });
    const tokens = openTokenWatch(options.verify);
    const editing = new EditingWatch({ store: options.store, log });
    const opened = new Subscriptions({ feed, editing, most: config.MAX_SUBSCRIPTIONS, log });
    subscriptions = opened;
    const context = { subscriptions: opened, watchToken: tokens.watch, log };
    const streams = new EventStreams(graphql, context);
    const followed = new FollowedPosts(graphql, context);
    return {
      ...{ context, subscriptions: opened, streams, followed },
      close() {
        streams.close();
        followed.close();
        tokens.close();
      },
    };
  }

  async function loadWebSockets(): Promise<WebSockets> {
    parts ??= load();
    const [{ context }, { WebSockets }] = await Promise.all([parts, import("../graphql/subscriptions/web-sockets.ts")]);
    const { requestId, operationId, watch, clientAddress, certificateThumbprint } = options;
    const request = { requestId, operationId, watch, isLocal, clientAddress, certificateThumbprint };
    return new WebSockets({ ...context, ...request, server: graphql, most: config.MAX_SUBSCRIPTIONS });
  }

  const upgrade = (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    if (headFault(request) !== null) return refuseUpgrade(socket, options.requestId(request), "400 Bad Request");
    if (isClosing()) return refuseUpgrade(socket, options.requestId(request));
    const ignore = () => {}; // it is gone
    socket.on("error", ignore);
    webSockets ??= loadWebSockets();
    webSockets.then(
      (opened) => {
        socket.off("error", ignore);
        opened.upgrade(request, socket, head);
      },
      (error: unknown) => {
        log.error({ err: error }, "WebSocket connections cannot be served");
        socket.destroy();
      },
    );
  };

  return {
    async stream(request, begin) {
      if (isClosing())
        return graphql.refuse(request, new AppError("UNAVAILABLE", "The server is stopping.", { retryAfter: 1 }));
      parts ??= load();
      return (await parts).streams.answer(request, begin);
    },
    async followPosts(...follower) {
      if (isClosing()) throw new AppError("UNAVAILABLE", "The server is stopping.", { retryAfter: 1 });
      parts ??= load();
      return (await parts).followed.follow(...follower);
    },
    listen(server) {
      server.on("upgrade", upgrade);
    },
    async close(delay) {
      if (parts === null) return;
      if (delay > 0) await pause(delay);
      const [ended, endedSockets] = [parts, webSockets];
      parts = webSockets = null;
      (await endedSockets)?.close();
      (await ended).close();
    },
  };
}
