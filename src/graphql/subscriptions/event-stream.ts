import type { ServerResponse } from "node:http";
import { AppError } from "../../domain/errors.ts";
import { HttpError } from "../documents/errors.ts";
import type { CopySubscription } from "../execution/copy-events.ts";
import { type EventSubscription, eventId } from "../execution/post-events.ts";
import { negotiate } from "../http/media-types.ts";
import type { GraphQLRequest, GraphQLResponse } from "../http/messages.ts";
import type { AnswerStream, GraphQLServer } from "../http/open.ts";
import { Room } from "./reader-backlog.ts";
import type { StreamContext } from "./stream-context.ts";

/** Milliseconds between two signs of life. */
const HEARTBEAT = 12_000;

/**
 * Answers as Server-Sent Events by the GraphQL over SSE protocol, distinct connections mode
 * (https://github.com/graphql/graphql-over-http/blob/main/rfcs/GraphQLOverSSE.md).
 */
export class EventStreams {
  readonly #server: GraphQLServer;
  readonly #context: StreamContext;
  readonly #open = new Set<EventStream>();
  readonly #timer = setInterval(() => {
    for (const stream of this.#open) stream.beat();
  }, HEARTBEAT).unref();
  #isOver = false;

  constructor(server: GraphQLServer, context: StreamContext) {
    this.#server = server;
    this.#context = context;
  }

  readonly answer: AnswerStream = async (request, write) => {
    const isOnlyStream = negotiate(request.headers.accept).response === null;
    const answered = await this.#server.handle({
      ...request,
      // Then what is wrong with the document is told with 200, as a stream needs it.
      headers: isOnlyStream ? { ...request.headers, accept: "application/json" } : request.headers,
      streams: true,
    });
    const { subscription, body, status } = answered;
    if (subscription === undefined) {
      if (!isOnlyStream || status !== 200) return answered;
      write(streamHeaders(answered)).end(`event: next\ndata: ${body}\n\n${COMPLETE}`);
      return null;
    }
    try {
      const resumed = resume(subscription, request.headers["last-event-id"]);
      const release = await this.#context.subscriptions.feed.hold();
      if (request.isClosed?.() === true) {
        release();
        return { status: 200, headers: {}, body: "" }; // to nobody
      }
      const stream = new EventStream(release, (ended) => this.#open.delete(ended));
      try {
        if (this.#isOver) throw new AppError("UNAVAILABLE", "The server is stopping.", { retryAfter: 1 });
        stream.begin(this.#context, request, resumed, () => write(streamHeaders(answered)));
      } catch (error) {
        stream.end();
        throw error;
      }
      this.#open.add(stream);
      return null;
    } catch (error) {
      return this.#server.refuse(request, error as Error);
    }
  };

  /** Clients see a broken connection, and reconnect to another node. */
  close(): void {
    this.#isOver = true;
    clearInterval(this.#timer);
    for (const stream of this.#open) stream.break();
  }
}

/** With an empty `data`, without which a browser's EventSource passes the event over. */
const COMPLETE = "event: complete\ndata: \n\n";

class EventStream {
  readonly #release: () => void;
  readonly #ended: (stream: EventStream) => void;
  #response: ServerResponse | null = null;
  #unsubscribe = () => {};
  #unwatch = () => {};

  constructor(release: () => void, ended: (stream: EventStream) => void) {
    this.#release = release;
    this.#ended = ended;
  }

  /** @throws AppError UNAVAILABLE where there are too many already */
  begin(
    { subscriptions, watchToken }: StreamContext,
    request: GraphQLRequest,
    subscription: EventSubscription | CopySubscription,
    write: () => ServerResponse,
  ): void {
    const room = new Room({
      waiting: () => this.#response?.writableLength ?? 0,
      isOver: () => this.#response?.destroyed ?? true,
      tooSlow: () => this.#response?.destroy(),
    });
    this.#unsubscribe = subscriptions.open(subscription, {
      next: (event, json) =>
        this.#response?.write(`${event === null ? "" : `id: ${event}\n`}event: next\ndata: ${json}\n\n`),
      hasRoom: () => room.hasRoom(),
      untilRoom: () => room.untilRoom(),
    });
    this.#response = write();
    this.#response.once("close", () => this.end());
    this.#response.write(":\n\n");
    this.#unwatch = watchToken(request, subscription.viewer, () => this.#complete(TOKEN_ENDED));
  }

  beat(): void {
    this.#response?.write(":\n\n");
  }

  break(): void {
    this.#response?.end();
    this.end();
  }

  end(): void {
    this.#unsubscribe();
    this.#unwatch();
    this.#release();
    this.#ended(this);
  }

  #complete(json: string): void {
    this.#response?.end(`event: next\ndata: ${json}\n\n${COMPLETE}`);
    this.end();
  }
}

const TOKEN_ENDED = JSON.stringify({
  errors: [{ message: "The access token has ended.", extensions: { code: "UNAUTHENTICATED" } }],
});

/**
 * The last event that a browser's EventSource has seen is newer than the start in its document.
 * @throws HttpError for what is no event's id
 */
function resume(
  subscription: EventSubscription | CopySubscription,
  lastEventId: string | string[] | undefined,
): EventSubscription | CopySubscription {
  if ("postId" in subscription || typeof lastEventId !== "string" || lastEventId === "") return subscription;
  try {
    return { ...subscription, after: eventId("Last-Event-ID", lastEventId) };
  } catch (error) {
    throw new HttpError(400, (error as Error).message);
  }
}

function streamHeaders({ headers }: GraphQLResponse): Record<string, string> {
  return {
    ...headers,
    "content-type": "text/event-stream; charset=utf-8",
    "cache-control": "no-store, no-transform",
    "x-accel-buffering": "no", // for nginx, which would hold events back
  };
}
