import pg from "pg";
import { ConnectionLost } from "./postgres-errors.ts";

/** One SQL text, as prepared on whatever connections run it. */
export interface Statement {
  readonly text: string;
  /**
   * `simple`: one or more commands without values, in one message. `once`: prepared anew for each run. `kept`: prepared
   * under its name and kept on the connection.
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
  /** The first word of the command, such as SELECT. */
  readonly command: string;
  /** How many rows INSERT, UPDATE and DELETE changed. */
  readonly changed: number | undefined;
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

/**
 * One run of a statement, submitted to a client of pg. Other than pg's own Query it bounds how many statements a
 * connection keeps, and it asks for the description of the columns once, not on every run.
 *
 * Statements are prepared by name from their second run on. This is protocol-level preparing, which PgBouncer follows
 * in transaction mode (1.21 and newer).
 */
export class Execution extends Submittable {
  readonly #statement: Statement;
  readonly #values: readonly (string | null)[];
  readonly #settle: (error: unknown, outcome: Outcome | null) => void;
  readonly #name: string;
  #names: Map<string, boolean> | null = null;
  #columns: readonly Column[] | null = null;
  readonly #rows: (readonly (string | null)[])[] = [];
  #command = "";
  #changed: number | undefined;
  #failure: unknown = null;
  /** pg calls it with the error or without; set by us so that it leaves its own machinery out. */
  readonly callback = () => {};

  constructor(
    statement: Statement,
    values: readonly unknown[],
    settle: (error: unknown, outcome: Outcome | null) => void,
  ) {
    super(statement.text);
    this.#statement = statement;
    this.#values = values.map(toWire);
    this.#settle = settle;
    this.#name = statement.uses++ > 0 ? statement.name : "";
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
    if (this.#name === "") wire.parse({ name: "", text: this.#statement.text });
    else this.#prepare(wire);
    wire.bind({ statement: this.#name, values: this.#values });
    if (this.#columns === null) wire.describe({ type: "P" });
    wire.execute({});
    wire.sync();
  }

  #prepare(wire: Wire): void {
    const names = known.get(wire) ?? new Map<string, boolean>();
    this.#names = names;
    known.set(wire, names);
    const name = this.#name;
    const isKnown = names.get(name);
    names.delete(name);
    if (isKnown === true) {
      this.#columns = this.#statement.columns;
    } else {
      if (isKnown === false) wire.close({ type: "S", name });
      wire.parse({ name, text: this.#statement.text });
      const [oldest] = names.keys();
      if (oldest !== undefined && names.size >= KEPT) {
        names.delete(oldest);
        wire.close({ type: "S", name: oldest });
      }
    }
    names.set(name, true);
  }

  handleRowDescription({ fields }: { fields: { name: string; dataTypeID: number }[] }): void {
    this.#columns = fields.map(({ name, dataTypeID }) => ({ name, parse: NUMBERS.has(dataTypeID) ? Number : null }));
  }

  handleDataRow({ fields }: { fields: (string | null)[] }): void {
    this.#rows.push(fields);
  }

  /** The tag is like `INSERT 0 1`, `UPDATE 3`, `SELECT 10`: https://www.postgresql.org/docs/current/protocol-message-formats.html */
  handleCommandComplete({ text }: { text: string }): void {
    const [command = "", ...numbers] = text.split(" ");
    this.#command = command;
    if (["INSERT", "UPDATE", "DELETE", "MERGE"].includes(command)) this.#changed = Number(numbers.at(-1));
  }

  handleReadyForQuery(): void {
    if (this.#failure !== null) return;
    const columns = this.#columns ?? [];
    if (this.#name !== "") this.#statement.columns = columns;
    this.#settle(null, { columns, rows: this.#rows, command: this.#command, changed: this.#changed });
  }

  handleError(error: unknown): void {
    if (this.#failure !== null) return;
    this.#names?.set(this.#name, false);
    this.#statement.columns = null;
    this.#failure = error instanceof pg.DatabaseError ? error : new ConnectionLost(error);
    this.#settle(this.#failure, null);
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

function toWire(value: unknown): string | null {
  if (value === null || value === undefined) return null;
  return typeof value === "string" ? value : String(value);
}
