import type { Door } from "../door.ts";
import type { Id } from "../id.ts";
import type { Role } from "../viewer.ts";

/**
 * Anything that the authorization server keeps for a while: codes, tokens, sessions, grants, interactions.
 * Bearer values never reach storage: it is given SHA-256 hashes (base64url), and a payload that is encrypted.
 */
export interface Artifact {
  /** The model's name in the protocol engine, such as `AccessToken`. */
  readonly kind: string;
  readonly idHash: string;
  readonly grantId: string | null;
  readonly userId: string | null;
  readonly clientId: string | null;
  /** Space-separated, as in RFC 6749 section 3.3. */
  readonly scope: string | null;
  /** Second name of a session. */
  readonly uidHash: string | null;
  /** RFC 8628. */
  readonly userCodeHash: string | null;
  readonly payload: string;
  readonly expiresAtSeconds: number | null;
  readonly consumedAtSeconds: number | null;
  /** SHA-256 thumbprint (RFC 7638) of the key that a bearer must prove to have (RFC 9449 section 6); of a token that is bound. */
  readonly jkt?: string | null;
  /** SHA-256 thumbprint of the certificate that a bearer must come with (RFC 8705 section 3); of a token that is bound. */
  readonly x5t?: string | null;
  /** When the person signed in who was given this access token, and how strongly: see `acr.ts`. */
  readonly authTimeSeconds?: number | null;
  readonly acr?: string | null;
  /** The door that this access token names. */
  readonly audience?: Door | null;
}

/** One artifact used up, and others issued for it. */
interface Redemption {
  readonly kind: string;
  readonly idHash: string;
  readonly atSeconds: number;
  /** `idHash` of the artifact of kind `Grant` that all of it belongs to. */
  readonly grantHash: string;
  /** Every one with the `grantId` of that grant. */
  readonly issued: readonly Artifact[];
  /** For an artifact that was consumed then or later, which may be used again. It stays consumed as it is. */
  readonly againSinceSeconds?: number;
}

/** Kinds that callers without credentials can cause. Without a person they belong to nobody yet. */
export const PENDING_KINDS = ["PushedAuthorizationRequest", "DeviceCode", "Interaction"] as const;

export interface ArtifactStore {
  /** Creates or replaces by (kind, idHash); a consumption that is recorded already stays recorded. */
  put(artifact: Artifact): Promise<void>;
  /** Expired ones are still returned until they are swept: the engine judges expiry itself. */
  find(kind: string, idHash: string): Promise<Artifact | null>;
  findByUid(kind: string, uidHash: string): Promise<Artifact | null>;
  findByUserCode(kind: string, userCodeHash: string): Promise<Artifact | null>;
  /** Compare-and-set: true for exactly one caller, false for the rest and for what is missing. */
  consume(kind: string, idHash: string, atSeconds: number): Promise<boolean>;
  /**
   * Consumes, as `consume` does, and puts what is issued for it, in one transaction. False, and nothing is written, where
   * another caller has consumed it, or its grant is not there any more.
   */
  redeem(redemption: Redemption): Promise<boolean>;
  destroy(kind: string, idHash: string): Promise<void>;
  /** Destroys every artifact of the grant, of whatever kind. */
  revokeGrant(grantId: string): Promise<void>;
  /**
   * Destroys everything that belongs to the person, of whatever kind: sign-out everywhere.
   * @param kept what stays: whole kinds, and single artifacts by their `idHash`
   */
  revokeUser(
    userId: string,
    kept?: { readonly kinds?: readonly string[]; readonly idHashes?: readonly string[] },
  ): Promise<void>;
  /** Destroys everything of the person that belongs to the client. */
  revokeClientOfUser(userId: string, clientId: string): Promise<void>;
  /**
   * Destroys what people gave the client: grants with all that belongs to them, and consents.
   * @param limit the most grants, and the most consents
   * @returns whether nothing is left
   */
  revokeClient(clientId: string, limit: number): Promise<boolean>;
  /** Destroys the live tokens that the client has for itself. Looks at every live artifact, so it takes seconds where there are millions. */
  revokeOwnTokens(clientId: string, nowSeconds: number): Promise<void>;
  /** The person's artifacts of these kinds, expired or not; up to a thousand, the longest-lived first. */
  listOfUser(userId: string, kinds: readonly string[]): Promise<Artifact[]>;
  /** As `listOfUser`, for each of at most a hundred people, up to `limit` of each. */
  listOfEach(userIds: readonly string[], kinds: readonly string[], limit: number): Promise<Artifact[]>;
  /**
   * A live access token with what a resource server must know, or null when it is unknown, expired, consumed, or its
   * client or person is missing or disabled.
   */
  findAccessToken(idHash: string, nowSeconds: number): Promise<AccessToken | null>;
  /** Destroys what expired before `beforeSeconds`, at most `limit` of it. @returns how many */
  sweep(beforeSeconds: number, limit: number): Promise<number>;
  /** As `sweep`, for those of PENDING_KINDS that belong to nobody: nothing will ever be asked about them again (A46). */
  sweepPending(beforeSeconds: number, limit: number): Promise<number>;
}

export interface AccessToken {
  readonly idHash: string;
  readonly grantId: string | null;
  readonly userId: Id | null;
  readonly role: Role | null;
  readonly clientId: string;
  /** Space-separated. Only scopes that the client and the person may have now. */
  readonly scope: string;
  readonly expiresAtSeconds: number;
  /** Thumbprint of the key that must be proved with every use (RFC 9449 section 7); null for a bearer token. */
  readonly jkt: string | null;
  /** Thumbprint of the certificate that must come with every use (RFC 8705 section 3); null for any other token. */
  readonly x5t: string | null;
  /** When the person signed in, in seconds of Unix time; null for a token that no sign-in gave. */
  readonly authTimeSeconds: number | null;
  /** How strongly they signed in: see `acr.ts`. */
  readonly acr: string | null;
  /** The door that it names; null for a token that names none, or that was given before there were two. */
  readonly audience: Door | null;
  /** Whether the person has turned a second step on. */
  readonly hasSecondStep: boolean;
}
