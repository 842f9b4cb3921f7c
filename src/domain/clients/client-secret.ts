import type { Id } from "../id.ts";

/** Milliseconds after which another use of a client or its secret is noted. */
export const USE_NOTED_FOR = 60_000;

/** A secret of a client, without the secret. */
export interface ClientSecret {
  readonly id: Id;
  readonly clientId: string;
  /** Last four characters; null for a secret from before they were kept. */
  readonly hint: string | null;
  readonly createdAt: string;
  /** Exact to a minute. */
  readonly lastUsedAt: string | null;
  readonly endedAt: string | null;
}

/** As the store keeps a secret. */
export interface NewSecret {
  /** SHA-256, base64url. */
  readonly hash: string;
  readonly hint: string;
}

/** Characters by which people tell secrets apart. The others keep 230 bits. */
export function hintOf(secret: string): string {
  return secret.slice(-4);
}
