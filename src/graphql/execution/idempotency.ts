import { createHash } from "node:crypto";
import { AppError } from "../../domain/errors.ts";
import type { Id } from "../../domain/id.ts";
import {
  type AnswerSeal,
  type IdempotencyStore,
  KeyInUse,
  type Once,
  type RememberedChange,
} from "../../domain/idempotency.ts";
import type { Viewer } from "../../domain/viewer.ts";
import type { Log } from "../../observe/log.ts";
import { HttpError } from "../documents/errors.ts";

/** Limit: characters of the header. */
const KEY_LENGTH = 255;
/** Characters of an answer that is kept. A longer one is read again where it is asked for again. */
const ANSWER_LENGTH = 1_048_576;
/** An sf-string (RFC 9651 section 3.3.3) without parameters, and what clients send that leave out its quotes. */
const QUOTED = /^"((?:[ !#-[\]-~]|\\["\\])+)"$/;
const BARE = /^[!#-+\--:<-[\]-~]+$/;

/**
 * The key that the client has given this change.
 *
 * @throws AppError BAD_REQUEST for a malformed one (draft-ietf-httpapi-idempotency-key-header section 2.7)
 */
export function readIdempotencyKey(header: string): string {
  const key = QUOTED.exec(header)?.[1]?.replaceAll(/\\(.)/g, "$1") ?? BARE.exec(header)?.[0];
  if (key !== undefined && header.length <= KEY_LENGTH) return key;
  throw new AppError(
    "BAD_REQUEST",
    `Idempotency-Key must be one string in quotes, such as "8e03978e-40d5", of ${KEY_LENGTH} characters at the most.`,
  );
}

/** One request with a key, while it is handled. */
export class KeyedRequest {
  readonly #id: string;
  readonly #fingerprint: string;
  readonly #made: ReadonlyMap<number, Id>;
  /** Whether its answer is what it will be told again: nothing in it was refused, and nothing failed. */
  isWhole = true;
  /** A change with which the answer can be kept; null as long as there is none. */
  field: number | null = null;

  constructor(id: string, fingerprint: string, made: readonly RememberedChange[]) {
    this.#id = id;
    this.#fingerprint = fingerprint;
    this.#made = new Map(made.map(({ field, subjectId }) => [field, subjectId]));
  }

  /** The object that this root field changed in an earlier request with the same key. */
  changedBefore(field: number): Id | null {
    this.field ??= field;
    return this.#made.get(field) ?? null;
  }

  once(field: number): Once {
    return { id: this.#id, field, fingerprint: this.#fingerprint };
  }
}

/** The content of a request and its sender. */
export interface KeyedPayload {
  readonly viewer: Viewer;
  readonly key: string;
  readonly document: string;
  readonly operationName: string | null;
  readonly variables: Readonly<Record<string, unknown>>;
}

/**
 * Requests that can be retried without repeating their change (draft-ietf-httpapi-idempotency-key-header). Each change and
 * its record are one transaction, so neither a crash nor another node can separate them. The answer is stored
 * afterwards. If the stored answer is missing, the changed object is read again.
 */
export class IdempotencyKeys {
  readonly #store: IdempotencyStore;
  readonly #answers: AnswerSeal;
  readonly #log: Log;
  /** Fingerprints of the requests under way in this process. */
  readonly #running = new Map<string, string>();

  constructor(store: IdempotencyStore, answers: AnswerSeal, log: Log) {
    this.#store = store;
    this.#answers = answers;
    this.#log = log;
  }

  /**
   * @param make does what is not done yet, and gives the answer
   * @param replay makes the answer of its kept body
   * @throws KeyInUse while the same is under way, HttpError 422 when the key came with something else before
   */
  async answer<Response extends { readonly body: string }>(
    { viewer, key, document, operationName, variables }: KeyedPayload,
    make: (request: KeyedRequest) => Response | Promise<Response>,
    replay: (body: string) => Response,
  ): Promise<Response> {
    const id = digest([viewer.clientId, viewer.userId, key]);
    const said = JSON.stringify([document, operationName, variables]);
    const fingerprint = this.#answers.digest(said);
    const running = this.#running.get(id);
    if (running !== undefined) throw running === fingerprint ? new KeyInUse() : otherPayload();
    this.#running.set(id, fingerprint);
    try {
      const made = await this.#store.find(id);
      if (made.some((change) => !this.#answers.isDigest(said, change.fingerprint))) throw otherPayload();
      const sealed = made.find(({ answer }) => answer !== null)?.answer;
      const kept = sealed == null ? null : this.#answers.open(sealed, id);
      if (kept !== null) return replay(kept);
      const request = new KeyedRequest(id, fingerprint, made);
      const response = await make(request);
      const { isWhole, field } = request;
      if (isWhole && field !== null && response.body.length <= ANSWER_LENGTH)
        await this.#keep(id, field, response.body);
      return response;
    } finally {
      this.#running.delete(id);
    }
  }

  /** The change is made, whatever becomes of this. */
  async #keep(id: string, field: number, answer: string): Promise<void> {
    try {
      await this.#store.keepAnswer(id, field, this.#answers.seal(answer, id));
    } catch (error) {
      this.#log.warn({ err: error }, "an answer was not kept for its Idempotency-Key");
    }
  }
}

function otherPayload(): HttpError {
  return new HttpError(422, "This Idempotency-Key came with another request before.", {}, "BAD_USER_INPUT");
}

function digest(value: unknown): string {
  return createHash("sha256").update(JSON.stringify(value)).digest("base64url");
}
