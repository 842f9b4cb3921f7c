import type { CompiledQuery, Kysely, QueryResult } from "kysely";
import type pg from "pg";
import type { ChangeListener } from "../../domain/change.ts";
import { AppError } from "../../domain/errors.ts";
import type { Log } from "../../observe/log.ts";
import type { Database, Reading, Row, RowQuery, RowStatement } from "../database/database.ts";
import { forgetKey, notedSubject } from "../database/noted-keys.ts";
import type { Schema } from "../database/schema.ts";
import { type PostgresAddress, parsePostgresUrl, throughPooler } from "./address.ts";
import { reasonOf, retried, retriedByKey } from "./attempts.ts";
import { COMMIT, CONNECTION, Connections, type Session } from "./connections.ts";
import { postgresDialect } from "./dialect.ts";
import { type EngineSettings, listeningAddress, mayHear, USUAL_ENGINE } from "./engine.ts";
import { InDoubt, isSessionFault, postgresError } from "./errors.ts";
import { kyselyOver } from "./kysely.ts";
import { LISTENING, PostgresListener } from "./listener.ts";
import { assertIsolation, assertMigrations, assertUsable, chooseDialect, hearsAnything } from "./proofs.ts";
import { hasNulIn, nulRejected, Queries, type Run } from "./queries.ts";
import { PostgresRow } from "./row.ts";
import { SharedCommits } from "./shared-commits.ts";
import { changedRows, hasNul, type Outcome, type Step } from "./statement.ts";
import { ANSWER_TIME, begin, PATIENCE, rollback } from "./transaction.ts";

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
export async function openPostgres(databaseUrl: string, settings: EngineSettings = USUAL_ENGINE): Promise<Database> {
  const given = parsePostgresUrl(databaseUrl);
  const address = settings.DATABASE_POOLER === "transaction" ? throughPooler(given, databaseUrl) : given;
  const database = new PostgresDatabase(address, settings);
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
  readonly #queries = new Queries();
  /** For each connection, the same one again and again: making them costs more than a small statement. */
  readonly #transactions = new WeakMap<object, Transaction>();

  constructor(address: PostgresAddress, settings: EngineSettings) {
    this.#settings = settings;
    this.pollEvery = settings.DATABASE_POLL;
    this.#listening = { ...CONNECTION, application_name: LISTENING, ...listeningAddress(address, settings).config };
    this.#hears = mayHear(address, settings);
    const connections = new Connections(address);
    this.#connections = connections;
    this.#shared = new SharedCommits(connections, (steps) => this.#writeWhole(steps));
    this.read = kyselyOver((query) =>
      connections.hold(() => this.#queries.execute(query, (step) => connections.read(step))),
    );
  }

  write<T>(job: (tx: Kysely<Schema>) => Promise<T>, patience = PATIENCE): Promise<T> {
    return this.#connections.hold(() => retriedByKey(() => this.#attempt(job, patience)));
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
    return this.#connections.hold(() => this.#writeWhole(steps, isRight));
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
      await this.#connections.hold(() => this.#shared.write(steps));
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
    return retried(async () => {
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
    const listener = new PostgresListener(this.#listening, { hears: this.#hears, every: this.pollEvery }, tell);
    return () => listener.close();
  }

  /** Tests what every process must know before it reads or writes. @throws AppError UNAVAILABLE for an order of its own */
  async chooseDialect(): Promise<void> {
    await this.#connections.hold(async () => {
      try {
        this.dialect = await chooseDialect(this.#connections, this.#settings);
      } catch (error) {
        throw postgresError(error);
      }
    });
  }

  async prove(log: Log): Promise<void> {
    if (this.#settings.DATABASE_ENGINE === "postgresql") return;
    const [, hears] = await Promise.all([
      assertIsolation(this, this.#connections),
      this.#hears ? hearsAnything(this.#listening, this.#settings) : false,
    ]);
    if (this.#hears && !hears) {
      const every = `${this.pollEvery} ms`;
      log.warn(
        {},
        `notifications of the database do not arrive: changes of other processes are looked for each ${every}`,
      );
    }
    this.#hears = hears;
  }

  async proveMigrations(): Promise<void> {
    if (this.#settings.DATABASE_ENGINE !== "postgresql") await assertMigrations(this);
  }

  close(): Promise<void> {
    return this.#connections.close();
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
