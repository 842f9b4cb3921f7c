import type { Id } from "../id.ts";

/** Passkeys of one person at most. */
export const MOST_PASSKEYS = 20;

/** A credential by which a person signs in without a password (Web Authentication Level 3), and of which the device keeps the private key. */
export interface Passkey {
  /** As the authenticator chose it, base64url. */
  readonly credentialId: string;
  readonly userId: Id;
  /** The name of the person that the authenticator knows, base64url of 32 random bytes: `user.id` of WebAuthn. */
  readonly userHandle: string;
  /** COSE_Key, base64url. */
  readonly publicKey: string;
  /** The domain that it is good for. */
  readonly rpId: string;
  /** The authenticator's signature counter when it was last used; 0 for one that does not count. */
  readonly counter: number;
  /** `AuthenticatorTransport` values, by which a browser finds the device. */
  readonly transports: readonly string[];
  /** The model of the authenticator, a UUID; all zeros where it does not say. */
  readonly aaguid: string;
  /** Whether it may be copied to other devices. That never changes. */
  readonly isBackupEligible: boolean;
  /** Whether it was copied when it was last used. */
  readonly isBackedUp: boolean;
  /** As its person calls it. */
  readonly name: string;
  /** RFC 3339, UTC, milliseconds. */
  readonly createdAt: string;
  readonly usedAt: string | null;
}

/** The facts of a credential that its authenticator has just made. */
export type NewCredential = Omit<Passkey, "userId" | "userHandle" | "name" | "createdAt" | "usedAt">;

export type NewPasskey = Omit<Passkey, "usedAt">;

/** The first passkey of somebody who has no account yet. */
export type FirstPasskey = Omit<NewPasskey, "userId">;

export interface PasskeyStore {
  /**
   * Adds it to an active person whose address is proved.
   *
   * @param credentialVersion as the request knows the person: somebody who was thrown out meanwhile adds nothing
   * @throws AppError CONFLICT where the credential is there already, or the person has `MOST_PASSKEYS`; NOT_FOUND for any other person
   */
  create(passkey: NewPasskey, credentialVersion: number): Promise<void>;
  find(credentialId: string): Promise<Passkey | null>;
  /** Oldest first. */
  listOf(userId: Id): Promise<Passkey[]>;
  /** Those of these people who have one for this domain. With null, nobody: passkeys are off. */
  holders(userIds: readonly Id[], rpId: string | null): Promise<ReadonlySet<Id>>;
  /**
   * Notes a use, if the counter has gone on: of several uses at the same time with one counter, one counts. The counter of a passkey that is
   * backed up may stand still or go back.
   *
   * @returns false, and nothing is noted, where the counter has not gone on, or the passkey is gone
   */
  use(
    credentialId: string,
    use: Pick<Passkey, "counter" | "isBackedUp"> & { readonly usedAt: string },
  ): Promise<boolean>;
  /** @returns false where the person has no such passkey */
  rename(userId: Id, credentialId: string, name: string): Promise<boolean>;
  /**
   * Without another factor, this turns the second step off.
   *
   * @param rpId the domain of passkeys that can be used now: one for another domain is no way in
   * @returns false where the person has no such passkey
   * @throws AppError CONFLICT where it is the only way in (U29)
   */
  remove(userId: Id, credentialId: string, rpId: string): Promise<boolean>;
  /** How many there are for other domains than this one: they cannot be used. With null, all of them: passkeys are off. */
  countElsewhere(rpId: string | null): Promise<number>;
}
