import type { IncomingHttpHeaders } from "node:http";
import { AppError } from "../../domain/errors.ts";
import { type Channel, EVENT_STREAM, type EventStreams } from "./channel.ts";
import type { ClientRequests } from "./client-requests.ts";
import { corsHeaders, preflightHeaders } from "./cors.ts";
import { type DescribeFailure, HttpFault } from "./failures.ts";
import { assertHeadersAgree } from "./header-agreement.ts";
import type { McpOptions, McpRequest, McpResponse, OpenStream } from "./http-messages.ts";
import { parseMessage } from "./json.ts";
import type { Listening } from "./listening.ts";
import { errorMessage, type Invocation, idOf, notificationMessage, readMessage, resultMessage } from "./message.ts";
import type { Methods } from "./methods.ts";
import { BATCHES, callMeta, eraOverHttp, STATELESS } from "./revision.ts";
import { type Call, CODES, type Era, type JsonObject, ProtocolError } from "./service.ts";

/** Limit: messages of one batch. */
const MAX_BATCH = 20;

export interface ExchangeContext<Caller> extends McpOptions<Caller> {
  readonly methods: Methods<Caller>;
  readonly listening: Listening<Caller>;
  readonly streams: EventStreams;
  readonly clientRequests: ClientRequests;
  readonly describeFailure: DescribeFailure;
}

/** One request and its answer. `answer` shows what is checked, in order. */
export class Exchange<Caller> {
  readonly #context: ExchangeContext<Caller>;
  readonly #request: McpRequest<Caller>;
  readonly #open: OpenStream;
  /** Origin of the page that calls; null for a page that may not call, and without a page. */
  readonly #origin: string | null;
  #channel: Channel | null = null;

  constructor(context: ExchangeContext<Caller>, request: McpRequest<Caller>, open: OpenStream) {
    this.#context = context;
    this.#request = request;
    this.#open = open;
    const { origin = null } = request.headers;
    this.#origin = origin !== null && context.isOwnOrigin(origin) ? origin : null;
  }

