import { currentRecord } from "../observe/request-record.ts";
import { KIND } from "../observe/span.ts";

interface TracedRequest {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

type Fetch<Request> = (url: string, request?: Request) => Promise<Response>;

/**
 * Sends the trace on to the host that is called, and notes the call. Of its URL traces have the host alone: the rest may be a
 * secret, as with many webhooks.
 */
export function traced<Request extends TracedRequest>(fetch: Fetch<Request>): Fetch<Request> {
  return async (url, request) => {
    const record = currentRecord();
    const { method = "GET" } = request ?? {};
    const span = record?.begin(method, KIND.client) ?? null;
    const traceparent = record?.traceparent() ?? null;
    if (record === undefined || traceparent === null) return fetch(url, request);
    const { hostname, port, protocol } = URL.parse(url) ?? { hostname: "", port: "", protocol: "https:" };
    const attributes = {
      ...{ "http.request.method": method, "server.address": hostname },
      "server.port": Number(port || (protocol === "https:" ? 443 : 80)),
    };
    try {
      const response = await fetch(url, {
        ...request,
        headers: { ...request?.headers, traceparent },
      } as unknown as Request);
      const { status } = response;
      record.end(span, {
        attributes: { ...attributes, "http.response.status_code": status },
        error: status >= 400 ? `${status}` : null,
      });
      return response;
    } catch (error) {
      record.end(span, { attributes, error: (error as Error).name });
      throw error;
    }
  };
}
