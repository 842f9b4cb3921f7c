import { setTimeout as pause } from "node:timers/promises";
import type { CompiledQuery, Kysely, QueryResult, RawBuilder } from "kysely";
import type { ChangeListener } from "../../domain/change.ts";
import { AppError } from "../../domain/errors.ts";
import { type Metrics, openMetrics } from "../../observe/metrics.ts";
import type { Histogram } from "../../observe/series.ts";
import type { Database, Reading, Row, RowQuery, RowStatement } from "../database/database.ts";
import type { Schema } from "../database/schema.ts";
import { type PostgresAddress, parsePostgresUrl } from "./address.ts";
import { assertUsable } from "./assert-usable.ts";
import { COMMIT, CONNECTION, Connections, type Session } from "./connections.ts";
import { postgresDialect } from "./dialect.ts";
import { InDoubt, isSessionFault, postgresError } from "./errors.ts";
import { kyselyOver } from "./kysely.ts";
import { LISTENING, PostgresListener } from "./listener.ts";
import { hasNulIn, nulRejected, Queries, type Run } from "./queries.ts";
import { PostgresRow } from "./row.ts";
import { SharedCommits } from "./shared-commits.ts";
import { changedRows, hasNul, newStatement, type Outcome, type Step } from "./statement.ts";
import { ANSWER_TIME, attemptsAfter, begin, PATIENCE, rollback } from "./transaction.ts";

/** Milliseconds after which a write is not tried once more. */
const RETRY_TIME = 3_000;

/** The writer of one connection. Each write provides `run` while it lasts. */
interface Transaction {
  readonly tx: Kysely<Schema>;
  run: Run;
}

/**
 * PostgreSQL 13 or newer. Nothing is kept in a session but prepared statements, and no lock outlives its transaction:
 * a pooler in transaction mode may stand between.
 *
 * @throws AppError BAD_USER_INPUT for a malformed address, UNAVAILABLE when the server cannot be used
 */
export async function openPostgres(databaseUrl: string, metrics = openMetrics()): Promise<Database> {
  const database = new PostgresDatabase(parsePostgresUrl(databaseUrl), metrics);
  try {
    await assertUsable(database);
  } catch (error) {
    await database.close();
    throw error;
  }
  return database;
}

class PostgresDatabase implements Database {
  readonly dialect = postgresDialect;
  readonly read: Kysely<Schema>;
  readonly #address: PostgresAddress;
  readonly #connections: Connections;
  readonly #shared: SharedCommits;
  readonly #durations: Histogram;
  #listener: PostgresListener | null = null;
  readonly #queries = new Queries();
  /** For each connection, the same one again and again: making them costs more than a small statement. */
  readonly #transactions = new WeakMap<object, Transaction>();

  constructor(address: PostgresAddress, metrics: Metrics) {
    this.#address = address;
    const connections = new Connections(address, { metrics, role: "primary" });
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
    return this.#measured(() => this.#retried(() => this.#attempt(job, patience)));
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

  #writeWhole(writing: readonly Step[], isRight?: (changed: readonly number[]) => boolean): Promise<readonly number[]> {
    const steps = [...begin(PATIENCE), ...writing];
    const firstQuery = steps.length - writing.length;
    const changes = ({ tags }: Outcome) => tags.slice(firstQuery, steps.length).map((tag) => changedRows(tag) ?? 0);
    const timeout = PATIENCE + ANSWER_TIME;
    return this.#retried(async () => {
      const session = await this.#connections.acquire();
      let isBroken = false;
      try {
        if (isRight === undefined) return changes(await session.run(COMMIT, timeout, steps));
        const [last, ...before] = steps.toReversed() as [Step, ...Step[]];
        const changed = changes(await session.run(last, timeout, before.reverse()));
        if (isRight(changed)) await session.run(COMMIT, timeout);
        else isBroken = !(await rollback(session));
        return changed;
      } catch (error) {
        isBroken = error instanceof InDoubt || isSessionFault(error) || !(await rollback(session));
        throw error;
      } finally {
        session.release(isBroken);
      }
    });
  }

  prepareRow(query: RowQuery): RowStatement {
    return new PostgresRow(this.#connections, query);
  }

  follow(tell: ChangeListener): () => void {
    const { config, hears } = this.#address;
    const listener = new PostgresListener({ ...CONNECTION, application_name: LISTENING, ...config }, hears, tell);
    this.#listener = hears ? listener : null;
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
    await this.#connections.hold(async () => {
      const session = await this.#connections.acquire();
      let isBroken = false;
      try {
        await session.run({ statement: newStatement(text, "simple"), values: [] }, patience);
      } catch (error) {
        isBroken = isSessionFault(error);
        throw postgresError(error);
      } finally {
        session.release(isBroken);
      }
    });
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

  async #retried<T>(attempt: () => Promise<T>): Promise<T> {
    const deadline = performance.now() + RETRY_TIME;
    for (let count = 1; ; count++) {
      try {
        return await attempt();
      } catch (error) {
        if (count >= attemptsAfter(reasonOf(error)) || performance.now() > deadline) throw postgresError(error);
        this.#connections.retried(reasonOf(error));
      }
      await pause(Math.random() * 2 ** count * 4);
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
    try {
      const value = await job(transaction.tx);
      if (before === undefined) {
        const { tags } = await session.run(COMMIT, timeout);
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

/** The first error that PostgreSQL or pg threw. */
function reasonOf(error: unknown): unknown {
  return error instanceof AppError ? error.cause : error;
}

function changedBy({ numAffectedRows }: QueryResult<unknown>): number {
  return Number(numAffectedRows ?? 0n);
}
