import { setTimeout as pause } from "node:timers/promises";
import pg from "pg";
import { AppError } from "../../domain/errors.ts";
import type { Metrics } from "../../observe/metrics.ts";
import { currentRecord } from "../../observe/request-record.ts";
import type { Histogram } from "../../observe/series.ts";
import type { StatementWatch } from "../../observe/statement-watch.ts";
import type { PostgresAddress } from "./address.ts";
import { InDoubt, isConflict, isInDoubt, isSessionFault, NoConnection, retriedState } from "./errors.ts";
import { Pipelines } from "./pipelines.ts";
import { planByIndex } from "./plan-choice.ts";
import { Execution, type Outcome, type Step } from "./statement.ts";
import { COMMIT, commented, watchedSteps } from "./watched-steps.ts";

/** Milliseconds to wait for a connection, new or free. */
const ACQUIRE_TIMEOUT = 5_000;
/** Milliseconds after which a connection that nobody needed is closed. */
const IDLE_TIMEOUT = 60_000;
/** Milliseconds that closing may take. */
const FAREWELL = 2_000;
/** How often a read is tried, and for how many milliseconds: one that had no answer for longer is not repeated. */
const ATTEMPTS = 3;
const RETRY_TIME = 2_000;

/** Options of every connection. Its URL can override them. */
export const CONNECTION = {
  keepAlive: true,
  keepAliveInitialDelayMillis: 10_000,
  connectionTimeoutMillis: ACQUIRE_TIMEOUT,
  application_name: "content-api",
} as const;

/** A connection that its holder has for itself. */
export interface Session {
  /**
   * @param before done before it, in the same packet; when one fails, so does the whole
   * @param timeout milliseconds after which the connection is closed
   * @throws DatabaseError of pg, ConnectionLost, InDoubt when it was a commit and nobody can tell whether it was done
   */
  run(step: Step, timeout: number, before?: readonly Step[]): Promise<Outcome>;
  /** Gives the connection back, or closes it when its state is in doubt. */
  release(isBroken: boolean): void;
  /** The same object for the same connection. */
  readonly connection: object;
}

interface ConnectionsOptions {
  readonly metrics: Metrics;
  readonly role: "primary" | "replica";
  /** Learns of each statement; null: nobody does (the default). */
  readonly statements?: StatementWatch | null;
}

/** The connections of this process to one server: bounded, opened when needed, replaced when they break. */
export class Connections {
  readonly #pipelines: Pipelines;
  readonly #pool: pg.Pool;
  readonly #keeps: boolean;
  readonly #statements: StatementWatch | null;
  readonly #metrics: Metrics;
  readonly #durations: Readonly<Record<"read" | "query", Histogram>>;
  readonly #waits: Histogram;
  #held = 0;
  #whenIdle: (() => void) | null = null;
  #closing: Promise<void> | null = null;

