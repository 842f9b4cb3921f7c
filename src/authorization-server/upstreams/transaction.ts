import type { Sealer } from "../../secrets/seal.ts";
import type { Bound } from "./upstream.ts";

/** Seconds for which somebody may stay at the upstream. */
export const TRANSACTION_SECONDS = 600;

const CONTEXT = "upstream transaction";

/** One round trip to an upstream, kept in the browser that makes it, sealed, in the cookie `upstream`. */
export interface Transaction {
  readonly provider: string;
  readonly state: string;
  readonly nonce: string;
  /** The `code_verifier` of PKCE (RFC 7636 section 4.1). */
  readonly verifier: string;
  readonly bound: Bound;
  readonly expiresAtSeconds: number;
}

export function sealTransaction(sealer: Sealer, transaction: Transaction): string {
  return sealer.seal(JSON.stringify(transaction), CONTEXT);
}

/** null for what we have not sealed for this purpose. */
export function openTransaction(sealer: Sealer, cookie: string | undefined): Transaction | null {
  const text = cookie === undefined || cookie.length > 2_000 ? null : sealer.open(cookie, CONTEXT);
  return text === null ? null : (JSON.parse(text) as Transaction);
}
