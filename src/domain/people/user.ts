import { AppError, badInput, badInputs } from "../errors.ts";
import type { Id } from "../id.ts";
import { parseId } from "../id.ts";
import type { Once } from "../idempotency.ts";
import type { ReadBack } from "../reading/prepared-read.ts";
import { assertName } from "../text.ts";
import { ROLES, type Role, type Viewer } from "../viewer.ts";
import type { AccountFilter, AccountPlace, AccountStanding } from "./account-search.ts";
import { assertEmail } from "./email.ts";

export interface User {
  readonly id: Id;
  readonly name: string;
  /** As the person wrote it. */
  readonly email: string;
  readonly emailVerified: boolean;
  readonly role: Role;
  /** PHC string of argon2id; null for a person who cannot sign in with a password. */
  readonly passwordHash: string | null;
  /** RFC 3339, UTC, milliseconds. */
  readonly createdAt: string;
  readonly disabledAt: string | null;
  /** Counts changes of what the person signs in with, and of whether the person may: mailed links from before are void. */
  readonly credentialVersion: number;
  /** Whether sign-in has a second step for this person, whatever `SECOND_STEP` demands. */
  readonly secondStep: boolean;
  /** Whether the person may sign in here although their domain signs in at another service (U65). */
  readonly localSignIn: boolean;
  /** When the account will be deleted, unless its person keeps it; until then nobody is signed in as them. */
  readonly deletesAt: string | null;
  /** When the account was deleted: the id stays, and nothing else of the person. */
  readonly deletedAt: string | null;
}

export function standingOf({ disabledAt, deletesAt, deletedAt }: User): AccountStanding {
  if (deletedAt !== null) return "deleted";
  if (deletesAt !== null) return "deleting";
  return disabledAt === null ? "active" : "disabled";
}

/** A person in a list, and their place in it. */
interface FoundAccount {
  readonly user: User;
  readonly place: AccountPlace;
}

export interface NewUser {
  readonly name: string;
  readonly email: string;
  readonly emailVerified: boolean;
  readonly role: Role;
  readonly passwordHash: string | null;
}

/** @throws AppError BAD_USER_INPUT for a rule broken, CONFLICT when the address is taken */
export async function createUser(users: UserStore, input: NewUser): Promise<User> {
  assertUser(input);
  return users.create(input);
}

/** Whether somebody may act as this person: not while the account is disabled, deleted, or about to be. */
export function isActive({ disabledAt, deletesAt, deletedAt }: User): boolean {
  return disabledAt === null && deletesAt === null && deletedAt === null;
}

/** Whether the person may keep an account that will be deleted: it is neither disabled nor gone. */
export function mayKeep({ disabledAt, deletesAt, deletedAt }: User): boolean {
  return disabledAt === null && deletesAt !== null && deletedAt === null;
}

/** The person behind a session, a grant or a token; null for nobody, and for a person who is not active (A17). */
export async function findActiveUser(store: { readonly users: UserStore }, sub: string): Promise<User | null> {
  const id = parseId(sub);
  const user = id === null ? null : await store.users.find(id);
  return user === null || !isActive(user) ? null : user;
}

/**
 * Creates the first person of an empty installation, as its administrator.
 *
 * @throws AppError BAD_USER_INPUT for a rule broken, CONFLICT when there is somebody already
 */
export async function createFirstAdministrator(
  users: UserStore,
  input: Pick<NewUser, "name" | "email" | "passwordHash">,
): Promise<User> {
  const user: NewUser = { ...input, emailVerified: true, role: "admin" };
  assertUser(user);
  return users.createFirst(user);
}

interface ProfileRequest {
  readonly store: { readonly users: UserStore };
  readonly viewer: Viewer;
  readonly once: Once | undefined;
  readonly readBack?: ReadBack | null;
}

/**
 * Changes the public fields of the viewer's person. Omitted fields keep their value.
 *
 * @returns the person's id; the change is then durable
 * @throws AppError FORBIDDEN for a viewer without a person, BAD_USER_INPUT for a rule broken, CONFLICT with the present
 * `version` when it is not the expected one
 */
export async function updateProfile(
  { store, viewer, once, readBack }: ProfileRequest,
  { name }: { readonly name?: string | null },
  expectedVersion: number | null,
): Promise<Id> {
  if (viewer.userId === null)
    throw new AppError("FORBIDDEN", "This token stands for a client, not for a person: there is no profile.");
  if (name === null) throw badInput("input.name", "input.name must not be null.");
  if (name !== undefined) assertName("input.name", name);
  await store.users.changeProfile(viewer.userId, name === undefined ? {} : { name }, expectedVersion, once, readBack);
  return viewer.userId;
}

/** @throws AppError BAD_USER_INPUT for every rule broken, its field behind `prefix` */
export function assertUser({ name, email, role }: Pick<NewUser, "name" | "email" | "role">, prefix = ""): void {
  badInputs([
    () => assertName(`${prefix}name`, name),
    () => assertEmail(`${prefix}email`, email),
    () => {
      if (!ROLES.includes(role)) throw badInput(`${prefix}role`, `${prefix}role must be one of ${ROLES.join(", ")}.`);
    },
  ]);
}

export interface UserStore {
  /** @throws CONFLICT with field `email` when the address (by `emailKey`) is taken, KeyInUse */
  create(user: NewUser, once?: Once): Promise<User>;
  /** Like `create`, but only into an empty table, even if others try at the same time. @throws CONFLICT otherwise */
  createFirst(user: NewUser): Promise<User>;
  find(id: Id): Promise<User | null>;
  /**
   * By `emailKey` of the given address. Where two people from before have one key, by the spelling: see
   * storage/migrations/0018-email-keys.
   */
  findByEmail(email: string): Promise<User | null>;
  /** Oldest first. */
  list(): Promise<User[]>;
  /** Newest first. @param after continues with people older than this person */
  listNewest(after: Id | undefined, limit: number): Promise<User[]>;
  /** Finds these people, in no order, without those who do not exist. */
  findAll(ids: readonly Id[]): Promise<User[]>;
  /**
   * People by a filter: newest first, or by name and then by address where they are searched for.
   * @param after continues after this place of the same list
   */
  listAccounts(filter: AccountFilter, after: AccountPlace | undefined, limit: number): Promise<FoundAccount[]>;
  /** Administrators who are active, oldest first; at most a hundred. */
  listAdministrators(): Promise<User[]>;
  isEmpty(): Promise<boolean>;
  /**
   * Each change takes effect on tokens within a second.
   * @param change with `credentialVersion`, only a person whose credentials are still these is found: a request of somebody who was thrown
   * out meanwhile changes nothing
   * @throws NOT_FOUND, KeyInUse, CONFLICT when no active administrator would be left
   */
  update(
    id: Id,
    change: {
      passwordHash?: string;
      role?: Role;
      disabledAt?: string | null;
      localSignIn?: boolean;
      credentialVersion?: number;
    },
    once?: Once,
  ): Promise<User>;
  /**
   * Changes what others see, counts the version up and writes a `user.updated` event, in one transaction; nothing of that
   * where nothing is given.
   * @throws NOT_FOUND, CONFLICT with `version` when it is not the expected one, KeyInUse
   */
  changeProfile(
    id: Id,
    change: { name?: string },
    expectedVersion: number | null,
    once?: Once,
    readBack?: ReadBack | null,
  ): Promise<void>;
}
