import type { Id } from "../id.ts";
import type { Once } from "../idempotency.ts";
import type { Client, NewClient } from "./client.ts";
import type { ClientSecret, NewSecret } from "./client-secret.ts";

/** Selects clients. What is left out selects all. */
export interface ClientFilter {
  readonly origin?: Client["origin"] | undefined;
  readonly ownerId?: Id | undefined;
  /** Whether they are disabled. */
  readonly isDisabled?: boolean | undefined;
  /** The beginning of the name, in any case, or the whole id. */
  readonly search?: string | undefined;
}

/** Other settings of a client. What is left out stays. */
export interface ClientChange {
  /** null: by the operator. Ignored by a client that is enabled. */
  readonly disabledBy?: "owner" | null;
  readonly disabledAt?: string | null;
  readonly trialUntil?: string;
  /** All of its settings. Secrets, origin and owner stay. */
  readonly settings?: NewClient;
  /** Hash of the only secret that the client has from now on. */
  readonly secretHash?: string;
  readonly secretHint?: string | null;
}

export interface ClientStore {
  /**
   * @param most how many clients the owner may have, where there is one
   * @throws CONFLICT when the id is taken, and when the owner has as many, KeyInUse
   */
  create(client: NewClient, once?: Once, most?: number): Promise<Client>;
  /** Creates the client or, where its id exists, makes it equal to what is given; `disabledAt` stays. */
  put(client: NewClient): Promise<Client>;
  find(id: string): Promise<Client | null>;
  /** Names by id, of those that are there. */
  namesOf(ids: readonly string[]): Promise<Map<string, string>>;
  /** Oldest first. */
  list(): Promise<Client[]>;
  /**
   * Newest first; with `search`, by name.
   *
   * @param after the id of the client before the page. An unknown one has nothing after it.
   */
  page(filter: ClientFilter, after: string | null, limit: number): Promise<Client[]>;
  /**
   * @param isByOwner does nothing to a client that the operator has disabled
   * @throws NOT_FOUND, CONFLICT for such a client, KeyInUse
   */
  update(id: string, change: ClientChange, once?: Once, isByOwner?: boolean): Promise<Client>;
  /** Deletes the client and its secrets. Its tokens are refused from then on. @throws NOT_FOUND, KeyInUse */
  delete(id: string, once?: Once): Promise<void>;
  /** Somebody has let the client in for the first time. */
  markUsed(id: string): Promise<void>;
  /**
   * Notes a use of the client, and of its secret if it came with one, unless one was noted within the last minute.
   *
   * @param at RFC 3339, UTC, milliseconds
   */
  noteUse(id: string, secretHash: string | null, at: string): Promise<void>;
  /** The secrets of these clients, newest first; of those that have ended, the last ones. */
  listSecrets(ids: readonly string[]): Promise<ClientSecret[]>;
  /**
   * A secret that is valid beside the others.
   *
   * @param most how many a client may have
   * @throws NOT_FOUND for a client that has none, CONFLICT when it has as many, KeyInUse
   */
  addSecret(id: string, secret: NewSecret, most: number, once?: Once): Promise<Client>;
  /** @returns the secret as it was. @throws NOT_FOUND, CONFLICT for the only one that is left, KeyInUse */
  endSecret(id: string, secretId: Id, once?: Once): Promise<{ client: Client; secret: ClientSecret }>;
  /**
   * Deletes clients that registered themselves before that time and that nobody has ever let in (A25).
   *
   * @param before RFC 3339, UTC, milliseconds
   * @returns how many, at most `limit`
   */
  sweepUnused(before: string, limit: number): Promise<number>;
}
