import { AppError } from "./errors.ts";
import type { Id } from "./id.ts";

/** Seconds for which a request that is sent again is known. */
export const REMEMBERED_SECONDS = 24 * 3_600;

/** Marks one change as made, in its own transaction, so that it is never made again: see `IdempotencyStore`. */
export interface Once {
  /** Identifies the request: its sender and its key, as one text. */
  readonly id: string;
  /** Which change of the request: the position of its root field. */
  readonly field: number;
  /** Hash of the request's content. */
  readonly fingerprint: string;
}

/** A change that was made for a request. */
export interface RememberedChange {
  readonly field: number;
  readonly fingerprint: string;
  /** The changed object; for a client, its `client_id`. */
  readonly subjectId: Id;
  /** The whole answer to the request, kept with one of its changes; null where there was no time for that. */
  readonly answer: string | null;
}

/** Another request with the same key makes, or has just made, the same change. Nothing was changed by this one. */
export class KeyInUse extends AppError<"CONFLICT"> {
  /** The object that was changed, where the contents of both requests are the same; null otherwise. */
  readonly subjectId: Id | null;

  constructor(subjectId: Id | null = null) {
    super("CONFLICT", "A request with this Idempotency-Key is being handled.", { retryAfter: 1 });
    this.subjectId = subjectId;
  }
}

/** The object that a request with the same key and content has changed; null for another error. */
export function changedWithKey(error: unknown): Id | null {
  return error instanceof KeyInUse ? (error as unknown as KeyInUse).subjectId : null;
}

/**
 * Changes that were made for requests with an Idempotency-Key. Records older than a day (`REMEMBERED_SECONDS`) are
 * ignored, even if they are still stored.
 */
export interface IdempotencyStore {
  /** By `Once.id`, in the order of the fields. */
  find(id: string): Promise<RememberedChange[]>;
  /** Keeps the whole answer with a change that is remembered. */
  keepAnswer(id: string, field: number, answer: string): Promise<void>;
  /** Destroys what is forgotten, at most `limit` of it. @returns how many */
  sweep(limit: number): Promise<number>;
}

/** Hides requests and answers from readers of the database: they may contain a password or a new secret. */
export interface AnswerSeal {
  /** @param context what the text belongs to: it opens for nothing else */
  seal(text: string, context: string): string;
  /** @returns null for what was sealed under another secret, or is no such text */
  open(sealed: string, context: string): string | null;
  /** A keyed hash, so that nobody finds a text by trying. */
  digest(text: string): string;
  /** Whether `digest` has given this for the text, also before the secret was changed. */
  isDigest(text: string, digest: string): boolean;
}
