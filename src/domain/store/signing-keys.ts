import type { SigningAlgorithm } from "../clients/client.ts";

/** A key that signs ID tokens, its private part encrypted. */
export interface SigningKey {
  readonly kid: string;
  readonly algorithm: SigningAlgorithm;
  /** Encrypted private JWK. */
  readonly privateKey: string;
  readonly createdAt: string;
  /** Before that it is only published, so that verifiers have it when its first token comes. */
  readonly signsFrom: string;
  /** From when on another key signs instead; the public part stays published until its last token is gone. */
  readonly retiredAt: string | null;
}

export interface SigningKeyStore {
  /** Newest first. */
  list(): Promise<SigningKey[]>;
  /** Adds the keys unless there are any, even if several processes try at the same time. */
  createIfNone(keys: readonly SigningKey[]): Promise<void>;
  /**
   * Adds keys, each of which takes over from the one of its algorithm at its `signsFrom`.
   * @throws CONFLICT where one is to take over already
   */
  rotate(keys: readonly SigningKey[]): Promise<void>;
  /** Adds keys, and destroys all others of their algorithms. */
  replace(keys: readonly SigningKey[]): Promise<void>;
  /** Destroys what retired before that time. */
  sweep(before: string): Promise<void>;
}
