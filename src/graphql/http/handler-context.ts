import type { GraphQLSchema } from "graphql";
import type { RenderMarkdown } from "../../domain/posts/rendering.ts";
import type { Store } from "../../domain/store/store.ts";
import type { Viewer } from "../../domain/viewer.ts";
import type { Log } from "../../observe/log.ts";
import type { Metrics } from "../../observe/metrics.ts";
import type { Counter } from "../../observe/series.ts";
import type { Limits } from "../documents/limits.ts";
import type { PersistedDocuments } from "../documents/persisted-documents.ts";
import type { ExecutionContext } from "../execution/execute.ts";
import type { IdempotencyKeys } from "../execution/idempotency.ts";
import type { Operations } from "../plan/operation.ts";
import type { KnownRequests } from "./known-requests.ts";
import type { RequestHead } from "./messages.ts";
import type { ObservedSettings } from "./observed-operation.ts";
import type { RateLimiter } from "./rate-limit.ts";
import type { Challenge } from "./refusal.ts";

/** Services that are the same for every request. */
export interface HandlerContext {
  readonly schema: GraphQLSchema;
  readonly store: Store;
  readonly operations: Operations;
  readonly requests: KnownRequests;
  /** As `Store.heldVersion`; gives null where nothing is held. */
  readonly heldVersion: () => number | null;
  readonly documents: PersistedDocuments;
  readonly limits: Limits;
  readonly observing: ObservedSettings;
  readonly rateLimiter: RateLimiter | null;
  readonly idempotencyKeys: IdempotencyKeys;
  readonly renderMarkdown: RenderMarkdown;
  readonly serverInfo: ExecutionContext["serverInfo"];
  readonly previewTokens: ExecutionContext["previewTokens"];
  readonly administer: ExecutionContext["administer"];
  /** Seconds for which shared caches may keep what anybody may read. */
  readonly publicMaxAge: number;
  readonly metrics: Pick<Metrics, "counter">;
  /** Counts operations that cost too much. */
  readonly costRejected: Counter;
  readonly log: Log;
  readonly authenticate: (head: RequestHead) => Viewer | Promise<Viewer>;
  readonly challenge: Challenge;
  readonly errorPage: string | null;
  /** Milliseconds of Unix time. */
  readonly now: () => number;
}
