import { createServer, type IncomingHttpHeaders, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { Webhook } from "standardwebhooks";

export interface Received {
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  readonly path: string;
}

/** Somebody else's server that is told of events. */
export interface Receiver {
  readonly url: string;
  /** Everything that came, in order. */
  readonly received: Received[];
  /** What it answers, once the body is there; 204 unless told otherwise. */
  answer: (response: Parameters<RequestListener>[1], received: Received) => void;
  /** Resolves when that many have come in all. */
  until(count: number): Promise<void>;
  close(): Promise<void>;
}

export async function openReceiver(): Promise<Receiver> {
  let wake = () => {};
  const server = createServer(async (request, response) => {
    const body = await text(request).catch(() => "");
    const received = { headers: request.headers, body, path: request.url ?? "" };
    receiver.received.push(received);
    receiver.answer(response, received);
    wake();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const receiver: Receiver = {
    url: `http://127.0.0.1:${port}/hook`,
    received: [],
    answer: (response) => response.writeHead(204).end(),
    async until(count) {
      while (receiver.received.length < count) {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  return receiver;
}

/** As a receiver does it: with the library of Standard Webhooks. @throws WebhookVerificationError */
export function verify(
  secret: string,
  { headers, body }: Received,
): { type: string; timestamp: string; data: unknown } {
  return new Webhook(secret).verify(body, headers as Record<string, string>) as ReturnType<typeof verify>;
}
