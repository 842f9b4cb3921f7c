import type { Log } from "./log.ts";
import { attributesJson } from "./otlp-spans.ts";
import { fieldsOf } from "./record-fields.ts";
import { currentRecord, type RequestRecord } from "./request-record.ts";
import { type AttributesJson, KIND, type SpanFacts } from "./span.ts";
import { shownStatement, statementSummary } from "./statement-text.ts";

/** Statements of which it is remembered when they were explained. */
const MOST_EXPLAINED = 500;
const EXPLAIN_EVERY = 60_000;
/** Statements whose spans are kept in part, and the characters of the longest of them. */
const MOST_DESCRIBED = 300;
const LONGEST_DESCRIBED = 8_192;

/** The texts of what went to the database together. */
type Texts = string | (() => readonly string[]);

/** Lines of a plan that the database makes without values. */
export type Explain = (text: string) => Promise<readonly string[]>;

/** Learns of each statement. It gets texts with parameters and never their values. */
export interface StatementWatch {
  /**
   * A statement, or several that went to the database together, has ended.
   *
   * @param startedAt `performance.now()`
   * @param rows read or changed
   * @param failure what the database threw
   * @param record the one that it belongs to, where that is not the current one
   */
  ran(texts: Texts, startedAt: number, rows: number, failure?: unknown, record?: RequestRecord | null): void;
  /** Runs the statements of a job as one batch of that record. */
  batch<T>(record: RequestRecord | undefined, work: () => Promise<T>): Promise<T>;
  /** The text that goes to the database, with the traceparent as a comment where that is wanted. */
  commented(text: string): string;
  /** How the database explains statements. */
  explain: Explain | null;
}

export interface StatementWatchOptions {
  /** `db.system.name`. */
  readonly system: "sqlite" | "postgresql";
  /** `db.namespace`. */
  readonly namespace: string;
  /** Milliseconds from which on a statement is slow; null: none is. */
  readonly SLOW_QUERY: number | null;
  readonly SQL_TRACE_COMMENT: boolean;
  readonly log: Log;
}

/** Statements of one job that run one after the other. */
interface Batch {
  readonly texts: string[];
  readonly startedAt: number;
  rows: number;
}

interface Described {
  readonly name: string;
  readonly attributes: AttributesJson;
}

export function openStatementWatch(options: StatementWatchOptions): StatementWatch {
  const { system, namespace, SLOW_QUERY: slow, SQL_TRACE_COMMENT: comments, log } = options;
  const batches = new WeakMap<RequestRecord, Batch>();
  const explainedAt = new Map<string, number>();
  const described = new Map<string, Described>();
  const watch: StatementWatch = {
    explain: null,
    ran(texts, startedAt, rows, failure, record = currentRecord()) {
      const milliseconds = performance.now() - startedAt;
      const isSlow = slow !== null && milliseconds >= slow;
      if (record == null && !isSlow) return;
      const all = typeof texts === "string" ? null : isSlow || record?.spans != null ? texts() : null;
      if (record != null) {
        record.statements += all?.length ?? 1;
        record.rows += rows;
        record.databaseMs += milliseconds;
        if (record.spans !== null) note(record, all ?? [texts as string], startedAt, rows, failure);
      }
      if (isSlow) void tellSlow(all ?? [texts as string], milliseconds, rows, record ?? null);
    },
    async batch(record, work) {
      if (record?.spans == null) return work();
      const batch: Batch = { texts: [], startedAt: performance.now(), rows: 0 };
      batches.set(record, batch);
      let failure: unknown;
      try {
        return await work();
      } catch (error) {
        failure = error;
        throw error;
      } finally {
        batches.delete(record);
        if (batch.texts.length > 0) addSpan(record, batch.texts, batch.startedAt, batch.rows, failure);
      }
    },
    commented(text) {
      const record = comments ? currentRecord() : undefined;
      return record?.spans == null ? text : `${text} /*traceparent='${record.traceparent()}'*/`;
    },
  };
  return watch;

  function note(record: RequestRecord, texts: readonly string[], startedAt: number, rows: number, failure: unknown) {
    const batch = batches.get(record);
    if (batch === undefined) return addSpan(record, texts, startedAt, rows, failure);
    batch.texts.push(...texts);
    batch.rows += rows;
  }

  function addSpan(record: RequestRecord, texts: readonly string[], startedAt: number, rows: number, failure: unknown) {
    const code = failureCode(failure);
    const { name, attributes } = describe(texts);
    const facts: SpanFacts = {
      attributes: `${attributes},${outcomeJson(rows, code)}`,
      error: failure === undefined ? null : (code ?? nameOf(failure)),
    };
    record.add(name, KIND.client, startedAt, facts);
  }

  /** The part of a span that is the same for each run of these statements. */
  function describe(texts: readonly string[]): Described {
    const key = texts.join("; ");
    const known = described.get(key);
    if (known !== undefined) return known;
    const name = [...new Set(texts.map(statementSummary))].slice(0, 5).join("; ");
    const attributes = attributesJson({
      ...{ "db.system.name": system, "db.namespace": namespace, "db.query.summary": name },
      "db.query.text": shownStatement(key),
      "db.operation.batch.size": texts.length > 1 ? texts.length : undefined,
    });
    const made = { name, attributes };
    if (described.size >= MOST_DESCRIBED) described.clear();
    if (key.length <= LONGEST_DESCRIBED) described.set(key, made);
    return made;
  }

  async function tellSlow(texts: readonly string[], milliseconds: number, rows: number, record: RequestRecord | null) {
    const statement = shownStatement(texts.join("; "));
    const fields = { ...fieldsOf(record), statement, ms: Math.round(milliseconds), rows };
    const explained = texts.find((text) => /^\s*(?:select|with|insert|update|delete)\b/i.test(text));
    const plan = explained === undefined ? null : await planOf(explained);
    log.warn({ ...fields, ...(plan === null ? {} : { plan }) }, "a statement was slow");
  }

  /** Null where there is none, and where it was told within the last minute. */
  async function planOf(text: string): Promise<readonly string[] | null> {
    const now = performance.now();
    if (watch.explain === null || now - (explainedAt.get(text) ?? Number.NEGATIVE_INFINITY) < EXPLAIN_EVERY)
      return null;
    if (explainedAt.size >= MOST_EXPLAINED) explainedAt.clear();
    explainedAt.set(text, now);
    return watch.explain(text).catch(() => null);
  }
}

function outcomeJson(rows: number, code: string | null): AttributesJson {
  const read = `{"key":"db.response.returned_rows","value":{"intValue":"${rows}"}}`;
  return code === null ? read : `${read},${attributesJson({ "db.response.status_code": code })}`;
}

/** SQLSTATE of PostgreSQL, or SQLite's number; null where the database gave none. */
function failureCode(failure: unknown): string | null {
  for (let error = failure; error instanceof Error; error = error.cause) {
    const { errcode, code } = error as { errcode?: unknown; code?: unknown };
    if (typeof errcode === "number") return `${errcode}`;
    if (typeof code === "string" && /^[\dA-Z]{5}$/.test(code)) return code;
  }
  return null;
}

function nameOf(failure: unknown): string {
  return failure instanceof Error ? failure.name : "_OTHER";
}
