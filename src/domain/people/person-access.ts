import type { Administration } from "../administration.ts";
import { AppError } from "../errors.ts";
import type { Id } from "../id.ts";
import { nobody } from "./people-administration.ts";
import type { User, UserStore } from "./user.ts";

/** A browser in which a person is signed in. */
interface PersonSession {
  /** A name that opens nothing. */
  readonly id: string;
  /** Browser and system, such as `Firefox on Linux`; null before the first use. */
  readonly browser: string | null;
  readonly address: string | null;
  /** RFC 3339, UTC, milliseconds. */
  readonly signedInAt: string;
  readonly lastUsedAt: string | null;
}

/** A client that may act for a person. */
interface PersonClient {
  readonly clientId: string;
  readonly name: string;
  readonly scopes: readonly string[];
  /** RFC 3339, UTC, milliseconds. */
  readonly since: string;
  /** When it last got a token that is still known. */
  readonly lastUsedAt: string | null;
  /** Whether the operator gave it access, at the terminal. */
  readonly isGiven: boolean;
}

export interface PersonAccess {
  /** Last used first. */
  readonly sessions: readonly PersonSession[];
  /** The latest come first. */
  readonly clients: readonly PersonClient[];
}

/** Sessions of people and clients that act for them, and how an administrator ends them. */
export interface AccessControl {
  /** Finds the sessions and clients of each of these people, so many at the most. */
  listOfEach(userIds: readonly Id[]): Promise<ReadonlyMap<Id, PersonAccess>>;
  /** The person of a session; null where there is none. */
  ownerOf(sessionId: string): Promise<Id | null>;
  /** Ends a session, and what clients were given in it. @returns whether there was one */
  endSession(userId: Id, sessionId: string): Promise<boolean>;
  /** Ends all that a client has of a person; it has to ask again. */
  endClient(userId: Id, clientId: string): Promise<void>;
}

interface AccessAdministration extends Administration<{ readonly users: UserStore }> {
  readonly access: AccessControl;
}

/** Signs a person out of one browser. @throws AppError NOT_FOUND, KeyInUse */
export async function endOneSession(
  { store, access, record, once }: AccessAdministration,
  sessionId: string,
): Promise<User> {
  const owner = await access.ownerOf(sessionId);
  if (owner === null) throw noSession();
  const user = await store.users.update(owner, {}, once); // which notes the request
  if (!(await access.endSession(owner, sessionId))) throw noSession();
  await record({ event: "session", result: "ok", userId: owner, detail: "one ended" });
  return user;
}

/** Takes from a client all that it has of a person: it has to ask again. @throws AppError NOT_FOUND, KeyInUse */
export async function withdrawConsent(
  { store, access, record, once }: AccessAdministration,
  id: Id | null,
  clientId: string,
): Promise<User> {
  if (id === null) throw nobody();
  const user = await store.users.update(id, {}, once);
  await access.endClient(id, clientId);
  await record({ event: "consent", result: "ok", userId: id, clientId, detail: "withdrawn" });
  return user;
}

function noSession(): AppError {
  return new AppError("NOT_FOUND", "There is no session with this id.");
}
