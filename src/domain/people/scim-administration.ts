import type { NewAuditEvent } from "../audit.ts";
import { AppError, badInput, badInputs } from "../errors.ts";
import type { Id } from "../id.ts";
import { assertName, assertText } from "../text.ts";
import { deletionTime } from "./account-deletion.ts";
import type { DeletionStore } from "./deletion.ts";
import { assertEmail, emailKey } from "./email.ts";
import { isAtDomains, type ScimChange, type ScimPerson, type ScimReach, type ScimUserStore } from "./scim-user.ts";
import { isActive } from "./user.ts";

/** A service of UPSTREAMS that speaks SCIM. */
export interface ScimService extends ScimReach {
  /** Domains whose people sign in at other services. */
  readonly foreignDomains: readonly string[];
  /** Whether its `externalId` is also the subject by which it signs the person in. */
  readonly isSubject: boolean;
}

export interface ScimRequest {
  readonly store: { readonly scimUsers: ScimUserStore; readonly deletions: Pick<DeletionStore, "ask"> };
  readonly service: ScimService;
  /** Unix time in milliseconds. */
  readonly now: () => number;
  /** Seconds until an account is deleted: `DELETION_DELAY`. */
  readonly deletionDelay: number;
  /** Writes down what was decided. */
  readonly record: (event: NewAuditEvent) => Promise<void>;
}

/** Facts that a service gives about a person; omitted fields keep their value. There is no password among them. */
export interface ScimInput {
  readonly userName?: string;
  readonly name?: string;
  readonly externalId?: string | null;
  readonly isActive?: boolean;
  /** Names of roles: everybody is a member here, so that they only may not ask for more. */
  readonly roles: readonly string[];
}

/** Facts that a service must give about a new person. */
export type NewScimPerson = ScimInput & Required<Pick<ScimInput, "userName">>;

/**
 * Adds a person of the service, as a member who has no password. The service vouches for the address.
 *
 * @throws AppError BAD_USER_INPUT, FORBIDDEN for an address at foreign domains and for a role, CONFLICT with the field `email` or
 * `externalId` that is taken
 */
export function createScimPerson(request: ScimRequest, input: NewScimPerson): Promise<ScimPerson> {
  const { store, service, record } = request;
  return noting(request, null, async () => {
    const { userName: email, name = email, externalId = null, isActive = true } = input;
    assertInput({ ...input, name }, service);
    assertOwnAddress(email, service);
    const user = { name, email, emailVerified: true, role: "member", passwordHash: null } as const;
    const about = { externalId, isActive, isSubject: service.isSubject };
    const person = await store.scimUsers.create(service, user, about);
    await record({ event: "scim", result: "ok", userId: person.user.id, detail: "created" });
    return person;
  });
}

/** @throws AppError NOT_FOUND for everybody beyond the service's reach */
export async function getScimPerson({ store, service }: ScimRequest, id: Id | null): Promise<ScimPerson> {
  const person = id === null ? null : await store.scimUsers.find(service, id);
  if (person === null) throw nobody();
  return person;
}

/**
 * Changes a person, disables or enables them. A disabled person is out within a second: sessions, tokens, links. A person whom
 * an administrator disabled stays disabled.
 *
 * @throws AppError as `getScimPerson` and `createScimPerson`; CONFLICT for the last administrator
 */
export async function changeScimPerson(request: ScimRequest, id: Id | null, input: ScimInput): Promise<ScimPerson> {
  const { store, service, record } = request;
  const before = await getScimPerson(request, id);
  const { user } = before;
  return noting(request, user.id, async () => {
    assertInput(input, service);
    const change = differences(before, input);
    if (change.email !== undefined) assertOwnAddress(change.email, service);
    const changed = Object.keys(change);
    if (changed.length === 0) return before;
    const person = await store.scimUsers.change(service, user.id, change, service);
    const about = { event: "scim", result: "ok", userId: user.id } as const;
    const isNow = isActive(person.user);
    if (isNow !== isActive(user)) await record({ ...about, detail: isNow ? "enabled" : "disabled" });
    if (changed.some((field) => field !== "isActive")) await record({ ...about, detail: "changed" });
    return person;
  });
}

/**
 * Disables the person now, and deletes the account after the delay; the posts stay. The person cannot keep the account: an
 * administrator can. From then on the service does not know the person.
 *
 * @throws AppError as `changeScimPerson`
 */
export async function deleteScimPerson(request: ScimRequest, id: Id | null): Promise<void> {
  const { store, service, now, deletionDelay, record } = request;
  const { user } = await getScimPerson(request, id);
  await noting(request, user.id, async () => {
    await store.scimUsers.change(service, user.id, { isActive: false }, service);
    const deletesAt = deletionTime(now(), deletionDelay);
    try {
      await store.deletions.ask(user.id, { deletesAt, posts: "keep" });
    } catch (error) {
      if ((await store.scimUsers.find(service, user.id)) === null) throw nobody(); // another request was faster
      throw error;
    }
    await record({ event: "scim", result: "ok", userId: user.id, detail: "deleted" });
  });
}

/** Writes down what is refused by a rule about people. */
async function noting<T>({ record }: ScimRequest, userId: Id | null, act: () => Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (error) {
    if (error instanceof AppError && (error.code === "FORBIDDEN" || error.code === "CONFLICT"))
      await record({ event: "scim", result: "refused", userId, detail: error.message });
    throw error;
  }
}

function differences({ user, externalId }: ScimPerson, input: ScimInput): ScimChange {
  const { userName: email, name, isActive: active } = input;
  return {
    ...(name === undefined || name === user.name ? {} : { name }),
    ...(email === undefined || email === user.email ? {} : { email }),
    ...(input.externalId === undefined || input.externalId === externalId ? {} : { externalId: input.externalId }),
    ...(active === undefined || active === isActive(user) ? {} : { isActive: active }),
  };
}

/** @throws AppError BAD_USER_INPUT, FORBIDDEN for the role of an administrator */
function assertInput({ userName, name, externalId, roles }: ScimInput, { isSubject }: ScimService): void {
  if (roles.some((role) => /^admin(istrator)?$/i.test(role.trim())))
    throw new AppError("FORBIDDEN", "Nobody becomes an administrator by SCIM.");
  badInputs([
    () => userName === undefined || assertEmail("userName", userName),
    () => name === undefined || assertName("displayName", name),
    () => externalId == null || assertExternalId(externalId, isSubject),
  ]);
}

function assertExternalId(externalId: string, isSubject: boolean): void {
  assertText("externalId", externalId, { min: 1, max: 255 });
  if (/\p{Cc}/u.test(externalId)) throw badInput("externalId", "externalId must have no control characters.");
  if (isSubject && !/^[\x20-\x7e]+$/.test(externalId))
    throw badInput("externalId", "externalId must be a subject: ASCII characters.");
}

/** @throws AppError FORBIDDEN unless the service may give the address to people */
function assertOwnAddress(email: string, { domains, foreignDomains }: ScimService): void {
  const key = emailKey(email);
  if (!isAtDomains(key, domains) || isAtDomains(key, foreignDomains))
    throw new AppError("FORBIDDEN", "userName is not an e-mail address at your domains.");
}

function nobody(): AppError {
  return new AppError("NOT_FOUND", "There is no such user.");
}
