import { setTimeout as pause } from "node:timers/promises";
import { sql } from "kysely";
import { AppError } from "../../domain/errors.ts";
import type { Database } from "../database/database.ts";
import type { Connections, Session } from "./connections.ts";
import { newStatement } from "./statement.ts";

/** Milliseconds between two questions while a caller waits. */
const STEP = 3;
/** Milliseconds after which a question to the replica times out. */
const ANSWER_TIMEOUT = 1_000;
/** Milliseconds before the next attempt after the replica did not answer. */
const PAUSE = 100;

interface Waiter {
  readonly position: number;
  readonly needsProof: boolean;
  readonly settle: (isReached: boolean) => void;
}

/**
 * How far a replica has replayed the WAL of its primary. Asks the replica only while a caller waits for a position.
 *
 * Positions alone prove nothing after a failover: a replica that received more from the old primary than the new one did is
 * further than the new one's first writes, and has none of them. A note of this process that the new primary has written proves it.
 */
export class ReplayProgress {
  readonly #primary: Database;
  readonly #connections: Connections;
  readonly #waiters = new Set<Waiter>();
  #session: Promise<Session> | null = null;
  #isFollowing = false;
  #isClosed = false;
  #problem: unknown = null;
  #replayed: number | null = null;
  /** The identity of the primary; null until it is known. */
  #identity: string | null = null;
  readonly #note: () => string;
  /** Id of the latest note that was seen over the present session. */
  #seen: string | null = null;
  readonly #onAnswer: (position: number) => void;

  /**
   * @param note id of the note that proves it
   * @param onAnswer gets each position on the replica that is one of the primary as well
   */
  constructor(primary: Database, connections: Connections, note: () => string, onAnswer: (position: number) => void) {
    this.#primary = primary;
    this.#connections = connections;
    this.#note = note;
    this.#onAnswer = onAnswer;
  }

  /** Why the latest question had no answer; null when it had one. */
  get problem(): unknown {
    return this.#problem;
  }

  /** Whether the replica has the note of the present primary, so that its positions are those of that primary. */
  get isProven(): boolean {
    return this.#seen === this.#note();
  }

  /** The last answer of the replica; null before there is one. */
  get replayed(): number | null {
    return this.#replayed;
  }

  /**
   * Resolves with whether the replica has replayed the WAL up to `position` by `until`, a time of `performance.now()`.
   *
   * @param options.needsProof whether the replica has to have the present note (`isProven`)
   */
  reaches(position: number, until: number, { needsProof = true } = {}): Promise<boolean> {
    return new Promise((resolve) => {
      const waiter: Waiter = {
        ...{ position, needsProof },
        settle: (isReached) => {
          clearTimeout(timer);
          this.#waiters.delete(waiter);
          resolve(isReached);
        },
      };
      const timer = setTimeout(() => waiter.settle(false), Math.max(0, until - performance.now()));
      this.#waiters.add(waiter);
      void this.#follow();
    });
  }

  /**
   * @returns the position up to which the replica has replayed the WAL
   * @throws AppError UNAVAILABLE for a database that is no copy of the primary, otherwise what PostgreSQL or pg threw
   */
  async ask(): Promise<number> {
    this.#session ??= this.#connect();
    const opening = this.#session;
    const note = this.#note();
    try {
      const session = await opening;
      if (this.#seen !== note && (await this.#sees(session, note))) this.#seen = note;
      const { rows } = await session.run({ statement: REPLAYED, values: [] }, ANSWER_TIMEOUT);
      if (rows[0]?.[0] === null) throw new NoReplica();
      this.#replayed = Number(rows[0]?.[0]);
      if (this.isProven) this.#onAnswer(this.#replayed);
      return this.#replayed;
    } catch (error) {
      if (this.#session === opening) this.#release();
      throw error;
    }
  }

  async #sees(session: Session, note: string): Promise<boolean> {
    const { rows } = await session.run({ statement: NOTED, values: [note] }, ANSWER_TIMEOUT);
    return rows.length > 0;
  }

  /** Tells every waiter that its position was not reached. */
  close(): void {
    this.#isClosed = true;
    for (const waiter of this.#waiters) waiter.settle(false);
    this.#release();
  }

  /** Asks the replica repeatedly while a caller waits. */
  async #follow(): Promise<void> {
    if (this.#isFollowing) return;
    this.#isFollowing = true;
    while (this.#waiters.size > 0 && !this.#isClosed) {
      try {
        const replayed = await this.ask();
        this.#problem = null;
        for (const waiter of this.#waiters)
          if (waiter.position <= replayed && (this.isProven || !waiter.needsProof)) waiter.settle(true);
        if (this.#waiters.size > 0) await pause(STEP);
      } catch (error) {
        this.#problem = error;
        this.#connections.abandonReads(); // reads that wait for the replica go to the primary
        await pause(PAUSE);
      }
    }
    this.#isFollowing = false;
  }

  #release(): void {
    this.#session?.then(
      (session) => session.release(true),
      () => {},
    );
    this.#session = null;
    this.#seen = null; // behind the same address, the next one may be another server
  }

  async #connect(): Promise<Session> {
    const session = await this.#connections.acquire();
    try {
      const { rows } = await session.run({ statement: IDENTITY, values: [] }, ANSWER_TIMEOUT);
      // Read once, since a replica may have to be connected to while the primary is away.
      this.#identity ??= await this.#identityOfPrimary();
      if (rows[0]?.[0] !== this.#identity) {
        this.#identity = null;
        throw new AppError("UNAVAILABLE", "This is another database, not a replica of the one in DATABASE_URL.");
      }
      return session;
    } catch (error) {
      session.release(true);
      throw error;
    }
  }

  async #identityOfPrimary(): Promise<string | null> {
    const { rows } = await sql.raw<{ identity: string }>(IDENTITY.text).execute(this.#primary.read);
    return rows[0]?.identity ?? null;
  }
}

/** The server became a primary of its own, or is no replica any more for another reason. */
class NoReplica extends Error {
  override readonly name = "NoReplica";

  constructor() {
    super("The server in DATABASE_READ_URL is not in recovery.");
  }
}

const REPLAYED = newStatement(
  "select case when pg_is_in_recovery() then pg_wal_lsn_diff(pg_last_wal_replay_lsn(), '0/0')::bigint end",
  "kept",
);

const NOTED = newStatement("select from replica_readers where id = $1", "kept");

/** The same for all copies of a cluster and no others, and for one database in it. */
const IDENTITY = newStatement(
  `select system_identifier::text || ' ' || (select oid from pg_database where datname = current_database()) as identity
    from pg_control_system()`,
  "once",
);