  async answer(): Promise<McpResponse | null> {
    let value: unknown;
    try {
      const { method, headers, body } = this.#request;
      if (headers.origin !== undefined && this.#origin === null)
        throw new HttpFault(403, "Pages of that origin may not call this server.");
      if (method === "OPTIONS") return { status: 204, headers: preflightHeaders(this.#origin), body: "" };
      if (method !== "POST") throw new HttpFault(405, "Only POST is answered here.", { allow: "POST" });
      const admitted = this.#request.caller ?? this.#context.admit(this.#request);
      const caller = admitted instanceof Promise ? await admitted : admitted;
      assertJson(headers);
      if (body === null) throw new HttpFault(400, "The request has no body.");
      value = parseMessage(body);
      return await (Array.isArray(value) ? this.#answerBatch(value, caller) : this.#answerMessage(value, caller));
    } catch (error) {
      return this.#fail(error, value);
    }
  }

  /** The answer to a request that is rejected unread. */
  refuse(error: unknown): McpResponse {
    const failure = this.#context.describeFailure(error, this.#request.requestId);
    return this.#response(failure.status, errorMessage(null, failure.error), failure.headers);
  }

  async #answerMessage(value: unknown, caller: Caller): Promise<McpResponse | null> {
    const message = readMessage(value);
    const version = headerOf(this.#request.headers, "mcp-protocol-version");
    if (!("method" in message)) {
      if (version === STATELESS)
        throw new ProtocolError(CODES.invalidRequest, "A server of this revision asks nothing that needs an answer.");
      this.#context.clientRequests.answered(message);
      return this.#send(202, "");
    }
    const { id } = message;
    const era = eraOverHttp(message, version);
    if (id === null) return this.#send(202, "");
    const call = this.#call(era, message, caller);
    if (era === "stateless") {
      assertHeadersAgree(message, this.#request.headers);
      if (message.method === "subscriptions/listen") return this.#listen(message, call);
    }
    try {
      return this.#send(200, resultMessage(id, await this.#run(era, message, call)));
    } catch (error) {
      // Clients of the handshake era take any other status for a failure of the transport.
      if (era === "handshake" && error instanceof ProtocolError)
        return this.#send(200, errorMessage(id, this.#context.describeFailure(error, this.#request.requestId).error));
      throw error;
    }
  }

  async #answerBatch(values: readonly unknown[], caller: Caller): Promise<McpResponse | null> {
    const version = headerOf(this.#request.headers, "mcp-protocol-version") ?? BATCHES;
    if (version !== BATCHES)
      throw new ProtocolError(CODES.invalidRequest, `Only protocol version ${BATCHES} has batches.`);
    if (values.length === 0 || values.length > MAX_BATCH)
      throw new ProtocolError(CODES.invalidRequest, `A batch must have 1 to ${MAX_BATCH} messages.`);
    const answers: string[] = [];
    for (const value of values) {
      const answer = await this.#answerInBatch(value, caller);
      if (answer !== null) answers.push(answer);
    }
    return answers.length === 0 ? this.#send(202, "") : this.#send(200, `[${answers.join(",")}]`);
  }

  async #answerInBatch(value: unknown, caller: Caller): Promise<string | null> {
    try {
      const message = readMessage(value);
      if (!("method" in message)) {
        this.#context.clientRequests.answered(message);
        return null;
      }
      if (message.id === null) return null;
      if (message.method === "initialize" || eraOverHttp(message, BATCHES) !== "handshake")
        throw new ProtocolError(CODES.invalidRequest, "This request must not stand in a batch.");
      const call = this.#call("handshake", message, caller);
      return resultMessage(message.id, await this.#run("handshake", message, call));
    } catch (error) {
      const failure = this.#context.describeFailure(error, this.#request.requestId);
      return errorMessage(idOf(value), failure.error);
    }
  }

  #call(era: Era, { meta, params }: Invocation, caller: Caller): Call<Caller> {
    const { requestId, address, isClosed } = this.#request;
    return {
      ...{ caller, requestId, address, isClosed },
      ...callMeta(era, meta, params),
      notify: (method, about) => this.#stream()?.send(notificationMessage(method, about)),
    };
  }

  /** @returns JSON of the result */
  #run(era: Era, { method, params }: Invocation, call: Call<Caller>): string | Promise<string> {
    const ask = (asked: string, about: JsonObject) => {
      const channel = this.#stream();
      if (channel === null)
        throw new ProtocolError(CODES.invalidRequest, "This needs a client that accepts text/event-stream.");
      return this.#context.clientRequests.ask(asked, about, channel);
    };
    return this.#context.methods.run({ era, method, params, call, ask });
  }

  async #listen({ id, params }: Invocation, call: Call<Caller>): Promise<null> {
    if (this.#context.isClosing()) throw new AppError("UNAVAILABLE", "The server is stopping.", { retryAfter: 1 });
    if (!this.#takesEvents()) throw new HttpFault(406, "The answer is text/event-stream.");
    await this.#context.listening.begin(id ?? "", params, call, () => this.#openChannel());
    return null;
  }

  /** The stream on which the answer goes out; null where the client takes JSON alone. */
  #stream(): Channel | null {
    if (this.#channel === null && this.#takesEvents()) return this.#openChannel();
    return this.#channel;
  }

  #openChannel(): Channel {
    this.#channel = this.#context.streams.open(this.#open({ ...corsHeaders(this.#origin), ...EVENT_STREAM }));
    return this.#channel;
  }

  #takesEvents(): boolean {
    return /(?:^|[\s,])(?:text\/(?:event-stream|\*)|\*\/\*)/i.test(this.#request.headers.accept ?? "*/*");
  }

  #fail(error: unknown, value: unknown): McpResponse | null {
    const failure = this.#context.describeFailure(error, this.#request.requestId);
    return this.#send(failure.status, errorMessage(idOf(value), failure.error), failure.headers);
  }

  #send(status: number, body: string, more: Readonly<Record<string, string>> = {}): McpResponse | null {
    if (this.#channel === null) return this.#response(status, body, more);
    this.#channel.send(body);
    this.#channel.end();
    return null;
  }

  #response(status: number, body: string, more: Readonly<Record<string, string>>): McpResponse {
    const type = body === "" ? {} : { "content-type": "application/json" };
    return { status, headers: { "cache-control": "no-store", ...corsHeaders(this.#origin), ...type, ...more }, body };
  }
}

/** @throws HttpFault 415 */
function assertJson(headers: IncomingHttpHeaders): void {
  if (!/^application\/json\s*(?:;\s*charset="?utf-8"?\s*)?$/i.test(headers["content-type"] ?? ""))
    throw new HttpFault(415, "The body must be application/json in UTF-8.");
  const coding = headers["content-encoding"];
  if (coding !== undefined && coding !== "identity") throw new HttpFault(415, "The body must not be compressed.");
}

function headerOf(headers: IncomingHttpHeaders, name: string): string | undefined {
  const value = headers[name];
  return value === undefined ? undefined : String(value);
}
