import type { IncomingMessage } from "node:http";

/** Whether the caller is on this machine, and no proxy has passed the request on. */
export function isLocal({ socket, headers }: IncomingMessage): boolean {
  if (headers["x-forwarded-for"] !== undefined || headers.forwarded !== undefined) return false;
  return /^(::1|(::ffff:)?127\.\d+\.\d+\.\d+)$/.test(socket.remoteAddress ?? "");
}
