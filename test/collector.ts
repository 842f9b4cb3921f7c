import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { gunzipSync } from "node:zlib";

/** A span as OTLP has it, with its attributes as an object. */
export interface CollectedSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly kind: number;
  readonly flags: number;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly traceState?: string;
  readonly links?: readonly { readonly traceId: string; readonly spanId: string }[];
  readonly status?: { readonly code: number };
  readonly attributes: Readonly<Record<string, string | number | boolean>>;
}

/** A data point of a metric as OTLP has it, with its attributes as an object. */
export interface CollectedPoint {
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly startTimeUnixNano?: string;
  readonly timeUnixNano: string;
  readonly asDouble?: number;
  readonly count?: string;
  readonly sum?: number;
  readonly explicitBounds?: readonly number[];
  readonly bucketCounts?: readonly string[];
  readonly scale?: number;
  readonly zeroCount?: string;
  readonly positive?: { readonly offset: number; readonly bucketCounts: readonly string[] };
  readonly exemplars?: readonly { readonly traceId: string; readonly asDouble: number }[];
}

/** A metric of OTLP with its newest data points. */
export interface CollectedMetric {
  readonly name: string;
  readonly unit: string;
  readonly description: string;
  /** `sum`, `gauge`, `histogram` or `exponentialHistogram`. */
  readonly kind: string;
  readonly aggregationTemporality?: number;
  readonly isMonotonic?: boolean;
  readonly dataPoints: readonly CollectedPoint[];
}

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

const ACCEPT: Answer = (_request, response) =>
  void response.writeHead(200, { "content-type": "application/json" }).end("{}");

/** A collector for tests, on loopback. */
export class Collector {
  readonly url: string;
  readonly spans: CollectedSpan[] = [];
  readonly lines: Record<string, unknown>[] = [];
  /** The newest ones by their names. */
  readonly metrics = new Map<string, CollectedMetric>();
  /** Texts of the requests that were accepted or not, unpacked. */
  readonly bodies: string[] = [];
  readonly heads: IncomingMessage["headers"][] = [];
  resource: Readonly<Record<string, unknown>> = {};
  /** How requests are answered; `null`: never. */
  answer: Answer | null = ACCEPT;
  readonly #close: () => Promise<void>;
  #waiting: (() => void)[] = [];

  private constructor(url: string, close: () => Promise<void>) {
    this.url = url;
    this.#close = close;
  }

  static async open(): Promise<Collector> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as AddressInfo;
    const collector = new Collector(`http://127.0.0.1:${port}`, async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    });
    server.on("request", (request, response) => {
      const chunks: Buffer[] = [];
      request.on("data", (chunk) => chunks.push(chunk));
      request.on("end", () => collector.#receive(request, Buffer.concat(chunks), response));
    });
    return collector;
  }

  /** Resolves when so many spans have come, or `isThere` says so. */
  async until(isThere: (spans: readonly CollectedSpan[]) => boolean, milliseconds = 10_000): Promise<void> {
    const deadline = performance.now() + milliseconds;
    while (!isThere(this.spans)) {
      const left = deadline - performance.now();
      if (left <= 0) throw new Error(`The spans did not come: ${JSON.stringify(this.spans.map(({ name }) => name))}`);
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, left);
        this.#waiting.push(() => {
          clearTimeout(timer);
          resolve();
        });
      });
    }
  }

  /** The spans of one trace as a tree of names: `SERVER POST /graphql > query > …`. */
  tree(traceId: string): Tree {
    const all = this.spans.filter((span) => span.traceId === traceId);
    const ids = new Set(all.map(({ spanId }) => spanId));
    const below = (id: string | undefined): Tree =>
      Object.fromEntries(
        all
          .filter(({ parentSpanId }) => (id === undefined ? !ids.has(parentSpanId ?? "") : parentSpanId === id))
          .toSorted((a, b) => Number(BigInt(a.startTimeUnixNano) - BigInt(b.startTimeUnixNano)))
          .map((span) => [`${KINDS[span.kind]} ${span.name}`, below(span.spanId)]),
      );
    return below(undefined);
  }

  close(): Promise<void> {
    return this.#close();
  }

  #receive(request: IncomingMessage, body: Buffer, response: ServerResponse): void {
    const text = (request.headers["content-encoding"] === "gzip" ? gunzipSync(body) : body).toString();
    this.bodies.push(text);
    this.heads.push(request.headers);
    if (this.answer === ACCEPT) this.#take(text);
    this.answer?.(request, response);
    for (const tell of this.#waiting.splice(0)) tell();
  }

  #take(text: string): void {
    const { resourceSpans = [], resourceLogs = [], resourceMetrics = [] } = JSON.parse(text);
    for (const { resource, scopeMetrics } of resourceMetrics) {
      this.resource = attributesOf(resource.attributes);
      for (const { metrics } of scopeMetrics) for (const metric of metrics) this.#takeMetric(metric);
    }
    for (const { resource, scopeSpans } of resourceSpans) {
      this.resource = attributesOf(resource.attributes);
      for (const { spans } of scopeSpans)
        for (const span of spans) this.spans.push({ ...span, attributes: attributesOf(span.attributes) });
    }
    for (const { scopeLogs } of resourceLogs)
      for (const { logRecords } of scopeLogs)
        for (const line of logRecords) this.lines.push({ ...line, attributes: attributesOf(line.attributes) });
  }

  #takeMetric({ name, unit, description, ...data }: Record<string, unknown>): void {
    const [[kind, content] = ["none", null]] = Object.entries(data) as [string, { dataPoints: unknown[] } | null][];
    const points = (content?.dataPoints ?? []) as (CollectedPoint & { readonly attributes: KeyValue[] })[];
    const dataPoints = points.map((point) => ({ ...point, attributes: attributesOf(point.attributes) }));
    this.metrics.set(`${name}`, { ...{ name, unit, description, kind }, ...content, dataPoints } as CollectedMetric);
  }
}

export interface Tree {
  readonly [span: string]: Tree;
}

const KINDS: Readonly<Record<number, string>> = { 1: "INTERNAL", 2: "SERVER", 3: "CLIENT" };

type KeyValue = { readonly key: string; readonly value: Readonly<Record<string, unknown>> };

function attributesOf(list: readonly KeyValue[]): Record<string, string | number | boolean> {
  const read = ({ key, value }: KeyValue) => {
    const { stringValue, intValue, doubleValue, boolValue } = value;
    return [key, stringValue ?? boolValue ?? doubleValue ?? Number(intValue)];
  };
  return Object.fromEntries(list.map(read));
}
