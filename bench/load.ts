/**
 * The load generator: a process of its own, so that it can be kept on its own core. It takes one `Load` per message and
 * answers each with a `LoadResult` or an error text. Raw sockets, because an HTTP client would cost more than the
 * servers that are measured here.
 */
import { connect } from "node:net";

export interface Load {
  readonly port: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Where other than JSON to /graphql. `status` is that of each answer, 200 unless given. */
  readonly to?: {
    readonly path: string;
    readonly contentType: string;
    /** Without a body: the bodies only count the requests. */
    readonly method?: "GET";
    readonly status?: number;
  };
  /** Headers besides `headers`, for each of the bodies. */
  readonly headersOfEach?: readonly Readonly<Record<string, string>>[];
  /** What each answer's body begins with, `{"data":{` unless given. */
  readonly answerStart?: string;
  /** Bodies of the POST requests, sent in turn, again from the first after the last. */
  readonly bodies: readonly string[];
  /** Every so many-th request has one of these bodies instead, in turn as well; its latency is counted apart. */
  readonly between?: { readonly every: number; readonly bodies: readonly string[] };
  /**
   * The bodies end in a refresh token. Each is sent once; with the token that the answer has in its place, it is queued
   * behind the others. There must be more of them than connections.
   */
  readonly refreshes?: boolean;
  /** Keep-alive connections; each has one request under way at any time. */
  readonly connections: number;
  /** Sent but not counted. */
  readonly warmUpSeconds: number;
  readonly seconds: number;
  /** End when each body was sent once, if that comes first. */
  readonly once?: boolean;
}

export interface LoadResult {
  /** Counted and uncounted ones. */
  readonly requests: number;
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** Those of `Load.between`, answered after the warm-up. */
  readonly between?: { readonly answered: number; readonly p99Ms: number };
  /** Where `Load.refreshes`: what is to be sent next. */
  readonly bodies?: readonly string[];
  /** Share of its core that this process used, from 0 to 1. Near 1, it and not the server was the limit. */
  readonly busy: number;
}

export type LoadReply = { readonly result: LoadResult } | { readonly error: string };

const HEAD_END = Buffer.from("\r\n\r\n");
const GRAPHQL: NonNullable<Load["to"]> = { path: "/graphql", contentType: "application/json" };
const DATA = '{"data":{';
const REFRESH_TOKEN = /"refresh_token":"([^"]+)"/;
const BUCKETS_PER_MS = 100;

/** @throws for another status, and for a body that begins otherwise */
function isComplete(response: Buffer, status: string, start: Buffer): boolean {
  const headEnd = response.indexOf(HEAD_END);
  if (headEnd === -1) return false;
  const head = response.toString("latin1", 0, headEnd);
  const bodyStart = headEnd + HEAD_END.length;
  const length = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1];
  const complete =
    length === undefined
      ? response.toString("latin1", response.length - 5) === "0\r\n\r\n" // The last chunk; JSON has no such line within.
      : response.length >= bodyStart + Number(length);
  if (!complete) return false;
  const dataStart = length === undefined ? response.indexOf("\r\n", bodyStart) + 2 : bodyStart;
  const isRight = response.compare(start, 0, start.length, dataStart, dataStart + start.length) === 0;
  if (!head.startsWith(status) || !isRight) {
    throw new Error(`The server answered: ${response.toString("utf8", 0, 600)}`);
  }
  return true;
}

class Latencies {
  readonly #buckets = new Uint32Array(10_000 * BUCKETS_PER_MS); // Up to 10 s.
  count = 0;

