import type { CompiledQuery, Kysely, QueryResult, RawBuilder } from "kysely";
import type pg from "pg";
import type { ChangeListener } from "../../domain/change.ts";
import { AppError } from "../../domain/errors.ts";
import type { Log } from "../../observe/log.ts";
import { type Metrics, openMetrics } from "../../observe/metrics.ts";
import type { Histogram } from "../../observe/series.ts";
import type { StatementWatch } from "../../observe/statement-watch.ts";
import type { Database, Reading, Row, RowQuery, RowStatement } from "../database/database.ts";
import { forgetKey, notedSubject } from "../database/noted-keys.ts";
import type { Schema } from "../database/schema.ts";
import { type PostgresAddress, parsePostgresUrl, throughPooler } from "./address.ts";
import { assertUsable } from "./assert-usable.ts";
import { type OnRetry, reasonOf, retried, retriedByKey } from "./attempts.ts";
import { CONNECTION, Connections, type Session } from "./connections.ts";
import { postgresDialect } from "./dialect.ts";
import { type EngineSettings, listeningAddress, mayHear, USUAL_ENGINE } from "./engine.ts";
import { InDoubt, isSessionFault, postgresError } from "./errors.ts";
import { explainOn } from "./explain.ts";
import { kyselyOver } from "./kysely.ts";
import { LISTENING, PostgresListener } from "./listener.ts";
import { assertIsolation, assertMigrations, chooseDialect, hearsAnything } from "./proofs.ts";
import { hasNulIn, nulRejected, Queries, type Run } from "./queries.ts";
import { PostgresRow } from "./row.ts";
import { runAlone } from "./run-alone.ts";
import { SharedCommits } from "./shared-commits.ts";
import { hasNul, type Step } from "./statement.ts";
import { ANSWER_TIME, begin, PATIENCE, rollback } from "./transaction.ts";
import { COMMIT } from "./watched-steps.ts";
import { writeWhole } from "./whole-writes.ts";

/** Listeners to events of the database. */
interface Watches {
  readonly metrics: Metrics;
  readonly statements: StatementWatch | null;
}

/** The writer of one connection. Each write provides `run` while it lasts. */
interface Transaction {
  readonly tx: Kysely<Schema>;
  run: Run;
}

/**
 * PostgreSQL 13 or newer. Nothing is kept in a session but prepared statements, and no lock outlives its transaction:
 * a pooler in transaction mode may stand between. What an engine with PostgreSQL's protocol lacks is tested, and replaced where
 * there is a substitute.
 *
 * @throws AppError BAD_USER_INPUT for a malformed address, UNAVAILABLE when the server cannot be used
 */
export async function openPostgres(
  databaseUrl: string,
  settings: EngineSettings = USUAL_ENGINE,
  metrics = openMetrics(),
  statements: StatementWatch | null = null,
): Promise<Database> {
  const given = parsePostgresUrl(databaseUrl);
  const address = settings.DATABASE_POOLER === "transaction" ? throughPooler(given, databaseUrl) : given;
  const database = new PostgresDatabase(address, settings, { metrics, statements });
  try {
    await Promise.all([assertUsable(database), database.chooseDialect()]);
  } catch (error) {
    await database.close();
    throw error;
  }
  return database;
}

class PostgresDatabase implements Database {
  dialect = postgresDialect;
  readonly read: Kysely<Schema>;
  readonly pollEvery: number;
  readonly #settings: EngineSettings;
  readonly #listening: pg.ClientConfig;
  #hears: boolean;
  readonly #connections: Connections;
  readonly #shared: SharedCommits;
  readonly #durations: Histogram;
  readonly #onRetry: OnRetry = (reason) => this.#connections.retried(reason);
  #listener: PostgresListener | null = null;
  readonly #queries = new Queries();
  /** For each connection, the same one again and again: making them costs more than a small statement. */
  readonly #transactions = new WeakMap<object, Transaction>();

