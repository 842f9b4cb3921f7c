import type { MetricRow } from "./metric-row.ts";
import {
  type CounterName,
  type GaugeName,
  type HistogramName,
  type LabelsOf,
  METRICS,
  type MetricName,
} from "./metric-table.ts";
import { type Amount, Counter, Histogram, type NoteChange, type Series } from "./series.ts";

/** Counts of one series of a process since its last report. */
export type Report = readonly [name: MetricName, labels: readonly string[], amount: Amount];

/** The value of a gauge at one moment. */
export type GaugeSample = readonly [name: GaugeName, labels: readonly string[], value: number];

interface Gauge {
  readonly name: GaugeName;
  readonly labels: readonly string[];
  readonly read: () => number | null;
}

/** The label of everything beyond what a metric may show. */
const OTHER = "other";

/** Classes of statuses. */
const CLASSES: ReadonlySet<string> = new Set(["1xx", "2xx", "3xx", "4xx", "5xx"]);

/** Closed lists with at most so many lines are there from the start, with zeros: the first increase counts as one. */
const SHOWN_FROM_START = 16;

/**
 * Everything that was counted, each metric of the table with its series. Their number is bounded: values that the table does not
 * list, and combinations beyond `most`, are counted under `other`.
 */
export class Registry {
  readonly #families = new Map<MetricName, Map<string, Series>>();
  readonly #gauges: Gauge[] = [];
  readonly #changed = new Map<Series, MetricName>();
  readonly #whenChanged: () => void;
  /** Whether histograms have exponential buckets as well. */
  readonly isExponential: boolean;

  /** @param whenChanged told of the first change since reports were taken */
  constructor(isExponential = false, whenChanged: () => void = () => {}) {
    this.isExponential = isExponential;
    this.#whenChanged = whenChanged;
    for (const [name, row] of Object.entries<MetricRow>(METRICS)) {
      if (row.type === "gauge") continue;
      this.#families.set(name as MetricName, new Map());
      if (row.type === "counter" && row.most <= SHOWN_FROM_START)
        for (const labels of combinations(row)) this.#series(name as MetricName, labels);
    }
  }

  counter<Name extends CounterName>(name: Name, ...labels: LabelsOf<Name>): Counter {
    return this.#series(name, labels) as Counter;
  }

  histogram<Name extends HistogramName>(name: Name, ...labels: LabelsOf<Name>): Histogram {
    return this.#series(name, labels) as Histogram;
  }

  /** @param read gives null while there is nothing to show */
  gauge<Name extends GaugeName>(name: Name, read: () => number | null, ...labels: LabelsOf<Name>): void {
    this.#gauges.push({ name, labels, read });
  }

  /** Gauges as they are now. @param which those about the database, or those about this process */
  readGauges(which: "all" | "shared" | "own"): GaugeSample[] {
    return this.#gauges.flatMap(({ name, labels, read }): GaugeSample[] => {
      const row: MetricRow = METRICS[name];
      if (which !== "all" && (row.isShared === true) !== (which === "shared")) return [];
      const value = read();
      return value === null ? [] : [[name, labels, value]];
    });
  }

  seriesOf(name: MetricName): Iterable<Series> {
    return this.#families.get(name)?.values() ?? [];
  }

  /** Counts since the last call. */
  takeReports(): Report[] {
    const reports = Array.from(this.#changed, ([series, name]): Report => [name, series.labels, series.take()]);
    this.#changed.clear();
    return reports;
  }

  /** Adds what another process has counted. Names that this version does not know are left out. */
  give(reports: readonly Report[]): void {
    for (const [name, labels, amount] of reports) if (this.#families.has(name)) this.#series(name, labels).give(amount);
  }

  #series(name: MetricName, labels: readonly string[]): Series {
    const row: MetricRow = METRICS[name];
    const family = this.#families.get(name) as Map<string, Series>;
    const shown = row.labels.map(([, values], index) => bounded(labels[index] ?? "", values));
    const key = shown.join("\u0000");
    const known = family.get(key);
    if (known !== undefined) return known;
    if (family.size >= row.most && !isBeyond(row, shown))
      return this.#series(
        name,
        shown.map((value, index) => beyond(row.labels[index]?.[0], value)),
      );
    const made = this.#make(name, row, shown);
    family.set(key, made);
    return made;
  }

  #make(name: MetricName, { type, buckets = [] }: MetricRow, labels: readonly string[]): Series {
    const note: NoteChange = (series) => {
      this.#changed.set(series, name);
      if (this.#changed.size === 1) this.#whenChanged();
    };
    if (type === "counter") return new Counter(labels, note);
    return new Histogram(labels, buckets, note, this.isExponential);
  }
}

function bounded(value: string, values: readonly string[] | null): string {
  return values === null || values.includes(value) ? value : OTHER;
}

/** The value under which all further ones are counted: of a status its class, so that failures stay failures. */
function beyond(label: string | undefined, value: string): string {
  if (label !== "status") return OTHER;
  if (CLASSES.has(value)) return value;
  return /^[1-5]\d\d$/.test(value) ? `${value.charAt(0)}xx` : "5xx";
}

function isBeyond({ labels }: MetricRow, shown: readonly string[]): boolean {
  return shown.every((value, index) => beyond(labels[index]?.[0], value) === value);
}

/** Every combination of closed lists; none where a label has an open one. */
function combinations({ labels }: MetricRow): string[][] {
  return labels.reduce<string[][]>(
    (known, [, values]) => known.flatMap((before) => (values ?? []).map((value) => [...before, value])),
    [[]],
  );
}
