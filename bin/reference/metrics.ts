import type { MetricRow } from "../../src/observe/metric-row.ts";
import { METRICS } from "../../src/observe/metric-table.ts";
import { code, codes, head, type Page, table } from "./markdown.ts";

const INTRODUCTION = `Every metric of \`/metrics\`, which answers in the text format of Prometheus, or in OpenMetrics 1.0 if \`Accept\`
asks for it. [monitoring.md](../monitoring.md#health-checks) explains who may read them, and names alerts.`;

interface Metric {
  readonly name: string;
  readonly type: string;
  readonly help: string;
  readonly labels: readonly string[];
}

export function metricsPage(): Page {
  const rows = Object.entries<MetricRow>(METRICS).map(([name, { type, help, labels }]) => [
    code(name),
    type,
    labels.map(([label, values]) => (values === null ? code(label) : `${code(label)}: ${codes(values)}`)).join("; "),
    help,
  ]);
  const text = [
    head("Metrics", ["src/observe/metric-table.ts"], INTRODUCTION),
    table(["metric", "type", "labels", "meaning"], rows),
    "A histogram has three series: `_bucket` with the label `le`, `_sum` and `_count`. A gauge without a value is missing, such as the",
    "replica's without a replica. Values beyond what a metric may show are counted under `other`. With `WORKERS` above 1, gauges of",
    "processes have a label `worker`.\n",
  ].join("\n");
  return { name: "metrics", text };
}

/** The metrics of a text in Prometheus' format, in its order. */
export function readMetrics(text: string): Metric[] {
  return [...text.matchAll(/^# HELP (\S+) (.*)\n# TYPE \S+ (\w+)\n((?:[^#\n].*\n)*)/gm)].map(
    ([, name = "", help = "", type = "", lines = ""]) => {
      const labels = [...lines.matchAll(/[{,]([a-z_]+)="/g)].map(([, label = ""]) => label);
      return { name, type, help, labels: [...new Set(labels)].filter((label) => label !== "le") };
    },
  );
}