  add(milliseconds: number): void {
    const bucket = Math.min((milliseconds * BUCKETS_PER_MS) | 0, this.#buckets.length - 1);
    this.#buckets[bucket] = (this.#buckets[bucket] ?? 0) + 1;
    this.count++;
  }

  percentile(share: number): number {
    let bucket = 0;
    let left = this.count * share - (this.#buckets[0] ?? 0);
    for (; left > 0; left -= this.#buckets[bucket] ?? left) bucket++;
    return (bucket + 0.5) / BUCKETS_PER_MS;
  }
}

function refreshed(body: string, response: Buffer): string {
  const token = REFRESH_TOKEN.exec(response.toString())?.[1];
  if (token === undefined) throw new Error(`There is no refresh token in: ${response.toString("utf8", 0, 600)}`);
  return body.slice(0, body.lastIndexOf("=") + 1) + token;
}

async function run(load: Load): Promise<LoadResult> {
  const { path, contentType, method = "POST", status = 200 } = load.to ?? GRAPHQL;
  const common = { host: `127.0.0.1:${load.port}`, ...load.headers };
  const start = Buffer.from(load.answerStart ?? DATA);
  const statusLine = `HTTP/1.1 ${status} `;
  const toRequest = (body: string, own: Readonly<Record<string, string>> = {}) => {
    const form = { "content-type": contentType, "content-length": String(Buffer.byteLength(body)) };
    const lines = Object.entries({ ...common, ...own, ...(method === "POST" ? form : {}) });
    const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join("");
    return Buffer.from(`${method} ${path} HTTP/1.1\r\n${head}\r\n${method === "POST" ? body : ""}`);
  };
  const requests = load.bodies.map((body, index) => toRequest(body, load.headersOfEach?.[index]));
  const between = load.between?.bodies.map((body) => toRequest(body)) ?? [];
  const every = load.between?.every ?? Number.POSITIVE_INFINITY;
  const latencies = new Latencies();
  const latenciesBetween = new Latencies();
  const refreshes = load.refreshes === true ? [...load.bodies] : null;
  const countFrom = performance.now() + load.warmUpSeconds * 1_000;
  const end = countFrom + load.seconds * 1_000;
  let next = 0;
  let answered = 0;
  let lastAnswer = 0;
  let cpuBefore: NodeJS.CpuUsage | undefined;

  const openConnection = () =>
    new Promise<void>((resolve, reject) => {
      const socket = connect({ port: load.port, host: "127.0.0.1", noDelay: true });
      let sentAt = 0;
      let isBetween = false;
      let refresh = "";
      let response: Buffer | null = null;
      const fail = (error: Error) => {
        socket.destroy();
        reject(error);
      };
      const send = () => {
        sentAt = performance.now();
        if (sentAt >= end || (load.once === true && next >= requests.length)) {
          socket.end();
          resolve();
          return;
        }
        socket.write(nextRequest());
      };
      const nextRequest = () => {
        const number = next++;
        isBetween = number % every === every - 1;
        if (isBetween) return between[Math.floor(number / every) % between.length] as Buffer;
        if (refreshes === null) return requests[number % requests.length] as Buffer;
        refresh = refreshes.shift() ?? "";
        return toRequest(refresh);
      };
      socket.on("connect", send);
      socket.on("data", (chunk) => {
        response = response === null ? chunk : Buffer.concat([response, chunk]);
        try {
          if (!isComplete(response, statusLine, start)) return;
          if (refreshes !== null) refreshes.push(refreshed(refresh, response));
        } catch (error) {
          fail(error as Error);
          return;
        }
        response = null;
        const now = performance.now();
        answered++;
        if (sentAt >= countFrom) {
          cpuBefore ??= process.cpuUsage();
          (isBetween ? latenciesBetween : latencies).add(now - sentAt);
          lastAnswer = now;
        }
        send();
      });
      socket.on("error", fail);
      socket.on("close", () => fail(new Error("The server closed a connection.")));
    });

  await Promise.all(Array.from({ length: load.connections }, openConnection));
  const counted = latencies.count + latenciesBetween.count;
  if (latencies.count === 0) throw new Error("No answer came in time.");
  const seconds = (lastAnswer - countFrom) / 1_000;
  const cpu = process.cpuUsage(cpuBefore);
  return {
    requests: answered,
    perSecond: counted / seconds,
    p50Ms: latencies.percentile(0.5),
    p99Ms: latencies.percentile(0.99),
    ...(load.between === undefined
      ? {}
      : { between: { answered: latenciesBetween.count, p99Ms: latenciesBetween.percentile(0.99) } }),
    ...(refreshes === null ? {} : { bodies: refreshes }),
    busy: (cpu.user + cpu.system) / 1e6 / seconds,
  };
}

process.on("message", async (load: Load) => {
  let reply: LoadReply;
  try {
    reply = { result: await run(load) };
  } catch (error) {
    reply = { error: (error as Error).message };
  }
  process.send?.(reply);
});
process.on("disconnect", () => process.exit());
