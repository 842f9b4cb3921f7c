import type { OutboundFetch } from "../engine/outbound-fetch.ts";
import { UpstreamDown } from "./refusal.ts";
import type { Upstream } from "./upstream.ts";

/** Milliseconds: somebody waits for the answer. */
const TIME = 5_000;

export interface UpstreamFetchOptions {
  /** Reaches public addresses and PRIVATE_HOSTS only (A37), follows no redirect, and reads no long answer. */
  readonly fetch: OutboundFetch;
  /** Runs work that waits for another host, whose slowness is no load of ours. */
  readonly waiting: <T>(work: () => Promise<T>) => Promise<T>;
}

/** `fetch` for the libraries that speak with an upstream. @throws UpstreamDown where it does not answer, or answers with 5xx */
export type UpstreamFetch = (input: string, init: FetchInit) => Promise<Response>;

interface FetchInit {
  readonly method?: string;
  readonly headers?: HeadersInit;
  readonly body?: unknown;
}

export function openUpstreamFetch({ fetch, waiting }: UpstreamFetchOptions, { name }: Upstream): UpstreamFetch {
  return async (input, { method, headers, body }) => {
    const answer = await waiting(() =>
      fetch(input, {
        method: method === "POST" ? "POST" : "GET",
        headers: Object.fromEntries(new Headers(headers)),
        ...(typeof body === "string" || body instanceof URLSearchParams ? { body: body.toString() } : {}),
        timeout: TIME,
      }),
    ).catch((error: Error) => {
      throw new UpstreamDown(name, `${new URL(input).host}: ${error.message}`);
    });
    if (answer.status >= 500) throw new UpstreamDown(name, `${new URL(input).host} answers ${answer.status}`);
    return answer;
  };
}
