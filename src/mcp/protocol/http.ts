import { EventStreams } from "./channel.ts";
import { ClientRequests } from "./client-requests.ts";
import { Exchange, type ExchangeContext } from "./exchange.ts";
import { openFailures } from "./failures.ts";
import type { McpOptions, McpRequest, McpResponse, OpenStream } from "./http-messages.ts";
import { Listening } from "./listening.ts";
import { openMethods } from "./methods.ts";

export interface Mcp<Caller> {
  /**
   * Answers a request of any method. Never throws.
   *
   * @param open called where several messages have to go out: notifications, or the changes that the client listens to
   * @returns null where the answer went out, or still goes out, on the stream that was opened
   */
  handle(request: McpRequest<Caller>, open: OpenStream): Promise<McpResponse | null>;
  /** The answer to a request that is rejected unread, by its head or its length. An error with `statusCode` (4xx) has that status. */
  refuse(request: McpRequest<Caller>, error: unknown): McpResponse;
  /** Ends all event streams that listen, each with a closing result. Takes no more. */
  close(): void;
}

/**
 * The Model Context Protocol over HTTP, without sessions in any revision (`revision.ts`).
 *
 * @example
 * const mcp = openMcp({ service, admit, refuse, isOwnOrigin, isClosing, log });
 * const answer = await mcp.handle(request, (headers) => beginEventStream(headers));
 * if (answer !== null) send(answer);
 */
export function openMcp<Caller>(options: McpOptions<Caller>): Mcp<Caller> {
  const context: ExchangeContext<Caller> = {
    ...options,
    methods: openMethods(options.service),
    listening: new Listening(options.service),
    streams: new EventStreams(),
    clientRequests: new ClientRequests(),
    describeFailure: openFailures(options),
  };
  return {
    handle: (request, open) => new Exchange(context, request, open).answer(),
    refuse: (request, error) => new Exchange(context, request, noStream).refuse(error),
    close: () => context.listening.close(),
  };
}

function noStream(): never {
  throw new Error("A rejected request has no stream.");
}
