/**
 * The load generator: a process of its own, so that it can be kept on its own core. It takes one `Load` per message and
 * answers each with a `LoadResult` or an error text. Raw sockets, because an HTTP client would cost more than the
 * servers that are measured here.
 */
import { connect } from "node:net";

export interface Load {
  readonly port: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Bodies of the POST requests to /graphql, sent in turn, again from the first after the last. */
  readonly bodies: readonly string[];
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
  /** Share of its core that this process used, from 0 to 1. Near 1, it and not the server was the limit. */
  readonly busy: number;
}

export type LoadReply = { readonly result: LoadResult } | { readonly error: string };

const HEAD_END = Buffer.from("\r\n\r\n");
const DATA = Buffer.from('{"data":{');
const BUCKETS_PER_MS = 100;

/** @throws for a status other than 200, and for a body without data */
function isComplete(response: Buffer): boolean {
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
  if (!head.startsWith("HTTP/1.1 200 ") || response.compare(DATA, 0, DATA.length, dataStart, dataStart + DATA.length)) {
    throw new Error(`The server answered: ${response.toString("utf8", 0, 600)}`);
  }
  return true;
}

async function run(load: Load): Promise<LoadResult> {
  const head = Object.entries({ host: `127.0.0.1:${load.port}`, "content-type": "application/json", ...load.headers });
  const requests = load.bodies.map((body) =>
    Buffer.from(
      `POST /graphql HTTP/1.1\r\n${head.map(([name, value]) => `${name}: ${value}\r\n`).join("")}content-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
    ),
  );
  const buckets = new Uint32Array(10_000 * BUCKETS_PER_MS); // Latencies up to 10 s.
  const countFrom = performance.now() + load.warmUpSeconds * 1_000;
  const end = countFrom + load.seconds * 1_000;
  let next = 0;
  let answered = 0;
  let counted = 0;
  let lastAnswer = 0;
  let cpuBefore: NodeJS.CpuUsage | undefined;

  const openConnection = () =>
    new Promise<void>((resolve, reject) => {
      const socket = connect({ port: load.port, host: "127.0.0.1", noDelay: true });
      let sentAt = 0;
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
        socket.write(requests[next++ % requests.length] as Buffer);
      };
      socket.on("connect", send);
      socket.on("data", (chunk) => {
        response = response === null ? chunk : Buffer.concat([response, chunk]);
        try {
          if (!isComplete(response)) return;
        } catch (error) {
          fail(error as Error);
          return;
        }
        response = null;
        const now = performance.now();
        answered++;
        if (sentAt >= countFrom) {
          cpuBefore ??= process.cpuUsage();
          const bucket = Math.min(((now - sentAt) * BUCKETS_PER_MS) | 0, buckets.length - 1);
          buckets[bucket] = (buckets[bucket] ?? 0) + 1;
          counted++;
          lastAnswer = now;
        }
        send();
      });
      socket.on("error", fail);
      socket.on("close", () => fail(new Error("The server closed a connection.")));
    });

  await Promise.all(Array.from({ length: load.connections }, openConnection));
  if (counted === 0) throw new Error("No answer came in time.");
  const seconds = (lastAnswer - countFrom) / 1_000;
  const cpu = process.cpuUsage(cpuBefore);
  const percentile = (share: number) => {
    let bucket = 0;
    for (let left = counted * share - (buckets[0] ?? 0); left > 0; left -= buckets[bucket] ?? left) bucket++;
    return (bucket + 0.5) / BUCKETS_PER_MS;
  };
  return {
    requests: answered,
    perSecond: counted / seconds,
    p50Ms: percentile(0.5),
    p99Ms: percentile(0.99),
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
