/** The engine calls clients as if by `fetch`; what it sends is handed to the one that looks where it goes (A37). */
export function engineFetch(fetch: OutboundFetch): typeof globalThis.fetch {
  return async (input, init) => {
    const request = new Request(input, init);
    return fetch(request.url, {
      method: request.method === "POST" ? "POST" : "GET",
      headers: Object.fromEntries(request.headers),
      ...(request.body === null ? {} : { body: await request.text() }),
    });
  };
}

/** The answer has been read whole, within bounds of its own. */
export type OutboundFetch = (
  url: string,
  request: {
    method: "GET" | "POST";
    headers: Record<string, string>;
    body?: string;
    /** Time limit in milliseconds, instead of the usual one. */
    timeout?: number;
  },
) => Promise<Response>;
