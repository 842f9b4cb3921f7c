import pg from "pg";
import { AppError } from "../domain/errors.ts";
import { ConnectionLost, isSessionFault, NoConnection } from "./postgres-errors.ts";
import { Execution, type Outcome, type Statement } from "./postgres-statement.ts";

/** Milliseconds to wait for a connection, new or free. */
const ACQUIRE_TIMEOUT = 5_000;
/** Milliseconds after which a read that gets no answer is given up, and its connection with it. */
const ANSWER_TIMEOUT = 9_000;
/** Milliseconds after which a connection that nobody needs is closed. */
const IDLE_TIMEOUT = 60_000;
/** How often a read is tried. */
const ATTEMPTS = 3;

/** A connection that its holder has for itself. */
export interface Session {
  /** @throws DatabaseError of pg, ConnectionLost */
  run(statement: Statement, values: readonly unknown[], timeout: number): Promise<Outcome>;
  /** Gives the connection back, or closes it when its state is in doubt. */
  release(isBroken: boolean): void;
  /** The same object for the same connection. */
  readonly connection: object;
}

/** The connections of this process to one server: bounded, opened when needed, replaced when they break. */
export class Connections {
  readonly #pool: pg.Pool;
  #held = 0;
  #whenIdle: (() => void) | null = null;
  #closing: Promise<void> | null = null;

  constructor(config: pg.PoolConfig) {
    this.#pool = new pg.Pool({
      connectionTimeoutMillis: ACQUIRE_TIMEOUT,
      idleTimeoutMillis: IDLE_TIMEOUT,
      keepAlive: true,
      allowExitOnIdle: true,
      application_name: "content-api",
      ...config,
    });
    // A connection that breaks is noticed by whoever uses it, and leaves the pool by itself; without these two
    // listeners it would take the process along.
    this.#pool.on("error", () => {});
    this.#pool.on("connect", (client) => client.on("error", () => {}));
  }

  /**
   * Runs a statement that only reads, on another connection where the first turns out to be dead: after a restart of
   * the server every idle one is.
   */
  read(statement: Statement, values: readonly unknown[]): Promise<Outcome> {
    return this.hold(async () => {
      for (let attempt = 1; ; attempt++) {
        try {
          return await this.#readOnce(statement, values);
        } catch (error) {
          if (attempt === ATTEMPTS || !isSessionFault(error)) throw error;
        }
      }
    });
  }

  /** Without the promises of `acquire`: this is the path of every request. */
  #readOnce(statement: Statement, values: readonly unknown[]): Promise<Outcome> {
    return new Promise((resolve, reject) => {
      this.#pool.connect((failure, client, release) => {
        if (client === undefined) {
          reject(new NoConnection(failure));
          return;
        }
        execute(client, statement, values, ANSWER_TIMEOUT, (error, outcome) => {
          release(error !== null && isSessionFault(error));
          if (outcome === null) reject(error);
          else resolve(outcome);
        });
      });
    });
  }

  /** @throws NoConnection */
  acquire(): Promise<Session> {
    return new Promise((resolve, reject) => {
      this.#pool.connect((failure, client, release) => {
        if (client === undefined) {
          reject(new NoConnection(failure));
          return;
        }
        resolve({
          connection: client,
          release,
          run: (statement, values, timeout) =>
            new Promise((done, failed) => {
              execute(client, statement, values, timeout, (error, outcome) => {
                if (outcome === null) failed(error);
                else done(outcome);
              });
            }),
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
    await this.#pool.end();
  }
}

function execute(
  client: pg.PoolClient,
  statement: Statement,
  values: readonly unknown[],
  timeout: number,
  settle: (error: unknown, outcome: Outcome | null) => void,
): void {
  let isSettled = false;
  const once = (error: unknown, outcome: Outcome | null) => {
    if (isSettled) return;
    isSettled = true;
    clearTimeout(timer);
    settle(error, outcome);
  };
  const timer = setTimeout(() => once(new ConnectionLost(new Error(`No answer in ${timeout} ms.`)), null), timeout);
  client.query(new Execution(statement, values, once));
}
