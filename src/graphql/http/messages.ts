import type { IncomingHttpHeaders } from "node:http";
import type { Viewer } from "../../domain/viewer.ts";
import type { EventSubscription } from "../execution/post-events.ts";

export interface RequestHead {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  /** Of the certificate that the client came with (RFC 8705 section 3.1); null without one. */
  readonly certificateThumbprint?: () => string | null;
  /** Tells this request from others in the log. */
  readonly requestId?: string;
}

export interface GraphQLRequest extends RequestHead {
  /** The whole body as it came; null when there is none. */
  readonly body: Buffer | null;
  readonly requestId: string;
  /** Where the request comes from, proxies seen through; null when unknown. */
  readonly address?: string | null;
  /** Whether the client has gone away. */
  readonly isClosed?: () => boolean;
  /** Where it can be answered as often as something happens: subscriptions are refused elsewhere. */
  readonly streams?: boolean;
  /** Who asks, where that is known already. */
  readonly viewer?: Viewer;
}

export interface GraphQLResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Empty for 304, and for a subscription. */
  readonly body: string;
  /** What is to be delivered from now on, where `streams` was set and a subscription was asked for. */
  readonly subscription?: EventSubscription;
}