  constructor(address: PostgresAddress, settings: EngineSettings, { metrics, statements }: Watches) {
    this.#settings = settings;
    this.pollEvery = settings.DATABASE_POLL;
    this.#listening = { ...CONNECTION, application_name: LISTENING, ...listeningAddress(address, settings).config };
    this.#hears = mayHear(address, settings);
    const connections = new Connections(address, { metrics, statements, role: "primary" });
    if (statements !== null) statements.explain = explainOn(connections);
    this.#durations = metrics.histogram("db_operation_duration_seconds", "write", "primary");
    const isHeard = () => (this.hears() === null ? null : Number(this.hears()));
    metrics.gauge("listen_connected", isHeard);
    this.#connections = connections;
    this.#shared = new SharedCommits(connections, (steps) => this.#writeWhole(steps));
    this.read = kyselyOver((query) =>
      connections.hold(() => this.#queries.execute(query, (step) => connections.query(step))),
    );
  }

  write<T>(job: (tx: Kysely<Schema>) => Promise<T>, patience = PATIENCE): Promise<T> {
    return this.#measured(() => retriedByKey(() => this.#attempt(job, patience), this.#onRetry));
  }

  async writeAtOnce(
    queries: readonly CompiledQuery[],
    isRight?: (changed: readonly number[]) => boolean,
  ): Promise<readonly number[]> {
    if (queries.some(hasNulIn)) {
      if (isRight !== undefined) throw nulRejected();
      return this.write((tx) => Promise.all(queries.map(async (query) => changedBy(await tx.executeQuery(query)))));
    }
    const steps = queries.map((query) => this.#queries.step(query));
    return this.#measured(() => this.#writeWhole(steps, isRight));
  }

  async writeTogether(queries: readonly CompiledQuery[], readings: readonly Reading[]): Promise<readonly Row[] | null> {
    if (queries.some(hasNulIn)) {
      await this.writeAtOnce(queries);
      return null;
    }
    const areReadable = readings.every(
      ({ statement, values }) => statement instanceof PostgresRow && !values.some(hasNul),
    );
    const steps = queries.map((query) => this.#queries.step(query));
    const rows = readings.map((): Row => []);
    for (const [i, { statement, values }] of readings.entries()) {
      if (!(areReadable && statement instanceof PostgresRow)) break;
      const take = (fields: Row) => {
        rows[i] = fields;
      };
      steps.push({ ...statement.step(values), take });
    }
    try {
      await this.#measured(() => this.#shared.write(steps));
    } catch (error) {
      throw postgresError(error);
    }
    return areReadable ? rows : null;
  }

  #writeWhole(steps: readonly Step[], isRight?: (changed: readonly number[]) => boolean): Promise<readonly number[]> {
    return retried(() => writeWhole(this.#connections, steps, isRight), this.#onRetry);
  }

  prepareRow(query: RowQuery): RowStatement {
    return new PostgresRow(this.#connections, query);
  }

  follow(tell: ChangeListener): () => void {
    const listener = new PostgresListener(this.#listening, { hears: this.#hears, every: this.pollEvery }, tell);
    this.#listener = this.#hears ? listener : null;
    return () => {
      listener.close();
      if (this.#listener === listener) this.#listener = null;
    };
  }

  hears(): boolean | null {
    return this.#listener?.isHearing ?? null;
  }

  async runAlone(statement: RawBuilder<unknown>, patience: number): Promise<void> {
    const { sql: text } = statement.compile(this.read);
    await this.#connections.hold(() => runAlone(this.#connections, text, patience));
  }

  /** Tests what every process must know before it reads or writes. @throws AppError UNAVAILABLE for an order of its own */
  async chooseDialect(): Promise<void> {
    this.dialect = await this.#connections.hold(() => chooseDialect(this.#connections, this.#settings));
  }

  async prove(log: Log): Promise<void> {
    if (this.#settings.DATABASE_ENGINE === "postgresql") return;
    const [, hears] = await Promise.all([
      assertIsolation(this, this.#connections),
      this.#hears && hearsAnything(this.#listening, this.#settings, log),
    ]);
    this.#hears = hears;
  }

  async proveMigrations(): Promise<void> {
    if (this.#settings.DATABASE_ENGINE !== "postgresql") await assertMigrations(this);
  }

  close(): Promise<void> {
    return this.#connections.close();
  }

  async #measured<T>(work: () => Promise<T>): Promise<T> {
    const began = performance.now();
    try {
      return await this.#connections.hold(work);
    } finally {
      this.#durations.observe((performance.now() - began) / 1_000);
    }
  }

  async #attempt<T>(job: (tx: Kysely<Schema>) => Promise<T>, patience: number): Promise<T> {
    const session = await this.#connections.acquire();
    const timeout = patience + ANSWER_TIME;
    const transaction = this.#transactionOn(session);
    let before: readonly Step[] | undefined = begin(patience);
    transaction.run = (step) => {
      const running = session.run(step, timeout, before);
      before = undefined;
      return running;
    };
    let isBroken = false;
    forgetKey(transaction.tx);
    try {
      const value = await job(transaction.tx);
      if (before === undefined) {
        const { tags } = await session.run(COMMIT, timeout).catch((error: unknown) => {
          const subjectId = notedSubject(transaction.tx);
          throw error instanceof InDoubt && subjectId !== undefined
            ? new InDoubt(error.cause, { subjectId, value })
            : error;
        });
        if (tags[0] !== "COMMIT") throw new AppError("INTERNAL", "The transaction had failed before its commit.");
      }
      return value;
    } catch (error) {
      const isLost = error instanceof InDoubt || isSessionFault(reasonOf(error));
      isBroken = isLost || (before === undefined && !(await rollback(session)));
      throw error;
    } finally {
      transaction.run = isOver;
      session.release(isBroken);
    }
  }

  #transactionOn({ connection }: Session): Transaction {
    const known = this.#transactions.get(connection);
    if (known !== undefined) return known;
    const made: Transaction = {
      run: isOver,
      tx: kyselyOver((query) => this.#queries.execute(query, (step) => made.run(step))),
    };
    this.#transactions.set(connection, made);
    return made;
  }
}

const isOver: Run = () => Promise.reject(new AppError("INTERNAL", "The transaction has ended."));

function changedBy({ numAffectedRows }: QueryResult<unknown>): number {
  return Number(numAffectedRows ?? 0n);
}
