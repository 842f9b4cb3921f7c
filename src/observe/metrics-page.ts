import type { MetricRow } from "./metric-row.ts";
import { METRICS, type MetricName } from "./metric-table.ts";
import type { GaugeSample, Registry } from "./registry.ts";
import { type Exemplar, Histogram } from "./series.ts";

/** Formats of the page: Prometheus text 0.0.4, and OpenMetrics 1.0, which alone has exemplars. */
export type PageFormat = "text" | "openmetrics";

export const CONTENT_TYPES: Readonly<Record<PageFormat, string>> = {
  text: "text/plain; version=0.0.4; charset=utf-8",
  openmetrics: "application/openmetrics-text; version=1.0.0; charset=utf-8",
};

/** OpenMetrics for callers that name its version 1 and like it no less than plain text; text for everybody else. */
export function pageFormat(accept = ""): PageFormat {
  let [text, openmetrics] = [0, 0];
  for (const range of accept.toLowerCase().split(",")) {
    const [type = "", ...parameters] = range.split(";").map((part) => part.trim());
    const of = (name: string) => parameters.find((one) => one.startsWith(`${name}=`))?.slice(name.length + 1);
    const quality = Number(of("q") ?? 1);
    if (type === "text/plain") text = Math.max(text, quality);
    if (type === "application/openmetrics-text" && [undefined, "1.0.0"].includes(of("version")))
      openmetrics = Math.max(openmetrics, quality);
  }
  return openmetrics > 0 && openmetrics >= text ? "openmetrics" : "text";
}

/** Gauges of one process; those of a worker bear its number. */
export interface ProcessGauges {
  readonly worker: number | null;
  readonly samples: readonly GaugeSample[];
}

/** The page: every metric of the table with its help and type, and the series that there are. */
export function printPage(registry: Registry, gauges: readonly ProcessGauges[], format: PageFormat): string {
  const lines: string[] = [];
  const isOpen = format === "openmetrics";
  for (const [name, row] of Object.entries<MetricRow>(METRICS)) {
    const family = isOpen && row.type === "counter" ? name.replace(/_total$/, "") : name;
    lines.push(`# HELP ${family} ${row.help}`, `# TYPE ${family} ${row.type}`);
    const names = row.labels.map(([label]) => label);
    if (row.type === "gauge") pushGauges(lines, { name, names, row }, gauges);
    else
      for (const series of registry.seriesOf(name as MetricName)) {
        if (series instanceof Histogram) pushHistogram(lines, name, pairs(names, series.labels), { series, isOpen });
        else lines.push(`${sample(name, pairs(names, series.labels))} ${series.value}`);
      }
  }
  if (isOpen) lines.push("# EOF");
  return `${lines.join("\n")}\n`;
}

function pushGauges(
  lines: string[],
  { name, names, row }: { name: string; names: readonly string[]; row: MetricRow },
  gauges: readonly ProcessGauges[],
): void {
  for (const { worker, samples } of gauges)
    for (const [of, labels, value] of samples) {
      if (of !== name) continue;
      const own = pairs(names, labels);
      if (worker !== null && row.isShared !== true) own.push(`worker="${worker}"`);
      lines.push(`${sample(name, own)} ${value}`);
    }
}

function pushHistogram(
  lines: string[],
  name: string,
  labels: readonly string[],
  { series, isOpen }: { series: Histogram; isOpen: boolean },
): void {
  let total = 0;
  for (const [bucket, count] of series.counts.entries()) {
    total += count;
    const bound = series.bounds[bucket];
    const exemplar = isOpen ? shownExemplar(series.exemplars?.[bucket]) : "";
    lines.push(`${sample(`${name}_bucket`, [...labels, `le="${shownBound(bound, isOpen)}"`])} ${total}${exemplar}`);
  }
  lines.push(`${sample(`${name}_sum`, labels)} ${series.sum}`, `${sample(`${name}_count`, labels)} ${total}`);
}

/** In OpenMetrics, whole bounds are written with a point, as Prometheus' own libraries do. */
function shownBound(bound: number | undefined, isOpen: boolean): string {
  if (bound === undefined) return "+Inf";
  return isOpen && Number.isInteger(bound) ? `${bound}.0` : `${bound}`;
}

function shownExemplar(exemplar: Exemplar | undefined): string {
  if (exemplar === undefined) return "";
  return ` # {trace_id="${exemplar.traceId}"} ${exemplar.value} ${exemplar.at.toFixed(3)}`;
}

function pairs(names: readonly string[], values: readonly string[]): string[] {
  return names.map((name, index) => `${name}="${escaped(values[index] ?? "")}"`);
}

function sample(name: string, labels: readonly string[]): string {
  return labels.length === 0 ? name : `${name}{${labels.join(",")}}`;
}

function escaped(value: string): string {
  return value.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("\n", "\\n");
}
