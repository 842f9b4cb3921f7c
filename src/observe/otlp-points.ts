import type { MetricRow } from "./metric-row.ts";
import { METRICS, type MetricName } from "./metric-table.ts";
import type { ProcessGauges } from "./metrics-page.ts";
import { attributesJson, nanoseconds } from "./otlp-spans.ts";
import type { Registry } from "./registry.ts";
import { type Counter, type Exemplar, Histogram, type Series } from "./series.ts";

/** Counts since the start of the process (OTLP, `AggregationTemporality`). */
const CUMULATIVE = 2;
/** Units of the Unified Code for Units of Measure, by the ends of our names. Other metrics are plain numbers. */
const UNITS = [
  [/_seconds(_total)?$/, "s"],
  [/_bytes$/, "By"],
] as const;

/** Everything that there is to see of the metrics at one moment. */
export interface MetricsReading {
  readonly registry: Registry;
  readonly gauges: readonly ProcessGauges[];
}

/** One metric as `Metric` of OTLP. */
export interface MetricJson {
  readonly json: string;
  /** Data points in it. */
  readonly count: number;
}

/** Milliseconds of Unix time. */
interface Period {
  readonly startedAt: number;
  readonly now: number;
}

/**
 * The metrics of the table that have a value, in its order. The names are those of the page, which Prometheus makes of these
 * again: `_total` and the units are at their ends already.
 */
export function metricsJson({ registry, gauges }: MetricsReading, period: Period): MetricJson[] {
  return Object.entries<MetricRow>(METRICS).flatMap(([name, row]): MetricJson[] => {
    const points =
      row.type === "gauge" ? gaugePoints(name, row, gauges, period) : seriesPoints(name, row, registry, period);
    if (points.length === 0) return [];
    const unit = UNITS.find(([ending]) => ending.test(name))?.[1] ?? "";
    const head = `{"name":"${name}","description":${JSON.stringify(row.help)},"unit":"${unit}"`;
    const list = `"dataPoints":[${points.join(",")}]`;
    return [{ json: `${head},${dataJson(row, registry, list)}}`, count: points.length }];
  });
}

function dataJson({ type }: MetricRow, registry: Registry, points: string): string {
  if (type === "gauge") return `"gauge":{${points}}`;
  const kind = type === "counter" ? "sum" : registry.isExponential ? "exponentialHistogram" : "histogram";
  const monotonic = type === "counter" ? `,"isMonotonic":true` : "";
  return `"${kind}":{"aggregationTemporality":${CUMULATIVE}${monotonic},${points}}`;
}

function gaugePoints(name: string, row: MetricRow, gauges: readonly ProcessGauges[], { now }: Period): string[] {
  return gauges.flatMap(({ worker, samples }) =>
    samples.flatMap(([of, labels, value]) => {
      if (of !== name || !Number.isFinite(value)) return [];
      const own = worker === null || row.isShared === true ? {} : { worker: `${worker}` };
      return [`{${attributesOf(row, labels, own)},"timeUnixNano":"${nanoseconds(now)}","asDouble":${value}}`];
    }),
  );
}

function seriesPoints(name: string, row: MetricRow, registry: Registry, { startedAt, now }: Period): string[] {
  const times = `"startTimeUnixNano":"${nanoseconds(startedAt)}","timeUnixNano":"${nanoseconds(now)}"`;
  const pointOf = (series: Series) => `{${attributesOf(row, series.labels)},${times},${valueJson(series)}}`;
  return Array.from(registry.seriesOf(name as MetricName), pointOf);
}

function attributesOf({ labels }: MetricRow, values: readonly string[], own: Readonly<Record<string, string>> = {}) {
  const named = Object.fromEntries(labels.map(([label], index) => [label, values[index] ?? ""]));
  return `"attributes":[${attributesJson({ ...named, ...own })}]`;
}

/** A counter is always `double`: a metric has one type of number. */
function valueJson(series: Counter | Histogram): string {
  return series instanceof Histogram ? histogramJson(series) : `"asDouble":${series.value}`;
}

function histogramJson({ counts, bounds, sum, exemplars, exponential }: Histogram): string {
  const total = counts.reduce((all, count) => all + count, 0);
  const shown = Object.values(exemplars ?? []).map(exemplarJson); // entries of buckets without one are missing
  const whole = `"count":"${total}","sum":${sum},"exemplars":[${shown.join(",")}]`;
  if (exponential === null) return `${whole},"bucketCounts":[${quoted(counts)}],"explicitBounds":[${bounds.join(",")}]`;
  const { scale, zeroCount, zeroThreshold, offset, counts: buckets } = exponential.state;
  const positive = `"positive":{"offset":${offset},"bucketCounts":[${quoted(buckets)}]}`;
  return `${whole},"scale":${scale},"zeroCount":"${zeroCount}","zeroThreshold":${zeroThreshold},${positive}`;
}

/** 64-bit numbers are texts in the JSON of Protocol Buffers. */
function quoted(counts: Iterable<number>): string {
  return Array.from(counts, (count) => `"${count}"`).join(",");
}

function exemplarJson({ traceId, value, at }: Exemplar): string {
  return `{"timeUnixNano":"${nanoseconds(at * 1_000)}","asDouble":${value},"traceId":"${traceId}"}`;
}
