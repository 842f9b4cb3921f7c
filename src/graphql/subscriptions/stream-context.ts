import type { Duplex } from "node:stream";
import type { Viewer } from "../../domain/viewer.ts";
import type { Log } from "../../observe/log.ts";
import type { RequestHead } from "../http/messages.ts";
import type { Subscriptions } from "./subscriptions.ts";

/** Parts that both transports of subscriptions need. */
export interface StreamContext {
  readonly subscriptions: Subscriptions;
  /** Tells once when the token of a request has ended, or says other things than it did. @returns how to stop that */
  readonly watchToken: (head: RequestHead, viewer: Viewer, ended: () => void) => () => void;
  readonly log: Log;
}

const BUSY = "503 Service Unavailable\r\nRetry-After: 1";

/**
 * Rejects a WebSocket upgrade.
 *
 * @param status of the answer with its reason phrase; a busy server unless given
 */
export function refuseUpgrade(socket: Duplex, requestId: string, status = BUSY): void {
  socket.on("error", () => {}); // it is gone
  const fields = [`X-Request-Id: ${requestId}`, "Connection: close", "Content-Length: 0"];
  socket.end(`HTTP/1.1 ${status}\r\n${fields.join("\r\n")}\r\n\r\n`);
}
