import type { Readable, Writable } from "node:stream";
import type { Channel } from "./channel.ts";
import { ClientRequests } from "./client-requests.ts";
import { openFailures } from "./failures.ts";
import type { McpOptions } from "./http-messages.ts";
import { isObject, parseMessage } from "./json.ts";
import { Lines } from "./lines.ts";
import { Listening } from "./listening.ts";
import {
  errorMessage,
  type Invocation,
  idOf,
  notificationMessage,
  type RequestId,
  readMessage,
  resultMessage,
} from "./message.ts";
import { openMethods } from "./methods.ts";
import { callMeta, claimedVersion, eraOf } from "./revision.ts";
import { CODES, type JsonObject, type McpService, ProtocolError } from "./service.ts";

export interface StdioOptions<Caller> extends Pick<McpOptions<Caller>, "refuse" | "log"> {
  readonly service: McpService<Caller>;
  /** The one caller of this process. */
  readonly caller: Caller;
  readonly requestId: () => string;
  readonly input: Readable;
  /** Nothing but messages may be written there. */
  readonly output: Writable;
  /** Bytes of the longest message. */
  readonly maxMessage: number;
}

export interface Stdio {
  /** Resolves when the input has ended and every request is answered, or when nobody reads the output. */
  readonly ended: Promise<void>;
  /** Ends what listens, and reads no more. */
  close(): void;
}

interface Running {
  isCancelled: boolean;
  readonly cancel: () => void;
}

/** The same protocol over standard input and output, a message a line (`revision.ts`: both eras). */
export function openStdio<Caller>(options: StdioOptions<Caller>): Stdio {
  const connection = new Connection(options);
  return { ended: connection.ended, close: () => connection.close() };
}

class Connection<Caller> {
  readonly ended: Promise<void>;
  readonly #options: StdioOptions<Caller>;
  readonly #methods;
  readonly #listening;
  readonly #describeFailure;
  readonly #clientRequests = new ClientRequests();
  readonly #running = new Map<RequestId, Running>();
  /** Capabilities that `initialize` told, for all requests of the handshake era. */
  #capabilities: JsonObject = {};
  #isInputOver = false;
  #end = () => {};

  constructor(options: StdioOptions<Caller>) {
    this.#options = options;
    this.#methods = openMethods(options.service);
    this.#listening = new Listening(options.service);
    this.#describeFailure = openFailures(options);
    this.ended = new Promise((resolve) => {
      this.#end = resolve;
    });
    const { input, output, maxMessage } = options;
    const tooLong = () => this.#fail(new ProtocolError(CODES.invalidRequest, "The message is too long."), null);
    const lines = new Lines(maxMessage, (line) => void this.#take(line), tooLong);
    input.on("data", (chunk: Buffer) => lines.add(chunk));
    input.once("end", () => this.close());
    output.once("error", () => this.#end());
    output.once("close", () => this.#end());
  }

  close(): void {
    this.#isInputOver = true;
    this.#options.input.pause();
    this.#listening.close();
    this.#clientRequests.close();
    this.#endIfIdle();
  }

  async #take(line: string): Promise<void> {
    let value: unknown;
    try {
      value = parseMessage(line);
      if (Array.isArray(value)) throw new ProtocolError(CODES.invalidRequest, "Batches are not taken here.");
      const message = readMessage(value);
      if (!("method" in message)) this.#clientRequests.answered(message);
      else if (message.id === null) this.#notified(message);
      else await this.#answer(message.id, message);
    } catch (error) {
      this.#fail(error, idOf(value));
    }
  }

  #notified({ method, params: { requestId } }: Invocation): void {
    if (method !== "notifications/cancelled") return;
    if (typeof requestId === "string" || typeof requestId === "number") this.#running.get(requestId)?.cancel();
  }

  async #answer(id: RequestId, message: Invocation): Promise<void> {
    if (this.#running.has(id))
      throw new ProtocolError(CODES.invalidRequest, "A request with that id is still running.");
    let cancelled = () => {};
    const ended = new Promise<void>((resolve) => {
      cancelled = resolve;
    });
    const running: Running = {
      isCancelled: false,
      cancel() {
        this.isCancelled = true;
        cancelled();
      },
    };
    const send = (text: string) => {
      if (!running.isCancelled) this.#write(text);
    };
    const channel: Channel = { send, end: () => running.cancel(), ended };
    this.#running.set(id, running);
    try {
      const result = await this.#run(message, running, channel);
      if (result !== null) send(resultMessage(id, result));
    } catch (error) {
      if (!running.isCancelled) this.#fail(error, id);
    } finally {
      this.#running.delete(id);
      running.cancel();
      this.#endIfIdle();
    }
  }

  /** @returns JSON of the result; null where the answer is complete already */
  async #run({ id, method, params, meta }: Invocation, running: Running, channel: Channel): Promise<string | null> {
    const claimed = claimedVersion(meta);
    const era = claimed === undefined ? "handshake" : eraOf(claimed);
    const own = callMeta(era, meta, params);
    if (era === "handshake" && method === "initialize" && isObject(params.capabilities))
      this.#capabilities = params.capabilities;
    const call = {
      ...{ caller: this.#options.caller, requestId: this.#options.requestId(), address: null },
      ...own,
      clientCapabilities: era === "handshake" ? this.#capabilities : own.clientCapabilities,
      isClosed: () => running.isCancelled,
      notify: (name: string, about: JsonObject) => channel.send(notificationMessage(name, about)),
    };
    if (era === "stateless" && method === "subscriptions/listen") {
      await this.#listening.begin(id ?? "", params, call, () => channel);
      await channel.ended;
      return null;
    }
    const ask = (asked: string, about: JsonObject) => this.#clientRequests.ask(asked, about, channel);
    return this.#methods.run({ era, method, params, call, ask });
  }

  #fail(error: unknown, id: RequestId | null): void {
    this.#write(errorMessage(id, this.#describeFailure(error, this.#options.requestId()).error));
  }

  #write(message: string): void {
    if (!this.#options.output.destroyed) this.#options.output.write(`${message}\n`);
  }

  #endIfIdle(): void {
    if (this.#isInputOver && this.#running.size === 0) this.#end();
  }
}
