import { IncomingMessage, Server, ServerResponse } from "node:http";

/** One answer of a server, with its request. */
export interface RecordedAnswer {
  readonly method: string;
  /** Path and query as they were sent. */
  readonly url: string;
  readonly requestBody: string;
  readonly status: number;
  /** By names in lower case. Of several with one name, the first. */
  readonly headers: ReadonlyMap<string, string>;
  readonly body: string;
}

type Listener = (answer: RecordedAnswer) => void;

/** By port: several servers of one process answer at their own. */
const listeners = new Map<number, Listener>();

/** Hands on every answer of the server on this port, from now on. */
export function watchAnswers(port: number, listener: Listener): void {
  watchServers();
  listeners.set(port, listener);
}

let areWatched = false;

function watchServers(): void {
  if (areWatched) return;
  areWatched = true;
  const { emit } = Server.prototype;
  Server.prototype.emit = function (this: Server, event: string | symbol, ...args: unknown[]): boolean {
    const [request, response] = args;
    if (event === "request" && request instanceof IncomingMessage && response instanceof ServerResponse) {
      const listener = listeners.get(request.socket.localPort ?? 0);
      if (listener !== undefined) collect(request, response, listener);
    }
    return Reflect.apply(emit, this, [event, ...args]);
  };
}

function collect(request: IncomingMessage, response: ServerResponse, listener: Listener): void {
  const sent: Buffer[] = [];
  const received: Buffer[] = [];
  const { push } = request;
  request.push = (chunk: unknown, encoding) => {
    if (Buffer.isBuffer(chunk)) received.push(Buffer.from(chunk));
    return push.call(request, chunk, encoding);
  };
  for (const name of ["write", "end"] as const) {
    const original = response[name] as (...args: unknown[]) => unknown;
    Object.assign(response, {
      [name]: (...args: unknown[]) => {
        const [chunk, encoding] = args;
        if (typeof chunk === "string") sent.push(Buffer.from(chunk, encodingOf(encoding)));
        else if (chunk instanceof Uint8Array) sent.push(Buffer.from(chunk));
        return original.apply(response, args);
      },
    });
  }
  const { method = "", url = "" } = request;
  // Not "finish": an answer to a body that is too large may end its connection before.
  response.on("close", () => {
    if (!response.writableEnded) return;
    listener({
      ...{ method, url, requestBody: String(Buffer.concat(received)), status: response.statusCode },
      ...{ headers: headersOf(response), body: String(Buffer.concat(sent)) },
    });
  });
}

function encodingOf(encoding: unknown): BufferEncoding {
  return typeof encoding === "string" ? (encoding as BufferEncoding) : "utf8";
}

/** As they went out: `getHeaders` leaves out those of `writeHead`. */
function headersOf(response: ServerResponse): Map<string, string> {
  const { _header: head = "" } = response as unknown as { readonly _header?: string };
  const headers = new Map<string, string>();
  for (const line of head.split("\r\n").slice(1)) {
    const at = line.indexOf(":");
    const name = line.slice(0, at).toLowerCase();
    if (at > 0 && !headers.has(name)) headers.set(name, line.slice(at + 1).trim());
  }
  return headers;
}
