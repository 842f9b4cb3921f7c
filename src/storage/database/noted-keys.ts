import type { Kysely } from "kysely";
import type { Id } from "../../domain/id.ts";
import type { Schema } from "./schema.ts";

/** Transactions that have noted the key of their request: made again, they find the note of an attempt that was committed. */
const noted = new WeakMap<Kysely<Schema>, Id>();

/** To be called when a transaction has noted, in the database, under which key it changes an object. */
export function noteKey(tx: Kysely<Schema>, subjectId: Id): void {
  noted.set(tx, subjectId);
}

/** The object that it has noted since `forgetKey`. */
export function notedSubject(tx: Kysely<Schema>): Id | undefined {
  return noted.get(tx);
}

/** For a driver that uses one object for several transactions. */
export function forgetKey(tx: Kysely<Schema>): void {
  noted.delete(tx);
}
