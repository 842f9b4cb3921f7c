/** Kinds of spans by their numbers in OTLP. */
export const KIND = { internal: 1, server: 2, client: 3 } as const;

export type SpanKind = (typeof KIND)[keyof typeof KIND];

/** Undefined ones are left out. */
export type Attributes = Readonly<Record<string, string | number | boolean | undefined>>;

/** Attributes as OTLP has them in JSON, separated by commas: made once for what repeats. */
export type AttributesJson = string;

/** Times are those of `performance.now()`. */
export interface Span {
  /** Low cardinality: what callers choose is an attribute. */
  name: string;
  readonly kind: SpanKind;
  readonly spanId: string;
  readonly parentId: string;
  readonly startedAt: number;
  /** NaN while it lasts. */
  endedAt: number;
  attributes: Attributes | AttributesJson;
  /** `error.type`, of which there are few; null without an error. */
  error: string | null;
}

export interface SpanFacts {
  readonly attributes?: Attributes | AttributesJson;
  readonly error?: string | null;
}
