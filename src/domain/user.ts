import { AppError, badInput } from "./errors.ts";
import type { Id } from "./id.ts";
import type { Store } from "./store.ts";
import { assertName, assertText } from "./text.ts";
import { ROLES, type Role } from "./viewer.ts";

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
}

export interface NewUser {
  readonly name: string;
  readonly email: string;
  readonly emailVerified: boolean;
  readonly role: Role;
  readonly passwordHash: string | null;
}

/** The form of an address that identifies an account: NFC, then lower case. */
export function emailKey(email: string): string {
  return email.normalize("NFC").toLowerCase();
}

/** @throws AppError BAD_USER_INPUT for a rule broken, CONFLICT when the address is taken */
export async function createUser(store: Store, input: NewUser): Promise<User> {
  assertUser(input);
  return store.users.create(input);
}

/**
 * Creates the first person of an empty installation, as its administrator.
 *
 * @throws AppError BAD_USER_INPUT for a rule broken, CONFLICT when there is somebody already
 */
export async function createFirstAdministrator(
  store: Store,
  input: Pick<NewUser, "name" | "email" | "passwordHash">,
): Promise<User> {
  const user: NewUser = { ...input, emailVerified: true, role: "admin" };
  assertUser(user);
  return store.users.createFirst(user);
}

function assertUser(input: NewUser): void {
  assertName("name", input.name);
  assertText("email", input.email, { min: 3, max: 254 });
  if (!/^[^\s@\p{Cc}]+@[^\s@\p{Cc}]+$/u.test(input.email))
    throw badInput("email", "email must be an address such as ada@example.com.");
  if (!ROLES.includes(input.role))
    throw new AppError("BAD_USER_INPUT", `role must be one of ${ROLES.join(", ")}.`, { field: "role" });
}
