import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { AppError } from "../../src/domain/errors.ts";
import { requestStatus } from "../../src/graphql/documents/errors.ts";
import { receiveBody } from "../../src/graphql/http/body.ts";
import { refusalHeaders } from "../../src/graphql/http/refusal.ts";
import { sendAnswer } from "../../src/graphql/http/send-answer.ts";
import { openMcp } from "../../src/mcp/protocol/http.ts";
import type { McpRequest } from "../../src/mcp/protocol/http-messages.ts";
import { openNodeRoute } from "../../src/mcp/protocol/node-route.ts";
import { type FixtureCaller, type FixtureService, openFixtureService } from "./fixture-service.ts";

export interface FixtureServer {
  readonly url: string;
  readonly service: FixtureService;
  /** Lines that the server has logged. */
  readonly logged: readonly object[];
  /** From now on new streams are rejected, and connections end. */
  drain(): void;
  /** Ends what listens. */
  endStreams(): void;
  close(): Promise<void>;
}

export interface FixtureServerOptions {
  /** The token that callers need; null where none is asked. */
  readonly token?: string | null;
  readonly maxBody?: number;
}

/** Serves the fixtures over HTTP on 127.0.0.1, through the transport that the product uses. */
export async function openFixtureServer({
  token = null,
  maxBody = 100_000,
}: FixtureServerOptions = {}): Promise<FixtureServer> {
  const service = openFixtureService();
  const logged: object[] = [];
  const write = (fields: object, message: string) => void logged.push({ ...fields, message });
  let isClosing = false;
  let count = 0;
  let origin = "";

  function admit({ headers: { authorization } }: McpRequest<FixtureCaller>): FixtureCaller {
    if (token === null || authorization === `Bearer ${token}`) return { name: "caller" };
    throw new AppError("UNAUTHENTICATED", "An access token is needed.", { scope: ["a"] });
  }

  const mcp = openMcp<FixtureCaller>({
    service,
    admit,
    refuse: (error) => ({
      status: requestStatus(error.code, false),
      headers: refusalHeaders(error, challenge),
      message: error.message,
    }),
    isOwnOrigin: (asked) => asked === origin,
    isClosing: () => isClosing,
    log: { debug: write, info: write, warn: write, error: write },
  });
  const answer = openNodeRoute(mcp, {
    ...{ receiveBody, sendAnswer, maxBody, admit },
    requestId: () => `request-${++count}`,
    clientAddress: (request) => request.socket.remoteAddress ?? null,
    isClosing: () => isClosing,
    refusal: () => null,
    linger: 100,
    answered() {},
  });
  const server = createServer(answer);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    ...{ url: `${origin}/mcp`, service, logged },
    drain() {
      isClosing = true;
    },
    endStreams: () => mcp.close(),
    async close() {
      mcp.close();
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
}

function challenge({ code, details }: AppError<"UNAUTHENTICATED" | "FORBIDDEN">): string {
  if (code === "UNAUTHENTICATED") return 'Bearer scope="a"';
  return `Bearer error="insufficient_scope", scope="${details.scopes?.join(" ")}"`;
}
