import { AppError } from "../../domain/errors.ts";
import type { Channel } from "./channel.ts";
import { isObject } from "./json.ts";
import { notificationMessage, type RequestId, resultMessage } from "./message.ts";
import { META } from "./revision.ts";
import { type Call, CODES, type JsonObject, type McpService, ProtocolError } from "./service.ts";

/** Limit: resources that one request listens to. */
const MAX_URIS = 100;

/** Open requests `subscriptions/listen` (2026-07-28, Subscriptions), over HTTP or stdio. */
export class Listening<Caller> {
  readonly #service: McpService<Caller>;
  readonly #open = new Set<() => void>();
  #isClosed = false;

  constructor(service: McpService<Caller>) {
    this.#service = service;
  }

  /**
   * Begins one: acknowledges it first, then tells of changes until one of both ends it.
   *
   * @param open opens the way to the client, where nothing stands against it
   * @throws ProtocolError, AppError
   */
  async begin(id: RequestId, params: JsonObject, call: Call<Caller>, open: () => Channel): Promise<void> {
    if (this.#service.listen === undefined)
      throw new ProtocolError(CODES.methodNotFound, "This server does not know that method.");
    const asked = urisOf(params);
    const marked = { _meta: { [META.subscriptionId]: id } };
    const early: string[] = [];
    let channel: Channel | null = null;
    /** Whether the server has ended it; before the acknowledgement, that waits. */
    let isFinished = false;

    // Each change of a resource is the same message: of the one that changed last, it is kept.
    let last = { uri: "", message: "" };
    const updated = (uri: string) => {
      if (last.uri !== uri)
        last = { uri, message: notificationMessage("notifications/resources/updated", { ...marked, uri }) };
      const { message } = last;
      if (channel === null) early.push(message);
      else if (!isFinished) channel.send(message);
    };
    const finish = () => {
      const isFirst = !isFinished;
      isFinished = true;
      if (channel !== null && isFirst) this.#end(channel, id);
    };

    const feed = asked.length === 0 ? NOTHING : await this.#service.listen(call, asked, updated, finish);
    if (call.isClosed() || this.#isClosed) {
      feed.end();
      if (this.#isClosed) throw new AppError("UNAVAILABLE", "The server is stopping.", { retryAfter: 1 });
      return;
    }
    channel = open();
    const notifications = feed.uris.length === 0 ? {} : { resourceSubscriptions: feed.uris };
    channel.send(notificationMessage("notifications/subscriptions/acknowledged", { ...marked, notifications }));
    for (const message of early) channel.send(message);
    this.#open.add(finish);
    void channel.ended.then(() => {
      isFinished = true;
      this.#open.delete(finish);
      feed.end();
    });
    if (isFinished) this.#end(channel, id);
    // Nothing is offered here that the client wants to hear of.
    else if (feed.uris.length === 0) finish();
  }

  /** Ends each with a closing result, and takes no more. */
  close(): void {
    this.#isClosed = true;
    for (const finish of this.#open) finish();
  }

  #end(channel: Channel, id: RequestId): void {
    const _meta = { [META.serverInfo]: this.#service.info, [META.subscriptionId]: id };
    channel.send(resultMessage(id, JSON.stringify({ resultType: "complete", _meta })));
    channel.end();
  }
}

const NOTHING = { uris: [], end() {} };

function urisOf({ notifications }: JsonObject): string[] {
  if (!isObject(notifications)) throw invalid("The parameter notifications must be a JSON object.");
  const uris = notifications.resourceSubscriptions ?? [];
  if (!Array.isArray(uris) || uris.some((uri) => typeof uri !== "string"))
    throw invalid("The resourceSubscriptions must be a list of URIs.");
  if (uris.length > MAX_URIS) throw invalid(`The resourceSubscriptions must have at most ${MAX_URIS} URIs.`);
  return [...new Set<string>(uris)];
}

function invalid(message: string): ProtocolError {
  return new ProtocolError(CODES.invalidParams, message);
}
