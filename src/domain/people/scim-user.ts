import type { Id } from "../id.ts";
import type { NewUser, User } from "./user.ts";

/**
 * The people that a service sees and changes by SCIM (R18): those that it made, and those whose address it governs. An address is
 * governed where its domain is among the service's, and everybody with such an address signs in at that service alone.
 */
export interface ScimReach {
  /** `id` of the entry in UPSTREAMS. */
  readonly provider: string;
  /** Domains of addresses that it may give and take, in ASCII, each that one alone. */
  readonly domains: readonly string[];
  /** Whether it governs the addresses at `domains`. */
  readonly isEnforced: boolean;
}

/** A person as a service knows them. */
export interface ScimPerson {
  readonly user: User;
  /** The service's own name for the person; null for none. */
  readonly externalId: string | null;
}

export interface ScimFilter {
  /** By `emailKey`. */
  readonly email?: string;
  /** Byte by byte. */
  readonly externalId?: string;
}

/** Omitted fields keep their value. */
export interface ScimChange {
  readonly name?: string;
  /** Counts as proved. */
  readonly email?: string;
  readonly externalId?: string | null;
  readonly isActive?: boolean;
}

/** Whether `externalId` is also the subject by which the service signs the person in. */
interface Linking {
  readonly isSubject: boolean;
}

/** Each method knows nobody beyond the reach, and nobody whose deletion was asked for. */
export interface ScimUserStore {
  find(reach: ScimReach, id: Id): Promise<ScimPerson | null>;
  /** Oldest first. @param page `skip` people are left out before the first of at most `limit` */
  list(
    reach: ScimReach,
    filter: ScimFilter,
    page: { readonly skip: number; readonly limit: number },
  ): Promise<{ readonly total: number; readonly people: readonly ScimPerson[] }>;
  /**
   * Creates a person of the service, with the link as the way in where `externalId` is the subject: all of it or nothing.
   *
   * @throws CONFLICT with field `email` when the address is taken, with field `externalId` when the subject is another person's
   */
  create(
    reach: ScimReach,
    user: NewUser,
    about: Linking & { readonly externalId: string | null; readonly isActive: boolean },
  ): Promise<ScimPerson>;
  /**
   * Changes a person in one transaction. A new address ends mailed secrets, the way back to a former address too. Disabling ends
   * everything that stands open in the person's name: sessions, grants, tokens, mailed secrets and invitations. A person whom somebody else
   * has disabled stays disabled, so that no routine of a directory undoes what an administrator did. A link moves with
   * `externalId` where that is the subject and the person's address is proved, or the service made the person.
   *
   * @throws NOT_FOUND, FORBIDDEN for another address where the present one is not at `domains`, CONFLICT when no active administrator
   * would be left, CONFLICT with field as `create`
   */
  change(reach: ScimReach, id: Id, change: ScimChange, about: Linking): Promise<ScimPerson>;
}

/** Whether the address is at one of the domains. @param key `emailKey` of the address */
export function isAtDomains(key: string, domains: readonly string[]): boolean {
  return domains.includes(key.slice(key.lastIndexOf("@") + 1));
}
