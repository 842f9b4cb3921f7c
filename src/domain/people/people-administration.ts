import type { Administration } from "../administration.ts";
import { AppError, badInput, withinInput } from "../errors.ts";
import type { Id } from "../id.ts";
import { ROLES, type Role } from "../viewer.ts";
import { assertUser, type User, type UserStore } from "./user.ts";

/** The part of the store that administration of people needs. */
export interface PeopleSlice {
  readonly users: UserStore;
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
 * Changes a person's role within a second, for existing tokens too.
 *
 * @throws AppError NOT_FOUND, CONFLICT for oneself and for the last administrator, KeyInUse
 */
export async function changeRole(
  administration: Administration<PeopleSlice>,
  id: Id | null,
  role: Role,
): Promise<User> {
  if (!ROLES.includes(role)) throw badInput("role", `role must be one of ${ROLES.join(", ")}.`);
  const { store, record, once } = administration;
  const user = await store.users.update(somebodyElse(administration, id), { role }, once);
  await record({ event: "person", result: "ok", userId: user.id, detail: `made ${role}` });
  return user;
}

/**
 * Locks the person out: no sign-in, and every token refused within a second.
 *
 * @throws AppError NOT_FOUND, CONFLICT for oneself and for the last administrator, KeyInUse
 */
export async function disablePerson(administration: Administration<PeopleSlice>, id: Id | null): Promise<User> {
  const { store, now, record, once } = administration;
  const disabledAt = new Date(now()).toISOString();
  const user = await store.users.update(somebodyElse(administration, id), { disabledAt }, once);
  await store.artifacts.revokeUser(user.id);
  await record({ event: "person", result: "ok", userId: user.id, detail: "disabled" });
  return user;
}

/** Lets a disabled person in again. @throws AppError NOT_FOUND, KeyInUse */
export async function enablePerson({ store, record, once }: Administration<PeopleSlice>, id: Id | null): Promise<User> {
  if (id === null) throw nobody();
  const user = await store.users.update(id, { disabledAt: null }, once);
  await record({ event: "person", result: "ok", userId: user.id, detail: "enabled" });
  return user;
}

/** So that there is an administrator left, whatever administrators do. */
function somebodyElse({ actorId }: Administration<unknown>, id: Id | null): Id {
  if (id === null) throw nobody();
  if (id === actorId)
    throw new AppError("CONFLICT", "Administrators cannot do this to themselves. Ask another administrator.");
  return id;
}

function nobody(): AppError {
  return new AppError("NOT_FOUND", "There is no person with this id.");
}
