/** One message of PostgreSQL's protocol: https://www.postgresql.org/docs/current/protocol-message-formats.html */
export interface Message {
  /** Its first byte; empty for the one that begins a connection. */
  readonly type: string;
  readonly body: Buffer;
}

/** Cuts a stream of bytes into messages. */
export class MessageReader {
  #rest: Buffer = Buffer.alloc(0);
  #isFirst: boolean;

  /** @param untyped whether the first message has no type, as that of a client */
  constructor(untyped: boolean) {
    this.#isFirst = untyped;
  }

  *read(chunk: Buffer): Generator<Message> {
    this.#rest = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk]);
    for (;;) {
      const head = this.#isFirst ? 0 : 1;
      if (this.#rest.length < head + 4) return;
      const end = head + this.#rest.readInt32BE(head);
      if (this.#rest.length < end) return;
      const message = { type: this.#rest.toString("latin1", 0, head), body: this.#rest.subarray(head + 4, end) };
      this.#rest = this.#rest.subarray(end);
      this.#isFirst = false;
      yield message;
    }
  }
}

export function writeMessage({ type, body }: Message): Buffer {
  const length = Buffer.alloc(4);
  length.writeInt32BE(body.length + 4);
  return Buffer.concat([Buffer.from(type, "latin1"), length, body]);
}

/** The texts, each of which ends with a zero byte, and all that follows them. */
export function takeTexts(body: Buffer, count: number): { texts: string[]; rest: Buffer } {
  const texts: string[] = [];
  let rest = body;
  for (let i = 0; i < count; i++) {
    const end = rest.indexOf(0);
    texts.push(rest.toString("utf8", 0, end));
    rest = rest.subarray(end + 1);
  }
  return { texts, rest };
}

export function withTexts(texts: readonly string[], rest: Buffer): Buffer {
  return Buffer.concat([...texts.map((text) => Buffer.from(`${text}\0`)), rest]);
}

/** An ErrorResponse. @param state SQLSTATE */
export function errorMessage(state: string, message: string, severity: "ERROR" | "FATAL" = "ERROR"): Message {
  const fields = [`S${severity}`, `V${severity}`, `C${state}`, `M${message}`];
  return { type: "E", body: withTexts(fields, Buffer.from([0])) };
}
