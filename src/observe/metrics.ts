/** Upper bounds of the buckets, in seconds. */
const BOUNDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10] as const;

interface Series {
  readonly labels: string;
  /** Requests by bucket; the last one has no bound. */
  readonly counts: Uint32Array;
  sum: number;
}

/** Reasons for which requests are rejected with 503: they would wait too long, too many run, or memory is short. */
export const SHED_REASONS = ["delay", "in_flight", "memory"] as const;
/** Outcomes of a call to a webhook. `retried`: another attempt is scheduled. */
export const WEBHOOK_OUTCOMES = ["delivered", "retried", "failed"] as const;
/** Outcomes of an attempt to send a mail. `dropped`: the mail was found to be unnecessary. */
export const MAIL_OUTCOMES = ["sent", "retried", "failed", "dropped"] as const;

export interface Metrics {
  /** Counts one answered request; `route` is the pattern, never the path, so that the number of series stays bounded. */
  requestAnswered(method: string, route: string, status: number, seconds: number): void;
  /** Counts one request that was rejected because of too much load. */
  requestShed(reason: (typeof SHED_REASONS)[number]): void;
  /** Counts one call to a webhook. */
  webhookCalled(outcome: (typeof WEBHOOK_OUTCOMES)[number]): void;
  /** Counts the outcome of one attempt to send a mail. */
  mailSettled(outcome: (typeof MAIL_OUTCOMES)[number]): void;
  /** Shows a number that is asked for whenever somebody looks. */
  gauge(name: string, help: string, value: () => number): void;
  /** Prometheus text format 0.0.4. */
  print(): string;
}

const SHED_HELP = "Requests rejected with 503 because of too much load, by reason.";
const CALLS_HELP = "Calls to webhooks: delivered, retried (another attempt is scheduled), or failed for good.";
const MAILS_HELP =
  "Attempts to send a mail: sent, retried (another attempt is scheduled), failed for good, or dropped as unnecessary.";

/** Counts in plain arrays: it runs once for every request, and is read every few seconds. */
export function openMetrics(): Metrics {
  const routes = new Map<string, Map<number, Series>>();
  const shed = new Map<string, number>();
  const calls = new Map<string, number>();
  const mails = new Map<string, number>();
  const gauges: (() => string[])[] = [];

  function seriesOf(method: string, route: string, status: number): Series {
    const key = method + route;
    const statuses = routes.get(key) ?? new Map<number, Series>();
    routes.set(key, statuses);
    let series = statuses.get(status);
    if (series === undefined) {
      const labels = `method="${method}",route="${route}",status="${status}"`;
      series = { labels, counts: new Uint32Array(BOUNDS.length + 1), sum: 0 };
      statuses.set(status, series);
    }
    return series;
  }

  return {
    requestAnswered(method, route, status, seconds) {
      const series = seriesOf(method, route, status);
      let bucket = 0;
      while (bucket < BOUNDS.length && seconds > (BOUNDS[bucket] as number)) bucket++;
      series.counts[bucket] = (series.counts[bucket] as number) + 1;
      series.sum += seconds;
    },
    requestShed(reason) {
      shed.set(reason, (shed.get(reason) ?? 0) + 1);
    },
    webhookCalled(outcome) {
      calls.set(outcome, (calls.get(outcome) ?? 0) + 1);
    },
    mailSettled(outcome) {
      mails.set(outcome, (mails.get(outcome) ?? 0) + 1);
    },
    gauge(name, help, value) {
      gauges.push(() => single(name, "gauge", help, value()));
    },
    print() {
      const all = [...routes.values()].flatMap((statuses) => [...statuses.values()]);
      return [
        ...(all.length > 0 ? histogram(all) : []),
        ...counter("http_requests_shed_total", SHED_HELP, "reason", shed),
        ...counter("webhook_calls_total", CALLS_HELP, "outcome", calls),
        ...counter("content_api_mails_total", MAILS_HELP, "outcome", mails),
        ...gauges.flatMap((print) => print()),
        ...processLines(),
        "",
      ].join("\n");
    },
  };
}

function histogram(all: readonly Series[]): string[] {
  const name = "http_request_duration_seconds";
  const lines = [
    `# HELP ${name} Time from the beginning of a request to the end of its answer, in seconds.`,
    `# TYPE ${name} histogram`,
  ];
  for (const { labels, counts, sum } of all) {
    let total = 0;
    for (const [bucket, bound] of [...BOUNDS, "+Inf"].entries()) {
      total += counts[bucket] ?? 0;
      lines.push(`${name}_bucket{${labels},le="${bound}"} ${total}`);
    }
    lines.push(`${name}_sum{${labels}} ${sum}`, `${name}_count{${labels}} ${total}`);
  }
  return lines;
}

function counter(name: string, help: string, label: string, counts: ReadonlyMap<string, number>): string[] {
  return [
    `# HELP ${name} ${help}`,
    `# TYPE ${name} counter`,
    ...[...counts].map(([value, count]) => `${name}{${label}="${value}"} ${count}`),
  ];
}

/** The names that Prometheus client libraries use. */
function processLines(): string[] {
  const memory = process.memoryUsage();
  const { user, system } = process.cpuUsage();
  return [
    ...single("process_cpu_seconds_total", "counter", "Processor time used, in seconds.", (user + system) / 1e6),
    ...single("process_resident_memory_bytes", "gauge", "Memory in use, in bytes.", memory.rss),
    ...single("nodejs_heap_size_used_bytes", "gauge", "JavaScript heap in use, in bytes.", memory.heapUsed),
    ...single(
      "process_start_time_seconds",
      "gauge",
      "Start, in seconds of Unix time.",
      Date.now() / 1000 - process.uptime(),
    ),
  ];
}

function single(name: string, type: "counter" | "gauge", help: string, value: number): string[] {
  return [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`, `${name} ${value}`];
}
