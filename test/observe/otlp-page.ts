import assert from "node:assert/strict";
import { METRICS } from "../../src/observe/metric-table.ts";
import type { CollectedMetric, CollectedPoint } from "../collector.ts";

/** Counters that go on while nobody asks for anything, or to which a reading adds. */
const MOVING = /^(process_cpu_|nodejs_gc_|otel_|metrics_workers_)/;

/**
 * Compares what a collector has with the page of `/metrics`, once nothing but readings goes on: each counter and each histogram,
 * with its labels. Gauges are compared by their names and labels.
 */
export function comparePage(page: string, metrics: ReadonlyMap<string, CollectedMetric>): void {
  const samples = readPage(page);
  let compared = 0;
  for (const [name, { type }] of Object.entries(METRICS)) {
    for (const point of metrics.get(name)?.dataPoints ?? []) {
      const isMoving = MOVING.test(name) || isOfReading(point);
      if (type === "gauge") assert.ok(samples.has(keyOf(name, point)), keyOf(name, point));
      else if (!isMoving) compared += type === "counter" ? compareCounter(name, point) : compareHistogram(name, point);
    }
  }
  assert.ok(compared >= 20, `${compared} series are compared`);
  for (const series of samples.keys()) {
    const name = series.replace(/\{.*/, "").replace(/_(bucket|sum|count)$/, "");
    assert.ok(metrics.has(name) || metrics.has(series.replace(/\{.*/, "")), `${series} is not sent`);
  }

  function compareCounter(name: string, point: CollectedPoint): number {
    assert.equal(point.asDouble, samples.get(keyOf(name, point)), keyOf(name, point));
    return 1;
  }

  function compareHistogram(name: string, point: CollectedPoint): number {
    const { count, sum, zeroCount = "0", positive } = point;
    assert.equal(Number(count), samples.get(keyOf(`${name}_count`, point)), keyOf(name, point));
    assert.equal(sum, samples.get(keyOf(`${name}_sum`, point)), keyOf(name, point));
    const all = [zeroCount, ...(positive?.bucketCounts ?? [])].reduce((total, one) => total + Number(one), 0);
    assert.equal(all, Number(count), `buckets of ${keyOf(name, point)}`);
    return 1;
  }
}

/** A reading of the metrics is a request for another route, and asks the database, which chores do too. */
function isOfReading({ attributes: { route, operation, role } }: CollectedPoint): boolean {
  return (route !== undefined && route !== "/graphql") || (role !== undefined && operation !== "read");
}

function keyOf(name: string, { attributes }: CollectedPoint): string {
  const labels = Object.entries(attributes).map(([label, value]) => `${label}="${value}"`);
  return labels.length === 0 ? name : `${name}{${labels.join(",")}}`;
}

/** Samples by name and labels, without buckets. */
function readPage(page: string): Map<string, number> {
  const lines = page.split("\n").filter((line) => line !== "" && !line.startsWith("#") && !/_bucket\{/.test(line));
  return new Map(
    lines.map((line) => {
      const end = line.lastIndexOf(" ");
      return [line.slice(0, end), Number(line.slice(end + 1))];
    }),
  );
}
