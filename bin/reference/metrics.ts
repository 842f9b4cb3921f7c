import { showSubscriptions } from "../../src/app/streaming.ts";
import { openBacklog } from "../../src/mail/backlog.ts";
import { MAIL_OUTCOMES, openMetrics, SHED_REASONS, WEBHOOK_OUTCOMES } from "../../src/observe/metrics.ts";
import { code, codes, head, type Page, table } from "./markdown.ts";

const INTRODUCTION = `Every metric of \`/metrics\`, in the text format of Prometheus.
[operations.md](../operations.md#monitor) explains who may read them, and names alerts.`;

/** Labels whose values are known, by metric and label. */
const VALUES: Readonly<Record<string, readonly string[]>> = {
  "http_requests_shed_total reason": SHED_REASONS,
  "webhook_calls_total outcome": WEBHOOK_OUTCOMES,
  "content_api_mails_total outcome": MAIL_OUTCOMES,
};

interface Metric {
  readonly name: string;
  readonly type: string;
  readonly help: string;
  readonly labels: readonly string[];
}

export function metricsPage(): Page {
  const rows = readMetrics(printed()).map(({ name, type, help, labels }) => [
    code(name),
    type,
    labels.map((label) => labelWithValues(name, label)).join(", "),
    help,
  ]);
  const text = [
    head("Metrics", ["src/observe/metrics.ts"], INTRODUCTION),
    table(["metric", "type", "labels", "meaning"], rows),
    "A histogram has three series: `_bucket` with the label `le`, `_sum` and `_count`. The two metrics of waiting mails are there if",
    "the server sends mail.\n",
  ].join("\n");
  return { name: "metrics", text };
}

/** What a server prints that has counted one of everything. */
function printed(): string {
  const metrics = openMetrics();
  metrics.requestAnswered("POST", "/graphql", 200, 0.001);
  for (const reason of SHED_REASONS) metrics.requestShed(reason);
  for (const outcome of WEBHOOK_OUTCOMES) metrics.webhookCalled(outcome);
  for (const outcome of MAIL_OUTCOMES) metrics.mailSettled(outcome);
  showSubscriptions(metrics, () => 0);
  openBacklog({ mails: { backlog: async () => ({ pending: 0, oldest: null }) }, metrics, now: () => 0 });
  return metrics.print();
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

function labelWithValues(metric: string, label: string): string {
  const values = VALUES[`${metric} ${label}`];
  return values === undefined ? code(label) : `${code(label)}: ${codes(values)}`;
}
