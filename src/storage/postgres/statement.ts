import pg from "pg";
import { ConnectionLost } from "./errors.ts";

/** One SQL text, as prepared on whatever connections run it. */
export interface Statement {
  readonly text: string;
  /**
   * `simple`: a command without values, in one message. `once`: prepared anew for each run. `kept`: prepared under its
   * name and kept on the connection.
   */
  readonly mode: "simple" | "once" | "kept";
  /** Unique in this process. */
  readonly name: string;
  /** As the latest connection that prepared it was told; PostgreSQL refuses to run it where they have changed since. */
  columns: readonly Column[] | null;
  uses: number;
}

export interface Column {
  readonly name: string;
  readonly parse: ((text: string) => unknown) | null;
}

export interface Outcome {
  readonly columns: readonly Column[];
  /** As the wire has them: text, or null. */
  readonly rows: readonly (readonly (string | null)[])[];
  /**
   * The result of each step, those before it included, such as `BEGIN`, `INSERT 0 1`, `UPDATE 3`, `SELECT 10`:
   * https://www.postgresql.org/docs/current/protocol-message-formats.html
   */
  readonly tags: readonly string[];
}

/** Statements kept on one connection. */
const KEPT = 250;
/** Types that are numbers: int8, int2, int4, oid, float4, float8. All else stays text. */
const NUMBERS: ReadonlySet<number> = new Set([20, 21, 23, 26, 700, 701]);

let count = 0;

export function newStatement(text: string, mode: Statement["mode"]): Statement {
  return { text, mode, name: mode === "kept" ? `s${count++}` : "", columns: null, uses: 0 };
}

/** The part of pg's Connection that speaks the extended protocol, which @types/pg has otherwise. */
interface Wire {
  readonly stream: { cork(): void; uncork(): void };
  query(text: string): void;
  parse(message: { name: string; text: string }): void;
  bind(message: { statement: string; values: readonly (string | null)[] }): void;
  describe(message: { type: "P" }): void;
  execute(message: object): void;
  close(message: { type: "S"; name: string }): void;
  sync(): void;
}

/** Which names a connection knows, least recently used first; false where that is not certain. */
const known = new WeakMap<Wire, Map<string, boolean>>();

/** pg pipelines nothing but its own Query; of that, all behaviour is replaced here. */
const Submittable = pg.Query as unknown as new (text: string) => { submit(connection: pg.Connection): void };

/** How many rows INSERT, UPDATE, DELETE and MERGE changed. */
export function changedRows(tag = ""): number | undefined {
  const [command = "", ...numbers] = tag.split(" ");
  return ["INSERT", "UPDATE", "DELETE", "MERGE"].includes(command) ? Number(numbers.at(-1)) : undefined;
}

/** @param tags of the steps that had ended, also when it failed */
export type Settle = (error: unknown, outcome: Outcome | null, tags: readonly string[]) => void;

/** A statement with the values of one run. */
export interface Step {
  readonly statement: Statement;
  readonly values: readonly unknown[];
  /** Told of each row, as the wire has it, where the step goes before another one. */
  readonly take?: (row: readonly (string | null)[]) => void;
}

/**
 * One run of a statement, submitted to a client of pg. Other than pg's own Query it bounds how many statements a
 * connection keeps, asks for the description of the columns once, not on every run, and can take steps before it that
 * go out in the same packet: when one of them fails, PostgreSQL skips the rest.
 *
 * Statements are prepared by name from their second run on, unless a pooler would forget them. This is protocol-level
 * preparing, which PgBouncer follows in transaction mode from 1.21 on.
 */
export class Execution extends Submittable {
  readonly #keeps: boolean;
  readonly #before: readonly Step[];
  readonly #statement: Statement;
  readonly #values: readonly unknown[];
  readonly #settle: Settle;
  #names: Map<string, boolean> | null = null;
  #columns: readonly Column[] | null = null;
  readonly #rows: (readonly (string | null)[])[] = [];
  readonly #tags: string[] = [];
  #isSettled = false;
  /** pg wants one; what it is told is told to the handlers below as well. */
  readonly callback = () => {};

