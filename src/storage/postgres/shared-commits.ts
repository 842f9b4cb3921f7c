import { setImmediate as nextTurn } from "node:timers/promises";
import { currentRecord, type RequestRecord, withRecord } from "../../observe/request-record.ts";
import type { Connections, Session } from "./connections.ts";
import { InDoubt, isSessionFault } from "./errors.ts";
import type { Step } from "./statement.ts";
import { ANSWER_TIME, attemptsAfter, begin, PATIENCE, rollback } from "./transaction.ts";
import { COMMIT } from "./watched-steps.ts";

/** Limit: writes that share one commit. It bounds the wait of the first. */
const BATCH_SIZE = 64;
/** Characters in it, beside those of the last one. */
const BATCH_LENGTH = 262_144;
/** Milliseconds that a batch waits for each lock, so that one write in it does not hold up the others for long. */
const SHARED_PATIENCE = 500;

interface Job {
  readonly steps: readonly Step[];
  /** The record of the request that it is for. */
  readonly record: RequestRecord | undefined;
  readonly since: number;
  readonly resolve: () => void;
  readonly reject: (reason: unknown) => void;
}

/**
 * Writes that come in one turn of the event loop, or wait for a connection at the same time, share one transaction, sent
 * whole in one packet: syncing the disk costs more than a small write. When PostgreSQL refuses one of them, none was made,
 * and each is made in a transaction of its own.
 */
export class SharedCommits {
  readonly #connections: Connections;
  readonly #writeAlone: (steps: readonly Step[]) => Promise<unknown>;
  readonly #waiting: Job[] = [];
  #isAsking = false;

  /** @param writeAlone the same for one write, with all that may be tried again */
  constructor(connections: Connections, writeAlone: (steps: readonly Step[]) => Promise<unknown>) {
    this.#connections = connections;
    this.#writeAlone = writeAlone;
  }

  /** @throws what PostgreSQL or pg threw, NoConnection, InDoubt */
  write(steps: readonly Step[]): Promise<void> {
    return new Promise((resolve, reject) => {
      const record = this.#connections.statements === null ? undefined : currentRecord();
      this.#waiting.push({ steps, record, since: performance.now(), resolve, reject });
      if (!this.#isAsking) void withRecord(undefined, () => this.#serve());
    });
  }

  /** Commits one batch at a time: a second one would wait for the first. Posts that arrive meanwhile join the next batch. */
  async #serve(): Promise<void> {
    this.#isAsking = true;
    await nextTurn();
    while (this.#waiting.length > 0) {
      try {
        const session = await this.#connections.acquire();
        await this.#commit(session, this.#nextBatch());
      } catch (error) {
        for (const { reject } of this.#nextBatch()) reject(error);
      }
    }
    this.#isAsking = false;
  }

  #nextBatch(): readonly Job[] {
    let size = 0;
    for (let length = 0; size < BATCH_SIZE && size < this.#waiting.length && length < BATCH_LENGTH; size++) {
      length += lengthOf(this.#waiting[size]?.steps ?? []);
    }
    return this.#waiting.splice(0, size);
  }

  /** Each request has its own part of the transaction, and the commit that they share. */
  #note({ record, steps, since }: Job, startedAt: number): void {
    if (record === undefined) return;
    record.waitMs += startedAt - since;
    const texts = () => [...steps.map(({ statement }) => statement.text), "COMMIT"];
    this.#connections.statements?.ran(texts, startedAt, steps.length, undefined, record);
  }

  async #commit(session: Session, jobs: readonly Job[]): Promise<void> {
    let isBroken = false;
    try {
      const steps = [...begin(jobs.length === 1 ? PATIENCE : SHARED_PATIENCE)];
      for (const job of jobs) steps.push(...job.steps);
      const startedAt = performance.now();
      await session.run(COMMIT, PATIENCE + ANSWER_TIME, steps);
      for (const job of jobs) {
        this.#note(job, startedAt);
        job.resolve();
      }
    } catch (error) {
      isBroken = error instanceof InDoubt || isSessionFault(error) || !(await rollback(session));
      const isFinal = error instanceof InDoubt || (jobs.length === 1 && attemptsAfter(error) === 1);
      for (const { steps, record, resolve, reject } of jobs) {
        if (isFinal) reject(error);
        else {
          this.#connections.retried(error);
          withRecord(record, () => this.#writeAlone(steps)).then(() => resolve(), reject);
        }
      }
    } finally {
      session.release(isBroken);
    }
  }
}

function lengthOf(steps: readonly Step[]): number {
  let length = 0;
  for (const { values } of steps) for (const value of values) if (typeof value === "string") length += value.length;
  return length;
}
