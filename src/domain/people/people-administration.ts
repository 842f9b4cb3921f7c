import type { Administration } from "../administration.ts";
import { AppError, badInput, withinInput } from "../errors.ts";
import type { Id } from "../id.ts";
import { ROLES, type Role } from "../viewer.ts";
import type { InvitationStore } from "./invitation.ts";
import { assertMayMail, type MailAttempts } from "./mail-administration.ts";
import type { LinkWay, PeopleMail } from "./people-mail.ts";
import { assertUser, isActive, type User, type UserStore } from "./user.ts";

/** The part of the store that administration of people needs. */
export interface PeopleSlice {
  readonly users: UserStore;
  readonly invitations: Pick<InvitationStore, "withdrawOf">;
  readonly attempts: MailAttempts;
  /** Signs a person out everywhere, and revokes every token of theirs. */
  readonly artifacts: { revokeUser(userId: Id): Promise<void> };
}

export interface PeopleAdministration extends Administration<PeopleSlice> {
  /**
   * argon2id, as a PHC string.
   * @throws AppError BAD_USER_INPUT with field `password` for one that is too short, too long or too common
   */
  readonly hashPassword: (password: string, person: { email: string; name: string }) => Promise<string>;
}

export interface NewPerson {
  readonly name: string;
  readonly email: string;
  readonly role: Role;
  /** null: cannot sign in until one is set. */
  readonly password: string | null;
}

/**
 * Adds a person. The administrator vouches for the e-mail address.
 *
 * @throws AppError BAD_USER_INPUT for a rule broken, CONFLICT when the address is taken, KeyInUse
 */
export async function createPerson(
  { store, record, hashPassword, once }: PeopleAdministration,
  { name, email, role, password }: NewPerson,
  field = "",
): Promise<User> {
  assertUser({ name, email, role }, field);
  const passwordHash =
    password === null ? null : await withinInput(field, () => hashPassword(password, { name, email }));
  const user = await store.users.create({ name, email, role, emailVerified: true, passwordHash }, once);
  await record({ event: "person", result: "ok", userId: user.id, detail: `created as ${role}` });
  return user;
}

/**
 * Changes a person's role within a second, for existing tokens too. A new administrator is told by mail. The open invitations of a
 * former one end.
 *
 * @throws AppError NOT_FOUND, CONFLICT for oneself and for the last administrator, KeyInUse
 */
export async function changeRole(
  administration: Administration<PeopleSlice> & { readonly mail: PeopleMail },
  id: Id | null,
  role: Role,
): Promise<User> {
  if (!ROLES.includes(role)) throw badInput("role", `role must be one of ${ROLES.join(", ")}.`);
  const { store, now, record, mail, once } = administration;
  const personId = somebodyElse(administration, id);
  const before = await store.users.find(personId);
  const user = await store.users.update(personId, { role }, once);
  if (role !== "admin") await store.invitations.withdrawOf(user.id, new Date(now()).toISOString());
  await record({ event: "person", result: "ok", userId: user.id, detail: `made ${role}` });
  if (role === "admin" && before?.role !== "admin") await mail.tellAdministrator(user);
  return user;
}

/**
 * Locks the person out: no sign-in, and every token refused within a second. Their open invitations end.
 *
 * @throws AppError NOT_FOUND, CONFLICT for oneself and for the last administrator, KeyInUse
 */
export async function disablePerson(administration: Administration<PeopleSlice>, id: Id | null): Promise<User> {
  const { store, now, record, once } = administration;
  const disabledAt = new Date(now()).toISOString();
  const user = await store.users.update(somebodyElse(administration, id), { disabledAt }, once);
  await lockOut({ store, now }, user.id);
  await record({ event: "person", result: "ok", userId: user.id, detail: "disabled" });
  return user;
}

