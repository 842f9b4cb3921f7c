import type { Id } from "../id.ts";
import type { Once } from "../idempotency.ts";
import type { NewUser, User } from "./user.ts";

/** Links of one person at most. */
export const MOST_UPSTREAM_IDENTITIES = 20;

/**
 * The link between a person and an account at another service (an upstream), at which the person signs in. Provider and subject are its
 * key, byte by byte: nobody is ever found by the address that the service knows (R3).
 */
export interface UpstreamIdentity {
  /** `id` of the entry in UPSTREAMS. */
  readonly provider: string;
  /** The service's name of the account: 1 to 255 characters. */
  readonly subject: string;
  readonly userId: Id;
  /** The address that the service named when the link was made, for people to recognise it; null where it named none. */
  readonly emailAtLink: string | null;
  /** RFC 3339, UTC, milliseconds. */
  readonly linkedAt: string;
  /** The last sign-in by it; null before the first. */
  readonly usedAt: string | null;
}

export type NewUpstreamIdentity = Omit<UpstreamIdentity, "usedAt">;

export interface UpstreamIdentityStore {
  find(provider: string, subject: string): Promise<UpstreamIdentity | null>;
  /**
   * Links it to an active person whose address is proved. A person may have several of one provider.
   *
   * @param credentialVersion `User.credentialVersion` when the person asked for it
   * @returns false, and nothing changes, where the person has it already
   * @throws AppError CONFLICT where it is another person's, the person has `MOST_UPSTREAM_IDENTITIES`, or what the person signs in with
   * has changed meanwhile; NOT_FOUND for any other person
   */
  link(identity: NewUpstreamIdentity, credentialVersion: number): Promise<boolean>;
  /**
   * Creates a person with the link as the way in, both or neither.
   *
   * @throws AppError CONFLICT with field `email` when the address is taken, CONFLICT when the identity is another person's
   */
  createPerson(user: NewUser, identity: Omit<NewUpstreamIdentity, "userId">): Promise<User>;
  /**
   * @param rpId the domain of passkeys that can be used now: others are no way in
   * @returns false where the person has no such link
   * @throws AppError CONFLICT where it is the only way in (U29), KeyInUse
   */
  unlink(userId: Id, provider: string, subject: string, rpId: string, once?: Once): Promise<boolean>;
  /** Oldest first. */
  listOf(userId: Id): Promise<UpstreamIdentity[]>;
  /** Those of several people, oldest first. */
  listOfEach(userIds: readonly Id[]): Promise<UpstreamIdentity[]>;
  /** Notes a sign-in by it. @returns false where it is nobody's any more */
  use(provider: string, subject: string, usedAt: string): Promise<boolean>;
}
