import type { Agent, RequestOptions } from "node:http";

export interface OtlpTarget {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly compression: "gzip" | "none";
  /** Milliseconds for one request. */
  readonly timeout: number;
}

/** How the collector answered. `retryAfter` in milliseconds: it may be tried again; null: it makes no sense. */
export interface OtlpAnswer {
  readonly isAccepted: boolean;
  /** Parts that it did not take of an accepted batch (`partial_success`). */
  readonly rejected: number;
  readonly problem: string | null;
  readonly retryAfter: number | null;
}

/** Statuses after which the same batch may be sent again (OTLP specification, "Retryable Response Codes"). */
const RETRYABLE: ReadonlySet<number> = new Set([429, 502, 503, 504]);
/** Bytes of an answer that are read. */
const MOST = 65_536;

/** Sends batches over one kept connection. */
export class OtlpSender {
  readonly #target: OtlpTarget;
  #agent: Agent | null = null;

  constructor(target: OtlpTarget) {
    this.#target = target;
  }

  /** Never rejects. @param signal breaks it off */
  async send(json: Buffer, signal: AbortSignal): Promise<OtlpAnswer> {
    try {
      return await this.#post(await this.#compressed(json), signal);
    } catch (error) {
      return { isAccepted: false, rejected: 0, problem: (error as Error).message, retryAfter: 0 };
    }
  }

  close(): void {
    this.#agent?.destroy();
  }

  /** Off the main thread, and fast: spans repeat so much that a higher level packs them little better (measured). */
  async #compressed(body: Buffer): Promise<Buffer> {
    if (this.#target.compression === "none") return body;
    const { gzip } = await import("node:zlib");
    return new Promise((resolve, reject) =>
      gzip(body, { level: 1 }, (error, packed) => (error ? reject(error) : resolve(packed))),
    );
  }

  async #post(body: Buffer, signal: AbortSignal): Promise<OtlpAnswer> {
    const { url, headers, compression, timeout } = this.#target;
    const { request: open, Agent } = await (url.startsWith("https:") ? import("node:https") : import("node:http"));
    this.#agent ??= new Agent({ keepAlive: true, maxSockets: 1 });
    const options: RequestOptions = {
      method: "POST",
      agent: this.#agent,
      signal: AbortSignal.any([signal, AbortSignal.timeout(timeout)]),
      headers: {
        ...headers,
        ...{ "content-type": "application/json", "content-length": body.length, "user-agent": "content-api" },
        ...(compression === "gzip" ? { "content-encoding": "gzip" } : {}),
      },
    };
    return new Promise((resolve, reject) => {
      const request = open(url, options, (response) => {
        let text = "";
        response.setEncoding("utf8").on("data", (part: string) => {
          if (text.length < MOST) text += part;
        });
        response.on("error", reject);
        response.on("end", () => resolve(readAnswer(response.statusCode ?? 0, text, response.headers["retry-after"])));
      });
      request.on("socket", (socket) => socket.unref()); // a process does not stay for its sake
      request.on("error", reject);
      request.end(body);
    });
  }
}

function readAnswer(status: number, text: string, retryAfter: string | undefined): OtlpAnswer {
  if (status < 200 || status > 299) {
    const wait = RETRYABLE.has(status) ? readWait(retryAfter) : null;
    return { isAccepted: false, rejected: 0, problem: `status ${status}`, retryAfter: wait };
  }
  const { rejected, problem } = readPartialSuccess(text);
  return { isAccepted: true, rejected, problem, retryAfter: null };
}

/** Milliseconds; 0 where the collector says nothing. Dates are not read. */
function readWait(retryAfter: string | undefined): number {
  return /^\d{1,4}$/.test(retryAfter ?? "") ? Number(retryAfter) * 1_000 : 0;
}

/** Collectors may answer in other forms than JSON: then nothing is known. */
function readPartialSuccess(text: string): Pick<OtlpAnswer, "rejected" | "problem"> {
  try {
    const { partialSuccess = {} } = JSON.parse(text || "{}") as { partialSuccess?: Record<string, unknown> };
    const { rejectedSpans, rejectedLogRecords, rejectedDataPoints } = partialSuccess;
    const rejected = Number(rejectedSpans ?? rejectedLogRecords ?? rejectedDataPoints ?? 0);
    const { errorMessage } = partialSuccess;
    const problem = typeof errorMessage === "string" && errorMessage !== "" ? errorMessage.slice(0, 300) : null;
    return { rejected: Number.isSafeInteger(rejected) && rejected > 0 ? rejected : 0, problem };
  } catch {
    return { rejected: 0, problem: null };
  }
}