  /** @param readers number of connections for reading. Defaults to a quarter */
  constructor(
    { config, size, keepsStatements }: PostgresAddress,
    { metrics, role, statements = null }: ConnectionsOptions,
    readers = Math.ceil(size / 4),
  ) {
    this.#statements = statements;
    this.#metrics = metrics;
    const durations = (operation: "read" | "query") =>
      metrics.histogram("db_operation_duration_seconds", operation, role);
    this.#durations = { read: durations("read"), query: durations("query") };
    this.#waits = metrics.histogram("db_pool_wait_seconds");
    this.#keeps = keepsStatements;
    const common = { ...CONNECTION, ...config };
    this.#pipelines = new Pipelines(common, { max: readers, keeps: keepsStatements });
    this.#pool = new pg.Pool({
      ...common,
      pipeline: true,
      max: size - readers,
      idleTimeoutMillis: IDLE_TIMEOUT,
      allowExitOnIdle: true,
    });
    // A connection that breaks is noticed by whoever uses it, and leaves the pool by itself; without these two
    // listeners it would take the process along.
    this.#pool.on("error", () => {});
    this.#pool.on("connect", (client) => {
      client.on("error", () => {});
      if (keepsStatements) planByIndex(client);
    });
    const idle = () => this.#pool.idleCount + this.#pipelines.idle;
    metrics.gauge("db_pool_connections", idle, role, "idle");
    metrics.gauge("db_pool_connections", () => this.#pool.totalCount + this.#pipelines.size - idle(), role, "used");
  }

  /**
   * Runs a statement that only reads. Reads again after a conflict, and on another connection where the first turns out to
   * be dead: after a restart of the server every idle one is.
   *
   * @param attempts how many connections are tried
   * @param operation under which it is measured
   * @throws DatabaseError of pg, ConnectionLost, NoConnection
   */
  async read(step: Step, attempts = ATTEMPTS, operation: "read" | "query" = "read"): Promise<Outcome> {
    const began = performance.now();
    const { statements } = this;
    const deadline = began + RETRY_TIME;
    try {
      for (let attempt = 1; ; attempt++) {
        try {
          return await (statements === null ? this.#pipelines.run(step) : this.#watchedRead(step, statements));
        } catch (error) {
          const mayHelp = isSessionFault(error) || isConflict(error);
          if (attempt === attempts || !mayHelp || performance.now() > deadline) throw error;
          this.retried(error);
        }
      }
    } finally {
      this.#durations[operation].observe((performance.now() - began) / 1_000);
    }
  }

  get statements(): StatementWatch | null {
    return this.#statements;
  }

  /** As `watchedSteps` for one statement, without what more of them need. */
  async #watchedRead(step: Step, statements: StatementWatch): Promise<Outcome> {
    const record = currentRecord() ?? null;
    let startedAt = performance.now();
    const connecting = this.#pipelines.connecting();
    if (connecting !== null) {
      await connecting;
      const askedAt = startedAt;
      startedAt = performance.now();
      if (record !== null) record.waitMs += startedAt - askedAt;
    }
    const { text } = step.statement;
    try {
      const outcome = await this.#pipelines.run(commented(step, statements));
      statements.ran(text, startedAt, outcome.rows.length, undefined, record);
      return outcome;
    } catch (error) {
      statements.ran(text, startedAt, 0, error, record);
      throw error;
    }
  }

  /** The same as `read` for queries that no document asks for. */
  query(step: Step): Promise<Outcome> {
    return this.read(step, ATTEMPTS, "query");
  }

  /** Counts another attempt after this failure. */
  retried(error: unknown): void {
    this.#metrics.counter("db_retries_total", retriedState(error)).add();
  }

  /** Reads that are under way fail. */
  abandonReads(): void {
    this.#pipelines.abandon();
  }

  /** @throws NoConnection */
  acquire(): Promise<Session> {
    const record = this.#statements === null ? undefined : currentRecord();
    const began = performance.now();
    return new Promise((resolve, reject) => {
      this.#pool.connect((failure, client, release) => {
        this.#waits.observe((performance.now() - began) / 1_000);
        if (client === undefined) {
          reject(new NoConnection(failure));
          return;
        }
        if (record !== undefined) record.waitMs += performance.now() - began;
        resolve({
          connection: client,
          release,
          run: (step, timeout, before = []) => this.#watchedRun(client, step, timeout, before),
        });
      });
    });
  }

  /** Work that `close` waits for. @throws AppError UNAVAILABLE after `close` */
  async hold<T>(work: () => Promise<T>): Promise<T> {
    if (this.#closing !== null) throw new AppError("UNAVAILABLE", "The database is closed.");
    this.#held++;
    try {
      return await work();
    } finally {
      if (--this.#held === 0) this.#whenIdle?.();
    }
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    if (this.#held > 0) {
      await new Promise<void>((resolve) => {
        this.#whenIdle = resolve;
      });
    }
    // A server that is frozen never answers the farewell. The timer also keeps the process from ending meanwhile, which
    // idle connections do not.
    const farewell = new AbortController();
    const patience = pause(FAREWELL, null, { signal: farewell.signal });
    await Promise.race([Promise.all([this.#pipelines.close(), this.#pool.end()]), patience]);
    farewell.abort();
  }

  #watchedRun(client: pg.PoolClient, step: Step, timeout: number, before: readonly Step[]): Promise<Outcome> {
    const statements = this.#statements;
    if (statements === null) return this.#run(client, step, timeout, before);
    return watchedSteps(statements, [...before, step], (steps) =>
      this.#run(client, steps.at(-1) ?? step, timeout, steps.slice(0, -1)),
    );
  }

  #run(client: pg.PoolClient, step: Step, timeout: number, before: readonly Step[]): Promise<Outcome> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => client.connection.stream.destroy(), timeout);
      const settle = (error: unknown, outcome: Outcome | null, tags: readonly string[]) => {
        clearTimeout(timer);
        const left = before.length - tags.length;
        if (outcome !== null) resolve(outcome);
        else if (step === COMMIT && left < 0)
          resolve({ columns: [], rows: [], tags }); // the session ended just after it
        else if (step === COMMIT && isInDoubt(error, left)) reject(new InDoubt(error));
        else reject(error);
      };
      client.query(new Execution(step, this.#keeps, before, settle));
    });
  }
}
