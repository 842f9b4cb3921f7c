import { connect } from "node:net";

export interface RawAnswer {
  readonly status: number;
  /** By names in lower case. */
  readonly headers: ReadonlyMap<string, string>;
  readonly body: string;
}

/** Milliseconds after which a request that may be incomplete is ended by its client. */
const PATIENCE = 2_000;

/** The bytes of a request. @param head lines, each with a character for each byte, as `body` */
export function bytesOf(head: string, body: string): Buffer {
  const lines = head.split("\n");
  const isFramed = /^(content-length|transfer-encoding):/im.test(head);
  if (!isFramed && (body !== "" || !/^(GET|HEAD|OPTIONS|DELETE) /.test(head)))
    lines.push(`Content-Length: ${body.length}`);
  if (!/^connection:/im.test(head)) lines.push("Connection: close");
  return Buffer.from(`${lines.join("\r\n")}\r\n\r\n${body}`, "latin1");
}

/**
 * Sends bytes and reads one answer.
 *
 * @param isWhole whether the request is one that has to be answered; other ones are ended after a while
 * @param limit milliseconds for the answer
 * @returns null where the client had to end the request
 * @throws Error where nothing came within the limit, or the server closed the connection
 */
export function sendRaw(port: number, bytes: Buffer, isWhole: boolean, limit: number): Promise<RawAnswer | null> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: "127.0.0.1", noDelay: true });
    let text = "";
    const settle = (isClosed: boolean) => {
      const answer =
        isClosed && text === "" && !isEnded
          ? undefined
          : readAnswer(text, isClosed, bytes.subarray(0, 5).toString() === "HEAD ");
      if (answer === undefined) return;
      clearTimeout(timer);
      clearTimeout(ending);
      socket.destroy();
      resolve(answer);
    };
    const timer = setTimeout(() => {
      socket.destroy();
      reject(new Error(`no answer within ${limit} ms`));
    }, limit);
    let isEnded = false;
    const ending = setTimeout(() => {
      if (isWhole) return;
      isEnded = true;
      socket.end();
    }, PATIENCE);
    socket.setEncoding("latin1");
    socket.on("data", (chunk: string) => {
      text += chunk;
      settle(false);
    });
    socket.on("error", () => {}); // a server may close while the client still writes
    socket.on("close", () => {
      settle(true);
      clearTimeout(timer);
      clearTimeout(ending);
      reject(new Error("the server closed the connection without an answer")); // unless there was one
    });
    socket.write(bytes);
  });
}

/** @returns undefined as long as more is to come */
function readAnswer(text: string, isClosed: boolean, isHead: boolean): RawAnswer | null | undefined {
  const end = text.indexOf("\r\n\r\n");
  if (end === -1) return isClosed ? null : undefined;
  const [first = "", ...lines] = text.slice(0, end).split("\r\n");
  const status = Number(first.split(" ")[1]);
  const rest = text.slice(end + 4);
  if (status >= 100 && status < 200 && status !== 101) return readAnswer(rest, isClosed, isHead);
  const headers = new Map<string, string>();
  for (const line of lines) {
    const at = line.indexOf(":");
    const name = line.slice(0, at).toLowerCase();
    if (!headers.has(name)) headers.set(name, line.slice(at + 1).trim());
  }
  const answer = (bytes: string) => ({ status, headers, body: Buffer.from(bytes, "latin1").toString() });
  if (isHead || status === 101 || status === 204 || status === 304) return answer("");
  const type = headers.get("content-type") ?? "";
  if (type.startsWith("text/event-stream") && status === 200) return answer(""); // it may never end
  if (headers.get("transfer-encoding") === "chunked") {
    if (!rest.endsWith("0\r\n\r\n") && !isClosed) return undefined;
    return answer(unchunked(rest));
  }
  const length = Number(headers.get("content-length") ?? Number.POSITIVE_INFINITY);
  return rest.length >= length || isClosed ? answer(rest.slice(0, length)) : undefined;
}

function unchunked(text: string): string {
  let body = "";
  for (let at = 0; ; ) {
    const line = text.indexOf("\r\n", at);
    const size = Number.parseInt(text.slice(at, line), 16);
    if (line === -1 || !(size > 0)) return body;
    body += text.slice(line + 2, line + 2 + size);
    at = line + 2 + size + 2;
  }
}
