import { MACHINE_METRICS } from "./machine-metrics.ts";
import type { MetricRow } from "./metric-row.ts";
import { SERVICE_METRICS } from "./service-metrics.ts";

/**
 * Every metric of the program, in the order of the page. `/metrics`, the docs, and the checks of the alerts and of the dashboard
 * derive from this table. It starts nothing.
 */
export const METRICS = { ...SERVICE_METRICS, ...MACHINE_METRICS } as const;

export type MetricName = keyof typeof METRICS;

type NamesOf<Type extends MetricRow["type"]> = {
  [Name in MetricName]: (typeof METRICS)[Name]["type"] extends Type ? Name : never;
}[MetricName];
export type CounterName = NamesOf<"counter">;
export type GaugeName = NamesOf<"gauge">;
export type HistogramName = NamesOf<"histogram">;

type ValueOf<Label> = Label extends readonly [string, readonly (infer Value)[]] ? Value : string;
type ValuesOf<Labels extends readonly unknown[]> = { [Index in keyof Labels]: ValueOf<Labels[Index]> };
/** One value for each label, in the order of the table. */
export type LabelsOf<Name extends MetricName> = ValuesOf<(typeof METRICS)[Name]["labels"]>;

/** Lines that a metric has on the page for each combination of labels: one, or one for each bucket with its sum and count. */
function linesOf({ type, buckets = [] }: MetricRow): number {
  return type === "histogram" ? buckets.length + 3 : 1;
}

/** Combinations that stand for all those beyond `most`. */
function beyondMost({ labels }: MetricRow): number {
  return labels.reduce((count, [name, values]) => {
    if (name === "status") return 5; // a class each
    return values === null ? Math.max(count, 1) : count;
  }, 0);
}

/**
 * Samples that the page has at most.
 *
 * @param workers processes of WORKERS, each with gauges of its own
 */
export function mostSamples(workers: number): number {
  return Object.values<MetricRow>(METRICS).reduce((sum, metric) => {
    const processes = metric.type === "gauge" && metric.isShared !== true ? workers : 1;
    return sum + (metric.most + beyondMost(metric)) * linesOf(metric) * processes;
  }, 0);
}
