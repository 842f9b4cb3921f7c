/** Values of a label: a closed list, or ANY for values of another closed list of the program, which `most` bounds here. */
type LabelValues = readonly string[] | null;
export const ANY = null;

type Labels = readonly (readonly [name: string, values: LabelValues])[];

/** One metric of the page. */
export interface MetricRow {
  readonly type: "counter" | "gauge" | "histogram";
  /** One sentence for the page. */
  readonly help: string;
  /** Names with their values, in the order of the page. */
  readonly labels: Labels;
  /**
   * Combinations of labels that are shown. All further ones are counted as one, in which every label is `other`; a label `status`
   * keeps its class, such as `5xx`.
   */
  readonly most: number;
  /** Upper bounds of a histogram, ascending; the last bucket has none. */
  readonly buckets?: readonly number[];
  /** Whether the number is about the database, so that every process would show the same one: without the label `worker` (O20). */
  readonly isShared?: boolean;
}

interface Details<Of extends Labels> {
  readonly labels?: Of;
  /** Defaults to 1. */
  readonly most?: number;
  readonly isShared?: boolean;
}

interface Row<Type extends MetricRow["type"], Of extends Labels> extends MetricRow {
  readonly type: Type;
  readonly labels: Of;
}

function row<Type extends MetricRow["type"], Of extends Labels>(
  type: Type,
  help: string,
  { labels = [] as unknown as Of, most = 1, isShared = false }: Details<Of>,
): Row<Type, Of> {
  return { type, help, labels, most, isShared };
}

/** A number that only grows while the program runs. */
export function counter<const Of extends Labels = readonly []>(
  help: string,
  details: Details<Of> = {},
): Row<"counter", Of> {
  return row("counter", help, details);
}

/** A number that is asked for whenever somebody looks. */
export function gauge<const Of extends Labels = readonly []>(
  help: string,
  details: Details<Of> = {},
): Row<"gauge", Of> {
  return row("gauge", help, details);
}

/** How many values were within each bound, and their sum. */
export function histogram<const Of extends Labels = readonly []>(
  help: string,
  { buckets, ...details }: Details<Of> & { readonly buckets: readonly number[] },
): Row<"histogram", Of> {
  return { ...row("histogram", help, details), buckets };
}
