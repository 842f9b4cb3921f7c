import type { IncomingHttpHeaders } from "node:http";
import type { Viewer } from "../../domain/viewer.ts";
import type { OwnParameters } from "../documents/parameters.ts";
import type { CopySubscription } from "../execution/copy-events.ts";
import type { EventSubscription } from "../execution/post-events.ts";

export interface RequestHead {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  /** Thumbprint of the client's certificate (RFC 8705 section 3.1); null without one. */
  readonly certificateThumbprint?: () => string | null;
  /** Tells this request from others in the log. */
  readonly requestId?: string;
}

export interface GraphQLRequest extends RequestHead {
  /** The whole body as it came; null when there is none. */
  readonly body: Buffer | null;
  readonly requestId: string;
  /** The caller's IP address, behind trusted proxies; null if unknown. */
  readonly address?: string | null;
  /** Whether the client has gone away. */
  readonly isClosed?: () => boolean;
  /** Whether it can get several answers. Otherwise subscriptions are rejected. */
  readonly streams?: boolean;
  /** Stands for the body where the program itself asks. Its documents run under TRUSTED_DOCUMENTS_ONLY as well. */
  readonly own?: OwnParameters;
  /** The viewer, if already known. */
  readonly viewer?: Viewer;
  /** As of `performance.now()`. Defaults to when the handler begins. */
  readonly startedAt?: number;
}

export interface GraphQLResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Empty for 304, and for a subscription. */
  readonly body: string;
  /** The subscription to serve, if `streams` was set and the document asks for one. */
  readonly subscription?: EventSubscription | CopySubscription;
}
