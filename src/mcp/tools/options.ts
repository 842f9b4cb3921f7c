import type { OpenBuckets } from "../../domain/token-bucket.ts";
import type { Viewer } from "../../domain/viewer.ts";
import type { Call, JsonObject } from "../protocol/service.ts";

/** The caller of a request at /mcp, or of the program over stdio. */
export interface Caller {
  /** Narrowed to what works at /mcp: no administration, no e-mail addresses. */
  readonly viewer: Viewer;
  /** The header of the request, whose token pays for what tools read and write. It is passed on to nobody else. */
  readonly authorization: string | undefined;
}

export type ContentCall = Call<Caller>;

/** A request to the GraphQL floor: the part of its `GraphQLRequest` that tools use. */
export interface ContentRequest {
  readonly method: "POST";
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: null;
  /** A document of the server's own. */
  readonly own: { readonly query: string; readonly variables: JsonObject };
  readonly requestId: string;
  readonly address: string | null;
  readonly isClosed: () => boolean;
  readonly viewer: ActingViewer;
}

/** A viewer who acts through a tool; changes are written down with it. */
export type ActingViewer = Viewer & { readonly agent: NonNullable<Viewer["agent"]> };

export interface ContentResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** The settings that tools read, under their own names: docs/reference/settings.md explains each. */
interface ContentSettings {
  readonly MCP: "read" | "write";
  readonly MCP_CONFIRM: "client" | "refuse";
  /** Bytes of one result. */
  readonly MCP_RESULT_MAX: number;
  readonly AGENT_WRITES_PER_HOUR: number;
  readonly OPERATOR_NAME: string;
}

/**
 * Follows changes of posts that the viewer may know of, until the caller ends it.
 *
 * @param changed called with the id of a post after each change
 * @param ended called once where the server ends it: at shutdown, or with the token
 * @returns how to end it
 * @throws AppError UNAVAILABLE where too many streams are open
 */
export type FollowPosts = (
  request: Pick<ContentRequest, "requestId" | "address" | "isClosed"> & Caller,
  changed: (postId: string) => void,
  ended: () => void,
) => Promise<() => void>;

export interface ContentServiceOptions {
  readonly settings: ContentSettings;
  /** Version of the program. */
  readonly version: string;
  /** Answers a request as /graphql does. Never throws. */
  readonly handle: (request: ContentRequest) => ContentResponse | Promise<ContentResponse>;
  /** Without it, nobody can listen to changes. */
  readonly followPosts?: FollowPosts;
  /** Seals what a client brings back: text that was altered, or sealed for another context, does not open. */
  readonly sealer: {
    seal(text: string, context: string): string;
    open(sealed: string, context: string): string | null;
  };
  /** Whether nobody has used the key before, on any node (`AttemptStore.claimOnce`). */
  readonly claimOnce: (key: string, untilSeconds: number, nowSeconds: number) => Promise<boolean>;
  readonly openBuckets: OpenBuckets;
  readonly randomBytes: (length: number) => Uint8Array;
  /** Milliseconds of Unix time. */
  readonly now: () => number;
}
