import type { Kysely } from "kysely";
import { type RequestRecord, withRecord } from "../../observe/request-record.ts";
import type { StatementWatch } from "../../observe/statement-watch.ts";
import type { Schema } from "../database/schema.ts";
import type { Owner } from "./row-cache.ts";

/** A write that is to be done. */
export interface Write<T> {
  readonly run: (tx: Kysely<Schema>) => Promise<T>;
  /** Milliseconds to wait for other processes. */
  readonly patience: number;
  readonly owner: Owner;
  /** The record of the request that it is for. */
  readonly record: RequestRecord | undefined;
}

/** A write in the queue. */
export interface Job extends Write<unknown> {
  /** When it came: `performance.now()`. */
  readonly since: number;
  readonly resolve: (value: unknown) => void;
  readonly reject: (reason: unknown) => void;
}

/** Runs a write with the record of its request, which notes how long it waited and what it did. */
export function observedJob(
  { run, record, since }: Job,
  tx: Kysely<Schema>,
  statements: StatementWatch | null,
): Promise<unknown> {
  if (statements === null || record === undefined) return run(tx);
  record.waitMs += performance.now() - since;
  return withRecord(record, () => statements.batch(record, () => run(tx)));
}
