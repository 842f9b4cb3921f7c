import type { IncomingMessage } from "node:http";
import type { ObservedAnswer } from "./observer.ts";
import type { RequestRecord } from "./request-record.ts";

/** Sees the requests of one transport. */
export interface RequestWatch {
  /**
   * @param startedAt `performance.now()`
   * @returns null for a request of which nothing is noted
   */
  begin(request: IncomingMessage, requestId: string, startedAt: number): RequestRecord | null;
  /** To be called when the answer goes out. */
  end(record: RequestRecord | null, answer: ObservedAnswer): void;
  /** Begins the record of an operation over a WebSocket. @param remote its traceparent, if it has one */
  beginOperation(requestId: string, address: { readonly isLocal: boolean }, remote: unknown): RequestRecord | null;
  endOperation(record: RequestRecord | null): void;
}