/** Ends what a disabled person still has; to be done again where it may have been broken off. */
export async function lockOut(
  { store, now }: Pick<Administration<Pick<PeopleSlice, "artifacts" | "invitations">>, "store" | "now">,
  id: Id,
): Promise<void> {
  await store.artifacts.revokeUser(id);
  await store.invitations.withdrawOf(id, new Date(now()).toISOString());
}

/** Lets a disabled person in again. @throws AppError NOT_FOUND, KeyInUse */
export async function enablePerson({ store, record, once }: Administration<PeopleSlice>, id: Id | null): Promise<User> {
  if (id === null) throw nobody();
  const user = await store.users.update(id, { disabledAt: null }, once);
  await record({ event: "person", result: "ok", userId: user.id, detail: "enabled" });
  return user;
}

export interface UnlockAdministration extends Administration<{ readonly users: UserStore }> {
  /** Forgets failed attempts at the password and the second step. */
  readonly forgetAttempts: (user: User) => Promise<void>;
}

/**
 * Lets a person try again after too many failed attempts.
 *
 * @throws AppError NOT_FOUND, CONFLICT for oneself, KeyInUse
 */
export async function unlockPerson(administration: UnlockAdministration, id: Id | null): Promise<User> {
  const { store, record, forgetAttempts, once } = administration;
  const present = await store.users.find(somebodyElse(administration, id));
  if (present === null) throw nobody();
  // First, so that a retry after a crash does it, and a repeated request does not: each reset has its audit entry.
  await forgetAttempts(present);
  const user = await store.users.update(present.id, {}, once); // which notes the request
  await record({ event: "person", result: "ok", userId: user.id, detail: "unlocked" });
  return user;
}

export interface RecoveryAdministration extends Administration<PeopleSlice> {
  readonly mail: PeopleMail;
  /** `mailed` unless given. */
  readonly way?: LinkWay;
}

/**
 * Sends a person a link, good for 24 hours, with which they choose a new password (U71). Nothing of theirs changes until then.
 *
 * @returns the link, where it is not mailed
 * @throws AppError NOT_FOUND, CONFLICT for oneself and for somebody who is disabled, RATE_LIMITED, KeyInUse
 */
export async function sendRecovery(
  administration: RecoveryAdministration,
  id: Id | null,
): Promise<{ readonly user: User; readonly link: string | null }> {
  const { store, record, mail, way, once } = administration;
  const present = await store.users.find(somebodyElse(administration, id));
  if (present === null) throw nobody();
  if (present.disabledAt !== null) throw new AppError("CONFLICT", "This account is disabled. Enable it first.");
  if (!isActive(present)) throw new AppError("CONFLICT", "This account is deleted, or will be soon.");
  await assertMayMail(administration);
  const user = await store.users.update(present.id, {}, once); // which notes the request
  const link = await mail.recover(user, way);
  const detail = link === null ? "sent by an administrator" : "link given to an administrator";
  await record({ event: "recovery", result: "ok", userId: user.id, detail });
  await mail.tellOfRecovery(user, await store.users.listAdministrators(), link !== null);
  return { user, link };
}

/**
 * Signs a person out everywhere: sessions, clients and tokens end within a second. They can sign in again.
 *
 * @throws AppError NOT_FOUND, KeyInUse
 */
export async function endSessions({ store, record, once }: Administration<PeopleSlice>, id: Id | null): Promise<User> {
  if (id === null) throw nobody();
  const user = await store.users.update(id, {}, once); // which notes the request
  await store.artifacts.revokeUser(user.id);
  await record({ event: "session", result: "ok", userId: user.id, detail: "all ended" });
  return user;
}

/** So that there is an administrator left, whatever administrators do. */
export function somebodyElse({ actorId }: Administration<unknown>, id: Id | null): Id {
  if (id === null) throw nobody();
  if (id === actorId)
    throw new AppError("CONFLICT", "Administrators cannot do this to themselves. Ask another administrator.");
  return id;
}

export function nobody(): AppError {
  return new AppError("NOT_FOUND", "There is no person with this id.");
}
