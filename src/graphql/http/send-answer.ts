import type { IncomingMessage, ServerResponse } from "node:http";

interface Answer {
  readonly status: number;
  /** Names and values in turn; gets those that this adds. */
  readonly head: string[];
  readonly body: string;
}

/**
 * Sends an answer that is ready, directly on node:http.
 *
 * @param closing null to keep the connection; otherwise it ends with the answer, and the rest of an unread body is received and
 * thrown away for up to `linger` milliseconds
 */
export function sendAnswer(
  request: IncomingMessage,
  response: ServerResponse,
  { status, head, body }: Answer,
  closing: { readonly linger: number } | null,
): void {
  const length = Buffer.byteLength(body);
  head.push("content-length", String(length));
  if (closing !== null) head.push("connection", "close");
  response.writeHead(status, head);
  // ASCII needs no encoding, which saves a look at each character.
  const encoding = length === body.length ? "latin1" : "utf8";
  if (closing === null || request.complete) {
    response.end(body, encoding);
    return;
  }
  // Ending now would reset a client that still sends, and lose the answer (RFC 9112 section 9.6).
  const end = () => response.end();
  response.write(body, encoding);
  request.once("end", end).resume();
  const timer = setTimeout(end, closing.linger).unref();
  response.once("close", () => clearTimeout(timer));
}
