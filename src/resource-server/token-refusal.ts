/** Reasons for refusing the token of a request. docs/operations.md explains those that operators can act on. */
export type RefusalReason =
  /** No token came. */
  | "missing"
  /** The token came in the URL. */
  | "in-query"
  | "authorization-header"
  /** An opaque token that this server did not issue, or that has expired or was revoked. */
  | "unknown"
  /** The token is bound to a key, and came as Bearer. */
  | "bound-to-key"
  /** The token is bound to no key, and came as DPoP. */
  | "not-bound-to-key"
  /** The token is bound to another certificate than the request came with. */
  | "certificate"
  /** The token is for another door, or a JWT for another API. */
  | "audience"
  // JWTs of TRUSTED_ISSUER.
  | "too-long"
  | "not-a-jwt"
  | "type"
  | "critical-header"
  | "key-id"
  | "issuer"
  | "expired"
  | "not-yet-valid"
  /** A claim that RFC 9068 requires is missing, or has another type. */
  | "claim"
  /** `cnf` has a confirmation method that this server cannot check. */
  | "confirmation"
  /** The issuer publishes no key with this `kid`. */
  | "unknown-key"
  | "signature"
  | "person-disabled"
  // DPoP proofs, by the part that is wrong.
  | "proof-missing"
  | "proof-not-a-jwt"
  | "proof-type"
  | "proof-critical-header"
  | "proof-algorithm"
  | "proof-key"
  | "proof-signature"
  | "proof-method"
  | "proof-url"
  | "proof-issued-at"
  | "proof-not-yet-valid"
  | "proof-expired"
  | "proof-id"
  | "proof-token-hash"
  /** The proof was signed with another key than the token is bound to. */
  | "proof-other-key"
  | "proof-nonce"
  | "proof-replayed";

/** Values that help to find the cause. Nobody has checked those that the request brought. Never a token, proof or secret. */
export interface RefusalFacts {
  readonly expected?: unknown;
  readonly found?: unknown;
  readonly kid?: unknown;
}

/** A rejection as it is logged. It is the `cause` of an error whose message alone reaches the caller. */
export class TokenRefusal {
  readonly reason: RefusalReason;
  readonly #facts: RefusalFacts;

  constructor(reason: RefusalReason, facts: RefusalFacts = {}) {
    this.reason = reason;
    this.#facts = facts;
  }

  /** The fields of its log line. */
  get fields(): object {
    const { expected, found, kid } = this.#facts;
    return { reason: this.reason, expected: bounded(expected), found: bounded(found), kid: bounded(kid) };
  }
}

const MOST_CHARACTERS = 200;
const MOST_ENTRIES = 5;

/** A request may bring any JSON of any size: the log gets the beginning of texts and lists, and of objects nothing. */
function bounded(value: unknown): unknown {
  if (typeof value === "string") return value.slice(0, MOST_CHARACTERS);
  if (Array.isArray(value))
    return value.slice(0, MOST_ENTRIES).map((entry) => bounded(Array.isArray(entry) ? {} : entry));
  return typeof value === "object" && value !== null ? "object" : value;
}
