import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

/** The site's answer to a path; `never` accepts the request and is silent. */
interface Answer {
  readonly status?: number;
  readonly type?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly never?: boolean;
}

/** A host on this machine that publishes documents of clients, and their keys. Its server must list 127.0.0.1 in `privateHosts`. */
export interface DocumentSite {
  readonly origin: string;
  /** Paths that were asked for, in order. */
  readonly asked: string[];
  answer(path: string, answer: Answer): void;
  /** Publishes a client's document, whose `client_id` is its address. @returns that address */
  put(path: string, document: Readonly<Record<string, unknown>>): string;
  close(): void;
}

export async function openDocumentSite(): Promise<DocumentSite> {
  const asked: string[] = [];
  const answers = new Map<string, Answer>();
  const server = createServer((request, response) => {
    const path = request.url ?? "";
    asked.push(path);
    const {
      status = 200,
      type = "application/json",
      headers = {},
      body = "",
      never,
    } = answers.get(path) ?? {
      status: 404,
    };
    if (never !== true) response.writeHead(status, { "content-type": type, ...headers }).end(body);
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    origin,
    asked,
    answer: (path, answer) => void answers.set(path, answer),
    put(path, document) {
      const id = origin + path;
      answers.set(path, { body: JSON.stringify({ ...document, client_id: id }) });
      return id;
    },
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}