  /** @param keeps whether statements may be kept on the connection */
  constructor({ statement, values }: Step, keeps: boolean, before: readonly Step[], settle: Settle) {
    super(statement.text);
    this.#keeps = keeps;
    this.#before = before;
    this.#statement = statement;
    this.#values = values;
    this.#settle = settle;
  }

  override submit(connection: pg.Connection): void {
    const wire = connection as unknown as Wire;
    if (this.#statement.mode === "simple") {
      wire.query(this.#statement.text);
      return;
    }
    // Whatever is sent in this turn of the event loop goes out together.
    wire.stream.cork();
    process.nextTick(() => wire.stream.uncork());
    for (const { statement, values } of this.#before) {
      wire.bind({ statement: this.#prepare(wire, statement).name, values: values.map(toWire) });
      wire.execute({});
    }
    const { name, columns } = this.#prepare(wire, this.#statement);
    this.#columns = columns;
    wire.bind({ statement: name, values: this.#values.map(toWire) });
    if (columns === null) wire.describe({ type: "P" });
    wire.execute({});
    wire.sync();
  }

  /** @returns the name on this connection, and the columns where they are certain */
  #prepare(wire: Wire, statement: Statement): Pick<Statement, "name" | "columns"> {
    const name = this.#keeps && statement.uses++ > 0 ? statement.name : "";
    if (name === "") {
      wire.parse({ name, text: statement.text });
      return { name, columns: null };
    }
    const names = known.get(wire) ?? new Map<string, boolean>();
    this.#names = names;
    known.set(wire, names);
    const isKnown = names.get(name);
    names.delete(name);
    if (isKnown !== true) {
      if (isKnown === false) wire.close({ type: "S", name });
      wire.parse({ name, text: statement.text });
      const [oldest] = names.keys();
      if (oldest !== undefined && names.size >= KEPT) {
        names.delete(oldest);
        wire.close({ type: "S", name: oldest });
      }
    }
    names.set(name, true);
    return { name, columns: isKnown === true ? statement.columns : null };
  }

  handleRowDescription({ fields }: { fields: { name: string; dataTypeID: number }[] }): void {
    this.#columns = fields.map(({ name, dataTypeID }) => ({ name, parse: NUMBERS.has(dataTypeID) ? Number : null }));
  }

  handleDataRow({ fields }: { fields: (string | null)[] }): void {
    const done = this.#tags.length;
    if (done === this.#before.length) this.#rows.push(fields);
    else this.#before[done]?.take?.(fields);
  }

  handleCommandComplete({ text }: { text: string }): void {
    this.#tags.push(text);
  }

  handleReadyForQuery(): void {
    if (this.#isSettled) return;
    this.#isSettled = true;
    const columns = this.#columns ?? [];
    this.#statement.columns = columns;
    this.#settle(null, { columns, rows: this.#rows, tags: this.#tags }, this.#tags);
  }

  handleError(error: unknown): void {
    if (this.#isSettled) return;
    this.#isSettled = true;
    // Whether these were prepared before the failure is not known.
    for (const { statement } of [...this.#before, { statement: this.#statement }]) {
      if (this.#names?.has(statement.name)) this.#names.set(statement.name, false);
      statement.columns = null;
    }
    this.#settle(error instanceof pg.DatabaseError ? error : new ConnectionLost(error), null, this.#tags);
  }

  handleEmptyQuery(): void {}
  handlePortalSuspended(): void {}
  handleCopyInResponse(): void {}
  handleCopyData(): void {}
}

export function toValues(columns: readonly Column[], row: readonly (string | null)[]): unknown[] {
  return row.map((text, i) => {
    const parse = columns[i]?.parse;
    return text === null || parse == null ? text : parse(text);
  });
}

/** No text of PostgreSQL's can have U+0000 in it. */
export function hasNul(value: unknown): boolean {
  return typeof value === "string" && value.includes("\0");
}

function toWire(value: unknown): string | null {
  if (value === null || value === undefined) return null;
  return typeof value === "string" ? value : JSON.stringify(value);
}
