import { AppError } from "../../domain/errors.ts";
import type { Viewer } from "../../domain/viewer.ts";
import type { ErrorEntry } from "../documents/errors.ts";
import type { GraphQLRequest } from "../http/messages.ts";
import type { GraphQLServer } from "../http/open.ts";
import type { StreamContext } from "./stream-context.ts";

/** Somebody who wants to hear of posts that change, and the request that asks for it. */
interface Follower extends Pick<GraphQLRequest, "requestId" | "address" | "isClosed"> {
  readonly viewer: Viewer;
  readonly authorization: string | undefined;
}

const CHANGES = { query: "subscription { postEvents { postId } }", variables: {} };

/** Tells other parts of the program of changes of posts, by the rules and limits of `postEvents`. */
export class FollowedPosts {
  readonly #server: GraphQLServer;
  readonly #context: StreamContext;
  readonly #open = new Set<() => void>();
  #isClosed = false;

  constructor(server: GraphQLServer, context: StreamContext) {
    this.#server = server;
    this.#context = context;
  }

  /**
   * Follows all changes that the viewer may know of.
   *
   * @param changed called with the id of the post
   * @param ended called once where the server ends it: with the token, or by `close`
   * @returns how to end it
   * @throws AppError UNAVAILABLE where too many streams are open, and what `postEvents` refuses
   */
  async follow(
    { authorization, ...request }: Follower,
    changed: (postId: string) => void,
    ended: () => void,
  ): Promise<() => void> {
    const { subscriptions, watchToken } = this.#context;
    const headers = { "content-type": "application/json", ...(authorization === undefined ? {} : { authorization }) };
    const head = { method: "POST", url: "/graphql", headers };
    const asked = { ...request, ...head, body: null, own: CHANGES, streams: true };
    const { subscription, body } = await this.#server.handle(asked);
    if (subscription === undefined) throw refusalIn(body);
    const release = await subscriptions.feed.hold();
    let unsubscribe = () => {};
    let unwatch = () => {};
    const end = () => {
      this.#open.delete(finish);
      unsubscribe();
      unwatch();
      release();
    };
    const finish = () => {
      end();
      ended();
    };
    try {
      if (this.#isClosed) throw new AppError("UNAVAILABLE", "The server is stopping.", { retryAfter: 1 });
      unsubscribe = subscriptions.open(subscription, {
        next: (_event, json) => changed(postIdIn(json)),
        hasRoom: () => true,
        untilRoom: async () => {},
      });
      unwatch = watchToken(head, request.viewer, finish);
    } catch (error) {
      end();
      throw error;
    }
    this.#open.add(finish);
    return end;
  }

  close(): void {
    this.#isClosed = true;
    for (const finish of this.#open) finish();
  }
}

function postIdIn(json: string): string {
  return (JSON.parse(json) as { data: { postEvents: { postId: string } } }).data.postEvents.postId;
}

function refusalIn(body: string): AppError {
  const { errors } = JSON.parse(body) as { errors: readonly [ErrorEntry] };
  const { message, extensions } = errors[0];
  const { code, url: _, ...details } = extensions;
  return new AppError(code, message, details);
}
