import type { IncomingMessage } from "node:http";
import type { Viewer } from "../../domain/viewer.ts";

/** Bytes that a caller may send before it is known: enough for every request but a change with a very long text. */
const BEFORE_ADMISSION = 1_048_576;

export interface ReceivedBody<Caller = Viewer> {
  /** null when there is none. */
  readonly body: Buffer | null;
  /** The caller, where it had to be known before the rest of the body was read. */
  readonly viewer: Caller | null;
}

interface Reception<Caller> {
  /** Bytes of the longest body. */
  readonly limit: number;
  /** Finds the caller by the head of the request. @throws what the caller is told */
  readonly admit: () => Caller | Promise<Caller>;
  readonly received: (body: ReceivedBody<Caller>) => void;
  /** Called instead, with most of the body still to come: the connection has to end with the answer. */
  readonly refused: (error: Error) => void;
}

/**
 * Collects the body of a request. Beyond BEFORE_ADMISSION it goes on only for a caller whose credentials are good. When the client
 * goes away before the end of the body, nothing is called.
 */
export function receiveBody<Caller = Viewer>(
  request: IncomingMessage,
  { limit, admit, received, refused }: Reception<Caller>,
): void {
  const told = Number(request.headers["content-length"] ?? 0);
  const isAnonymous = request.headers.authorization === undefined;
  const most = isAnonymous ? Math.min(limit, BEFORE_ADMISSION) : limit;
  let viewer: Caller | null = null;
  let isAdmitted = most <= BEFORE_ADMISSION;
  let body: Buffer | null = null;
  let more: Buffer[] | null = null;
  let length = 0;

  if (told > most) refused(tooLarge());
  else if (!isAdmitted && told > BEFORE_ADMISSION) admitThen(begin);
  else begin();

  function begin(): void {
    request.on("data", onData).on("end", onEnd);
  }

  function stop(): void {
    request.off("data", onData).off("end", onEnd);
  }

  function onData(chunk: Buffer): void {
    length += chunk.length;
    if (length > most) {
      stop();
      refused(tooLarge());
      return;
    }
    if (body === null) body = chunk;
    else if (more === null) more = [body, chunk];
    else more.push(chunk);
    if (!isAdmitted && length > BEFORE_ADMISSION) {
      stop();
      request.pause();
      admitThen(() => {
        begin();
        request.resume();
      });
    }
  }

  function onEnd(): void {
    const whole = more === null ? body : Buffer.concat(more);
    // The listeners live as long as the answer, which may be a stream.
    body = null;
    more = null;
    received({ body: whole, viewer });
  }

  function admitThen(goOn: () => void): void {
    isAdmitted = true;
    new Promise<Caller>((resolve) => resolve(admit())).then((known) => {
      viewer = known;
      goOn();
    }, refused);
  }
}

function tooLarge(): Error {
  return Object.assign(new Error("The request body is too large."), { statusCode: 413 });
}
